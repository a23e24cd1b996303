import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type AccountType, accountTypes } from '#contract'
import { type DatabaseServer, startDatabaseServer } from '../_util/database/database-server.ts'
import { blankPng } from '../_util/files/blank-png.ts'
import { startFileServer } from '../_util/networks/file-server.ts'
import {
  almanacJson,
  makeDataDir,
  type RunningAlmanac,
  type Settings,
  startAlmanac,
  withAnyRate,
} from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'
import { type DatabaseProxy, startDatabaseProxy, type Taking } from './database-proxy.ts'
import { createGate, type Gate } from './gate.ts'
import { type NetworkProxy, startNetworkProxy } from './network-proxy.ts'
import type { Media } from './posts.ts'
import { createIds, type Ids } from './statements.ts'

/**
 * A whole installation of its own: a PostgreSQL server, two `api`, two `worker`, the simulators, and a proxy between each
 * worker and both of what it talks to. Runs of a cell come one after the other.
 */
export interface Cell {
  leaseMs: number
  server: DatabaseServer
  gate: Gate
  ids: Ids
  workers: readonly [Worker, Worker]
  worker(name: string): Worker
  /** Every taking of a delivery since the start. */
  takings: readonly Taking[]
  /** Whose post is under way, by network. */
  underWay: Map<string, AccountType>
  brand: Brand
  /** A new account with all eleven connections: for the next run, after one in which a connection died. */
  newBrand(): Promise<void>
  /** Asks one of the two interfaces, the other one when that fails. Null: there is no answer at the moment. */
  ask(method: string, path: string, body?: unknown): Promise<Answer | null>
  /** Answers of the simulators, past the proxy. */
  sandbox(path: string): Promise<{ status: number; text: string }>
  /** Starts workers that have ended. */
  revive(): Promise<void>
  /** What the processes wrote to standard error, for a report. */
  words(): string
}

export interface Answer {
  status: number
  /** Of what the harness asks for, the fields that it reads. */
  body: {
    id: string
    status: string
    mediaLibraryId: string
    posts: {
      id: string
      caption: string
      result: {
        status: 'POSTED' | 'FAILED'
        message?: string
        permalink?: string
        thread?: { providerId: string }[]
        stories?: { providerId: string }[]
        warnings?: { message: string }[]
      } | null
    }[]
  }
}

/** An account with a connection of each account type. */
export interface Brand {
  accountId: string
  socialSetId: string
  key: string
  media: Media
}

/** A worker process, with its way to the database. */
export interface Worker {
  name: string
  proxy: DatabaseProxy
  process: ChildProcess | null
  signal(name: NodeJS.Signals): void
  /** Moves its wall clock away from the machine's. */
  stepClock(offsetMs: number): void
}

const projectDir = join(import.meta.dirname, '../..')
const READY_MS = 60_000
const NO_MEDIA: Media = { photo: '', tall: '', video: '' }

/** Opens a cell. What was started is ended with `closing`, also when only a part of it could be. */
export async function openCell({ leaseMs }: { leaseMs: number }, closing: AsyncDisposableStack): Promise<Cell> {
  const dataDir = await makeDataDir()
  closing.defer(() => dataDir.remove())
  const server = await startDatabaseServer()
  closing.defer(() => server.close())
  const gate = createGate()
  const ids = createIds()
  const takings: Taking[] = []
  const underWay = new Map<string, AccountType>()
  const sandboxPort = await freePort()
  const network: NetworkProxy = await startNetworkProxy({
    gate,
    targetPort: () => Number(sandboxPort),
    subjectOf: (name) => underWay.get(name) ?? null,
  })
  closing.defer(() => network.close())
  const apiPorts = [await freePort(), await freePort()] as const
  const files = await startFileServer()
  closing.defer(() => files.close())
  const tallPicture = files.on(
    '/tall.png',
    (_, response) => void response.end(blankPng({ width: 600, height: 1_200, bits: 8, interlaced: false })),
  )
  const settings: Settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    DATABASE_URL: server.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_PUBLIC_URL: `http://127.0.0.1:${apiPorts[0]}`,
    ALMANAC_SANDBOX_URL: `http://127.0.0.1:${network.port}/sandbox`,
    ALMANAC_SANDBOX_PORT: sandboxPort,
    ALMANAC_TRUSTED_FETCH_HOSTS: files.host,
    ALMANAC_LEASE: `${leaseMs / 1_000}s`,
    ALMANAC_LOG_LEVEL: 'warn',
    ...(await withAnyRate(dataDir.path)),
  }
  const processes: RunningAlmanac[] = []
  const start = async (process: 'api' | 'sandbox', own: Settings) => {
    const started = await startAlmanac({ process, settings: { ...settings, ...own } })
    processes.push(started)
    closing.defer(async () => void (await started.stop()))
    return started
  }
  // Migrates; the others find the tables.
  const first = await start('api', { ALMANAC_PORT: apiPorts[0] })
  const [second] = await Promise.all([start('api', { ALMANAC_PORT: apiPorts[1] }), start('sandbox', {})])
  const errors: string[] = []
  const onTaking = (taking: Taking) => void takings.push(taking)
  const workers = await Promise.all(
    (['A', 'B'] as const).map(async (name) => {
      const proxy = await startDatabaseProxy({ worker: name, url: server.url, gate, ids, onTaking })
      closing.defer(() => proxy.close())
      const own = { ...settings, DATABASE_URL: proxy.url, ALMANAC_WORKER_PORT: await freePort(), CRASH_WORKER: name }
      const worker = createWorker(name, proxy, own, (text) => errors.push(`${name}: ${text}`))
      closing.defer(() => worker.end())
      await worker.start()
      return worker
    }),
  )
  const [a, b] = workers
  if (!a || !b) throw new Error('There are not two workers.')

  async function fetched(url: string, init: RequestInit = {}): Promise<{ status: number; text: string } | null> {
    try {
      const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) })
      return { status: answer.status, text: await answer.text() }
    } catch {
      return null
    }
  }
  const cell: Cell = {
    leaseMs,
    server,
    gate,
    ids,
    workers: [a, b],
    worker: (name) => (name === 'A' ? a : b),
    takings,
    underWay,
    brand: { accountId: '', socialSetId: '', key: '', media: NO_MEDIA },
    async newBrand() {
      const { accountId, socialSetId } = await command<{ accountId: string; socialSetId: string }>([
        ...['accounts', 'create', '--name', 'Corner Bakery', '--plan', 'SCALE', '--sandbox'],
      ])
      const scopes = ['--scopes', 'post-sets:write,post-sets:publish,media:write']
      const { key } = await command<{ key: string }>([
        'keys',
        'create',
        '--account',
        accountId,
        '--name',
        'all',
        ...scopes,
      ])
      cell.brand = { accountId, socialSetId, key, media: NO_MEDIA }
      const [photo, tall, video] = await Promise.all([
        imported(await files.fixture('photo.jpg')),
        imported(tallPicture),
        imported(await files.fixture('video-h264-aac.mp4')),
      ])
      cell.brand = { ...cell.brand, media: { photo, tall, video } }
      ids.clear()
      for (const { id, identity, type } of await cell.server.query(
        `select id, identity_id as identity, account_type as type from connections where account_id = '${accountId}'`,
      )) {
        const accountType = accountTypes.find((each) => each === type)
        if (!accountType) throw new Error(`There is no account type ${type}.`)
        ids.add(String(id), accountType)
        ids.add(String(identity), accountType)
      }
    },
    async ask(method, path, body) {
      for (const { url } of [first, second]) {
        const answer = await fetched(`${url}${path}`, {
          method,
          headers: {
            authorization: `Bearer ${cell.brand.key}`,
            ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        })
        if (answer && answer.status < 500) return { status: answer.status, body: JSON.parse(answer.text) }
      }
      return null
    },
    async sandbox(path) {
      const answer = await fetched(`http://127.0.0.1:${sandboxPort}${path}`)
      if (!answer) throw new Error(`The sandbox does not answer ${path}.`)
      return answer
    },
    async revive() {
      await Promise.all(workers.filter(({ process }) => process === null).map((worker) => worker.start()))
    },
    words: () => [...errors, ...processes.map(({ stderr }) => stderr())].join(''),
  }

  const command = <T>(args: readonly string[]) => almanacJson<T>(args, { settings })
  async function imported(url: string): Promise<string> {
    const { socialSetId } = cell.brand
    const upload = await cell.ask('POST', '/v1/media-upload', { socialSetId, url })
    for (const end = performance.now() + READY_MS; performance.now() < end; await pause(100)) {
      const answer = await cell.ask('GET', `/v1/media-upload/${upload?.body.id}`)
      if (answer?.body.status === 'READY') return answer.body.mediaLibraryId
    }
    throw new Error(`${url} was not imported.`)
  }
  await cell.newBrand()
  return cell
}

interface OwnWorker extends Worker {
  start(): Promise<void>
  end(): Promise<void>
}

function createWorker(name: string, proxy: DatabaseProxy, settings: Settings, say: (text: string) => void): OwnWorker {
  const args = ['--import', join(import.meta.dirname, 'worker-shim.mjs'), join(projectDir, 'src/main.ts'), 'worker']
  const worker: OwnWorker = {
    name,
    proxy,
    process: null,
    async start() {
      const child = spawn(process.execPath, args, {
        env: { PATH: process.env.PATH ?? '', ...compileCache(), ...settings },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      })
      worker.process = child
      const ready = Promise.withResolvers<void>()
      child.stdout?.on('data', (chunk) => {
        if (String(chunk).includes('is ready')) ready.resolve()
      })
      child.stderr?.on('data', (chunk) => say(String(chunk)))
      child.once('exit', (code, signal) => {
        if (worker.process === child) worker.process = null
        if (signal !== 'SIGKILL') say(`ended with ${code ?? signal}\n`)
        ready.reject(new Error(`Worker ${name} ended with ${code ?? signal}.`))
      })
      await ready.promise
    },
    async end() {
      const child = worker.process
      if (!child) return
      child.kill('SIGCONT')
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGKILL')
      await ended
    },
    signal: (signal) => void worker.process?.kill(signal),
    stepClock: (offsetMs) => void worker.process?.send({ offsetMs }),
  }
  return worker
}

/** Starts of the same program over and over: what was compiled is kept. */
const compileCache = () =>
  process.env.NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
