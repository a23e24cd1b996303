import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { converse, endProgram, restingProcesses, type TaskLimits } from '#processes'
import type { Turn } from './cut-frame.ts'
import { MediaFailure } from './failure.ts'
import type { FrameRequest, FromFrameProgram } from './frame-program.ts'
import { UnreadablePictureError } from './pictures.ts'
import { makeThumbnail, type Thumbnail } from './renditions.ts'
import type { MediaStore } from './store.ts'
import { runVideoProcess } from './video-process.ts'

const MIB = 1024 * 1024
/** Measured, a frame of 1080 × 1920: 190 MB and a second; README.md has those of 4K. */
const LIMITS: TaskLimits = { residentBytes: 768 * MIB, seconds: 20 }
/** Pixels of a frame that is decoded: 4K, with what some cameras add. */
const MOST_PIXELS = 4_096 * 2_304

/** The package that decodes videos is not there, is of another version, or cannot be read; no video is to blame. */
export class NoDecoderError extends Error {
  override readonly name = 'NoDecoderError'

  constructor(why: string) {
    super(`The decoder of videos, ALMANAC_VIDEO_DECODER, cannot be used: ${why}`)
  }
}

/**
 * Looks whether the package that decodes videos is in a folder.
 *
 * @throws NoDecoderError
 */
export async function checkDecoder(folder: string): Promise<void> {
  const file = join(folder, 'package.json')
  const text = await readFile(file, 'utf8').catch(({ code }) => {
    throw new NoDecoderError(`${file} cannot be read, ${code}.`)
  })
  const { name, version } = JSON.parse(text)
  if (name !== '@ffmpeg/core' || !/^0\.12\./.test(version))
    throw new NoDecoderError(`${file} is not of @ffmpeg/core 0.12.`)
}

const processes = restingProcesses(new URL('./frame-program.ts', import.meta.url), 0)

/**
 * Draws a frame of a stored video and stores a small picture of it, as of one that a browser sends: that of `atMs`, else the first key
 * frame after the first second, decoded in a process of its own by the package `@ffmpeg/core`, which lies in `decoder`. Null: this file
 * gives none.
 *
 * @throws NoDecoderError
 * @throws Error the process was ended from outside, or the machine is too busy: it can be tried again
 * @throws the signal's reason
 */
export async function drawFrame(
  store: MediaStore,
  { key, bytes, atMs }: { key: string; bytes: number; atMs?: number },
  { decoder, signal, limits = LIMITS }: { decoder: string; signal?: AbortSignal; limits?: TaskLimits },
): Promise<Thumbnail | null> {
  try {
    const { value: cut } = await runVideoProcess(store, key, { task: 'frame', bytes, atMs }, { signal }).next()
    if (cut instanceof Uint8Array || cut.kind !== 'cut') throw new Error('No frame was cut out of a video.')
    const { file, at, turn, width, height } = cut
    if (width * height > MOST_PIXELS) return null
    const picture = await decode({ task: { decoder, file, at }, limits }, signal)
    return picture && (await makePictureOf(store, turned(picture, turn), signal))
  } catch (error) {
    if (error instanceof MediaFailure || error instanceof UnreadablePictureError) return null
    throw error
  }
}

/** The process that decodes pictures makes a small one of the frame, as of all that comes from others. */
async function makePictureOf(store: MediaStore, picture: Uint8Array, signal: AbortSignal | undefined) {
  const { key } = await store.put(Readable.from([Buffer.from(picture)]))
  try {
    return await makeThumbnail(store, key, { signal })
  } finally {
    await store.remove(key)
  }
}

/** Orientations of Exif. */
const ORIENTATIONS = { 0: 1, 90: 6, 180: 3, 270: 8 } as const satisfies Record<Turn, number>

/** A JPEG that says how it is turned upright, in an Exif segment behind its first marker. */
function turned(jpeg: Uint8Array, turn: Turn): Uint8Array {
  const exif = Buffer.from(
    'ffe10022457869660000' + '4d4d002a00000008' + '0001' + '011200030000000100010000' + '00000000',
    'hex',
  )
  exif.writeUInt16BE(ORIENTATIONS[turn], EXIF_ORIENTATION_AT)
  return Buffer.concat([jpeg.subarray(0, 2), exif, jpeg.subarray(2)])
}

const EXIF_ORIENTATION_AT = 28

/** A JPEG; null where the decoder makes none, or takes more than it may. */
async function decode(request: FrameRequest, signal: AbortSignal | undefined): Promise<Uint8Array | null> {
  const child = processes.wake()
  const crashed = () => new MediaFailure('media-upload:corrupt', 'The decoder crashed on a frame of a video.')
  const { seconds } = request.limits
  try {
    for await (const answer of converse<FromFrameProgram>(child, request, {
      seconds,
      reads: 'frames',
      crashed,
      signal,
    })) {
      if (answer.kind === 'impossible') throw new NoDecoderError(answer.message)
      return answer.kind === 'drawn' ? answer.picture : null
    }
    throw new Error('The process that reads frames gave no answer.')
  } finally {
    endProgram(child)
  }
}
