import type { FastifyInstance } from 'fastify'

/** The path of a request's target, unescaped as far as it can be; without the query and, in an absolute one, the host. */
export function pathOfUrl(url: string): string {
  const path = url.replace(/^https?:\/\/[^/?]*/, '').split('?', 1)[0] ?? ''
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/** Collects the methods of every path that is registered from now on, to tell 405 from 404. */
export function collectMethods(server: FastifyInstance): (url: string) => string[] {
  const routes: { pattern: RegExp; method: string }[] = []
  server.addHook('onRoute', (route) => {
    const pattern = new RegExp(`^${route.url.replace(/[.+?^$()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
    for (const method of [route.method].flat()) routes.push({ pattern, method })
  })
  return (url) => {
    const path = pathOfUrl(url)
    return [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))].sort()
  }
}
