import type { FastifyRequest } from 'fastify'
import { ProblemError } from '#contract'

type Bounds = Readonly<Record<string, number>>

/** Bytes that a header may have which is read here. All headers of a request together have Node's bound of 16 KiB. */
export const HEADER_BYTES = {
  /** A server may answer as if these were not there (RFC 9110): a longer one is left out. */
  ignored: {
    accept: 1_024,
    'accept-language': 1_024,
    'if-none-match': 1_024,
    'if-range': 1_024,
    range: 1_024,
    'user-agent': 1_024,
  },
  /** The answer depends on these: a longer one is refused. */
  refused: {
    'almanac-acting-as': 1_024,
    'if-match': 1_024,
    'idempotency-key': 1_024,
    'upload-length': 1_024,
    'upload-metadata': 4_096,
    'upload-offset': 1_024,
  },
} as const satisfies Record<string, Bounds>

/** Leaves out what is too long and may be left out, before anything reads it: reading takes time that grows with it. */
export function dropLongHeaders(request: FastifyRequest): void {
  for (const [name] of longerIn(request, HEADER_BYTES.ignored)) delete request.raw.headers[name]
}

/** @throws ProblemError `request:invalid_header`, which names the header and its bound */
export function refuseLongHeaders(request: FastifyRequest): void {
  const [longer] = longerIn(request, HEADER_BYTES.refused)
  if (!longer) return
  const [name, bytes] = longer
  throw new ProblemError('request:invalid_header', `The header ${name} is too long: it may have ${bytes} bytes.`)
}

const longerIn = ({ raw: { headers } }: FastifyRequest, bounds: Bounds) =>
  Object.entries(bounds).filter(([name, bytes]) => [headers[name] ?? ''].flat().join().length > bytes)
