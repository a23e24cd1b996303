import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import type { MediaFacts } from '#contract'
import { createDiskStore, makeRendition, probe, stripPicture } from '#media'
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

/** Real files behind real sources: measured, converted and served by Almanac's own media room. */
export async function openSampleMedia(): Promise<SampleMediaSources> {
  const dir = await mkdtemp(join(tmpdir(), 'almanac-conformance-'))
  const store = createDiskStore({ dir })
  const types = new Map<string, string>()
  const renditions = new Map<string, ReturnType<typeof makeRendition>>()
  const files = new Map<string, Promise<MediaSource>>()
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

  function sourceOf(key: string, facts: MediaFacts): MediaSource {
    types.set(key, facts.mimeType)
    const source: MediaSource = {
      facts,
      open: (range) => store.open(key, range),
      url: async () => `${server.origin}/${key}`,
      // Made once and kept, as the publisher does.
      rendition(spec) {
        const name = `${key} ${JSON.stringify(spec)}`
        const making = renditions.get(name) ?? makeRendition(store, key, spec)
        renditions.set(name, making)
        return making.then((made) => sourceOf(made.key, made.facts))
      },
      async stripped({ maxBytes = Number.POSITIVE_INFINITY, upright = false } = {}) {
        const found = await stripPicture(store, key)
        if (found.kind === 'bare') return facts.bytes <= maxBytes ? source : null
        if (found.kind === 'impossible' || found.bytes > maxBytes || (upright && found.turned)) return null
        const name = `${key} stripped`
        const making = renditions.get(name) ?? found.put(facts)
        renditions.set(name, making)
        return making.then((made) => sourceOf(made.key, made.facts))
      },
    }
    return source
  }

  async function read(file: string): Promise<MediaSource> {
    const { key } = await store.putFile(resolve(fixtures, file))
    const probed = await probe(store, key)
    if (probed.kind === 'failed') throw new Error(`${file}: ${probed.message}`)
    return sourceOf(key, probed.facts)
  }

  return {
    of: (media) =>
      Promise.all(
        media.map(async ({ file, ...words }) => {
          const reading = files.get(file) ?? read(file)
          files.set(file, reading)
          const source = await reading
          const none = { altText: null, title: null, description: null, link: null, tags: [] }
          return { facts: source.facts, ...none, ...words, source }
        }),
      ),
    served: {
      clear: () => served.clear(),
      files: () => Promise.all([...served].map(async (key) => buffer(await store.open(key)))),
    },
    async close() {
      await server.close()
      await rm(dir, { recursive: true, force: true })
    },
  }
}
