import type { Health } from '#http'
import type { Database, DatabaseAddress } from '#persistence'
import { type Addresses, addressesOf, claimablePort, localUrl } from './addresses.ts'
import type { Base } from './base.ts'
import { asked, type Begun, beginProcess, type Stop } from './begin.ts'
import type { Closing } from './closing.ts'
import { timesOf, watchEnding } from './ending.ts'
import type { ServedBy } from './metrics/catalog.ts'
import type { Metrics } from './metrics/serve.ts'
import { closedSandboxWords } from './sandbox-words.ts'
import { StartError } from './start-error.ts'
import type { Work } from './work.ts'

/**
 * What takes long to load is loaded only when the port is known to be free: first the way to the database, then the rest
 * while the database starts.
 */
const loadBase = () => import('./base.ts')
const loadAnnounce = () => import('./announce.ts')
const loadInterface = () => import('./interface.ts')
const loadWork = () => import('./work.ts')
const loadSandbox = () => import('./sandbox.ts')
const loadMedia = () => import('./media.ts')
const loadHealth = () => import('./health.ts')
const loadNetworkCode = async () => (await import('#networks')).loadNetworks()
const loadHeldStartMail = () => import('./held-start-mail.ts')
const loadMetrics = () => import('./metrics/serve.ts')

/** The metrics of a process; null when none are wanted. */
async function openMetrics(
  begun: Begun & { server: DatabaseAddress },
  parts: { publicUrl: string; health: Health; pools: Record<string, Database>; served: readonly ServedBy[] },
  closing: Closing,
): Promise<Metrics | null> {
  const { metrics: place } = begun.config
  if (place === null) return null
  const { publicUrl, ...sources } = parts
  const room = await loadMetrics()
  return room.openMetrics(begun, { ...place, publicUrl }, { ...sources, database: begun.server }, closing)
}

/** Serves them, and prints where. */
async function serveMetrics(metrics: Metrics | null): Promise<void> {
  const address = await metrics?.serve()
  if (address) say(`Metrics are served at ${address}`)
}

/** Where mail can be sent, the operators learn of a start that is held, also of one that is held later. */
async function watchHeldStart(base: Base, addresses: Addresses): Promise<void> {
  if (base.config.mail === null) return
  const { mailHeldStart } = await loadHeldStartMail()
  mailHeldStart(base, addresses)
}

/** Everything in one process, on a database of its own unless DATABASE_URL names one. */
async function up(stop: Stop): Promise<void> {
  const begun = await beginProcess()
  const { config, log } = begun
  await using closing = new AsyncDisposableStack()
  const port = await claimablePort(config.host, config.port, 'ALMANAC_PORT')
  const addresses = addressesOf(config, { port, together: true })
  const ending = watchEnding(stop, timesOf(config), log)
  const { openBase, openPool, POOL_SIZES } = await loadBase()
  const { requests, work: forWork, publishing } = POOL_SIZES.up
  const rooms = Promise.all([loadInterface(), loadWork(), loadSandbox(), loadMedia(), loadHealth()])
  const early = { host: config.host, port, setting: 'ALMANAC_PORT', publicUrl: addresses.publicUrl }
  const sizes = { poolSize: forWork, pool: 'work' } as const
  const base = await openBase(begun, closing, { mode: 'own', name: 'almanac', ...sizes, ending, early, stop })
  if (base === null || stop.graceful.aborted) return
  const [{ startInterface }, { startWork }, { startSandbox }, { openMedia }, { openHealth }] = await rooms

  const media = openMedia(config, base.box, addresses, base)
  closing.defer(() => media.fetch.close())
  await watchHeldStart(base, addresses)
  const sandbox = config.sandbox.on ? await startSandbox(base, addresses, closing) : null
  let work: Work | null = null
  const health = openHealth({ ...base, work: () => work, stopping: stop.graceful }, closing)
  const db = openPool(base, closing, { name: 'almanac-api', poolSize: requests, pool: 'requests', ending })
  const engine = openPool(base, closing, {
    name: 'almanac-publishing',
    poolSize: publishing,
    pool: 'publishing',
    ending,
  })
  const { publicUrl } = addresses
  const pools = { requests: db, work: base.db, publishing: engine }
  const metrics = await openMetrics(base, { publicUrl, health, pools, served: ['all', 'publishing', 'api'] }, closing)
  const onAnswered = metrics?.answered
  const server = await startInterface({
    ...base,
    db,
    port,
    media,
    addresses,
    sandbox,
    health,
    onAnswered,
    stopping: stop.graceful,
  })
  closing.defer(() => ending.endPart(server.stop))
  const { observe, importEnded: onImportEnd } = metrics ?? {}
  const started = await startWork({ ...base, publishing: engine, media, addresses, observe, onImportEnd })
  work = started
  // Ends first: what is under way may still need the API, which serves media and the sandbox.
  closing.defer(async () => void (await Promise.all([ending.endPart(started.stop), ending.untilClosing()])))

  const { announce } = await loadAnnounce()
  await serveMetrics(metrics)
  await announce(base, { addresses, local: localUrl(config.host, port), sandbox, media })
  await asked(stop)
  log.info({}, 'Ending what is under way')
}

/** The API alone. */
async function api(stop: Stop): Promise<void> {
  const begun = await beginProcess()
  const { config } = begun
  await using closing = new AsyncDisposableStack()
  const port = await claimablePort(config.host, config.port, 'ALMANAC_PORT')
  const addresses = addressesOf(config, { port, together: false })
  const ending = watchEnding(stop, timesOf(config), begun.log)
  const { openBase, POOL_SIZES } = await loadBase()
  const rooms = Promise.all([loadInterface(), loadMedia(), loadHealth()])
  const early = { host: config.host, port, setting: 'ALMANAC_PORT', publicUrl: addresses.publicUrl }
  const sizes = { poolSize: POOL_SIZES.api.requests, pool: 'requests' } as const
  const base = await openBase(begun, closing, { mode: 'join', name: 'almanac-api', ...sizes, ending, early, stop })
  if (base === null || stop.graceful.aborted) return
  const [{ startInterface }, { openMedia }, { openHealth }] = await rooms
  const media = openMedia(config, base.box, addresses, base)
  closing.defer(() => media.fetch.close())
  await watchHeldStart(base, addresses)
  const health = openHealth({ ...base, work: () => null, stopping: stop.graceful }, closing)
  const { publicUrl } = addresses
  const pools = { requests: base.db }
  const metrics = await openMetrics(base, { publicUrl, health, pools, served: ['all', 'api'] }, closing)
  const onAnswered = metrics?.answered
  const server = await startInterface({
    ...base,
    port,
    media,
    addresses,
    sandbox: null,
    health,
    onAnswered,
    stopping: stop.graceful,
  })
  closing.defer(async () => {
    await ending.untilClosing()
    await ending.endPart(server.stop)
  })
  const { announceReady } = await loadAnnounce()
  await serveMetrics(metrics)
  await announceReady(base, addresses, `The API of Almanac is ready at ${localUrl(config.host, port)}`)
  await asked(stop)
}

/** The publisher and the importer alone. */
async function worker(stop: Stop): Promise<void> {
  const begun = await beginProcess()
  const { config } = begun
  await using closing = new AsyncDisposableStack()
  const addresses = addressesOf(config, { port: config.port, together: false })
  const ending = watchEnding(stop, timesOf(config), begun.log)
  const { openBase, openPool, POOL_SIZES } = await loadBase()
  const { work: poolSize, publishing } = POOL_SIZES.worker
  const rooms = Promise.all([loadWork(), loadMedia(), loadHealth(), import('./health-server.ts')])
  const { publicUrl } = addresses
  const { host, workerPort } = config
  const early = { host, port: workerPort, setting: 'ALMANAC_WORKER_PORT', publicUrl }
  const sizes = { poolSize, pool: 'work' } as const
  const base = await openBase(begun, closing, { mode: 'join', name: 'almanac-worker', ...sizes, ending, early, stop })
  if (base === null || stop.graceful.aborted) return
  const [{ startWork }, { openMedia }, { openHealth }, { healthHandler, listenOrWait }] = await rooms
  const media = openMedia(config, base.box, addresses, base)
  closing.defer(() => media.fetch.close())
  await watchHeldStart(base, addresses)
  let work: Work | null = null
  const health = openHealth({ ...base, work: () => work, stopping: stop.graceful }, closing)
  const engine = openPool(base, closing, {
    name: 'almanac-publishing',
    poolSize: publishing,
    pool: 'publishing',
    ending,
  })
  const pools = { work: base.db, publishing: engine }
  const metrics = await openMetrics(base, { publicUrl, health, pools, served: ['all', 'publishing'] }, closing)
  // Before the work begins: an address that is wrong is found out first.
  const place = { ...early, what: 'its health check' }
  const port = await listenOrWait(healthHandler(health), place, begun, closing)
  await serveMetrics(metrics)
  const { observe, importEnded: onImportEnd } = metrics ?? {}
  const started = await startWork({ ...base, publishing: engine, media, addresses, observe, onImportEnd })
  work = started
  closing.defer(() => ending.endPart(started.stop))
  const where = port === null ? '' : `; its health is at ${localUrl(host, port)}/healthz`
  say(`The worker of Almanac is ready${where}`)
  await asked(stop)
}

/** The simulators alone. */
async function sandbox(stop: Stop): Promise<void> {
  const begun = await beginProcess()
  const { config, log } = begun
  if (!config.sandbox.on && !config.sandbox.alone) throw new StartError(closedSandboxWords(config))
  await using closing = new AsyncDisposableStack()
  const port = await claimablePort(config.host, config.sandbox.port, 'ALMANAC_SANDBOX_PORT')
  const addresses = addressesOf(
    { ...config, sandbox: { ...config.sandbox, port } },
    { port: config.port, together: false },
  )
  const [{ startSandbox }, { guardSandbox }, { closeServer, listen }, { openSecretsAlone }, networks] =
    await Promise.all([
      loadSandbox(),
      import('#http'),
      import('./health-server.ts'),
      import('./secrets.ts'),
      loadNetworkCode(),
    ])
  const parts = { ...begun, networks, box: await openSecretsAlone(begun) }
  const { handle } = await startSandbox(parts, addresses, closing)
  const place = { host: config.host, port, setting: 'ALMANAC_SANDBOX_PORT', publicUrl: addresses.publicUrl }
  const answer = guardSandbox(
    { handle, open: config.sandbox.wanted },
    (_, response) => response.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing for you here.\n'),
    { log },
  )
  const server = await listen(answer, place, begun)
  closing.defer(() => closeServer(server, { graceMs: 1_000 }))
  say(`The sandbox of Almanac is ready at ${addresses.sandboxUrl}`)
  await asked(stop)
}

export const processes = { up, api, worker, sandbox } as const

/** Standard output of a process: for people and for scripts that wait for the line. */
function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
