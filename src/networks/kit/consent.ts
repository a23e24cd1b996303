import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { SimulatorDeps } from './simulation.ts'

/** What a sign-in at a simulator was asked for. Its code carries it: a visit to the page leaves nothing behind. */
export interface SimulatedGrant {
  /** Tells this grant from all others. */
  id: string
  clientId: string
  redirectUri: string
  scope: string
  /** S256 challenge; null without PKCE. */
  codeChallenge: string | null
  expiresAt: string
}

const USED = 'used-codes'
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

/**
 * The page on which a person of a simulator allows an app what it asks for. The first request shows it; following
 * its links leads back to the app with a code, or with `access_denied`. Null, as it has answered by itself.
 */
export function answerConsent(
  deps: SimulatorDeps,
  request: IncomingMessage,
  response: ServerResponse,
  options: {
    /** For people: `Pinterest`. */
    title: string
    /** Name of the parameter that holds the app's id. Default `client_id`. */
    clientIdName?: string
    /** The only app that there is on the simulator: the sandbox value of the setting. */
    clientId: string
    /** Milliseconds that a code is good for. */
    codeLastsMs: number
    /** Behind the code, as some networks have it: `#_`. */
    suffix?: string
  },
): null {
  const url = new URL(request.url ?? '', 'http://simulator')
  const asked = (name: string) => url.searchParams.get(name) ?? ''
  const wrong = refusedBecause(asked, options, deps.callback)
  if (wrong !== null) {
    sendPage(response, 400, options.title, `<p>${escaped(wrong)}</p>`)
    return null
  }
  const decision = url.searchParams.get('decision')
  if (decision === null) {
    const link = (value: string) => escaped(`?${new URLSearchParams([...url.searchParams, ['decision', value]])}`)
    const body = `<p>An app wants to sign in to a demo account and asks for: ${escaped(asked('scope') || 'nothing in particular')}.</p>
<p><a id="allow" href="${link('allow')}">Allow</a> &nbsp; <a id="deny" href="${link('deny')}">Deny</a></p>`
    sendPage(response, 200, options.title, body)
    return null
  }
  const back = new URL(asked('redirect_uri'))
  if (decision === 'allow') {
    const grant: SimulatedGrant = {
      id: randomBytes(24).toString('base64url'),
      clientId: options.clientId,
      redirectUri: asked('redirect_uri'),
      scope: asked('scope'),
      codeChallenge: url.searchParams.get('code_challenge'),
      expiresAt: new Date(deps.now().getTime() + options.codeLastsMs).toISOString(),
    }
    back.searchParams.set('code', deps.tokens.write('code', grant))
  } else {
    back.searchParams.set('error', 'access_denied')
    back.searchParams.set('error_description', 'The person said no.')
  }
  back.searchParams.set('state', asked('state'))
  response.writeHead(302, { location: back.href + (options.suffix ?? '') }).end()
  return null
}

/**
 * The grant of a code, which is used up by this; null for one that is not ours, used or too old. To be called for a client
 * that has proved who it is: it writes.
 */
export function redeemCode(deps: SimulatorDeps, code: string): SimulatedGrant | null {
  const grant = deps.tokens.read('code', code) as SimulatedGrant | undefined
  if (!grant || new Date(grant.expiresAt) <= deps.now()) return null
  if (deps.store.get(USED, grant.id) !== undefined) return null
  deps.store.put(USED, grant.id, {})
  return grant
}

function refusedBecause(
  asked: (name: string) => string,
  { clientIdName = 'client_id', clientId }: { clientIdName?: string; clientId: string },
  callback: string,
): string | null {
  if (asked('redirect_uri') !== callback) {
    return `The redirect_uri is none of the app: sign-ins of this sandbox lead back to ${callback} alone.`
  }
  if (asked(clientIdName) !== clientId) return `There is no app with this ${clientIdName}.`
  if (asked('response_type') !== 'code' && asked('response_type') !== '') return 'The response_type must be code.'
  if (asked('state') === '') return 'The state is missing.'
  if (asked('code_challenge') !== '' && asked('code_challenge_method') !== 'S256') return 'The challenge must be S256.'
  return null
}

function sendPage(response: ServerResponse, status: number, title: string, body: string): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  })
  const name = escaped(title)
  response.end(
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sign in to ${name} (sandbox)</title></head><body><h1>${name}, simulator</h1>${body}</body></html>`,
  )
}
