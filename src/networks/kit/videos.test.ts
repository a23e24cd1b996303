import { writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { box, PLACE, withInside, writePhoneFilm, XYZ } from '../../../test/_util/files/video-boxes.ts'
import { readFixture } from '../../../test/_util/networks/file-server.ts'
import { openSampleMedia, type SampleMediaSources } from '../conformance/media.ts'
import type { Attempt, MediaSource } from '../network.ts'
import { canBeMp4, fittedVideo, type VideoForm, withFittedVideos } from './videos.ts'

let media: SampleMediaSources
let film: Awaited<ReturnType<typeof writePhoneFilm>>
beforeAll(async () => {
  ;[media, film] = await Promise.all([openSampleMedia(), writePhoneFilm()])
})
afterAll(() => Promise.all([media.close(), film.remove()]))

const MP4 = { mimeTypes: ['video/mp4'] }
const BOTH = { mimeTypes: ['video/mp4', 'video/quicktime'] }

async function sourceOf(file: string): Promise<MediaSource> {
  const [item] = await media.of([{ file }])
  if (!item) throw new Error('There is no such file.')
  return item.source
}

async function fitted(source: MediaSource, form: VideoForm): Promise<MediaSource> {
  const file = await fittedVideo(source, form)
  if ('kind' in file) throw new Error(file.message)
  return file
}

const bytesOf = async (source: MediaSource) => buffer(await source.open())

describe('a video goes out', () => {
  test.each([
    ['video-h264-aac.mp4', MP4],
    ['video-rotated.mov', BOTH],
    ['video-vp9.webm', { mimeTypes: ['video/webm'] }],
  ])('as it is when it fits and tells no place: %s', async (file, form) => {
    const source = await sourceOf(file)
    expect(await fittedVideo(source, form)).toBe(source)
  })

  test('as a fresh MP4 when the network does not take its type', async () => {
    const source = await sourceOf('video-rotated.mov')
    const file = await fitted(source, MP4)
    const { bytes: _, mimeType: __, ...same } = source.facts
    expect(file.facts).toMatchObject({ ...same, mimeType: 'video/mp4' })
    expect(await bytesOf(file)).toHaveLength(file.facts.bytes)
  })

  test.each([
    ['without a brand', 'wide', 4],
    ['of the brand of 3GPP', '3gp5', 8],
  ])('as a fresh MP4 when it does not begin as networks know one: %s', async (_, letters, at) => {
    const bytes = await readFixture('video-rotated.mov')
    bytes.write(letters, at, 'latin1')
    const path = join(dirname(film.path), `${letters}.mov`)
    await writeFile(path, bytes)
    const file = await fitted(await sourceOf(path), BOTH)
    expect(file.facts).toMatchObject({ mimeType: 'video/mp4', width: 180, height: 320, durationMs: 1000 })
    expect((await bytesOf(file)).toString('latin1', 4, 12)).toBe('ftypisom')
  })

  test('as a fresh MP4 without the place where it was taken, the same each time', async () => {
    const source = await sourceOf(film.path)
    expect((await bytesOf(source)).includes(PLACE)).toBe(true)
    const file = await fitted(source, BOTH)
    expect(file.facts).toMatchObject({ mimeType: 'video/mp4', width: 180, height: 320, durationMs: 1000 })
    const bytes = await bytesOf(file)
    expect(bytes.includes(PLACE)).toBe(false)
    expect(await bytesOf(await fitted(source, BOTH))).toEqual(bytes)
    // What was made needs nothing more.
    expect(await fittedVideo(file, MP4)).toBe(file)
  })
})

describe('a video is refused, in words', () => {
  test('when it has the wrong type and no MP4 can be made of it', async () => {
    expect(await fittedVideo(await sourceOf('video-vp9.webm'), MP4)).toEqual({
      kind: 'refused',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: expect.stringMatching(/^The video has no MP4\. A WebM video .* Export it as an MP4\.$/),
    })
  })

  test('when it tells a place that cannot be taken out, unless the network hands nobody the file', async () => {
    // The end of the picture was cut away by its list of edits alone.
    const bytes = withInside(await readFixture('video-rotated.mov'), ['moov'], box('udta', XYZ))
    bytes.writeUInt32BE(1, bytes.indexOf('elst') + 12)
    const path = join(dirname(film.path), 'cut.mov')
    await writeFile(path, bytes)
    const source = await sourceOf(path)
    const message = expect.stringMatching(/may tell where it was taken.*cut away/)
    expect(await fittedVideo(source, BOTH)).toMatchObject({ reason: 'UNKNOWN_MEDIA_ERROR', message })
    const asItIs = { ...BOTH, elseAsItIs: true }
    expect(await fittedVideo(source, asItIs)).toBe(source)
    expect(await fittedVideo(await sourceOf('video-vp9.webm'), asItIs)).toMatchObject({ kind: 'refused' })
    expect((await fitted(await sourceOf(film.path), asItIs)).facts.mimeType).toBe('video/mp4')
  })

  test('when it is damaged; but what goes wrong otherwise is thrown', async () => {
    const source = await sourceOf('video-rotated.mov')
    const upon = (words: string, code: string) =>
      fittedVideo({ ...source, rendition: () => Promise.reject(Object.assign(new Error(words), { code })) }, MP4)
    const message = 'The video has no MP4. The video is damaged.'
    expect(await upon('The video is damaged.', 'media-upload:corrupt')).toMatchObject({ kind: 'refused', message })
    await expect(upon('no space left', 'ENOSPC')).rejects.toThrow('no space left')
  })
})

describe('an attempt', () => {
  const attemptWith = async (...files: string[]) => {
    let turn = 1
    const sources = await Promise.all(files.map(sourceOf))
    return {
      post: { caption: 'Bread', media: sources.map((source) => ({ facts: source.facts, altText: 'A', source })) },
      get handles() {
        return { turn }
      },
      store: async () => void turn++,
    } as unknown as Attempt
  }

  test('has its videos fitted, with their facts, and everything else as it was', async () => {
    const attempt = await attemptWith('photo.jpg', film.path, 'video-short.mp4')
    const given = await withFittedVideos(attempt, MP4)
    if ('kind' in given) throw new Error(given.message)
    const [photo, video, short] = given.post.media
    expect([photo, short]).toEqual([attempt.post.media[0], attempt.post.media[2]])
    expect(video).toMatchObject({ altText: 'A', facts: { mimeType: 'video/mp4' } })
    expect(video?.source.facts).toBe(video?.facts)
    expect(given.post.caption).toBe('Bread')
    await given.store({})
    expect(given.handles).toEqual({ turn: 2 })
  })

  test.each([
    [['photo.jpg', 'video-vp9.webm'], /^Item 2: The video has no MP4/],
    [['video-vp9.webm'], /^The video has no MP4/],
  ])('of %j is refused with the place of what does not fit', async (files, words) => {
    const refused = await withFittedVideos(await attemptWith(...files), MP4)
    expect(refused).toMatchObject({ kind: 'refused', message: expect.stringMatching(words) })
  })
})

test.each<[boolean, string, string, string | null]>([
  [true, 'video/mp4', 'av1', 'opus'],
  [true, 'video/quicktime', 'avc', 'aac'],
  [true, 'video/quicktime', 'hevc', null],
  [false, 'video/quicktime', 'prores', 'aac'],
  [false, 'video/quicktime', 'avc', 'pcm-s16'],
  [false, 'video/webm', 'vp9', 'opus'],
])('an MP4: %s of %s with %s and %s', (can, mimeType, videoCodec, audioCodec) => {
  expect(canBeMp4({ mimeType, videoCodec, audioCodec } as MediaFacts)).toBe(can)
})
