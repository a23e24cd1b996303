import type { FastifyInstance } from 'fastify'
import type { FinishedAuthorization } from '#operations'
import { escapeHtml } from '../docs/render.ts'
import { headersOf } from '../members.ts'
import { plainPage } from '../plain-page.ts'
import type { ServerDeps } from '../server-deps.ts'

/** Nothing runs, and nothing but the stylesheet is loaded; the address, which holds a code, goes to no one else. */
const POLICY = "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/**
 * Where networks send the browser back after a sign-in. A page for a person, not part of the API. HEAD is not answered:
 * a look must not use up the sign-in.
 */
export function connectRoutes(
  server: FastifyInstance,
  deps: Pick<ServerDeps, 'publicUrl' | 'authenticateMember' | 'addressLimit' | 'finishAuthorization'>,
): void {
  const base = new URL(deps.publicUrl).pathname.replace(/\/$/, '')
  const addressRate = { subject: 'connect', perSecond: deps.addressLimit, inDatabase: true }
  server.get(
    '/connect/:network/callback',
    { schema: { hide: true }, exposeHeadRoute: false, config: { addressRate } },
    async (request, reply) => {
      const { network = '' } = request.params as { network?: string }
      const { text = '' } = request.query as { text?: string }
      const asked = new URLSearchParams(text)
      const finished = await deps.finishAuthorization({
        network,
        state: asked.get('state'),
        code: asked.get('code'),
        error: asked.get('error'),
        errorDescription: asked.get('error_description'),
        // The browser comes from another site: its cookie shows whose sign-in it may end, and opens nothing else here.
        visitor: await deps.authenticateMember(headersOf(request), (value) => void reply.header('set-cookie', value)),
      })
      reply.header('referrer-policy', 'no-referrer').header('cache-control', 'no-store')
      if (finished.kind === 'back') {
        const { socialSetId, authorizationId } = finished
        const query = new URLSearchParams({ set: socialSetId, authorization: authorizationId })
        return reply.redirect(`${base}${DASHBOARD}?${query}`, 303)
      }
      return reply
        .code(finished.kind === 'failed' ? 400 : 200)
        .header('content-type', 'text/html; charset=utf-8')
        .header('content-security-policy', POLICY)
        .send(pageOf(base, finished))
    },
  )
}

function pageOf(base: string, finished: Exclude<FinishedAuthorization, { kind: 'back' }>): string {
  switch (finished.kind) {
    case 'failed':
      return plainPage({
        base,
        title: 'Not connected',
        body: `<p>${escapeHtml(finished.message)}</p>\n${toDashboard(base)}`,
      })
    case 'connected': {
      const { connection, title } = finished
      const open = connection.missingDefaults.length
        ? `<p>Before posts can be scheduled on it, choose: ${connection.missingDefaults.map(code).join(', ')}.</p>
<pre><code>almanac connections choose ${connection.connectionId}</code></pre>`
        : ''
      const warning = connection.warning === null ? '' : `\n<p>${escapeHtml(connection.warning)}</p>`
      const done = `${escapeHtml(connection.name)} on ${escapeHtml(title)} is ${connection.renewed ? 'connected again' : 'connected'}.`
      return plainPage({ base, title: 'Connected', body: `<p>${done} You can close this page.</p>${warning}\n${open}` })
    }
    case 'choose': {
      const rows = finished.accounts.map(
        ({ externalId, name, username }) =>
          `<tr><td>${escapeHtml(name)}</td><td>${escapeHtml(username ?? '')}</td><td>${code(externalId)}</td></tr>`,
      )
      return plainPage({
        base,
        title: 'Choose an account',
        body: `<p>This sign-in on ${escapeHtml(finished.title)} gives several accounts. Choose one within an hour:</p>
<table><thead><tr><th>Name</th><th>Handle</th><th>Id</th></tr></thead><tbody>${rows.join('')}</tbody></table>
<pre><code>almanac connections choose ${finished.authorizationId} --pick ID</code></pre>`,
      })
    }
  }
}

/** Where members see what they have connected, and begin again. */
const DASHBOARD = '/dashboard/connections'
const toDashboard = (base: string) => `<p><a href="${base}${DASHBOARD}">To the connections in the dashboard</a></p>`

const code = (text: string) => `<code>${escapeHtml(text)}</code>`
