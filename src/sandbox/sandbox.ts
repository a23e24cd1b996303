import { readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import type { AccountType } from '#contract'
import {
  type LedgerPost,
  type Network,
  type NetworkIdentity,
  type Networks,
  type OpenBlob,
  type SigningKeys,
  type Simulator,
  signedTokens,
} from '#networks'
import { type BlobRoom, BOUNDS, type Bounds, createBlobRoom, SandboxFullError } from './bounds.ts'
import { createFetchFile, type FileFetch } from './fetch-file.ts'
import { CONTENT_SECURITY_POLICY, indexPage, networkPage, notFoundPage, postPage } from './pages.ts'
import { type OpenStore, openStore } from './store.ts'
import { createTurns, type Turns } from './turns.ts'

/** The simulators of an installation. */
export interface Sandbox {
  /**
   * Answers a request whose path begins with `/sandbox`, or begins right behind it. Reads bodies itself. A fault may
   * cut the connection.
   */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
  /** The demo account behind a sandbox connection. */
  identityFor(network: Network, connection: { id: string; accountType: AccountType; name: string }): NetworkIdentity
  /**
   * Shows a post on a page of a network, as if it had been published there, and gives its address. The simulator itself does not
   * know it: it is in no list, and no ledger.
   */
  remember(network: string, post: Omit<LedgerPost, 'permalink'>): string
  close(): void
}

interface SandboxOptions {
  networks: Networks
  /** Where the simulators remember, a folder for each; null: nothing outlives the process. */
  folder: string | null
  /** False for a process that is there beside the one that serves, to open accounts. Default true. */
  serves?: boolean
  /** Address of the sandbox without a slash at the end: `http://127.0.0.1:4010/sandbox`. */
  url: string
  /** Address of the installation without a slash at the end; sign-ins lead back there and nowhere else. */
  publicUrl: string
  /** Keys of the installation that sign what simulators give out. */
  keys: SigningKeys
  /** The ways to files that are named to simulators. */
  files: FileFetch
  /** What is kept at most. Default: `BOUNDS`. */
  bounds?: Bounds
  now(): Date
  /** Hears of what a simulator threw. */
  onError(error: unknown): void
}

interface Host {
  network: Network
  url: string
  store: OpenStore
  simulator: Simulator
}

/** A picture for those who have none at hand: `/sandbox/samples/photo.jpg`. */
const SAMPLE = new URL('./samples/photo.jpg', import.meta.url)

/** For the client; where its folder is, is for the operator alone. */
const FULL = 'The simulator is full and takes nothing more. The log of Almanac says what to do.'

const NAMELESS = 'Requests need a header User-Agent that says who asks.'

/** Files that are fetched at a time, for all simulators: of each a draft of up to 1 GB is kept meanwhile. */
const FETCHES = 2

/** Collection of posts that are shown and not held. */
const SHOWN_ALONE = 'shown-alone'

/** Posts that a network's page shows; the list as data holds all. */
const SHOWN_POSTS = 100
const PIECE_BYTES = 256 * 1024
/** Posts of the list that are written in one turn. */
const SLICE_POSTS = 200

/**
 * Opens the simulators: one simulator per network folder, with its memory.
 *
 * @throws DamagedJournalError
 */
export function openSandbox(options: SandboxOptions): Sandbox {
  const room = createBlobRoom((options.bounds ?? BOUNDS).blobBytes)
  const turns = createTurns(FETCHES)
  const hosts = new Map(
    options.networks.all.map((network) => [network.manifest.name, openHost(network, options, room, turns)]),
  )
  room.begin()
  /** Folders of which it has been said that they are full. */
  const full = new Set<string>()

  return {
    async handle(request, response) {
      try {
        await turns.forResponse(response, () => answer(request, response))
      } catch (error) {
        // No one waits for the answer, and what was under way for it has ended.
        if (response.destroyed && error instanceof DOMException && error.name === 'AbortError') return
        const isFull = error instanceof SandboxFullError
        if (!isFull || !full.has(error.message)) options.onError(error)
        if (isFull) full.add(error.message)
        if (response.headersSent) response.destroy()
        else if (isFull) send(response, 507, 'text/plain', FULL)
        else send(response, 500, 'text/plain', 'The simulator failed.')
      }
    },
    identityFor(network, connection) {
      const host = hosts.get(network.manifest.name)
      if (!host) throw new TypeError(`There is no simulator of ${network.manifest.title}.`)
      return host.simulator.identityFor(connection)
    },
    remember(network, post) {
      const host = hosts.get(network)
      if (!host) throw new TypeError(`There is no simulator of ${network}.`)
      const permalink = `${host.url}/p/${encodeURIComponent(post.id)}`
      host.store.put(SHOWN_ALONE, post.id, { ...post, permalink })
      return permalink
    },
    close() {
      for (const { store } of hosts.values()) store.close()
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = URL.parse(request.url ?? '/', 'http://sandbox')
    if (!url) return sendPage(response, 404, notFoundPage())
    const path = url.pathname.replace(/^\/sandbox(?=\/|$)/, '')
    const [, name = '', page = '', ...rest] = path.split('/')
    const host = hosts.get(name)
    if (name === '') return sendPage(response, 200, indexOf())
    if (name === 'samples' && page === 'photo.jpg') return send(response, 200, 'image/jpeg', await readFile(SAMPLE))
    if (!host) return sendPage(response, 404, notFoundPage())
    const { store } = host
    store.catchUp()
    const shown = { name, title: host.network.manifest.title, path: new URL(host.url).pathname }
    const reading = request.method === 'GET' || request.method === 'HEAD'
    if (reading && page === '') return sendPage(response, 200, networkPage(shown, store.posts(), SHOWN_POSTS))
    if (reading && page === 'posts' && rest.length === 0) return sendPosts(response, store)
    if (reading && page === 'p') {
      const id = decoded(rest.join('/'))
      const post = store.posts().find((each) => each.id === id) ?? store.get<LedgerPost>(SHOWN_ALONE, id)
      return post ? sendPage(response, 200, postPage(shown, post)) : sendPage(response, 404, notFoundPage())
    }
    if (reading && page === 'blobs') return sendBlob(response, store, rest[0] ?? '', url.searchParams.get('type'))
    // So do some networks, and firewalls in front of others.
    if (!request.headers['user-agent']) return send(response, 403, 'text/plain', NAMELESS)
    await host.simulator.handle(request, response, path.slice(name.length + 1) + url.search)
  }

  function indexOf(): string {
    const networks = [...hosts.values()].map(({ network, url, store }) => {
      const { name, title } = network.manifest
      return { name, title, path: new URL(url).pathname, posts: store.posts().length }
    })
    return indexPage(networks)
  }
}

function openHost(network: Network, options: SandboxOptions, room: BlobRoom, turns: Turns): Host {
  const { name } = network.manifest
  const { now, serves = true, bounds = BOUNDS } = options
  const url = `${options.url}/${name}`
  const store = openStore(options.folder && join(options.folder, name), { repair: serves, bounds, room })
  const simulator = network.simulate({
    store,
    tokens: signedTokens(options.keys, name),
    url,
    callback: `${options.publicUrl}/connect/${name}/callback`,
    now,
    fetchFile: createFetchFile(store, options.files, turns),
  })
  return { network, url, store, simulator }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The whole ledger as it is now, with a turn of the event loop for every slice. */
async function sendPosts(response: ServerResponse, store: OpenStore): Promise<void> {
  response.writeHead(200, headersOf('application/json'))
  // Who goes away meanwhile is no error.
  await pipeline(Readable.from(slicesOf(store.posts())), response).catch(() => response.destroy())
}

async function* slicesOf(posts: readonly LedgerPost[]): AsyncGenerator<string> {
  const { length } = posts
  yield '['
  for (let start = 0; start < length; start += SLICE_POSTS) {
    const slice = posts
      .slice(start, Math.min(start + SLICE_POSTS, length))
      .map(({ id, accountId, text, permalink, createdAt }) => ({ id, accountId, text, permalink, createdAt }))
    yield (start === 0 ? '' : ',') + JSON.stringify(slice).slice(1, -1)
    await setImmediate()
  }
  yield ']'
}

function sendPage(response: ServerResponse, status: number, text: string): void {
  response.setHeader('content-security-policy', CONTENT_SECURITY_POLICY)
  response.setHeader('referrer-policy', 'no-referrer')
  send(response, status, 'text/html; charset=utf-8', text)
}

/** A file that was posted: never served as a page, no matter what it claims to be. */
async function sendBlob(response: ServerResponse, store: OpenStore, id: string, type: string | null): Promise<void> {
  const blob = await store.openBlob(id)
  if (!blob) return sendPage(response, 404, notFoundPage())
  const shown = type && /^(image\/(png|jpeg|gif|webp)|video\/(mp4|quicktime|webm))$/.test(type)
  response.setHeader('content-security-policy', "default-src 'none'; sandbox")
  response.writeHead(200, headersOf(shown ? type : 'application/octet-stream', blob.bytes))
  // In pieces: a video is never in memory as a whole. Who goes away meanwhile is no error.
  await pipeline(Readable.from(piecesOf(blob)), response).catch(() => response.destroy())
}

async function* piecesOf(blob: OpenBlob): AsyncGenerator<Buffer> {
  for (let start = 0; start < blob.bytes; start += PIECE_BYTES) {
    yield await blob.read(start, Math.min(start + PIECE_BYTES, blob.bytes))
  }
}

function send(response: ServerResponse, status: number, type: string, body: string | Buffer): void {
  response.writeHead(status, headersOf(type, Buffer.byteLength(body)))
  response.end(body)
}

const headersOf = (type: string, bytes?: number) => ({
  'content-type': type,
  ...(bytes === undefined ? {} : { 'content-length': bytes }),
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
})
