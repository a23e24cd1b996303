import type { FastifyInstance } from 'fastify'
import { ERRORS, type ErrorCode, MEDIA_UPLOAD_ERRORS, POST_PROBLEMS, ProblemError } from '#contract'
import { errorPagePath } from '../problems.ts'

const PAGE = "default-src 'none'; style-src 'unsafe-inline'"

/** Health, the description of the interface, and a page for every code of an error. */
export function metaRoutes(server: FastifyInstance, deps: { healthy(): Promise<boolean> }): void {
  server.get('/healthz', { schema: { hide: true }, config: { quiet: true } }, async (_, reply) => {
    const healthy = await deps.healthy().catch(() => false)
    return reply
      .code(healthy ? 200 : 503)
      .header('cache-control', 'no-store')
      .send({ status: healthy ? 'ok' : 'unavailable' })
  })
  server.get('/openapi.json', { schema: { hide: true } }, async (_, reply) =>
    reply.header('content-type', 'application/json').send(JSON.stringify(server.swagger())),
  )
  server.get('/docs/errors/:code', { schema: { hide: true } }, async (request, reply) => {
    const { code } = request.params as { code: string }
    const text = explanation(code)
    if (text === null) throw new ProblemError('route:not_found', 'There is no error of this code.')
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', PAGE)
      .send(page(code, text))
  })
}

/** In words what a code means; null for one that is not in the catalogue. */
function explanation(code: string): string | null {
  if (Object.hasOwn(ERRORS, code)) {
    const { status, title } = ERRORS[code as ErrorCode]
    return `${title}. It comes with the status ${status}; <code>detail</code> says what is wrong in your request, <code>errors</code> where.`
  }
  const entries: Record<string, string> = { ...POST_PROBLEMS, ...MEDIA_UPLOAD_ERRORS }
  return Object.hasOwn(entries, code) ? `${entries[code]}.` : null
}

function page(code: string, text: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${code} · Almanac</title><link rel="canonical" href="${errorPagePath(code)}">
<style>body{font:1.1rem/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{background:#8882;padding:.1em .3em}</style>
</head><body><h1><code>${code}</code></h1><p>${text}</p></body></html>`
}
