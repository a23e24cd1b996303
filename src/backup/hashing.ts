import { createHash } from 'node:crypto'
import { type Readable, Transform } from 'node:stream'

/** What passed a stream. */
interface Passed {
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

/** A part of a pipeline that lets everything through, and knows afterwards what it was. */
export function counting(): { stream: Transform; result(): Passed } {
  const hash = createHash('sha256')
  let bytes = 0
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  return { stream, result: () => ({ bytes, sha256: hash.digest('hex') }) }
}

/** Reads a stream to its end. */
export async function hashOf(source: Readable): Promise<Passed> {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of source as AsyncIterable<Buffer>) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

/** For `catch`: null when a file is not there. */
export function unlessMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null
  throw error
}
