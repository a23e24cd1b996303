import { join } from 'node:path'
import pino from 'pino'
import { SHIPPED_PLANS } from '#contract'
import { createServer, type DeclaredRoute } from '#http'
import { loadNetworks } from '#networks'

/** Every route of the server, from one that is made for its table: it has no database and answers nothing. */
export async function routeTable(): Promise<DeclaredRoute[]> {
  const networks = await loadNetworks()
  const known = {
    publicUrl: 'http://localhost',
    log: pino({ level: 'silent' }),
    plans: SHIPPED_PLANS,
    dashboardDir: join(import.meta.dirname, '../../web/dist'),
    trustProxy: false,
    trustedOrigins: [],
    sandbox: null,
    limits: {},
    deps: withAnything({ networks }),
  }
  const server = await createServer(withAnything(known) as never)
  const routes = server.routes.filter(({ url }) => !/\.(br|gz)$/.test(url))
  await server.close()
  // One of the files that pages are made of stands for all.
  const file = routes.find(({ method, url }) => method === 'GET' && url.startsWith('/dashboard/assets/'))
  return routes.filter((route) => !route.url.startsWith('/dashboard/assets/') || route === file)
}

/** Has every name: what was not given is there, and is never used. */
function withAnything(known: Record<string, unknown>): object {
  return new Proxy(known, { get: (target, name) => (name in target ? target[name as string] : anything()) })
}

const anything = (): object =>
  new Proxy(() => {}, { get: (_, name) => (name === 'then' ? undefined : anything()), apply: () => anything() })
