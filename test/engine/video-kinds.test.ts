import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createDiskStore, drawFrame, type MediaStore, NoDecoderError } from '#media'
import { distance, readKind, type VideoKind, videoKinds } from '../_util/files/video-kinds.ts'
import { part } from '../_util/run/whole.ts'

/** What the server draws of sixty kinds of videos: a poster, or nothing, so that a tile stands for it. */

/** Of 255. Frames of other moments are further away, and so is one that is turned otherwise. */
const NEAR = 12

let folder: string
let store: MediaStore
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-kinds-'))
  store = createDiskStore({ dir: folder })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function drawn(kind: VideoKind, options: { decoder: string; atMs?: number }): Promise<Uint8Array | null> {
  const { key, bytes } = await store.put(Readable.from([await readKind(kind)]))
  const { decoder, ...at } = options
  const made = await drawFrame(store, { key, bytes, ...at }, { decoder })
  return made && (await buffer(await store.open(made.key)))
}

const decoder = process.env.ALMANAC_VIDEO_DECODER
if (!decoder) process.stderr.write('Kinds of videos: ALMANAC_VIDEO_DECODER is not set, so none is decoded.\n')

test('there are sixty', () => expect(videoKinds).toHaveLength(60))

describe.each(part(videoKinds, 12))('$file', (kind) => {
  test('is given to the decoder where it can know it', async () => {
    const nowhere = drawn(kind, { decoder: '/nowhere' })
    if (kind.cut) await expect(nowhere).rejects.toThrow(NoDecoderError)
    else expect(await nowhere).toBeNull()
  })

  test.skipIf(!decoder)(`has a ${kind.server}, upright, in the colors of the frame`, async () => {
    const poster = await drawn(kind, { decoder: decoder ?? '' })
    if (kind.server === 'tile') return expect(poster).toBeNull()
    if (!poster || !kind.frames) throw new Error('It has none.')
    expect(await distance(poster, kind.frames.poster)).toBeLessThan(NEAR)
  })

  test.skipIf(!decoder || kind.server === 'tile')(
    'the frame of a moment between two key frames is that frame',
    async () => {
      const cover = await drawn(kind, { decoder: decoder ?? '', atMs: 1_300 })
      if (!cover || !kind.frames) throw new Error('It has none.')
      expect(await distance(cover, kind.frames.cover)).toBeLessThan(NEAR)
    },
  )
})
