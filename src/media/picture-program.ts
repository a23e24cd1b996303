import sharp, { type Sharp, type SharpOptions } from 'sharp'
import type { JpegSpec } from '#contract'
import { type LimitPassed, serveParent, type TaskLimits, watchLimits } from '#processes'
import { type MadePicture, makeJpeg, makeThumbnail } from './make-picture.ts'
import type { PictureHeader } from './picture-memory.ts'

/**
 * Runs only as a process of `picture-process.ts`, which sends one request at a time. A file that takes more memory than
 * its request allows ends this process, and nothing else.
 */

export type PictureTask = PictureWork & {
  /** Fails where decoders only grumble as well, such as at rows that are missing in front of an end that was written here. */
  strict?: boolean
}
type PictureWork =
  /** Reads the header alone. */
  | { kind: 'header' }
  /** Decodes all of it, so that a file that was cut off is noticed. */
  | { kind: 'check' }
  | { kind: 'thumbnail' }
  | { kind: 'jpeg'; spec: JpegSpec }

export interface PictureRequest {
  /** Path of the file. */
  path: string
  task: PictureTask
  /** `pixels`: the most that a picture may have; of its header all is read. */
  limits: TaskLimits & { pixels: number }
}

export type PictureResult =
  | { kind: 'header'; header: PictureHeader }
  | { kind: 'checked' }
  | ({ kind: 'made' } & MadePicture)
  /** The decoder's own words: the file is damaged, is no image, or cannot be read from the disk. */
  | { kind: 'unreadable'; message: string }
  /** libvips works on. */
  | LimitPassed
  /** The task cannot be done with any file. */
  | { kind: 'impossible'; message: string }

/** `residentBytes` is what the process holds after the task. */
export type PictureAnswer = PictureResult & { residentBytes: number }

if (process.send) listen((answer, then = () => {}) => void process.send?.(answer, then))

function listen(answer: (answer: PictureAnswer, then?: () => void) => void): void {
  serveParent()
  // Every file is read once or twice; a cache would only hold memory and open files.
  sharp.cache(false)
  sharp.concurrency(1)
  process.on('message', async (request: PictureRequest) => {
    const watch = watchLimits(request.limits, answer)
    const result = await run(request)
    watch.stop()
    answer({ ...result, residentBytes: process.memoryUsage.rss() })
  })
}

async function run({ path, task, limits }: PictureRequest): Promise<PictureResult> {
  // Cameras write files that decoders grumble about; those pass. Of an animation the first frame.
  const open = (options?: SharpOptions): Sharp =>
    sharp(path, { failOn: task.strict ? 'warning' : 'truncated', limitInputPixels: limits.pixels, ...options })
  try {
    switch (task.kind) {
      case 'header':
        return { kind: 'header', header: await readHeader(open) }
      case 'check':
        await decodeAll(open)
        return { kind: 'checked' }
      case 'thumbnail':
        return { kind: 'made', ...(await makeThumbnail(open)) }
      case 'jpeg':
        return { kind: 'made', ...(await makeJpeg(open, task.spec)) }
    }
  } catch (error) {
    const { message } = error as Error
    return error instanceof RangeError ? { kind: 'impossible', message } : { kind: 'unreadable', message }
  }
}

async function readHeader(open: (options?: SharpOptions) => Sharp): Promise<PictureHeader> {
  // Without the limit, so that the caller can report the size.
  const metadata = await open({ limitInputPixels: false }).metadata()
  const frames = metadata.pages ?? 1
  return {
    format: metadata.format,
    width: metadata.width,
    height: metadata.height,
    upright: metadata.autoOrient,
    channels: metadata.channels,
    bytesPerSample: metadata.depth === 'uchar' ? 1 : 2,
    multipass: metadata.isProgressive,
    chromaSubsampling: metadata.chromaSubsampling ?? null,
    frames,
    durationMs: frames > 1 ? (metadata.delay ?? []).reduce((sum, delay) => sum + delay, 0) : null,
  }
}

/** Decodes all of a picture and keeps next to nothing. */
async function decodeAll(open: () => Sharp): Promise<void> {
  const { format, width, height } = await open().metadata()
  const picture = open()
  // The cut that cuts nothing off keeps sharp from letting decoders shrink while they read, which leaves out the last
  // lines (sharp 0.35). WebP's decoder looks for the end of the file first, and takes far less memory when it shrinks.
  if (format !== 'webp') picture.extract({ left: 0, top: 0, width, height })
  await picture.resize(8, 8, { fit: 'fill' }).raw().toBuffer()
}
