import { DefaultHttpStack, DetailedError, Upload } from 'tus-js-client'
import { mediaAddress } from '../api/media-address.ts'
import { pageHeaders, uploadAddress } from '../api/upload-address.ts'
import { beginPoster, type PosterEvents } from './poster.ts'

/** What the server has confirmed is never sent again: so much is confirmed at once. */
const PIECE_BYTES = 8 * 1024 * 1024

export type SendFailure =
  /** It may work in a moment. `seconds`: what the server asked for, if it did. */
  | { kind: 'later'; seconds: number | null }
  /** The server does not know the upload any more: it begins again. */
  | { kind: 'gone' }
  | { kind: 'signed-out' }
  | { kind: 'refused'; code: string; message: string }

export interface Sending {
  /** What the server has stays there. */
  pause(): void
  /** Removes what the server has. */
  giveUp(): void
}

interface SendOptions {
  /** Where it goes on; null for a new one. */
  address: string | null
  socialSetId: string
  /** Of a video whose picture is to be drawn and sent; null when it has one, or is none. */
  poster: PosterEvents | null
  onAddress(address: string): void
  onProgress(sent: number): void
  /** All bytes are there. */
  onSent(): void
  onFailed(failure: SendFailure): void
}

/** Sends a file, from where the server has it on. Of a video a picture goes before its last part. */
export function sendFile(file: File, options: SendOptions): Sending {
  const { address, socialSetId, onAddress, onProgress, onSent, onFailed } = options
  const poster = options.poster && beginPoster(file, options.poster)
  let stopped = false
  const upload = new Upload(file, {
    // With an address, one that is gone is an error: whether it begins again is decided by `failureOf`.
    ...(address === null ? { endpoint: uploadAddress } : { uploadUrl: address }),
    metadata: { socialSetId, name: file.name },
    chunkSize: PIECE_BYTES,
    headers: pageHeaders(),
    httpStack: sameOrigin,
    // What was begun is kept in `upload-list.ts`, and when to try again is decided by who calls.
    storeFingerprintForResuming: false,
    retryDelays: null,
    onUploadUrlAvailable() {
      const path = upload.url === null ? null : mediaAddress(upload.url)
      if (path === null) return
      onAddress(path)
      poster?.sendTo(path.split('/').at(-1) ?? '')
    },
    async onBeforeRequest(request) {
      if (!poster || request.getMethod() !== 'PATCH') return
      if (Number(request.getHeader('Upload-Offset')) + PIECE_BYTES >= file.size) await poster.settled()
      // The library sends what was stopped meanwhile all the same.
      if (stopped) throw new Error('Stopped.')
    },
    onProgress,
    onSuccess() {
      poster?.end()
      onSent()
    },
    onError(error) {
      poster?.end()
      onFailed(failureOf(error, upload.url ?? address))
    },
  })
  const stop = (removed: boolean) => {
    stopped = true
    poster?.end()
    return upload.abort(removed)
  }
  upload.start()
  return {
    pause: () => void stop(false),
    giveUp: () => void stop(true).catch(() => {}),
  }
}

const stack = new DefaultHttpStack({})

/** The server names uploads by its public address; a page that was opened by another name of it has its session there alone. */
const sameOrigin = {
  createRequest: (method: string, url: string) => stack.createRequest(method, mediaAddress(url) ?? url),
  getName: () => 'same origin',
}

const PATIENCE = [408, 409, 423, 425, 429]

function failureOf(error: Error, address: string | null): SendFailure {
  const response = error instanceof DetailedError ? error.originalResponse : null
  const status = response?.getStatus() ?? 0
  if (!response || status === 0 || status >= 500 || PATIENCE.includes(status)) {
    const seconds = Number(response?.getHeader('Retry-After') ?? Number.NaN)
    return { kind: 'later', seconds: Number.isFinite(seconds) ? seconds : null }
  }
  if (status === 401) return { kind: 'signed-out' }
  if (address !== null && (status === 404 || status === 410)) return { kind: 'gone' }
  return { kind: 'refused', ...problemOf(response.getBody()) }
}

function problemOf(body: string): { code: string; message: string } {
  try {
    const { code, message } = JSON.parse(body) as { code?: unknown; message?: unknown }
    if (typeof code === 'string' && typeof message === 'string') return { code, message }
  } catch {
    // Not ours, such as the page of a proxy.
  }
  return { code: '', message: '' }
}
