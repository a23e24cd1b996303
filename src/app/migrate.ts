import type { Server as HttpServer } from 'node:http'
import type { HealthReport } from '#http'
import type { Begun, Stop } from './begin.ts'
import { migrateServer, type Server } from './database.ts'

/** Where a process answers while its tables are not ready yet. */
export interface EarlyPlace {
  host: string
  port: number
  setting: string
  publicUrl: string
}

/** Seconds after which a client may ask again. */
const ASK_AGAIN_S = '5'

/**
 * Brings the tables to this version. That may wait for others, and take long: meanwhile the process answers for its health.
 * It lives, is not ready, and the answers say why.
 *
 * @returns whether it has; false when the process was asked to stop before
 */
export async function migrateAndAnswer(begun: Begun, server: Server, place: EarlyPlace, stop: Stop): Promise<boolean> {
  try {
    await answeringMeanwhile(begun, place, (report) => migrateServer(begun, server, { report, signal: stop.graceful }))
    return true
  } catch (error) {
    if (stop.graceful.aborted) return false
    throw error
  }
}

/** Does what a start has to wait for. From the first report on, the process answers for its health with it: it lives, and is not ready. */
export async function answeringMeanwhile<T>(
  begun: Begun,
  place: EarlyPlace,
  work: (report: (message: string) => void) => Promise<T>,
): Promise<T> {
  let problem = ''
  let serving: Promise<HttpServer | null> | null = null
  try {
    return await work((message) => {
      begun.log.info({}, message)
      problem = message
      // Whoever has the port instead answers there.
      serving ??= answerEarly(begun, place, () => problem).catch(() => null)
    })
  } finally {
    await closeEarly(serving)
  }
}

async function answerEarly(begun: Begun, place: EarlyPlace, problem: () => string): Promise<HttpServer> {
  const [{ answerHealth, HEALTH_HEADERS }, { listen }] = await Promise.all([
    import('#http'),
    import('./health-server.ts'),
  ])
  const report = async (ok: boolean): Promise<HealthReport> => ({
    ok,
    problems: [problem()],
    lastWriteAt: null,
    oldest: null,
  })
  const health = { live: () => report(true), ready: () => report(false) }
  return listen(
    async (request, response) => {
      const answer = await answerHealth(health, request.url?.split('?')[0] ?? '')
      if (answer) response.writeHead(answer.status, HEALTH_HEADERS).end(answer.body)
      else response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': ASK_AGAIN_S }).end(`${problem()}\n`)
    },
    place,
    begun,
  )
}

async function closeEarly(serving: Promise<HttpServer | null> | null): Promise<void> {
  const server = await serving
  if (!server) return
  const { closeServer } = await import('./health-server.ts')
  await closeServer(server, { graceMs: 0 })
}
