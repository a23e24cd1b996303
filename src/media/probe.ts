import { buffer } from 'node:stream/consumers'
import type { MediaFacts } from '#contract'
import { probeDocument } from './documents.ts'
import { formatBytes, MediaFailure } from './failure.ts'
import { type PictureOptions, UnreadablePictureError, withPicture } from './pictures.ts'
import { probeVideo } from './probe-video.ts'
import type { Probed } from './probed.ts'
import { type ImageMimeType, sniff } from './sniff.ts'
import type { MediaStore } from './store.ts'

/**
 * Reads what a stored file is: its bytes decide. Images are decoded to their end, so that one that was cut off is
 * noticed, unless their header announces more than `LIMITS` allow; of videos the index and the last frames are read, of documents their pages are counted.
 * Rejects when there is no such file, and with the signal's reason.
 */
export async function probe(store: MediaStore, key: string, options: PictureOptions = {}): Promise<Probed> {
  const sniffed = await sniff(store, key)
  const bytes = (await store.stat(key))?.bytes ?? 0
  switch (sniffed.kind) {
    case 'empty':
      return corrupt('The file is empty. Upload it again.')
    case 'unsupported':
      return unsupported(sniffed.message)
    case 'video':
      return probeVideo(store, key, { bytes, mimeType: sniffed.mimeType }, { signal: options.signal })
    case 'document':
      return probeDocument(store, key, { bytes }, { signal: options.signal })
    case 'image':
      return probeImage(store, key, { bytes, mimeType: sniffed.mimeType, apng: sniffed.apng }, options)
  }
}

async function probeImage(
  store: MediaStore,
  key: string,
  file: { bytes: number; mimeType: ImageMimeType; apng: boolean },
  options: PictureOptions,
): Promise<Probed> {
  try {
    return await withPicture(store, key, options, async ({ header, read, run }) => {
      if (`image/${header.format}` !== file.mimeType) {
        return corrupt('The image is damaged. Save it again and upload it.')
      }
      // Decoders forgive an animation that lost whole frames.
      if ((file.mimeType === 'image/gif' || file.apng) && read.endsEarly) return cutOff(file.bytes)
      await run({ kind: 'check' })
      const digitalSourceType = read.said.sourceType
      const facts: MediaFacts = {
        type: 'IMAGE',
        mimeType: file.mimeType,
        bytes: file.bytes,
        ...header.upright,
        durationMs: header.durationMs,
        videoCodec: null,
        audioCodec: null,
        frameRate: null,
        animated: header.frames > 1 || file.apng,
        ...(digitalSourceType === null ? {} : { digitalSourceType }),
      }
      return { kind: 'ok', facts }
    })
  } catch (error) {
    if (error instanceof MediaFailure) return { kind: 'failed', code: error.code, message: error.message }
    if (!(error instanceof UnreadablePictureError)) throw error
    // An error that came from the disk, not from the file, comes again here and is thrown.
    await buffer(await store.open(key, { start: 0, end: 1 }))
    return cutOff(file.bytes)
  }
}

function cutOff(bytes: number): Probed {
  return corrupt(`The image is damaged or was cut off after ${formatBytes(bytes)}. Save it again and upload it.`)
}

function corrupt(message: string): Probed {
  return { kind: 'failed', code: 'media-upload:corrupt', message }
}

function unsupported(message: string): Probed {
  return { kind: 'failed', code: 'media-upload:unsupported_type', message }
}
