import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { builtServer, makeDataDir, type Settings } from '../../test/_util/processes/app.ts'
import { freePort } from '../../test/_util/processes/ports.ts'
import { byFrequency, roundTripsIn, startCountingProxy } from '../lateness/counting-proxy.ts'
import { schedule } from '../lateness/seed.ts'
import { allSent, measureRound, openDatabaseOf, quantile, type Side, startWorker } from '../lateness/sides.ts'
import type { Place } from '../place.ts'
import { processorMsOf, readTree, type Started, startUntilReady } from './processes.ts'

/** Figures of one run by their names, of one of those that are compared. */
export type Figures = Record<string, number>

/** What is measured: of each of the sides in turn. */
export interface Part {
  name: string
  sides: Record<string, () => Promise<Figures>>
}

export interface Lengths {
  steadySeconds: number
  burst: number
  settleSeconds: number
  idleSeconds: number
  lone: number
}

/** Posts that leave: at a steady pace, with a wait before the visible call, and all at once. */
export function postParts(sides: readonly Side[], networksUrl: string, lengths: Lengths): Part[] {
  const of = (name: string, measure: (side: Side) => Promise<Figures>): Part => ({
    name,
    sides: Object.fromEntries(sides.map((side) => [side.name, () => measure(side)])),
  })
  const steady = { count: lengths.steadySeconds * 20, everyMs: 50 }
  return [
    of('Steady', async (side) => {
      const round = await measureRound(side, networksUrl, steady)
      const { nodeMs: engine, databaseMs: database, otherMs: redis } = round
      return { engine, database, redis, p50: quantile(round, 0.5), p99: quantile(round, 0.99) }
    }),
    of('Waiting', async (side) => {
      const round = await measureRound(side, networksUrl, { ...steady, kind: 'waiting' })
      return { p50: quantile(round, 0.5), p99: quantile(round, 0.99) }
    }),
    of('Burst', async (side) => {
      const round = await measureRound(side, networksUrl, { count: lengths.burst, everyMs: 0 })
      return { p99: quantile(round, 0.99), cpu: round.nodeMs + round.databaseMs + round.otherMs }
    }),
  ]
}

/** Round trips of a post that is alone, and of a second in which there is none: counted between a worker and its database. */
export async function countLone(
  { place, networksUrl, closing }: { place: Place; networksUrl: string; closing: AsyncDisposableStack },
  lengths: Lengths,
): Promise<Figures> {
  const { url, db } = await openDatabaseOf({ place, closing }, 'counted')
  const proxy = await startCountingProxy(url)
  closing.defer(() => proxy.close())
  await startWorker(proxy.url, { networksUrl, closing, node: '' })
  const inAll = () => roundTripsIn(proxy.counts())
  // What a connection plans at first, and a first post of each network, come before.
  const posts = async (count: number) => {
    const at = new Date(Date.now() + 2_500)
    await schedule(db, { count, at, everyMs: 2_000 })
    await pause(at.getTime() - Date.now() - 100)
    proxy.reset()
    const since = performance.now()
    await allSent(db, networksUrl, count)
    return { roundTrips: inAll(), seconds: (performance.now() - since) / 1_000 }
  }
  await posts(4)
  await pause(3_000)
  proxy.reset()
  await pause(lengths.idleSeconds * 1_000)
  const idle = inAll() / lengths.idleSeconds
  const { roundTrips, seconds } = await posts(lengths.lone)
  return { roundTrips: (roundTrips - idle * seconds) / lengths.lone, idle }
}

const FLOOR = join(import.meta.dirname, 'bare.ts')

/** A start on data that is there, and an idle service behind it: Almanac as `npm start` runs it, and the floor. */
export async function serviceParts(place: Place, closing: AsyncDisposableStack, lengths: Lengths): Promise<Part[]> {
  const almanac = await openService(closing, async (dataDir) => ({
    ALMANAC_DATA_DIR: dataDir,
    ALMANAC_PORT: await freePort(),
    ALMANAC_LOG_LEVEL: 'warn',
  }))
  const floor = await openService(closing, async (dataDir) => ({ DATA_DIR: dataDir }))
  const server = builtServer()
  const start = (settings: Settings) => startUntilReady([process.execPath, server, 'up'], settings)
  const startFloor = (settings: Settings) => startUntilReady([process.execPath, FLOOR], settings)
  const ended = async (started: Started) => {
    const { readyMs: ready, processorMs: cpu } = started
    await started.stop()
    return { ready, cpu }
  }
  // The first start of each makes its database, and keeps what it has compiled.
  await ended(await start(almanac.settings))
  await ended(await startFloor(floor.settings))
  return [
    {
      name: 'Start',
      sides: {
        Almanac: async () => {
          const figures = await ended(await start(almanac.settings))
          return { ...figures, ...(await countModules(server, almanac.settings)) }
        },
        floor: async () => ended(await startFloor(floor.settings)),
      },
    },
    {
      name: 'Idle',
      sides: {
        Almanac: async () => {
          const started = await startUntilReady(['npm', 'start'], almanac.settings)
          const figures = await idleFigures(started, almanac.dataDir, lengths)
          return { ...figures, ...(await countIdle(place, server, closing, lengths)) }
        },
        floor: async () => idleFigures(await startFloor(floor.settings), floor.dataDir, lengths),
      },
    },
  ]
}

async function openService(closing: AsyncDisposableStack, settingsOf: (dataDir: string) => Promise<Settings>) {
  const data = await makeDataDir()
  closing.defer(() => data.remove())
  return { dataDir: data.path, settings: await settingsOf(data.path) }
}

async function idleFigures(
  started: Started,
  dataDir: string,
  { settleSeconds, idleSeconds }: Lengths,
): Promise<Figures> {
  await pause(settleSeconds * 1_000)
  const before = processorMsOf(started.pid, dataDir)
  await pause(idleSeconds * 1_000)
  const cpu = (processorMsOf(started.pid, dataDir) - before) / idleSeconds
  const { pids, mebibytes } = readTree(started.pid, dataDir)
  await started.stop()
  return { cpu, mebibytes, processes: pids.length }
}

/** Statements a second of all in one process that has nothing to do. */
async function countIdle(
  place: Place,
  server: string,
  closing: AsyncDisposableStack,
  { settleSeconds, idleSeconds }: Lengths,
): Promise<Figures> {
  const url = await place.url('floor_idle', async () => {})
  const proxy = await startCountingProxy(url)
  const data = await makeDataDir()
  closing.defer(() => data.remove())
  const settings = {
    ...{
      ALMANAC_DATA_DIR: data.path,
      ALMANAC_PORT: await freePort(),
      ALMANAC_LOG_LEVEL: 'warn',
      DATABASE_URL: proxy.url,
    },
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  }
  const started = await startUntilReady([process.execPath, server, 'up'], settings)
  await pause(settleSeconds * 1_000)
  proxy.reset()
  await pause(idleSeconds * 1_000)
  const counts = proxy.counts()
  for (const [text, count] of byFrequency(counts)) {
    console.error(`  ${(count / idleSeconds).toFixed(2)} a second: ${text}`)
  }
  await started.stop()
  proxy.close()
  return { statements: roundTripsIn(counts) / idleSeconds }
}

/** Files that a start has loaded, and what they were made of. */
async function countModules(server: string, settings: Settings): Promise<Figures> {
  const dir = mkdtempSync(join(tmpdir(), 'almanac-modules-'))
  const list = join(dir, 'modules')
  const hook = join(import.meta.dirname, '../../test/_util/list-modules.mjs')
  try {
    const started = await startUntilReady([process.execPath, '--import', hook, server, 'up'], {
      ...settings,
      LOADED_MODULES_FILE: list,
    })
    await started.stop()
    const urls = readFileSync(list, 'utf8').split('\n')
    const built = urls.filter((url) => /\/dist\/[0-9a-f]{16}\//.test(url))
    return { files: built.length, modules: urls.length - built.length }
  } finally {
    rmSync(dir, { recursive: true })
  }
}
