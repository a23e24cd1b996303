import type { MediaUploadErrorCode } from '#contract'
import { formatBytes, MediaFailure } from './failure.ts'

/** What a download may take. */
export interface WatchOptions {
  /** Aborting makes the promise or the stream fail with the signal's reason: that is no failure of the file. */
  signal: AbortSignal
  /** Milliseconds for everything, redirects and the whole body included. */
  timeoutMs: number
  /** Milliseconds in which the server has to send `idleBytes` or the rest. A reader that is slow does not count. */
  idleTimeoutMs: number
  /** Default 1. */
  idleBytes?: number
}

/** One download's clock and the translator of what breaks it. */
export interface Watch {
  /** Host of the request under way, for messages. */
  readonly host: string
  /** A request to `host`, or its body, is next: the idle limit begins. */
  begin(host: string): void
  /** Bytes of the body that the server has sent. */
  came(bytes: number): void
  /** Aborts by the caller, by either time limit, and on `stop`. */
  signal: AbortSignal
  /**
   * Waits for the server; the idle limit runs meanwhile. Rejects with the caller's reason when the caller aborted, else
   * with `MediaFailure`: everything that goes wrong here goes wrong on the wire.
   */
  whileWaiting<T>(promise: Promise<T>): Promise<T>
  stop(): void
}

export function startWatch(options: WatchOptions): Watch {
  const controller = new AbortController()
  let late: MediaFailure | null = null
  const giveUp = (message: string) => {
    late = new MediaFailure('media-upload:timeout', message)
    controller.abort(late)
  }
  const stop = () => {
    clearTimeout(whole)
    options.signal.removeEventListener('abort', stop)
    controller.abort()
  }
  const whole = setTimeout(() => {
    giveUp(`The download took longer than ${seconds(options.timeoutMs)}. Use a smaller file or a faster server.`)
  }, options.timeoutMs)
  options.signal.addEventListener('abort', stop, { once: true })
  const { idleBytes = 1 } = options
  let host = ''
  // Since the server has sent `idleBytes` last.
  let waitedMs = 0
  let bytes = 0
  const watch: Watch = {
    get host() {
      return host
    },
    begin(next) {
      host = next
      waitedMs = 0
      bytes = 0
    },
    came(more) {
      bytes += more
      if (bytes >= idleBytes) watch.begin(host)
    },
    signal: controller.signal,
    async whileWaiting(promise) {
      const since = performance.now()
      const idle = setTimeout(
        () => {
          const little = bytes === 0 ? 'sent nothing for' : `sent less than ${formatBytes(idleBytes)} in`
          giveUp(`${host} ${little} ${seconds(options.idleTimeoutMs)}. Try again later.`)
        },
        Math.max(0, options.idleTimeoutMs - waitedMs),
      )
      let abandon = () => {}
      try {
        return await new Promise((resolve, reject) => {
          // undici 8 heeds an abort only after it is connected, and that may take as long as name servers like.
          abandon = () => reject(controller.signal.reason)
          controller.signal.addEventListener('abort', abandon)
          if (controller.signal.aborted) abandon()
          promise.then(resolve, reject)
        })
      } catch (error) {
        options.signal.throwIfAborted()
        throw late ?? explainWire(error, host)
      } finally {
        clearTimeout(idle)
        waitedMs += performance.now() - since
        controller.signal.removeEventListener('abort', abandon)
      }
    },
    stop,
  }
  return watch
}

const DNS_CODES = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'ENODATA', 'ESERVFAIL'])
const TIMEOUT_CODES = new Set(['ETIMEDOUT', 'UND_ERR_CONNECT_TIMEOUT'])

function explainWire(error: unknown, host: string): MediaFailure {
  const code = codeOf(error) ?? 'no reason given'
  const failure = (kind: MediaUploadErrorCode, message: string) => new MediaFailure(kind, message, { cause: error })
  if (code === 'EADDRESSBLOCKED') {
    return failure(
      'media-upload:url_blocked',
      `${host} is not an address of the public internet. Give an address that anyone can reach.`,
    )
  }
  if (DNS_CODES.has(code)) {
    return failure('media-upload:dns_failed', `The host name ${host} could not be resolved. Check its spelling.`)
  }
  if (TIMEOUT_CODES.has(code)) {
    return failure('media-upload:timeout', `${host} did not accept the connection in time. Try again later.`)
  }
  if (code === 'ECONNREFUSED') {
    return failure('media-upload:http_error', `${host} refused the connection. Check the address and its port.`)
  }
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) {
    return failure('media-upload:http_error', `${host} has no valid certificate or speaks no TLS (${code}).`)
  }
  return failure('media-upload:http_error', `The connection to ${host} broke off (${code}). Try again later.`)
}

/** The first error code on the way down: of the error, of what an AggregateError holds, of the cause. */
function codeOf(error: unknown, depth = 0): string | null {
  if (!(error instanceof Error) || depth > 4) return null
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0], depth + 1)
  const { code } = error as NodeJS.ErrnoException
  return typeof code === 'string' ? code : codeOf(error.cause, depth + 1)
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`
}
