import type { FastifyInstance } from 'fastify'
import type { Right } from '#contract'

/** A route as it was registered; HEAD beside GET is one of its own. */
export interface DeclaredRoute {
  method: string
  /** With parameters as `:id`. */
  url: string
  /** What the caller must be allowed; null: nothing in particular. */
  right: Right | null
  /** For operators of the installation. */
  operator: boolean
  /** Below /internal/: answered without a session. */
  open: boolean
  /** Of an answer when it works; null for a route that answers by itself. */
  status: number | null
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route of this server, in the order of registration. */
    routes: readonly DeclaredRoute[]
  }
}

/** The path of a request's target, unescaped as far as it can be; without the query and, in an absolute one, the host. */
export function pathOfUrl(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?]*/, '').split('?', 1)[0] ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * Collects every route that is registered from now on as `server.routes`. The function that it returns gives the methods
 * of a path, to distinguish 405 from 404.
 */
export function collectRoutes(server: FastifyInstance): (url: string) => string[] {
  const declared: DeclaredRoute[] = []
  const routes: { pattern: RegExp; method: string }[] = []
  server.decorate('routes', declared)
  server.addHook('onRoute', ({ url, method: methods, config }) => {
    const pattern = new RegExp(`^${url.replace(/[.+?^$()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
    for (const method of [methods].flat()) {
      // Which methods these take is not said.
      if (!config?.operator) routes.push({ pattern, method })
      declared.push({
        method,
        url,
        right: config?.right ?? null,
        operator: config?.operator === true,
        open: config?.open === true,
        status: config?.statuses?.[0] ?? null,
      })
    }
  })
  return (url) => {
    const path = pathOfUrl(url)
    return [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))].sort()
  }
}
