import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fastifyStatic from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { escapeHtml } from '../docs/render.ts'
import { FILES } from '../rate-limit.ts'
import type { ServerDeps } from '../server-deps.ts'

const ASSETS = '/dashboard/assets/'

/** The page of the dashboard at every path of it, and its files. Which screen a path is, the page itself knows. */
export async function dashboardPages(
  server: FastifyInstance,
  { publicUrl, dashboardDir }: Pick<ServerDeps, 'publicUrl' | 'dashboardDir'>,
): Promise<void> {
  const { origin, pathname } = new URL(publicUrl)
  const base = pathname.replace(/\/$/, '')
  const page = dashboardDir ? await readFile(join(dashboardDir, 'index.html'), 'utf8') : null
  if (dashboardDir) {
    await server.register(async (files) => {
      files.addHook('onRoute', (route) => {
        route.config = { ...route.config, addressRate: FILES }
      })
      await files.register(fastifyStatic, {
        root: join(dashboardDir, 'assets'),
        prefix: ASSETS,
        // Names hold the hash of what is inside.
        immutable: true,
        maxAge: '1y',
        preCompressed: true,
        wildcard: false,
        schemaHide: true,
        index: false,
      })
      files.get('/dashboard/favicon.svg', { schema: { hide: true } }, (_, reply) =>
        reply.sendFile('favicon.svg', dashboardDir, { maxAge: '1d', immutable: false }),
      )
    })
  }
  const answer = async (request: FastifyRequest, reply: FastifyReply) => {
    // A page in the place of a file of another version would be read as its code.
    if (request.url.startsWith(ASSETS)) return reply.callNotFound()
    const nonce = randomBytes(16).toString('base64')
    return reply
      .code(page ? 200 : 503)
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', policy(nonce, origin))
      .header('x-frame-options', 'DENY')
      .header('referrer-policy', 'same-origin')
      .header('cross-origin-opener-policy', 'same-origin-allow-popups')
      .header('permissions-policy', 'camera=(), microphone=(), geolocation=()')
      .header('cache-control', 'no-store')
      .send(page ? filled(page, { base, nonce }) : NOT_BUILT)
  }
  for (const url of ['/dashboard', '/dashboard/*']) server.get(url, { schema: { hide: true } }, answer)
  server.get('/', { schema: { hide: true } }, (_, reply) => reply.redirect(`${base}/dashboard`))
}

/** Nothing runs but our own files. Styles that the page makes by itself carry the nonce. */
function policy(nonce: string, origin: string): string {
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    `img-src 'self' data: blob: ${origin}`,
    `media-src 'self' blob: ${origin}`,
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** The page finds its files below the path that a proxy may put in front of us. */
export function filled(page: string, { base, nonce }: { base: string; nonce: string }): string {
  return page
    .replaceAll('"./', `"${escapeHtml(base)}/dashboard/`)
    .replace('<meta name="almanac-base" content="">', `<meta name="almanac-base" content="${escapeHtml(base)}">`)
    .replace('<meta name="csp-nonce" content="">', `<meta name="csp-nonce" content="${nonce}">`)
}

export const NOT_BUILT = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Almanac</title></head>
<body><main><h1>The dashboard is not built</h1><p>Start Almanac with <code>npm start</code>, which builds it.</p></main></body></html>
`
