import { fittedImage } from '../kit/images.ts'
import type { MediaSource } from '../network.ts'
import { LIMITS } from './manifest.ts'

/** The form in which an image goes out: JPEG and PNG as they are while they fit and tell nothing of where they were taken. */
export function imageToSend(source: MediaSource): Promise<MediaSource> {
  return fittedImage(source, { mimeTypes: ['image/jpeg', 'image/png'], maxBytes: LIMITS.imageBytes.value })
}
