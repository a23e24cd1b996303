import { mkdtemp, rm } from 'node:fs/promises'
import {
  createServer,
  IncomingMessage,
  type OutgoingHttpHeaders,
  request,
  type Server,
  ServerResponse,
} from 'node:http'
import { type AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createGuardedFetch, type GuardedFetch } from '#media'
import { type Network, networksOf, type Simulator, type SimulatorDeps } from '#networks'
import type { Bounds } from './bounds.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

let folder: string
let server: Server
let origin: string
let sandbox: Sandbox
let simulated: SimulatorDeps | undefined
let errors: unknown[]
let guarded: GuardedFetch
let own: GuardedFetch

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-sandbox-'))
  errors = []
  server = createServer((request, response) => void sandbox.handle(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  guarded = createGuardedFetch({ trustedHosts: [] })
  own = createGuardedFetch({ trustedHosts: [new URL(origin).host] })
  sandbox = open()
})
afterEach(async () => {
  await Promise.all([guarded.close(), own.close()])
  await new Promise((resolve) => server.close(resolve))
  sandbox.close()
  await rm(folder, { recursive: true })
})

function open(change: { serves?: boolean; bounds?: Bounds } = {}): Sandbox {
  return openSandbox({
    networks: networksOf([example]),
    folder,
    url: `${origin}/sandbox`,
    publicUrl: origin,
    keys: [Buffer.alloc(32)],
    files: { guarded, own, ownPrefix: `${origin}/media/` },
    now: () => new Date(),
    onError: (error) => errors.push(error),
    ...change,
  })
}

/** A network of which nothing is real but its simulator. */
const example = {
  manifest: { name: 'example', title: 'Example & Co' },
  simulate(deps: SimulatorDeps): Simulator {
    simulated = deps
    return {
      async handle(request, response, path) {
        if (path === '/api/broken') throw new Error('broken')
        const chunks: Buffer[] = []
        for await (const chunk of request) chunks.push(chunk as Buffer)
        response.end(JSON.stringify({ method: request.method, path, body: Buffer.concat(chunks).toString() }))
      },
      identityFor: () => {
        throw new Error('Not asked for here.')
      },
    }
  },
} satisfies Partial<Record<keyof Network, unknown>> as unknown as Network

const post = (id: string, text: string, more: object = {}) =>
  simulated?.store.addPost({
    id,
    accountId: 'connection-1',
    text,
    permalink: `${origin}/sandbox/example/p/${encodeURIComponent(id)}`,
    createdAt: '2026-11-21T00:00:00.000Z',
    ...more,
  })
const get = (path: string) => fetch(origin + path)

test('requests below an endpoint go to the simulator as they are', async () => {
  const answer = await fetch(`${origin}/sandbox/example/api/v1/me?fields=id&x=%2F`, { method: 'POST', body: '{"raw":' })
  expect(await answer.json()).toEqual({ method: 'POST', path: '/api/v1/me?fields=id&x=%2F', body: '{"raw":' })
})

test('a request that does not say who asks is refused', async () => {
  const ask = (headers: OutgoingHttpHeaders) =>
    new Promise<[number | undefined, string]>((resolve, reject) => {
      request(`${origin}/sandbox/example/api/v1/me`, { headers }, async (answer) =>
        resolve([answer.statusCode, await text(answer)]),
      )
        .on('error', reject)
        .end()
    })
  expect(await ask({})).toEqual([403, expect.stringContaining('User-Agent')])
  expect((await ask({ 'user-agent': '' }))[0]).toBe(403)
  expect((await ask({ 'user-agent': 'Almanac' }))[0]).toBe(200)
})

test('the ledger is listed with its five fields, in order, thousands of posts, also after a restart', async () => {
  for (let number = 0; number < 3_000; number++) post(`post-${number}`, `Text ${number}`, { details: { more: true } })
  const read = async () => (await (await get('/sandbox/example/posts')).json()) as Record<string, unknown>[]
  const list = await read()
  expect(list).toHaveLength(3_000)
  expect(list[2_999]).toEqual({
    id: 'post-2999',
    accountId: 'connection-1',
    text: 'Text 2999',
    permalink: `${origin}/sandbox/example/p/post-2999`,
    createdAt: '2026-11-21T00:00:00.000Z',
  })
  sandbox.close()
  sandbox = open()
  expect(await read()).toEqual(list)
})

test('the ledger is sent in slices, between which others get their turn, and what comes meanwhile is left out', async () => {
  for (let number = 0; number < 2_001; number++) post(`post-${number}`, 'Text')
  // How often the process turned to something else before the list was done.
  let turns = 0
  let done = false
  const turn = () => {
    turns += 1
    if (turns === 5) post('late', 'Written while the list is sent')
    if (!done) setImmediate(turn)
  }
  const chunks: string[] = []
  const answer = new ServerResponse(new IncomingMessage(new Socket()))
  const sink = new Writable({
    write(chunk, _, written) {
      chunks.push(String(chunk))
      written()
    },
  })
  answer.assignSocket(sink as Socket)
  const asked = Object.assign(new IncomingMessage(new Socket()), { method: 'GET', url: '/sandbox/example/posts' })
  setImmediate(turn)
  await sandbox.handle(asked, answer)
  done = true
  expect(turns).toBeGreaterThanOrEqual(10)
  const list = (await (await get('/sandbox/example/posts')).json()) as unknown[]
  expect(list).toHaveLength(2_002)
  expect(chunks.join('')).not.toContain('"late"')
  expect(chunks.join('')).toContain('"post-2000"')
})

test('an empty ledger is an empty list', async () => {
  expect(await (await get('/sandbox/example/posts')).json()).toEqual([])
})

test('a permalink opens a page that shows text, media and comments, and runs nothing of it', async () => {
  const id = 'at://did:plc:x/post/1'
  const blobId = (await simulated?.store.putBlob(Buffer.from('<svg onload=alert(1)>'))) ?? ''
  post(id, '<script>alert("1")</script> & more', {
    media: [{ blobId, mimeType: 'image/svg+xml', alt: '"><img src=x>' }],
    comments: [{ id: 'c', text: '<b>first</b>' }],
  })
  const [listed] = (await (await get('/sandbox/example/posts')).json()) as { permalink: string }[]
  const page = await fetch(listed?.permalink ?? '')
  const text = await page.text()
  expect(page.status).toBe(200)
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
  expect(text).toContain('&#60;script&#62;')
  expect(text).not.toMatch(/<script|<b>|<img src=x/)
  const blob = await get(/src="([^"]+)"/.exec(text)?.[1]?.replaceAll('&#38;', '&') ?? '')
  expect(blob.headers.get('content-type')).toBe('application/octet-stream')
  expect(blob.headers.get('x-content-type-options')).toBe('nosniff')
})

test('pictures are shown as what they are', async () => {
  const blobId = await simulated?.store.putBlob(Buffer.from('bytes'))
  const blob = await get(`/sandbox/example/blobs/${blobId}?type=image/png`)
  expect(blob.headers.get('content-type')).toBe('image/png')
  expect(await blob.text()).toBe('bytes')
})

test('the entry page names networks, counts and fault words; the prefix may be left out', async () => {
  post('1', 'One')
  for (const path of ['/sandbox', '/sandbox/', '/']) {
    const text = await (await get(path)).text()
    expect(text).toContain('Example &#38; Co</a>: 1 post</li>')
    expect(text).toContain('[[fault:rate-limited]]')
  }
  expect(await (await get('/example/posts')).json()).toHaveLength(1)
  expect(await (await get('/sandbox/example')).text()).toContain('One')
})

test('a picture to try things with is served', async () => {
  const sample = await get('/sandbox/samples/photo.jpg')
  expect(sample.headers.get('content-type')).toBe('image/jpeg')
  expect(Buffer.from(await sample.arrayBuffer()).subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]))
  expect((await get('/sandbox/samples/other.jpg')).status).toBe(404)
})

test.each([
  '/sandbox/none',
  '/sandbox/example/p/none',
  '/sandbox/example/p/%',
  '/sandbox/example/blobs/..%2Fjournal.jsonl',
])('%s is not found', async (path) => {
  expect((await get(path)).status).toBe(404)
})

test('what a command writes beside the serving process is served', async () => {
  const beside = open({ serves: false })
  post('1', 'From a command')
  expect(await (await get('/sandbox/example/posts')).json()).toMatchObject([{ text: 'From a command' }])
  beside.close()
})

test('a simulator that throws answers 500 and is heard of', async () => {
  expect((await get('/sandbox/example/api/broken')).status).toBe(500)
  expect(errors).toHaveLength(1)
})
