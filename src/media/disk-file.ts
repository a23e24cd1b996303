import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { Disk } from './disk.ts'

const CHUNK = 65_536

/** For asking a disk for an open file. */
export const CLOSE_LATE = { onLate: (file: FileHandle) => void file.close().catch(() => {}) }

/** Closes a file. That of a disk which does not answer is closed when it does, and not waited for. */
export async function closeFile(disk: Disk, file: FileHandle): Promise<void> {
  const close = () => file.close()
  if (disk.silent()) return void close().catch(() => {})
  let begun = false
  const asked = () => {
    begun = true
    return close()
  }
  try {
    await disk.ask(asked, { writes: true })
  } finally {
    // It fell silent before its turn. A file that is left open ends the process when it is collected.
    if (!begun) void close().catch(() => {})
  }
}

/** The bytes of an open file, from `start` to before `end`. Each piece is asked of the disk by itself. Closes it at the end. */
export function readOpenFile(
  disk: Disk,
  file: FileHandle,
  { start = 0, end = Number.POSITIVE_INFINITY } = {},
): Readable {
  let at = start
  async function next(): Promise<Buffer | null> {
    const length = Math.min(CHUNK, end - at)
    if (length <= 0) return null
    const { bytesRead, buffer } = await disk.ask(() => file.read(Buffer.allocUnsafe(length), 0, length, at))
    at += bytesRead
    return bytesRead === 0 ? null : buffer.subarray(0, bytesRead)
  }
  return new Readable({
    highWaterMark: CHUNK,
    read() {
      next().then(
        (bytes) => void this.push(bytes),
        (error: Error) => void this.destroy(error),
      )
    },
    destroy(error, done) {
      closeFile(disk, file).then(
        () => done(error),
        (closing: Error) => done(error ?? closing),
      )
    },
  })
}
