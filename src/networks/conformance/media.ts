import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { createDiskStore, type MediaStore, makeRendition, probe, stripPicture } from '#media'
import type { MediaSource, MediaToSend } from '../network.ts'
import type { SampleMedia } from './harness.ts'
import { listen } from './listen.ts'

const fixtures = join(import.meta.dirname, '../../../test/_fixtures')

export interface SampleMediaSources {
  /** The media of a sample, as an engine hands them to a connector. */
  of(media: readonly SampleMedia[]): Promise<MediaToSend[]>
  /** What was fetched from the addresses of media. */
  served: { clear(): void; files(): Promise<Buffer[]> }
  close(): Promise<void>
}

/** A file as it was measured, and where it is kept. */
type Kept = Awaited<ReturnType<typeof makeRendition>>

let opened: { store: MediaStore; made: Map<string, Promise<Kept>> } | undefined
/** What all tests of a process share: each file is measured and converted once, as that takes a process of its own. */
function shared() {
  if (opened) return opened
  const dir = mkdtempSync(join(tmpdir(), 'almanac-conformance-'))
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }))
  opened = { store: createDiskStore({ dir }), made: new Map() }
  return opened
}

/** Real files behind real sources: measured, converted and served by Almanac's own media room. */
export async function openSampleMedia(): Promise<SampleMediaSources> {
  const { store, made } = shared()
  const types = new Map<string, string>()
  const served = new Set<string>()
  const server = await listen(async (request, response) => {
    const key = request.url?.slice(1) ?? ''
    const type = types.get(key)
    if (!type) {
      response.writeHead(404).end()
      return
    }
    served.add(key)
    response.writeHead(200, { 'content-type': type, 'content-length': (await store.stat(key))?.bytes ?? 0 })
    // A client that hangs up leaves no file open: one that is collected while it is open ends the process.
    const file = await store.open(key)
    await pipeline(file, response).catch(() => file.destroy())
  })

  /** What is made once, by its name. */
  function once(name: string, make: () => Promise<Kept>): Promise<Kept> {
    const making = made.get(name) ?? make()
    made.set(name, making)
    return making
  }

  function sourceOf({ key, facts }: Kept): MediaSource {
    types.set(key, facts.mimeType)
    const source: MediaSource = {
      facts,
      open: (range) => store.open(key, range),
      url: async () => `${server.origin}/${key}`,
      // Made once and kept, as the publisher does.
      rendition: async (spec) =>
        sourceOf(await once(`${key} ${JSON.stringify(spec)}`, () => makeRendition(store, key, spec))),
      async stripped({ maxBytes = Number.POSITIVE_INFINITY, upright = false } = {}) {
        const found = await stripPicture(store, key)
        if (found.kind === 'bare') return facts.bytes <= maxBytes ? source : null
        if (found.kind === 'impossible' || found.bytes > maxBytes || (upright && found.turned)) return null
        return sourceOf(await once(`${key} stripped`, () => found.put(facts)))
      },
    }
    return source
  }

  async function read(path: string): Promise<Kept> {
    const { key } = await store.putFile(path)
    const probed = await probe(store, key)
    if (probed.kind === 'failed') throw new Error(`${path}: ${probed.message}`)
    return { key, facts: probed.facts }
  }

  return {
    of: (media) =>
      Promise.all(
        media.map(async ({ file, ...words }) => {
          const path = resolve(fixtures, file)
          const source = { ...sourceOf(await once(path, () => read(path))), name: basename(path) }
          const none = { altText: null, title: null, description: null, link: null, tags: [] }
          return { facts: source.facts, ...none, ...words, source }
        }),
      ),
    served: {
      clear: () => served.clear(),
      files: () => Promise.all([...served].map(async (key) => buffer(await store.open(key)))),
    },
    close: () => server.close(),
  }
}
