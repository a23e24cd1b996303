import { EventEmitter, once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGuardedFetch, type GuardedFetch } from '#media'
import { type Network, networksOf, type Simulator, type SimulatorDeps } from '#networks'
import { BOUNDS, type Bounds, SandboxFullError } from './bounds.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

/** Two simulators that keep everything they are sent. */

let folder: string
let server: Server
let origin: string
let guarded: GuardedFetch
let sandbox: Sandbox
let simulated: Record<string, SimulatorDeps>
let errors: unknown[]

beforeEach(async () => {
  folder = join(await mkdtemp(join(tmpdir(), 'almanac-bounds-')), 'sandbox')
  guarded = createGuardedFetch({ trustedHosts: [] })
  server = createServer((request, response) => void sandbox.handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve))
  sandbox.close()
  await guarded.close()
  await rm(join(folder, '..'), { recursive: true })
})

function open(bounds: Partial<Bounds> = {}, place: string | null = folder, fetching = guarded): void {
  simulated = {}
  errors = []
  sandbox = openSandbox({
    networks: networksOf([keeper('first'), keeper('second')]),
    folder: place,
    url: `${origin}/sandbox`,
    publicUrl: origin,
    keys: [Buffer.alloc(32)],
    files: { guarded: fetching, own: fetching, ownPrefix: `${origin}/media/` },
    bounds: { ...BOUNDS, ...bounds },
    now: () => new Date(),
    onError: (error) => errors.push(error),
  })
}

function keeper(name: string): Network {
  return {
    manifest: { name, title: name },
    simulate(deps: SimulatorDeps): Simulator {
      simulated[name] = deps
      return {
        async handle(request, response) {
          const id = request.headers['x-id'] ?? ''
          if (request.method === 'DELETE') await deps.fetchFile(String(id), { maxBytes: 1e9 })
          if (request.method === 'POST') deps.store.addPost({ ...POST, id: String(id) })
          else deps.store.put('things', String(id), { text: 'x'.repeat(500) })
          response.end('kept')
        },
        identityFor: () => {
          throw new Error('Not asked for here.')
        },
      }
    },
  } satisfies Partial<Record<keyof Network, unknown>> as unknown as Network
}

const POST = { accountId: 'c', text: 'Text', permalink: '', createdAt: '2026-11-21T00:00:00.000Z' }
const send = (method: 'POST' | 'PUT', id: number, network = 'first') =>
  fetch(`${origin}/sandbox/${network}/api`, { method, headers: { 'x-id': String(id) } })
const store = (network: string) => {
  const deps = simulated[network]
  if (!deps) throw new Error(`There is no ${network}.`)
  return deps.store
}
const blobsOf = async (network: string) => (await readdir(join(folder, network, 'blobs'))).sort()
const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test.each<[string, 'POST' | 'PUT', Partial<Bounds>]>([
  ['posts', 'POST', { posts: 10 }],
  ['the journal', 'PUT', { journalBytes: 10 * 600 }],
])(
  'when %s is full, the simulator takes nothing more, says so once in the log, and still shows what it has',
  async (_, method, bounds) => {
    open(bounds)
    const answers = []
    for (let id = 0; id < 20; id++) answers.push(await send(method, id))
    const statuses = answers.map(({ status }) => status)
    const taken = statuses.indexOf(507)
    expect(taken).toBeGreaterThanOrEqual(9)
    expect(new Set(statuses.slice(taken))).toEqual(new Set([507]))
    const text = (await answers.at(-1)?.text()) ?? ''
    expect(text).toMatch(/^The simulator is full/)
    expect(text).not.toContain(folder)
    expect(errors).toEqual([expect.any(SandboxFullError)])
    expect(String(errors[0])).toContain(`move ${join(folder, 'first')} away`)
    expect((await stat(join(folder, 'first/journal.jsonl'))).size).toBeLessThanOrEqual(10 * 600)
    expect((await fetch(`${origin}/sandbox/first/posts`)).status).toBe(200)
    // The others go on.
    expect((await send(method, 1, 'second')).status).toBe(200)
    // What was full before is full after a restart.
    sandbox.close()
    open(bounds)
    expect((await send(method, 99)).status).toBe(507)
  },
)

test('without a folder the bounds are the same', async () => {
  open({ journalBytes: 1_200 }, null)
  expect((await send('PUT', 1)).status).toBe(200)
  expect((await send('PUT', 2)).status).toBe(200)
  expect((await send('PUT', 3)).status).toBe(507)
})

test.each([
  ['first', 'first'],
  ['first', 'second'],
])('the oldest files give way to new ones: %s, then %s', async (older, newer) => {
  open({ blobBytes: 1_000 })
  const old = await store(older).putBlob(Buffer.alloc(400, 1))
  const kept = await store(older).putBlob(Buffer.alloc(400, 2))
  const last = await store(newer).putBlob(Buffer.alloc(400, 3))
  expect(await store(older).getBlob(old)).toBeUndefined()
  expect(await store(older).openBlob(old)).toBeUndefined()
  expect(await store(older).getBlob(kept)).toHaveLength(400)
  expect(await store(newer).getBlob(last)).toHaveLength(400)
  expect(new Set([...(await blobsOf(older)), ...(await blobsOf(newer))])).toEqual(new Set([kept, last]))
})

test('a file that comes again is new, and counts once', async () => {
  open({ blobBytes: 1_000 })
  const again = await store('first').putBlob(Buffer.alloc(400, 1))
  const older = await store('first').putBlob(Buffer.alloc(400, 2))
  for (let times = 0; times < 5; times++) await store('first').putBlob(Buffer.alloc(400, 1))
  expect(await blobsOf('first')).toEqual([again, older].sort())
  await store('first').putBlob(Buffer.alloc(400, 3))
  expect(await store('first').getBlob(older)).toBeUndefined()
  expect(await store('first').getBlob(again)).toHaveLength(400)
})

test('files of before a restart count by their age', async () => {
  open({ blobBytes: 1_000 })
  const [old, newer] = [
    await store('first').putBlob(Buffer.alloc(400, 1)),
    await store('first').putBlob(Buffer.alloc(400, 2)),
  ]
  await utimes(join(folder, 'first/blobs', newer), new Date(0), new Date(0))
  sandbox.close()
  open({ blobBytes: 1_000 })
  await store('second').putBlob(Buffer.alloc(400, 3))
  expect(await blobsOf('first')).toEqual([old])
})

test('at the start the oldest files of all networks give way, in whichever folder they are', async () => {
  open({ blobBytes: 2_000 })
  const newest = await store('first').putBlob(Buffer.alloc(400, 1))
  const oldest = await store('second').putBlob(Buffer.alloc(400, 2))
  const between = await store('second').putBlob(Buffer.alloc(400, 3))
  await utimes(join(folder, 'second/blobs', oldest), new Date(0), new Date(0))
  await utimes(join(folder, 'second/blobs', between), new Date(1_000), new Date(1_000))
  sandbox.close()
  open({ blobBytes: 800 })
  expect(await blobsOf('first')).toEqual([newest])
  expect(await blobsOf('second')).toEqual([between])
})

test('two files are fetched at a time, for all networks together, and none for a client that has gone', async () => {
  const asked: ServerResponse[] = []
  const arrivals = new EventEmitter()
  const slow = createServer((_, response) => {
    asked.push(response)
    response.write('begun')
    response.once('close', () => arrivals.emit('left'))
    arrivals.emit('asked')
  })
  await new Promise<void>((resolve) => slow.listen(0, '127.0.0.1', resolve))
  const near = createGuardedFetch({ trustedHosts: ['127.0.0.1'] })
  try {
    open({}, folder, near)
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/file`
    const leaving = [1, 2, 3, 4].map(() => new AbortController())
    const requests = leaving.map(async ({ signal }, index) => {
      const network = index % 2 === 0 ? 'first' : 'second'
      const answer = await fetch(`${origin}/sandbox/${network}/api`, {
        method: 'DELETE',
        headers: { 'x-id': url },
        signal,
      })
      return answer.status
    })
    const ends = Promise.allSettled(requests)
    while (asked.length < 2) await once(arrivals, 'asked')
    // All four are there, and a request that fetches nothing is answered.
    expect((await send('PUT', 1)).status).toBe(200)
    expect(asked).toHaveLength(2)
    // One that waits goes away, then one whose file is under way: its place is free for the last.
    const left = once(arrivals, 'left')
    leaving[3]?.abort()
    leaving[0]?.abort()
    await left
    while (asked.length < 3) await once(arrivals, 'asked')
    for (const response of asked) response.end()
    const results = await ends
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
    expect(asked).toHaveLength(3)
    expect(errors).toEqual([])
    for (const network of ['first', 'second']) {
      expect((await blobsOf(network)).filter((name) => name.startsWith('.'))).toEqual([])
    }
  } finally {
    slow.closeAllConnections()
    await new Promise((resolve) => slow.close(resolve))
    await near.close()
  }
})

test('folders and files are for this user alone, also those that were not', async () => {
  await mkdir(join(folder, 'first/blobs'), { recursive: true })
  await writeFile(join(folder, 'first/journal.jsonl'), '')
  await writeFile(join(folder, 'first/blobs/.draft'), 'what a killed process has left')
  for (const path of ['first', 'first/blobs']) await chmod(join(folder, path), 0o755)
  await chmod(join(folder, 'first/journal.jsonl'), 0o644)
  open()
  await send('PUT', 1)
  await send('PUT', 1, 'second')
  for (const network of ['first', 'second']) {
    const blob = await store(network).putBlob(Buffer.from('bytes'))
    expect(await mode(join(folder, network))).toBe('700')
    expect(await mode(join(folder, network, 'blobs'))).toBe('700')
    expect(await mode(join(folder, network, 'journal.jsonl'))).toBe('600')
    expect(await mode(join(folder, network, 'blobs', blob))).toBe('600')
    expect(await blobsOf(network)).toEqual([blob])
  }
  expect(await readFile(join(folder, 'first/journal.jsonl'), 'utf8')).toContain('"put"')
})
