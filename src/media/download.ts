import { STATUS_CODES } from 'node:http'
import { Readable } from 'node:stream'
import { type Dispatcher, request } from 'undici'
import type { MediaUploadErrorCode } from '#contract'
import { codingsOf, contentTypeOf, firstHeader, locationOf, wholeRange } from './answer-head.ts'
import { canDecode, decodeBody } from './decode-body.ts'
import { nameOfDisposition } from './disposition.ts'
import { startWatch, type Watch, type WatchOptions } from './download-watch.ts'
import { formatBytes, MediaFailure, tooLarge } from './failure.ts'

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

export interface DownloadOptions extends WatchOptions {
  /** Also of what a compressed file becomes. */
  maxBytes: number
  /** What is asked for, as a header; default: pictures and videos. */
  accept?: string
  /** Codings that are asked for, as a header; default: none. What is sent compressed all the same is read all the same. */
  acceptEncoding?: string
  /** Called for each piece with the bytes so far and, where the server announced it, the size. */
  onProgress?: (received: number, total: number | null) => void
}

/** Where requests go, and what hosts read of who asks. */
interface Way {
  dispatcher: Dispatcher
  userAgent: string
}

export type Download =
  | {
      kind: 'ok'
      /** The body as it arrives. Fails with `MediaFailure`. The caller reads it to its end or destroys it. */
      stream: Readable
      /** Where it was, behind redirects. */
      url: string
      /** What the server calls it, lower case, without parameters. The bytes decide, not this. */
      mimeType: string | null
      /** The charset beside it, lower case, as the server calls it. */
      charset: string | null
      /** How the file is called by the server. */
      name: string | null
      /** Announced size in bytes; null as well for what comes compressed. */
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
 * Asks for a file by `way`, following at most five redirects by hand so that each passes `checkImportUrl`
 * and the dispatcher's check of the address. Resolves when the file begins to arrive or is known not to.
 */
export async function download(way: Way, address: string, options: DownloadOptions): Promise<Download> {
  const got = await downloadIfChanged(way, address, NO_VERSION, options)
  if (got.kind === 'unchanged') throw new Error('A file was not sent that was asked for without a condition.')
  return got
}

const NO_VERSION: FileVersion = { etag: null, lastModified: null }

/** The same of a file of which a version is known: it is asked for on condition that it has changed (RFC 9110, 13.1). */
export async function downloadIfChanged(
  way: Way,
  address: string,
  known: FileVersion,
  options: DownloadOptions,
): Promise<Download | Unchanged> {
  options.signal.throwIfAborted()
  const watch = startWatch(options)
  try {
    const conditions = conditionsOf(known)
    const headers = {
      accept: options.accept ?? 'image/*, video/*, */*;q=0.1',
      'accept-encoding': options.acceptEncoding ?? 'identity',
      ...conditions,
    }
    const { url, answer } = await followRedirects(way, address, headers, watch)
    try {
      if (answer.statusCode === 304 && Object.keys(conditions).length > 0) {
        watch.stop()
        discard(answer.body)
        return { kind: 'unchanged' }
      }
      const facts = checkAnswer(url, answer, options.maxBytes)
      return {
        kind: 'ok',
        stream: watchBody(answer.body, facts, watch, options),
        url: url.href,
        ...contentTypeOf(answer.headers),
        name: nameOfDisposition(firstHeader(answer.headers, 'content-disposition')),
        total: facts.total,
        version: {
          etag: firstHeader(answer.headers, 'etag'),
          lastModified: firstHeader(answer.headers, 'last-modified'),
        },
      }
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
  { dispatcher, userAgent }: Way,
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
        headers: { ...headers, 'user-agent': userAgent },
        signal: watch.signal,
        // The watch measures time; undici's own limits are coarse and would answer with other words.
        headersTimeout: 0,
        bodyTimeout: 0,
      }),
    )
    if (!REDIRECTS.has(answer.statusCode)) return { url: current, answer }
    discard(answer.body)
    const next = locationOf(answer.headers, current)
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

/** What is known of a body before it comes. */
interface BodyFacts {
  /** Announced size of the file. */
  total: number | null
  /** Bytes that come of it, where that has to be counted here: undici counts what `Content-Length` announces. */
  wire: number | null
  codings: readonly string[]
}

/** Throws `MediaFailure` when the answer is not the file. */
function checkAnswer(url: URL, { statusCode, headers }: Dispatcher.ResponseData, maxBytes: number): BodyFacts {
  // 203: a proxy has passed it on. Some hosts answer all requests as if a part were asked for.
  const whole = statusCode === 206 ? wholeRange(headers) : null
  if (statusCode !== 200 && statusCode !== 203 && whole === null) {
    throw new MediaFailure('media-upload:http_error', statusMessage(url.host, statusCode))
  }
  const codings = codingsOf(headers)
  if (!canDecode(codings)) {
    const message = `${url.host} sends the file compressed in a way that cannot be read (${codings.join(', ')}). Give an address that serves the file as it is.`
    throw new MediaFailure('media-upload:http_error', message)
  }
  const length = firstHeader(headers, 'content-length')
  const announced = length !== null && /^\d+$/.test(length) ? Number(length) : whole
  if (announced !== null && announced > maxBytes) throw tooLarge(maxBytes, announced)
  return { total: codings.length === 0 ? announced : null, wire: whole, codings }
}

/**
 * The body as a stream that decodes, counts, watches the clock and fails with `MediaFailure`. Not an async generator: one that
 * waits for the server cannot be destroyed before the server speaks.
 */
function watchBody(
  body: Readable,
  { total, wire, codings }: BodyFacts,
  watch: Watch,
  options: DownloadOptions,
): Readable {
  // A body may fail before its first read, when no one listens yet. The read then says so.
  body.on('error', () => {})
  watch.begin(watch.host)
  const sent = atMost(piecesOf(body, wire, watch), options.maxBytes)
  const decoded = decodeBody(sent, codings, (pieces) => atMost(pieces, options.maxBytes))
  const pieces = decoded[Symbol.asyncIterator]()
  let received = 0
  const next = async (): Promise<Buffer | null> => {
    const piece = await pieces.next()
    if (piece.done) {
      if (received > 0) return null
      throw new MediaFailure('media-upload:http_error', `${watch.host} answered with an empty file.`)
    }
    received += piece.value.length
    options.onProgress?.(received, total)
    return piece.value
  }
  return new Readable({
    read() {
      next().then(
        (piece) => this.push(piece),
        (error) => this.destroy(isOfDecoder(error) ? damaged(watch.host, codings, error) : error),
      )
    },
    destroy(error, callback) {
      watch.stop()
      discard(body)
      // Lets go of decoders. What goes wrong there concerns no one any more.
      pieces.return?.().catch(() => {})
      callback(error)
    },
  })
}

/** Rejects with what the watch rejects with; also when the body has another size than `wire`, where that is known. */
async function* piecesOf(body: Readable, wire: number | null, watch: Watch): AsyncGenerator<Buffer, void> {
  const pieces: AsyncIterator<Buffer> = body[Symbol.asyncIterator]()
  let bytes = 0
  for (;;) {
    const piece = await watch.whileWaiting(pieces.next())
    if (piece.done) break
    bytes += piece.value.length
    watch.came(piece.value.length)
    yield piece.value
  }
  if (wire === null || wire === bytes) return
  const message = `${watch.host} sent ${formatBytes(bytes)} of ${formatBytes(wire)}. Try again later.`
  throw new MediaFailure('media-upload:http_error', message)
}

async function* atMost(pieces: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<Buffer, void> {
  let bytes = 0
  for await (const piece of pieces) {
    bytes += piece.length
    if (bytes > maxBytes) throw tooLarge(maxBytes, null)
    yield piece
  }
}

/** Errors of decoders have a number of zlib's. */
const isOfDecoder = (error: unknown): error is Error => error instanceof Error && 'errno' in error

function damaged(host: string, codings: readonly string[], cause: Error): MediaFailure {
  const message = `${host} sends the file compressed (${codings.join(', ')}), and what came is damaged or was cut off. Try again later.`
  return new MediaFailure('media-upload:http_error', message, { cause })
}

function statusMessage(host: string, status: number): string {
  const name = STATUS_CODES[status]
  const answered = `${host} answered ${status}${name ? ` (${name})` : ''} instead of the file.`
  if (status === 401 || status === 403) return `${answered} Make the file public, or use a link that still works.`
  if (status === 404 || status === 410) return `${answered} Check the address.`
  if (status === 429 || status >= 500) return `${answered} Try again later.`
  return `${answered} Give the address of the file itself.`
}

/** Lets go of a body that is not read any further; its socket is closed. */
function discard(body: Readable): void {
  body.on('error', () => {})
  body.destroy()
}
