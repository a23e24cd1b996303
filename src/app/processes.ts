import type { Health } from '#http'
import { type Addresses, addressesOf, claimablePort, localUrl } from './addresses.ts'
import type { Closing } from './base.ts'
import { asked, type Begun, beginProcess, endWithin, type Stop } from './begin.ts'
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
const loadMetrics = () => import('./metrics.ts')

/** Serves the metrics of a process when they are wanted, and prints where. */
async function serveMetrics(begun: Begun, { publicUrl }: Addresses, health: Health, closing: Closing): Promise<void> {
  const { metrics: place } = begun.config
  if (place === null) return
  const metrics = await loadMetrics()
  say(`Metrics are served at ${await metrics.serveMetrics(begun, { ...place, publicUrl }, health, closing)}`)
}

/** Everything in one process, on a database of its own unless DATABASE_URL names one. */
async function up(stop: Stop): Promise<void> {
  const begun = await beginProcess()
  const { config, log } = begun
  await using closing = new AsyncDisposableStack()
  const port = await claimablePort(config.host, config.port, 'ALMANAC_PORT')
  const addresses = addressesOf(config, { port, together: true })
  const { openBase, openRequestPool } = await loadBase()
  const rooms = Promise.all([loadInterface(), loadWork(), loadSandbox(), loadMedia(), loadHealth()])
  const base = await openBase(begun, closing, { mode: 'own', name: 'almanac', poolSize: 20, limits: 'work' })
  if (stop.graceful.aborted) return
  const [{ startInterface }, { startWork }, { startSandbox }, { openMedia }, { openHealth }] = await rooms

  const media = openMedia(config, base.box, addresses)
  closing.defer(() => media.fetch.close())
  const sandbox = config.sandbox.on ? await startSandbox(base, addresses, closing) : null
  let work: Work | null = null
  const health = openHealth({ ...base, work: () => work }, closing)
  const db = openRequestPool(base, closing, 15)
  const server = await startInterface({ ...base, db, port, media, addresses, sandbox, health })
  closing.defer(() => endWithin(stop, config.graceMs, server.stop))
  const started = await startWork({ ...base, media, addresses })
  work = started
  // Ends first: what is under way may still need the interface, which serves media and the sandbox.
  closing.defer(() => endWithin(stop, config.graceMs, started.stop))

  const { announce } = await loadAnnounce()
  await serveMetrics(begun, addresses, health, closing)
  await announce(base, { addresses, local: localUrl(config.host, port), sandbox })
  await asked(stop)
  log.info({}, 'Ending what is under way')
}

/** The interface alone. */
async function api(stop: Stop): Promise<void> {
  const begun = await beginProcess()
  const { config } = begun
  await using closing = new AsyncDisposableStack()
  const port = await claimablePort(config.host, config.port, 'ALMANAC_PORT')
  const addresses = addressesOf(config, { port, together: false })
  const { openBase } = await loadBase()
  const rooms = Promise.all([loadInterface(), loadMedia(), loadHealth()])
  const base = await openBase(begun, closing, { mode: 'join', name: 'almanac-api', poolSize: 20, limits: 'request' })
  if (stop.graceful.aborted) return
  const [{ startInterface }, { openMedia }, { openHealth }] = await rooms
  const media = openMedia(config, base.box, addresses)
  closing.defer(() => media.fetch.close())
  const health = openHealth({ ...base, work: () => null }, closing)
  const server = await startInterface({ ...base, port, media, addresses, sandbox: null, health })
  closing.defer(() => endWithin(stop, config.graceMs, server.stop))
  const { announceReady } = await loadAnnounce()
  await serveMetrics(begun, addresses, health, closing)
  await announceReady(base, addresses, `The interface of Almanac is ready at ${localUrl(config.host, port)}`)
  await asked(stop)
}

/** The publisher and the importer alone. */
async function worker(stop: Stop): Promise<void> {
  const begun = await beginProcess()
  const { config } = begun
  await using closing = new AsyncDisposableStack()
  const port = await claimablePort(config.host, config.workerPort, 'ALMANAC_WORKER_PORT')
  const addresses = addressesOf(config, { port: config.port, together: false })
  const { openBase } = await loadBase()
  const rooms = Promise.all([loadWork(), loadMedia(), loadHealth(), import('./health-server.ts')])
  const base = await openBase(begun, closing, { mode: 'join', name: 'almanac-worker', poolSize: 25, limits: 'work' })
  if (stop.graceful.aborted) return
  const [{ startWork }, { openMedia }, { openHealth }, { closeServer, healthHandler, listen }] = await rooms
  const media = openMedia(config, base.box, addresses)
  closing.defer(() => media.fetch.close())
  const work = await startWork({ ...base, media, addresses })
  closing.defer(() => endWithin(stop, config.graceMs, work.stop))
  const health = openHealth({ ...base, work: () => work }, closing)
  await serveMetrics(begun, addresses, health, closing)
  const { publicUrl } = addresses
  const place = { host: config.host, port, setting: 'ALMANAC_WORKER_PORT', publicUrl }
  const server = await listen(healthHandler(health), place, begun)
  closing.defer(() => closeServer(server, { graceMs: 0 }))
  say(`The worker of Almanac is ready; its health is at ${localUrl(config.host, port)}/healthz`)
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
