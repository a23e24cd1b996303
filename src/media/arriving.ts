import { constants } from 'node:fs'
import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { Disk } from './disk.ts'
import { CLOSE_LATE, closeFile, readOpenFile } from './disk-file.ts'

/** A file that is being written, from some place on. */
export interface ArrivingFile {
  /** Writes behind what was written last. Rejects with `ENOSPC` or `EDQUOT` when the disk is full. */
  write(bytes: Uint8Array): Promise<void>
  /** What was written is on the disk when this resolves. */
  sync(): Promise<void>
  close(): Promise<void>
}

/** The bytes that are to be there already are not. */
export class ArrivedBytesMissingError extends Error {
  override name = 'ArrivedBytesMissingError'
}

/**
 * Files whose bytes clients send piece by piece, by an id of the caller's: a UUID. They are no files of the store yet: they
 * grow, and may be written by several processes one after the other.
 */
export interface ArrivingFiles {
  /**
   * Opens a file to write from `offset` on; the first time, with 0, it is made.
   *
   * @throws ArrivedBytesMissingError when it is shorter
   */
  write(id: string, offset: number): Promise<ArrivingFile>
  /**
   * The first bytes of a file. The caller reads or destroys the stream.
   *
   * @throws ArrivedBytesMissingError when it is shorter
   */
  read(id: string, bytes: number): Promise<Readable>
  /** Nothing happens when there is no such file. */
  remove(id: string): Promise<void>
  /** Ids of the files that no one has written to for `olderThanMs`, in any order. */
  list(options: { olderThanMs: number }): AsyncIterable<string>
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const WRITES = { writes: true } as const

/** Arriving files in a directory, which is made when it is missing. */
export function createDiskArrivals(dir: string, disk: Disk): ArrivingFiles {
  const place = (id: string) => {
    if (!ID.test(id)) throw new TypeError('Not an id of an arriving file.')
    return join(dir, id)
  }
  return {
    async write(id, offset) {
      const path = place(id)
      const flags = constants.O_RDWR | (offset === 0 ? constants.O_CREAT : 0)
      const file = await disk.ask(async () => {
        await mkdir(dir, { recursive: true, mode: 0o700 })
        return openWith(path, flags, offset)
      }, CLOSE_LATE)
      return writeFrom(disk, file, offset, dir)
    },
    async read(id, bytes) {
      const path = place(id)
      if (bytes === 0) return Readable.from([])
      const file = await disk.ask(() => openWith(path, constants.O_RDONLY, bytes), CLOSE_LATE)
      return readOpenFile(disk, file, { end: bytes })
    },
    async remove(id) {
      const path = place(id)
      await disk.ask(() => rm(path, { force: true }), WRITES)
    },
    async *list({ olderThanMs }) {
      for (const name of await readdir(dir).catch(() => [])) {
        const found = await stat(join(dir, name)).catch(() => null)
        if (ID.test(name) && found && Date.now() - found.mtimeMs >= olderThanMs) yield name
      }
    },
  }
}

/** Opens a file that has so many bytes. */
async function openWith(path: string, flags: number, bytes: number): Promise<FileHandle> {
  const file = await open(path, flags, 0o600).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new ArrivedBytesMissingError('The file is not there.')
    throw error
  })
  if ((await file.stat()).size >= bytes) return file
  await file.close()
  throw new ArrivedBytesMissingError('The file is shorter than it was.')
}

function writeFrom(disk: Disk, file: FileHandle, offset: number, dir: string): ArrivingFile {
  let at = offset
  let named = offset > 0
  return {
    async write(bytes) {
      for (let written = 0; written < bytes.length; ) {
        const left = bytes.length - written
        const { bytesWritten } = await disk.ask(() => file.write(bytes, written, left, at), WRITES)
        written += bytesWritten
        at += bytesWritten
      }
    },
    async sync() {
      await disk.ask(() => file.datasync(), WRITES)
      if (named) return
      // The name is on the disk only when its directory is.
      await disk.ask(async () => {
        const directory = await open(dir, 'r')
        await directory.sync().finally(() => directory.close())
      }, WRITES)
      named = true
    },
    close: () => closeFile(disk, file),
  }
}
