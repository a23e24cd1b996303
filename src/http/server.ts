import swagger from '@fastify/swagger'
import {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  fastify,
  LogController,
} from 'fastify'
import { LIMITS, ProblemError } from '#contract'
import { newId } from '#domain'
import { answerOnce, authenticateGuest, requireApiAccess, requireRight } from '#operations'
import manifest from '../../package.json' with { type: 'json' }
import { createReadmission } from './admit-again.ts'
import { createAgentAdmission } from './agents.ts'
import { answered } from './answered.ts'
import { createAnsweredBytes } from './answered-bytes.ts'
import { readBodiesAsJson } from './bodies.ts'
import type { TrustProxy } from './connections.ts'
import { requireJsonAccepted } from './credentials.ts'
import { openDocs } from './docs/pages.ts'
import type { OpenApiDocument } from './docs/reference.ts'
import { createForwardedWarning } from './forwarded.ts'
import { createGuestAdmission, GUEST_HEADERS } from './guests.ts'
import { serveGuests } from './handlers/guests.ts'
import { serveMedia } from './handlers/media.ts'
import { servePeople } from './handlers/people.ts'
import { servePlanning } from './handlers/planning.ts'
import { servePosts } from './handlers/posts.ts'
import { serveWebhooks } from './handlers/webhooks.ts'
import { dropLongHeaders, refuseLongHeaders } from './header-bounds.ts'
import { loggedPath } from './logged-path.ts'
import { createMemberAdmission } from './members.ts'
import { nodeServer } from './node-server.ts'
import { addSharedSchemas, openApiFrame } from './openapi.ts'
import { collectRoutes, pathOfUrl } from './paths.ts'
import { internalProblem, problemOf, sendProblem, unfinishedProblem } from './problems.ts'
import { createAddressAdmission, createAdmission, createRefusals } from './rate-limit.ts'
import type { Guard } from './route.ts'
import { calendarFeedRoutes } from './routes/calendar-feeds.ts'
import { clientRoutes } from './routes/clients.ts'
import { connectRoutes } from './routes/connect.ts'
import { dashboardPages } from './routes/dashboard-pages.ts'
import { docsRoutes } from './routes/docs.ts'
import { guestFileRoutes } from './routes/guest-files.ts'
import { liveRoutes } from './routes/live.ts'
import { mcpRoutes } from './routes/mcp.ts'
import { mediaFileRoutes } from './routes/media-files.ts'
import { metaRoutes } from './routes/meta.ts'
import { sharedPages } from './routes/shared-pages.ts'
import { unsubscribeRoutes } from './routes/unsubscribe.ts'
import { withSandbox } from './sandbox.ts'
import type { ServerDeps } from './server-deps.ts'
import { createBodyBounds } from './unfinished-bodies.ts'

/** A year, of this host name alone: what runs below it is not ours. */
const STAY_WITH_HTTPS = 'max-age=31536000'
/**
 * Operations check bodies and queries themselves, in the order that the API wants. Given when the server is made, because Fastify
 * loads compilers of its own before they can be replaced. Its types know its own alone.
 */
const NO_COMPILERS = {
  buildValidator: () => () => () => true,
  buildSerializer: () => () => (data: unknown) => JSON.stringify(data),
} as unknown as NonNullable<NonNullable<FastifyServerOptions['schemaController']>['compilersFactory']>

/** The HTTP server with all its routes, not yet listening. Every error of every route is a problem (RFC 9457). */
export async function createServer(deps: ServerDeps): Promise<FastifyInstance> {
  const { publicUrl, log } = deps
  const admit = createAdmission(deps)
  const admitAgent = createAgentAdmission({ ...deps, find: deps.keys.find })
  const admitMember = createMemberAdmission(deps)
  const answeredBytes = createAnsweredBytes()
  const admitAddress = createAddressAdmission(deps.rate, createRefusals())
  const admitGuest = createGuestAdmission({
    ...deps,
    authenticateGuest: (id, headers) => authenticateGuest(deps, id, headers),
  })
  const boundBody = createBodyBounds(deps.limits)
  const staysWithHttps = deps.hsts && publicUrl.startsWith('https:')
  const warnOfForwarded = createForwardedWarning(deps)
  const server: FastifyInstance = fastify({
    loggerInstance: log,
    // One line per request is written below, without headers, queries and bodies.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: () => newId(),
    bodyLimit: LIMITS.bodyBytes,
    trustProxy: trusted(deps.trustProxy),
    routerOptions: {
      // The text as it came: its reader keeps the order and reports every problem by the name that was written.
      querystringParser: (text) => ({ text }),
      // What is too long for an id is an id that nothing has, not another kind of error.
      maxParamLength: 100_000,
    },
    // Fastify gives up after ten seconds, which a busy machine may need: who starts the process has a limit of their own.
    pluginTimeout: 0,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // Before any hook: a path that cannot be decoded.
    frameworkErrors: (error, request, reply) => {
      const answer = (why: unknown) => void answerError(why, request as FastifyRequest, reply as FastifyReply)
      void begin(request as FastifyRequest, reply as FastifyReply).then(() => answer(error), answer)
    },
    // The server does that by itself.
    clientErrorHandler: () => {},
    schemaController: { compilersFactory: NO_COMPILERS },
    serverFactory: (handler) => nodeServer(withSandbox(deps.sandbox, handler, deps), deps),
  })
  readBodiesAsJson(server)
  server.decorateRequest('caller', null)
  server.decorateRequest('guest', null)
  server.decorateRequest('countForAccount', null)

  const methodsOf = collectRoutes(server)
  server.addHook('onRequest', async (request, reply) => {
    dropLongHeaders(request)
    await begin(request, reply)
    refuseLongHeaders(request)
    boundBody(request, reply)
    // Here and not in a handler: the body of a request for what is not there is not read.
    if (request.is404) return answerNoRoute(request, reply)
    const { right, operator, statuses } = request.routeOptions.config
    if (operator && !request.caller?.member?.operator) return answerNoRoute(request, reply)
    if (request.caller) requireApiAccess(request.caller)
    if (request.caller && right) requireRight(request.caller, right)
    if (statuses) requireJsonAccepted(request.headers.accept)
  })
  server.addHook('onSend', async ({ caller }, _, payload) => {
    if (caller?.member && typeof payload === 'string') answeredBytes.add(caller.member.userId, payload.length)
  })
  server.addHook('onResponse', async (request, reply) => {
    const { method, routeOptions } = request
    const fields = { method, path: pathOf(request), status: reply.statusCode, ms: Math.round(reply.elapsedTime) }
    const unasked = routeOptions.config?.quiet || (deps.quiet && reply.statusCode < 400)
    if (unasked) request.log.debug(fields, 'Request')
    else request.log.info(fields, 'Request')
    deps.onAnswered?.(answered(request, reply))
  })
  server.setErrorHandler((error, request, reply) =>
    request.countForAccount ? answerCounted(error, request, reply) : answerError(error, request, reply),
  )
  server.setNotFoundHandler(answerNoRoute)

  await server.register(swagger, openApiFrame(publicUrl))
  addSharedSchemas(server)
  const guard: Guard = {
    strict: deps.strict,
    log,
    answerOnce: (...request) => answerOnce(deps, ...request),
  }
  const openApi = () => server.swagger() as unknown as OpenApiDocument
  const docs = openDocs({ ...deps, openApi })
  await server.register(async (routes) => {
    servePosts(routes, guard, deps)
    servePlanning(routes, guard, deps)
    liveRoutes(routes, deps)
    unsubscribeRoutes(routes, deps)
    calendarFeedRoutes(routes, deps)
    serveMedia(routes, guard, { ...deps, admitAgain: createReadmission(deps) })
    mediaFileRoutes(routes, deps)
    servePeople(routes, guard, deps)
    serveWebhooks(routes, guard, deps)
    metaRoutes(routes, deps)
    clientRoutes(routes)
    connectRoutes(routes, deps)
    serveGuests(routes, guard, deps)
    guestFileRoutes(routes, deps)
    await sharedPages(routes, deps)
    await dashboardPages(routes, deps)
    docsRoutes(routes, docs)
    mcpRoutes(routes, { ...deps, docs })
  })
  await server.ready()
  return server

  /** What every answer has; and who asks, below /v1/, /internal/, /shared/ and at /mcp. Throws what the request is refused for. */
  async function begin(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff')
    if (staysWithHttps) reply.header('strict-transport-security', STAY_WITH_HTTPS)
    warnOfForwarded(request)
    const path = request.is404 ? pathOfUrl(request.url) : (request.routeOptions.url ?? '')
    const room = path.split('/', 2)[1]
    if (room === 'shared') reply.headers(GUEST_HEADERS)
    if (room === 'shared' && request.routeOptions.config?.forGuests) {
      request.guest = await admitGuest(request, reply)
      return
    }
    if (room === 'mcp' && !request.is404) {
      reply.header('cache-control', 'no-store')
      request.caller = await admitAgent(request)
      return
    }
    if (room !== 'v1' && room !== 'internal') return admitAddress(request)
    reply.header('cache-control', 'no-store')
    if (room === 'v1') reply.header('almanac-version', manifest.version)
    request.caller = await (room === 'v1' ? admit(request, reply) : admitMember(request, reply))
    if (request.caller?.member) answeredBytes.refuseOver(request.caller.member.userId)
  }

  /** What is refused before its route took it over counts, though bytes would have paid for it. */
  async function answerCounted(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
    const { countForAccount } = request
    request.countForAccount = null
    const refusal = await countForAccount?.().catch((overRate: unknown) => overRate)
    return answerError(refusal ?? error, request, reply)
  }

  function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const { bodyLimit = LIMITS.bodyBytes, config } = request.routeOptions
    const brokenOff = error === request.raw.errored
    // No one reads this answer, and without one no line of the request gets into the log.
    if (brokenOff) request.log.info({ method: request.method, path: pathOf(request) }, 'A client broke off its request')
    const problem = brokenOff ? unfinishedProblem() : problemOf(error, bodyLimit)
    const statuses = config?.statuses
    const undeclared = problem !== null && statuses !== undefined && !statuses.includes(problem.status)
    if (undeclared) request.log.error({ error }, 'A route has answered with a status that it does not declare')
    else if (!problem) request.log.error({ error }, 'A request failed by an error of ours')
    else if (problem.code === 'service:unavailable')
      request.log.warn({ error }, 'A request met a fault of the database or of the disk')
    return sendProblem(publicUrl, request, reply, problem && !(undeclared && deps.strict) ? problem : internalProblem())
  }

  /** 404, or 405 for a path that takes other methods. OPTIONS asks which. */
  function answerNoRoute(request: FastifyRequest, reply: FastifyReply): FastifyReply {
    const methods = methodsOf(request.url)
    const allow = [...methods, 'OPTIONS'].join(', ')
    // A route that takes the method and comes here has nothing to answer: a file that is gone.
    if (methods.length === 0 || methods.includes(request.method)) {
      const problem = new ProblemError('route:not_found', 'There is nothing at this path.')
      return sendProblem(publicUrl, request, reply, problem)
    }
    if (request.method === 'OPTIONS') return reply.code(204).header('allow', allow).send()
    const problem = new ProblemError('request:method_not_allowed', `This route takes ${allow}.`, { headers: { allow } })
    return sendProblem(publicUrl, request, reply, problem)
  }
}

const pathOf = ({ url }: FastifyRequest) => loggedPath(url)

/** A number is that of the proxies between us and the world. */
function trusted(proxies: TrustProxy): boolean | string[] | ((address: string, hop: number) => boolean) {
  if (typeof proxies === 'number') return (_, hop) => hop < proxies
  return typeof proxies === 'boolean' ? proxies : [...proxies]
}
