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
  const { add, result } = tally()
  const stream = new Transform({
    transform(chunk: Buffer, _, done) {
      add(chunk)
      done(null, chunk)
    },
  })
  return { stream, result }
}

/** Reads a stream to its end. */
export async function hashOf(source: Readable): Promise<Passed> {
  const { add, result } = tally()
  for await (const chunk of source as AsyncIterable<Buffer>) add(chunk)
  return result()
}

function tally() {
  const hash = createHash('sha256')
  let bytes = 0
  return {
    add(chunk: Buffer): void {
      hash.update(chunk)
      bytes += chunk.length
    },
    result: (): Passed => ({ bytes, sha256: hash.digest('hex') }),
  }
}
