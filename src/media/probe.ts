import { buffer } from 'node:stream/consumers'
import type { MediaFacts } from '#contract'
import { formatBytes } from './failure.ts'
import { MAX_PIXELS, openImage } from './images.ts'
import { probeVideo } from './probe-video.ts'
import { type ImageMimeType, sniff } from './sniff.ts'
import type { MediaStore } from './store.ts'

export type Probed =
  | { kind: 'ok'; facts: MediaFacts }
  /** `message` says what is wrong and what to do. */
  | { kind: 'failed'; code: 'media-upload:unsupported_type' | 'media-upload:corrupt'; message: string }

/**
 * Reads what a stored file is: its bytes decide. Images are decoded to their end, so that one that was cut off is
 * noticed; of videos the index and the last frames are read. Rejects when there is no such file.
 */
export async function probe(store: MediaStore, key: string): Promise<Probed> {
  const sniffed = await sniff(store, key)
  const bytes = (await store.stat(key))?.bytes ?? 0
  switch (sniffed.kind) {
    case 'empty':
      return corrupt('The file is empty. Upload it again.')
    case 'unsupported':
      return unsupported(sniffed.message)
    case 'video':
      return probeVideo(store, key, { bytes, mimeType: sniffed.mimeType })
    case 'image':
      return probeImage(store, key, { bytes, mimeType: sniffed.mimeType, apng: sniffed.apng })
  }
}

async function probeImage(
  store: MediaStore,
  key: string,
  file: { bytes: number; mimeType: ImageMimeType; apng: boolean },
): Promise<Probed> {
  const open = await openImage(store, key)
  try {
    // Without the limit, to say what is wrong: this reads no pixel.
    const metadata = await open({ limitInputPixels: false }).metadata()
    const { width, height } = metadata.autoOrient
    if (`image/${metadata.format}` !== file.mimeType)
      return corrupt('The image is damaged. Save it again and upload it.')
    if (width * height > MAX_PIXELS) {
      const most = MAX_PIXELS / 1e6
      return unsupported(`The image has ${width} x ${height} pixels; the most is ${most} million. Make it smaller.`)
    }
    if (file.mimeType === 'image/gif' && !(await gifEnds(store, key, file.bytes))) return cutOff(file.bytes)
    // Decodes all of it and keeps next to nothing. The cut that cuts nothing off keeps sharp from letting decoders
    // shrink while they read, which leaves out the last lines (sharp 0.35).
    const whole = { left: 0, top: 0, width: metadata.width, height: metadata.height }
    await open().extract(whole).resize(8, 8, { fit: 'fill' }).raw().toBuffer()
    const frames = metadata.pages ?? 1
    const facts: MediaFacts = {
      type: 'IMAGE',
      mimeType: file.mimeType,
      bytes: file.bytes,
      width,
      height,
      durationMs: frames > 1 ? (metadata.delay ?? []).reduce((sum, delay) => sum + delay, 0) : null,
      videoCodec: null,
      audioCodec: null,
      frameRate: null,
      animated: frames > 1 || file.apng,
    }
    return { kind: 'ok', facts }
  } catch {
    // sharp's errors have no codes. One that came from the disk, not from the file, comes again here and is thrown.
    await buffer(await store.open(key, { start: 0, end: 1 }))
    return cutOff(file.bytes)
  }
}

/** Decoders forgive a GIF that lost whole frames. Its last byte is `;`; some programs fill up with zeros behind it. */
async function gifEnds(store: MediaStore, key: string, bytes: number): Promise<boolean> {
  const tail = await buffer(await store.open(key, { start: Math.max(0, bytes - 64), end: bytes }))
  return tail.findLast((byte) => byte !== 0) === 0x3b
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
