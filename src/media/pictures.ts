import { checkPictureSize, isLight, type PictureHeader } from './picture-memory.ts'
import { createPictureProcess, type PictureProcess, type Result } from './picture-process.ts'
import type { PictureTask } from './picture-program.ts'
import type { MediaStore } from './store.ts'
import { type ReadPicture, readPicture, streamOf } from './strip-picture.ts'

/** The processes that pictures are read in: large ones do not keep the others waiting. */
export interface PictureProcesses {
  light: PictureProcess
  heavy: PictureProcess
}

export interface PictureOptions {
  signal?: AbortSignal | undefined
  /** Default: the two of this process. */
  processes?: PictureProcesses | undefined
}

const MIB = 1024 * 1024

/** Together the most memory that pictures take of a machine. */
const shared: PictureProcesses = {
  light: createPictureProcess({ residentBytes: 256 * MIB, seconds: 30, idleMs: 10_000 }),
  heavy: createPictureProcess({ residentBytes: 512 * MIB, seconds: 60, idleMs: 1_000 }),
}

/** The file is no image, is damaged, or could not be read from the disk: decoders do not distinguish these. */
export class UnreadablePictureError extends Error {
  override readonly name = 'UnreadablePictureError'
}

/** A stored image whose header was read and found to be of a size that can be decoded. */
interface Picture {
  header: PictureHeader
  /** What its parts say. */
  read: ReadPicture
  /** Works on the image. Throws like `withPicture`. */
  run(task: PictureTask): Promise<Result>
}

/**
 * Reads the header of a stored image and hands it to `use`. Nothing is decoded in this process. What is decoded of a file that
 * breaks its format's rules beside its picture is the copy that keeps them, which goes to networks as well.
 *
 * @throws MediaFailure `too_large` by its header, or when a task takes too much memory or time
 * @throws UnreadablePictureError
 */
export async function withPicture<T>(
  store: MediaStore,
  key: string,
  { signal, processes = shared }: PictureOptions,
  use: (picture: Picture) => Promise<T>,
): Promise<T> {
  const parts = await readPicture(store, key)
  const mend = parts.mended ? parts.pieces : null
  const file = mend
    ? { path: null, open: async () => streamOf(store, key, mend) }
    : { path: store.path(key), open: () => store.open(key) }
  const on = async (process: PictureProcess, task: PictureTask) => {
    const result = await process.run(file, task, signal)
    if (result.kind === 'unreadable') throw new UnreadablePictureError(result.message)
    if (result.kind === 'impossible') throw new RangeError(result.message)
    return result
  }
  const read = await on(processes.light, { kind: 'header' })
  if (read.kind !== 'header') throw new TypeError(`The header of a picture was asked for, and ${read.kind} came.`)
  const { bytes } = parts
  checkPictureSize(read.header, bytes)
  const process = isLight(read.header, bytes) ? processes.light : processes.heavy
  return use({ header: read.header, read: parts, run: (task) => on(process, mend ? { ...task, strict: true } : task) })
}
