import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'
import { type Dispatcher, request } from 'undici'
import type { MediaUploadErrorCode } from '#contract'
import { formatBytes, MediaFailure, tooLarge } from './failure.ts'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface DownloadOptions {
  /** Aborting makes the promise or the stream fail with the signal's reason: that is no failure of the file. */
  signal: AbortSignal
  maxBytes: number
  /** Milliseconds for everything, redirects and the whole body included. */
  timeoutMs: number
  /** Milliseconds in which the server has to send `idleBytes` or the rest. A reader that is slow does not count. */
  idleTimeoutMs: number
  /** Default 1. */
  idleBytes?: number
  /** What is asked for, as a header; default: pictures and videos. */
  accept?: string
  /** Called for each piece with the bytes so far and, where the server announced it, the size. */
  onProgress?: (received: number, total: number | null) => void
}

export type Download =
  | {
      kind: 'ok'
      /** The body as it arrives. Fails with `MediaFailure`. The caller reads it to its end or destroys it. */
      stream: Readable
      /** What the server calls it, lower case, without parameters. The bytes decide, not this. */
      mimeType: string | null
      /** Announced size in bytes. */
      total: number | null
      /** What the server calls this version of it. */
      version: FileVersion
    }
  | { kind: 'failed'; code: MediaUploadErrorCode; message: string }

/** Validators of an answer (RFC 9110, 8.8), as they came. */
export interface FileVersion {
  etag: string | null
  lastModified: string | null
}

/** The server has the file as it was. */
export interface Unchanged {
  kind: 'unchanged'
}

/** What is wrong with a URL that can never be fetched, in words; null when it can be tried. */
export function checkImportUrl(url: string): string | null {
  const parsed = URL.parse(url)
  if (!parsed) return 'The URL cannot be read. Give a full address that begins with https://.'
  if (parsed.protocol !== 'http:' && parsed.protocol !== 'https:') {
    return `The URL begins with ${parsed.protocol} and only http: and https: can be fetched.`
  }
  if (parsed.username || parsed.password) {
    return 'The URL holds a user name or password. Give an address that works without them.'
  }
  return null
}

/**
 * Asks for a file through `dispatcher`, following at most five redirects by hand so that each passes `checkImportUrl`
 * and the dispatcher's check of the address. Resolves when the file begins to arrive or is known not to.
 */
export async function download(dispatcher: Dispatcher, address: string, options: DownloadOptions): Promise<Download> {
  const got = await downloadIfChanged(dispatcher, address, NO_VERSION, options)
  if (got.kind === 'unchanged') throw new Error('A file was not sent that was asked for without a condition.')
  return got
}

const NO_VERSION: FileVersion = { etag: null, lastModified: null }

/** The same of a file of which a version is known: it is asked for on condition that it has changed (RFC 9110, 13.1). */
export async function downloadIfChanged(
  dispatcher: Dispatcher,
  address: string,
  known: FileVersion,
  options: DownloadOptions,
): Promise<Download | Unchanged> {
  options.signal.throwIfAborted()
  const watch = startWatch(options)
  try {
    const conditions = conditionsOf(known)
    const accept = options.accept ?? 'image/*, video/*, */*;q=0.1'
    const { url, answer } = await followRedirects(dispatcher, address, { accept, ...conditions }, watch)
    try {
      if (answer.statusCode === 304 && Object.keys(conditions).length > 0) {
        watch.stop()
        discard(answer.body)
        return { kind: 'unchanged' }
      }
      const total = checkAnswer(url, answer, options.maxBytes)
      const stream = watchBody(answer.body, total, watch, options)
      const version = { etag: firstHeader(answer, 'etag'), lastModified: firstHeader(answer, 'last-modified') }
      return { kind: 'ok', stream, mimeType: mimeTypeOf(answer), total, version }
    } catch (error) {
      discard(answer.body)
      throw error
    }
  } catch (error) {
    watch.stop()
    if (!(error instanceof MediaFailure)) throw error
    return { kind: 'failed', code: error.code, message: error.message }
  }
}

function conditionsOf({ etag, lastModified }: FileVersion): Record<string, string> {
  return {
    ...(etag === null ? {} : { 'if-none-match': etag }),
    ...(lastModified === null ? {} : { 'if-modified-since': lastModified }),
  }
}

async function followRedirects(
  dispatcher: Dispatcher,
  address: string,
  headers: Readonly<Record<string, string>>,
  watch: Watch,
) {
  let url = address
  for (let hop = 0; ; hop++) {
    const problem = checkImportUrl(url)
    if (problem) {
      const what = hop === 0 ? problem : `The address redirects to one that imports may not follow: ${problem}`
      throw new MediaFailure('media-upload:url_blocked', what)
    }
    const current = new URL(url)
    watch.begin(current.host)
    const answer = await watch.whileWaiting(
      request(current, {
        dispatcher,
        method: 'GET',
        headers: { ...headers, 'accept-encoding': 'identity', 'user-agent': 'Almanac' },
        signal: watch.signal,
        // The watch measures time; undici's own limits are coarse and would answer with other words.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
    )
    if (!REDIRECTS.has(answer.statusCode)) return { url: current, answer }
    discard(answer.body)
    const location = firstHeader(answer, 'location')
    const next = location === null ? null : URL.parse(location, current)
    if (!next) {
      const status = `${answer.statusCode} without a usable address`
      throw new MediaFailure('media-upload:http_error', `${current.host} redirects with ${status} to go to.`)
    }
    if (hop === MAX_REDIRECTS) {
      const message = `The address redirects more than ${MAX_REDIRECTS} times. Give the address of the file itself.`
      throw new MediaFailure('media-upload:too_many_redirects', message)
    }
    url = next.href
  }
}

/** The announced size. Throws `MediaFailure` when the answer is not the file. */
function checkAnswer(url: URL, answer: Dispatcher.ResponseData, maxBytes: number): number | null {
  if (answer.statusCode !== 200) {
    throw new MediaFailure('media-upload:http_error', statusMessage(url.host, answer.statusCode))
  }
  const encoding = firstHeader(answer, 'content-encoding')?.toLowerCase() ?? 'identity'
  if (encoding !== 'identity') {
    const message = `${url.host} sends the file compressed (${encoding}) although it was asked not to. Give an address that serves the file as it is.`
    throw new MediaFailure('media-upload:http_error', message)
  }
  const length = firstHeader(answer, 'content-length')
  const total = length !== null && /^\d+$/.test(length) ? Number(length) : null
  if (total !== null && total > maxBytes) throw tooLarge(maxBytes, total)
  return total
}

/**
 * The body as a stream that counts, watches the clock and fails with `MediaFailure`. Not an async generator: one that
 * waits for the server cannot be destroyed before the server speaks.
 */
function watchBody(body: Readable, total: number | null, watch: Watch, options: DownloadOptions): Readable {
  // A body may fail before its first read, when no one listens yet. The read then says so.
  body.on('error', () => {})
  const pieces: AsyncIterator<Buffer> = body[Symbol.asyncIterator]()
  watch.begin(watch.host)
  let received = 0
  const next = async (): Promise<Buffer | null> => {
    const piece = await watch.whileWaiting(pieces.next())
    if (piece.done) {
      if (received > 0) return null
      throw new MediaFailure('media-upload:http_error', `${watch.host} answered with an empty file.`)
    }
    received += piece.value.length
    watch.came(piece.value.length)
    if (received > options.maxBytes) throw tooLarge(options.maxBytes, null)
    options.onProgress?.(received, total)
    return piece.value
  }
  return new Readable({
    read() {
      next().then(
        (piece) => this.push(piece),
        (error) => this.destroy(error),
      )
    },
    destroy(error, callback) {
      watch.stop()
      discard(body)
      callback(error)
    },
  })
}

/** One download's clock and the translator of what breaks it. */
interface Watch {
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

function startWatch(options: DownloadOptions): Watch {
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

function statusMessage(host: string, status: number): string {
  const name = STATUS_CODES[status]
  const answered = `${host} answered ${status}${name ? ` (${name})` : ''} instead of the file.`
  if (status === 401 || status === 403) return `${answered} Make the file public, or use a link that still works.`
  if (status === 404 || status === 410) return `${answered} Check the address.`
  if (status === 429 || status >= 500) return `${answered} Try again later.`
  return `${answered} Give the address of the file itself.`
}

function mimeTypeOf(answer: Dispatcher.ResponseData): string | null {
  return firstHeader(answer, 'content-type')?.split(';')[0]?.trim().toLowerCase() || null
}

function firstHeader(answer: Dispatcher.ResponseData, name: string): string | null {
  const value = answer.headers[name]
  return (Array.isArray(value) ? value[0] : value) ?? null
}

/** Lets go of a body that is not read any further; its socket is closed. */
function discard(body: Readable): void {
  body.on('error', () => {})
  body.destroy()
}

function seconds(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`
}
