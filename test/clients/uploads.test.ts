import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { PIECE_BYTES } from '../../clients/typescript/src/import-media.ts'
import { Almanac, AlmanacError, ConnectionError, MediaUploadError } from '../../clients/typescript/src/index.ts'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'

let api: MediaApi
let photo: Uint8Array<ArrayBuffer>
beforeAll(async () => {
  api = await startMediaApi()
  await api.stage.startImporter()
  photo = new Uint8Array(await readFile(join(import.meta.dirname, '../_fixtures/photo.jpg')))
})
afterAll(() => api.close())
afterEach(() => vi.unstubAllGlobals())

/** Pauses between attempts take no time; what ends late requests is left as it is. */
function withoutPauses(): void {
  const real = setTimeout
  vi.stubGlobal('setTimeout', (work: () => void, ms = 0) => real(work, ms <= 10_000 ? 0 : ms))
}

/** A client, and the requests that it made: `PATCH 8388608` has the offset of a piece. */
function client(around: (send: () => Promise<Response>, line: string) => Promise<Response> = (send) => send()) {
  const lines: string[] = []
  const almanac = new Almanac({
    url: api.url,
    key: api.key,
    async fetch(address, init) {
      const { method, headers } = new Request(address, { ...init, body: null })
      const line = `${method} ${headers.get('upload-offset') ?? new URL(String(address)).pathname}`
      lines.push(line)
      return around(() => fetch(address, init), line)
    },
  })
  return { almanac, lines }
}

/** A picture of more than one piece: what is behind its end belongs to no one. */
function large(bytes = 2 * PIECE_BYTES + 1_000): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(bytes)
  all.set(photo)
  return all
}

async function* inChunks(bytes: Uint8Array<ArrayBuffer>, length: number) {
  for (let from = 0; from < bytes.length; from += length) yield bytes.subarray(from, from + length)
}
const streamOf = (bytes: Uint8Array<ArrayBuffer>, length = 65_521) =>
  ReadableStream.from(inChunks(bytes, length)) as ReadableStream<Uint8Array>

test('an address is fetched by the service, and waited for', async () => {
  const { almanac } = client()
  const options = { socialSetId: api.socialSetId, altText: 'Brötchen' }
  const upload = await almanac.importMedia(await api.stage.server.fixture('photo.jpg'), options)
  expect(upload.status).toBe('READY')
  expect(await almanac.media.get(upload.mediaLibraryId)).toMatchObject({ type: 'IMAGE', altText: 'Brötchen' })
})

test('a short file goes in one request, with its name', async () => {
  const { almanac, lines } = client()
  for (const source of [new Blob([photo]), new File([photo], 'loaf.jpg'), streamOf(photo)]) {
    lines.length = 0
    const name = source instanceof File ? undefined : 'Brötchen.jpg'
    const upload = await almanac.importMedia(source, { socialSetId: api.socialSetId, name })
    expect(lines[0]).toBe('POST /v1/media-upload')
    const item = await almanac.media.get(upload.mediaLibraryId)
    expect(item).toMatchObject({ name: name ?? 'loaf.jpg', bytes: photo.length })
  }
})

test('a long file goes in pieces, and goes on where it was when the connection breaks', async () => {
  withoutPauses()
  let cuts = 2
  const { almanac, lines } = client(async (send, line) => {
    const answer = await send()
    // The piece has arrived, its answer has not.
    if (line.startsWith('PATCH') && cuts-- > 0) throw new TypeError('fetch failed')
    return answer
  })
  const bytes = large()
  const sent: number[] = []
  const upload = await almanac.importMedia(new Blob([bytes]), {
    socialSetId: api.socialSetId,
    name: 'Brötchen.jpg',
    onProgress: ({ bytesSent }) => sent.push(bytesSent),
  })
  expect(await almanac.media.get(upload.mediaLibraryId)).toMatchObject({ name: 'Brötchen.jpg', bytes: bytes.length })
  expect(sent).toEqual([PIECE_BYTES, 2 * PIECE_BYTES, bytes.length])
  expect(lines.filter((line) => line.startsWith('PATCH'))).toEqual([
    'PATCH 0',
    `PATCH ${PIECE_BYTES}`,
    `PATCH ${2 * PIECE_BYTES}`,
  ])
  expect(lines.filter((line) => line.startsWith('HEAD'))).toHaveLength(2)
})

test('a long stream goes in the same pieces, however long its chunks are', async () => {
  const { almanac, lines } = client()
  const bytes = large(PIECE_BYTES + 1)
  const options = { socialSetId: api.socialSetId, bytes: bytes.length }
  const upload = await almanac.importMedia(streamOf(bytes), options)
  expect((await almanac.media.get(upload.mediaLibraryId)).bytes).toBe(bytes.length)
  expect(lines.filter((line) => line.startsWith('PATCH'))).toEqual(['PATCH 0', `PATCH ${PIECE_BYTES}`])
  const wrong = almanac.importMedia(streamOf(bytes), { ...options, bytes: bytes.length + 1 })
  await expect(wrong).rejects.toThrow('announced')
  const unknown = almanac.importMedia(streamOf(bytes), { socialSetId: api.socialSetId })
  await expect(unknown).rejects.toThrow(AlmanacError)
})

test('what no longer moves is given up', async () => {
  withoutPauses()
  const { almanac } = client(async (send, line) => {
    if (line.startsWith('PATCH')) throw new TypeError('fetch failed')
    return send()
  })
  const upload = almanac.importMedia(new Blob([large(PIECE_BYTES + 1)]), { socialSetId: api.socialSetId })
  await expect(upload).rejects.toThrow(ConnectionError)
})

test('a file that cannot be taken is an error with its code', async () => {
  const upload = client().almanac.importMedia(new Blob(['no picture']), { socialSetId: api.socialSetId })
  await expect(upload).rejects.toThrow(MediaUploadError)
  await expect(upload).rejects.toMatchObject({ code: 'media-upload:unsupported_type' })
})
