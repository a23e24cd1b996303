import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGuardedFetch, type GuardedFetch } from '#media'
import { type Blobs, blobsIn } from './blobs.ts'
import { createBlobRoom } from './bounds.ts'
import { createFetchFile } from './fetch-file.ts'
import { createTurns } from './turns.ts'

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.alloc(10_000, 'p')])
const MAX = { maxBytes: 100_000 }

let folder: string
let servers: Server[]
let fetches: GuardedFetch[]
let blobs: Blobs
let media: string
/** A service of the inner network, and what was asked of it. */
let inner: string
let asked: string[]
let fetchFile: ReturnType<typeof createFetchFile>

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-fetch-'))
  servers = []
  asked = []
  inner = await serve((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(200, { 'content-type': 'image/jpeg' }).end(JPEG)
  })
  media = await serve((request, response) => {
    const path = request.url ?? ''
    const [, kind] = /^\/media\/(\w+)\/original/.exec(path) ?? []
    if (kind === 'photo') response.end(JPEG)
    else if (kind === 'away') response.writeHead(302, { location: `${inner}/private.jpg` }).end()
    else if (kind === 'empty') response.end()
    else if (kind === 'large') response.end(Buffer.alloc(200_000))
    else if (kind === 'endless') endless(response)
    else if (path === '/internal') response.end('a secret of this installation')
    else response.writeHead(404).end()
  })
  const guarded = createGuardedFetch({ trustedHosts: [] })
  const own = createGuardedFetch({ trustedHosts: [new URL(media).host] })
  fetches = [guarded, own]
  blobs = blobsIn(join(folder, 'blobs'), createBlobRoom(10_000_000), { clean: true })
  fetchFile = createFetchFile(blobs, { guarded, own, ownPrefix: `${media}/media/` }, createTurns(2))
})
afterEach(async () => {
  for (const each of fetches) await each.close()
  for (const server of servers) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  await rm(folder, { recursive: true })
})

async function serve(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Sends without an end and without saying how much. */
function endless(response: Parameters<RequestListener>[1]): void {
  const more = () => {
    while (response.write(Buffer.alloc(50_000)));
    response.once('drain', more)
  }
  response.on('error', () => {})
  more()
}

test('media of this installation are fetched, wherever it is, and kept as they come', async () => {
  const file = await fetchFile(`${media}/media/photo/original?sig=x`, MAX)
  if (file === null || file === 'too large') throw new Error('It was not fetched.')
  expect(file.bytes).toBe(JPEG.length)
  expect(await blobs.getBlob(file.blobId)).toEqual(JPEG)
})

test('a private address is not fetched, however it is written', async () => {
  const { port } = new URL(inner)
  const written = [
    `${inner}/private.jpg`,
    `http://localhost:${port}/private.jpg`,
    `http://[::ffff:127.0.0.1]:${port}/private.jpg`,
    `http://2130706433:${port}/private.jpg`,
    `http://0x7f.1:${port}/private.jpg`,
    `http://169.254.169.254/latest/meta-data/`,
    `${media}@127.0.0.1:${port}/media/photo/original`,
    'file:///etc/passwd',
    'nonsense',
  ]
  for (const address of written)
    expect({ address, file: await fetchFile(address, MAX) }).toEqual({ address, file: null })
  expect(asked).toEqual([])
})

test('a redirect to a private address is not followed', async () => {
  expect(await fetchFile(`${media}/media/away/original`, MAX)).toBeNull()
  expect(asked).toEqual([])
})

test('of this installation nothing but media is fetched', async () => {
  for (const path of ['/internal', '/media/../internal', '/media/%2e%2e/internal', '/media']) {
    expect({ path, file: await fetchFile(media + path, MAX) }).toEqual({ path, file: null })
  }
})

test('what is too large is reported, and not kept', async () => {
  expect(await fetchFile(`${media}/media/large/original`, MAX)).toBe('too large')
  expect(await fetchFile(`${media}/media/endless/original`, MAX)).toBe('too large')
  expect(await readdir(join(folder, 'blobs'))).toEqual([])
})

test('a file that is empty or not there cannot be had', async () => {
  expect(await fetchFile(`${media}/media/empty/original`, MAX)).toBeNull()
  expect(await fetchFile(`${media}/media/none/original`, MAX)).toBeNull()
  expect(await readdir(join(folder, 'blobs'))).toEqual([])
})
