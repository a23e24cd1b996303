import { call } from '../api/client.ts'

/** The last part of a file waits no longer for the picture. */
const MOST_MS = 3_000

/** The picture of a video, drawn here while the video is sent. */
interface Poster {
  /** Sends it for an upload, once it is drawn. */
  sendTo(uploadId: string): void
  /** Resolves when it is sent, cannot be had, or has taken too long: then there is none. */
  settled(): Promise<void>
  /** It is not needed any more. */
  end(): void
}

export interface PosterEvents {
  onDrawn(picture: Blob): void
  onSent(): void
}

/** Begins to draw the picture of a video. What goes wrong leaves the video without one, and holds nothing up. */
export function beginPoster(file: File, { onDrawn, onSent }: PosterEvents): Poster {
  const over = new AbortController()
  const { signal } = over
  const drawing = import('./draw-frame.ts').then(({ drawFrame }) => drawFrame(file, signal)).catch(() => null)
  let sending = Promise.resolve()

  async function send(id: string): Promise<void> {
    const picture = await drawing
    if (!picture || signal.aborted) return
    onDrawn(picture)
    await call('POST /media-upload/:id/poster', { params: { id }, body: picture, signal })
    onSent()
  }

  return {
    sendTo(id) {
      sending = send(id).catch(() => {})
    },
    async settled() {
      if (signal.aborted) return
      const late = setTimeout(() => over.abort(), MOST_MS)
      await Promise.race([sending, new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))])
      clearTimeout(late)
    },
    end: () => over.abort(),
  }
}
