import type { MediaUploadErrorCode } from '#contract'

/**
 * Why a file could not be taken in: a code of the contract and a sentence for people that says what to do. Streams
 * fail with it, and `put` rejects with it; what was expected to go wrong is distinguished from bugs by its class.
 */
export class MediaFailure extends Error {
  override readonly name = 'MediaFailure'
  readonly code: MediaUploadErrorCode

  constructor(code: MediaUploadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** The failure of a file that is larger than `maxBytes`; `bytes` is its size where it was announced. */
export function tooLarge(maxBytes: number, bytes: number | null): MediaFailure {
  const size = bytes === null ? 'larger than' : `${formatBytes(bytes)}; the limit is`
  return new MediaFailure('media-upload:too_large', `The file is ${size} ${formatBytes(maxBytes)}. Use a smaller file.`)
}

/** A size for people, decimal as networks count: `1.5 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit++
  }
  return `${unit === 0 ? value : value.toFixed(1).replace(/\.0$/, '')} ${units[unit]}`
}

/** For `catch`: null when a file is not there. */
export function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
