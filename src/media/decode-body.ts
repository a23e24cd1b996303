import { pipeline, type Transform } from 'node:stream'
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib'

/** A body more often coded than this is not meant to be read. */
const MOST_CODINGS = 3
/** What browsers take of zstd (RFC 9659): memory of 8 MiB. */
const ZSTD = { params: { [constants.ZSTD_d_windowLogMax]: 23 } }

/** Makes a decoder by the first bytes of a body; null: they are as they are meant, not as the server calls them. */
const DECODERS: Readonly<Record<string, (first: Buffer) => Transform | null>> = {
  gzip: (first) => (first[0] === 0x1f ? createGunzip() : null),
  // RFC 9110, 8.4.1.2: servers disagree about whether the zlib format or raw data is meant.
  deflate: (first) => (((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw()),
  br: () => createBrotliDecompress(),
  zstd: (first) => (first[0] === 0x28 ? createZstdDecompress(ZSTD) : null),
}

/** Whether bodies of these codings can be read. */
export const canDecode = (codings: readonly string[]): boolean =>
  codings.length <= MOST_CODINGS && codings.every((coding) => Object.hasOwn(DECODERS, coding))

/**
 * A body without its codings, piece by piece. `atMost` looks at what comes out of each: a few bytes can become as many as one likes. Rejects with
 * what `pieces` and `atMost` reject with, and with the words of the decoder.
 */
export function decodeBody(
  pieces: AsyncIterable<Buffer>,
  codings: readonly string[],
  atMost: (pieces: AsyncIterable<Buffer>) => AsyncIterable<Buffer>,
): AsyncIterable<Buffer> {
  return codings.toReversed().reduce((coded, coding) => atMost(decode(coded, coding)), pieces)
}

async function* decode(coded: AsyncIterable<Buffer>, coding: string): AsyncGenerator<Buffer, void> {
  const pieces = coded[Symbol.asyncIterator]()
  const first = await pieces.next()
  if (first.done) return
  const decoder = DECODERS[coding]?.(first.value) ?? null
  const all = again(first.value, pieces)
  // The error comes out of the loop as well.
  yield* decoder === null ? all : (pipeline(all, decoder, () => {}) as AsyncIterable<Buffer>)
}

async function* again(first: Buffer, rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer, void> {
  try {
    yield first
    for (let piece = await rest.next(); !piece.done; piece = await rest.next()) yield piece.value
  } finally {
    await rest.return?.()
  }
}
