import { createHash, randomBytes } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { HOUR_MS } from '#contract/durations'
import { type ArrivingFiles, createDiskArrivals } from './arriving.ts'
import { anyDisk, type Disk } from './disk.ts'
import { CLOSE_LATE, closeFile, readOpenFile } from './disk-file.ts'
import { tooLarge, unlessMissing } from './failure.ts'
import { createDiskTrash, type Trash } from './trash.ts'
import { createDiskWitnesses, type Witnesses } from './witnesses.ts'

/** Part of a file in bytes: `start` inclusive, `end` exclusive. */
export interface ByteRange {
  start: number
  end: number
}

export interface StoredFile {
  /** Chosen by the store: 32 hexadecimal digits. */
  key: string
  bytes: number
  /** Hexadecimal. */
  sha256: string
}

interface PutOptions {
  signal?: AbortSignal | undefined
  maxBytes?: number | undefined
  /** That the store has given to the same bytes before, as a backup has it. Default: a new one. */
  key?: string | undefined
}

/**
 * Where files lie. A file is there as a whole or not at all, and never changes: a key stands for the same bytes for
 * ever. Keys come from the store alone; a method that is given anything else throws. One that is asked for and is in the trash
 * comes back.
 */
export interface MediaStore {
  /**
   * Takes a stream to its end. Rejects with the stream's error, with `MediaFailure` `too_large` past `maxBytes`, with
   * an AbortError on `signal`; then nothing is stored and the stream is destroyed.
   */
  put(source: Readable, options?: PutOptions): Promise<StoredFile>
  /** Takes a copy of a local file. */
  putFile(path: string, options?: PutOptions): Promise<StoredFile>
  /** The bytes, or a part. Rejects with `ENOENT` when there is no such file. The caller reads or destroys the stream. */
  open(key: string, range?: ByteRange): Promise<Readable>
  /** Null when there is no such file. */
  stat(key: string): Promise<{ bytes: number } | null>
  /** Path of the file on this machine, for libraries that read files by themselves; null when it is elsewhere. */
  path(key: string): string | null
  /** Nothing happens when there is no such file. */
  remove(key: string): Promise<void>
  /**
   * Bytes that may still be written, so that the rest of the machine, such as its database, keeps its reserve: 5 % of the
   * disk, but 1 GiB at least and 10 GiB at most. Negative when less than that is free.
   */
  room(): Promise<number>
  /**
   * Removes what interrupted writes left and no one has written to for `olderThanMs` (default one hour, so that the
   * writes of other processes are left alone). Resolves with the number of files removed. Run it at start.
   */
  sweep(olderThanMs?: number): Promise<number>
  /** Whether there is no sign of any file, as where the disk of the store is not mounted. */
  isEmpty(): Promise<boolean>
  /** Files that are not of the store yet: their bytes still arrive. */
  readonly arriving: ArrivingFiles
  readonly trash: Trash
  readonly witnesses: Witnesses
  /** Keys of the files that were put `olderThanMs` ago or earlier, in any order. */
  list(options: { olderThanMs: number }): AsyncIterable<string>
}

const GIB = 1024 ** 3
const WRITES = { writes: true } as const

/**
 * A store in a directory, which is made when it is missing: `objects/<2 digits>/<key>`, `incoming/` for what is being
 * written, `arriving/` for what clients send, `trash/` for what was taken out, and `installations/` for witnesses. A file gets its place by a rename after its bytes are on the disk, so a process that is killed at any
 * instant leaves a whole file or something for `sweep`.
 *
 * @param options.disk how what is read and written bit by bit is asked of the disk
 */
export function createDiskStore(options: { dir: string; disk?: Disk }): MediaStore {
  const { disk = anyDisk } = options
  const incoming = join(options.dir, 'incoming')
  const objects = join(options.dir, 'objects')
  const place = (key: string) => {
    if (!/^[0-9a-f]{32}$/.test(key)) throw new TypeError('Not a key of the media store.')
    return join(objects, key.slice(0, 2), key)
  }
  const trash = createDiskTrash(join(options.dir, 'trash'), place)
  /** Does it again when the file was missing and came back from the trash. */
  async function orFromTrash<T>(key: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !(await trash.putBack(key))) throw error
      return read()
    }
  }

  const store: MediaStore = {
    async put(source, { signal, maxBytes, key = randomBytes(16).toString('hex') } = {}) {
      const temporary = join(incoming, randomBytes(16).toString('hex'))
      const final = place(key)
      let isPlaced = false
      // The source may fail before the pipeline listens to it; the pipeline then says so.
      source.on('error', () => {})
      try {
        await disk.ask(() => mkdir(incoming, { recursive: true, mode: 0o700 }), WRITES)
        const written = await writeFile(disk, temporary, source, { signal, maxBytes })
        await disk.ask(async () => {
          await mkdir(dirname(final), { recursive: true, mode: 0o700 })
          await rename(temporary, final)
          isPlaced = true
          // The names are on the disk only when their directories are: the file's, and the one of its new directory.
          await syncDirectory(dirname(final))
          await syncDirectory(objects)
        }, WRITES)
        return { key, ...written }
      } catch (error) {
        source.destroy()
        // What a disk that does not answer keeps is for `sweep`.
        await disk
          .ask(async () => {
            await rm(temporary, { force: true })
            if (isPlaced) await rm(final, { force: true })
          }, WRITES)
          .catch((removing: unknown) => {
            if (!disk.silent()) throw removing
          })
        throw error
      }
    },
    async putFile(path, putOptions) {
      const file = await open(path, 'r')
      return store.put(file.createReadStream(), putOptions)
    },
    async open(key, range) {
      const path = place(key)
      if (range && !(Number.isSafeInteger(range.start) && range.start >= 0 && range.end >= range.start)) {
        throw new RangeError('The range must have 0 <= start <= end.')
      }
      const file = await orFromTrash(key, () => open(path, 'r'))
      return readOpenFile(disk, file, range)
    },
    async stat(key) {
      const path = place(key)
      const found = await orFromTrash(key, () => stat(path)).catch(unlessMissing)
      return found ? { bytes: found.size } : null
    },
    path: place,
    async remove(key) {
      await rm(place(key), { force: true })
    },
    async room() {
      await mkdir(incoming, { recursive: true, mode: 0o700 })
      const disk = await statfs(incoming)
      const reserve = Math.min(Math.max(GIB, disk.blocks * disk.bsize * 0.05), 10 * GIB)
      return disk.bavail * disk.bsize - reserve
    },
    async sweep(olderThanMs = HOUR_MS) {
      const names = (await readdir(incoming).catch(unlessMissing)) ?? []
      let removed = 0
      for (const name of names) {
        const path = join(incoming, name)
        const found = await stat(path).catch(unlessMissing)
        if (!found || Date.now() - found.mtimeMs < olderThanMs) continue
        await rm(path, { force: true })
        removed++
      }
      return removed
    },
    arriving: createDiskArrivals(join(options.dir, 'arriving'), disk),
    trash,
    witnesses: createDiskWitnesses(join(options.dir, 'installations')),
    async isEmpty() {
      for (const folder of (await readdir(objects).catch(unlessMissing)) ?? []) {
        // Folders stay when the last file of them has gone.
        if (((await readdir(join(objects, folder)).catch(unlessMissing)) ?? []).length > 0) return false
      }
      return true
    },
    async *list({ olderThanMs }) {
      for (const folder of (await readdir(objects).catch(unlessMissing)) ?? []) {
        for (const key of (await readdir(join(objects, folder)).catch(unlessMissing)) ?? []) {
          const found = await stat(join(objects, folder, key)).catch(unlessMissing)
          if (found && Date.now() - found.mtimeMs >= olderThanMs) yield key
        }
      }
    },
  }
  return store
}

async function writeFile(
  disk: Disk,
  path: string,
  source: Readable,
  { signal, maxBytes = Number.POSITIVE_INFINITY }: PutOptions,
) {
  const hash = createHash('sha256')
  let bytes = 0
  const file = await disk.ask(() => open(path, 'wx', 0o600), { ...WRITES, ...CLOSE_LATE })
  try {
    const write = async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        bytes += chunk.length
        if (bytes > maxBytes) throw tooLarge(maxBytes, null)
        hash.update(chunk)
        // On a file handle this writes on from where the last write ended, and retries partial writes.
        await disk.ask(() => file.writeFile(chunk), WRITES)
      }
    }
    await (signal ? pipeline(source, write, { signal }) : pipeline(source, write))
    // It takes as long as the disk is slow, and the file large.
    await disk.ask(() => file.sync(), { ...WRITES, limitMs: Number.POSITIVE_INFINITY })
  } finally {
    await closeFile(disk, file)
  }
  return { bytes, sha256: hash.digest('hex') }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
