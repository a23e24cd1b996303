import swagger from '@fastify/swagger'
import { type FastifyBaseLogger, type FastifyInstance, fastify } from 'fastify'
import { LIMITS, ProblemError } from '#contract'
import { newId } from '#domain'
import { type Authenticate, readCaller, requireJsonAccepted } from './credentials.ts'
import { answerMalformed, nodeServer, type SandboxHandler } from './node-server.ts'
import { openApiFrame } from './openapi.ts'
import { internalProblem, problemOf, sendProblem } from './problems.ts'
import { type MediaRouteDeps, mediaRoutes } from './routes/media.ts'
import { metaRoutes } from './routes/meta.ts'
import { type PostSetRouteDeps, postSetRoutes } from './routes/post-sets.ts'
import { type SocialSetRouteDeps, socialSetRoutes } from './routes/social-sets.ts'

export interface ServerDeps {
  /** Address without a slash at the end; problems and media name it. */
  publicUrl: string
  log: FastifyBaseLogger
  authenticate: Authenticate
  /** What the operations behind the routes need. */
  deps: PostSetRouteDeps & SocialSetRouteDeps & MediaRouteDeps
  /** Whether the process does its work: `GET /healthz`. */
  healthy(): Promise<boolean>
  /** Answers everything below /sandbox, reading bodies by itself; null without a sandbox. */
  sandbox: SandboxHandler | null
  trustProxy: boolean | number | readonly string[]
  /** True in tests: an answer that its route does not declare is an error. */
  strict: boolean
}

/** The HTTP server with all its routes, not yet listening. */
export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { publicUrl, log, sandbox } = deps
  const server: FastifyInstance = fastify({
    loggerInstance: log,
    // One line per request is written below, without headers, queries and bodies.
    disableRequestLogging: true,
    genReqId: () => newId(),
    bodyLimit: LIMITS.bodyBytes,
    trustProxy: trusted(deps.trustProxy),
    // The text as it came: its reader keeps the order and tells every problem by the name that was written.
    routerOptions: { querystringParser: (text) => ({ text }) },
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: (error, socket) => answerMalformed(publicUrl, error, socket),
    serverFactory: (handler) => nodeServer(sandbox, handler),
  })
  // Operations check bodies and queries themselves, in the order that the interface wants.
  server.setValidatorCompiler(() => () => true)
  server.setSerializerCompiler(() => (data) => JSON.stringify(data))
  readBodiesAsJson(server)
  server.decorateRequest('caller', null)

  const allowed = collectMethods(server)
  server.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id)
    if (!request.url.startsWith('/v1/')) return
    reply.header('cache-control', 'no-store')
    request.caller = await readCaller(
      deps.authenticate,
      request.headers.authorization,
      request.routeOptions.config?.scope,
    )
    requireJsonAccepted(request.headers.accept)
  })
  server.addHook('onResponse', async (request, reply) => {
    const path = request.url.split('?', 1)[0]
    request.log.info(
      { method: request.method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
      'Request',
    )
  })
  server.setErrorHandler((error, request, reply) => {
    const problem = problemOf(error)
    const statuses = request.routeOptions.config?.statuses
    const undeclared = problem && statuses && !statuses.includes(problem.status)
    if (!problem || undeclared)
      request.log.error(
        { err: error },
        undeclared
          ? 'A route has answered with a status that it does not declare'
          : 'A request failed by an error of ours',
      )
    return sendProblem(publicUrl, request, reply, problem && !(undeclared && deps.strict) ? problem : internalProblem())
  })
  server.setNotFoundHandler((request, reply) => {
    const methods = allowed(request.url.split('?', 1)[0] ?? '')
    const problem =
      methods.length > 0
        ? new ProblemError('request:method_not_allowed', `This route takes ${methods.join(', ')}.`, {
            headers: { allow: methods.join(', ') },
          })
        : new ProblemError('route:not_found', 'There is nothing at this path.')
    return sendProblem(publicUrl, request, reply, problem)
  })

  await server.register(swagger, openApiFrame(publicUrl))
  const guard = { strict: deps.strict, log }
  await server.register(async (routes) => {
    postSetRoutes(routes, guard, deps.deps)
    socialSetRoutes(routes, guard, deps.deps)
    mediaRoutes(routes, guard, deps.deps)
    metaRoutes(routes, { healthy: deps.healthy, publicUrl })
  })
  await server.ready()
  return server
}

/** A number is that of the proxies between us and the world. */
function trusted(proxies: ServerDeps['trustProxy']): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (typeof proxies === 'number') return (_, hop) => hop < proxies
  return typeof proxies === 'boolean' ? proxies : [...proxies]
}

function readBodiesAsJson(server: FastifyInstance): void {
  server.removeAllContentTypeParsers()
  server.addContentTypeParser(/^application\/(?:[\w.+-]+\+)?json\b/i, { parseAs: 'string' }, (_, body, done) => {
    try {
      done(null, JSON.parse(body as string))
    } catch {
      done(
        new ProblemError('request:invalid_json', 'The body cannot be read as JSON. Check quotes, commas and brackets.'),
      )
    }
  })
}

/** Which methods a path has, to tell 405 from 404. */
function collectMethods(server: FastifyInstance): (path: string) => string[] {
  const routes: { pattern: RegExp; method: string }[] = []
  server.addHook('onRoute', (route) => {
    const pattern = new RegExp(`^${route.url.replace(/[.+?^$()|[\]\\]/g, '\\$&').replace(/:\w+/g, '[^/]+')}$`)
    for (const method of [route.method].flat()) routes.push({ pattern, method })
  })
  return (path) => [...new Set(routes.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method))].sort()
}
