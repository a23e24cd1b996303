import {
  chmodSync,
  closeSync,
  fchmodSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { SandboxFullError } from './bounds.ts'

/** A file of lines, each JSON, that only grows. Several processes may append to it. */
interface Journal {
  /**
   * Written when it returns: the line outlives the process, however that ends. Replays it, and what others wrote.
   *
   * @throws SandboxFullError
   */
  append(line: string): void
  /** Replays what other processes have written since. */
  catchUp(): void
  close(): void
}

export interface JournalOptions {
  /**
   * True for the one process that serves: it drops a last line that was cut off by the end of a process, whose write
   * was never answered. False for one that is there beside it: the line may be one that is just being written.
   */
  repair: boolean
  /** The file does not become larger. */
  maxBytes: number
}

/** Opens a journal and hands every line of it to `replay`, in the order of the file. */
export function openJournal(path: string, replay: (line: unknown) => void, options: JournalOptions): Journal {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const file = openSync(path, 'a+', 0o600)
  let replayed = 0
  let lines = 0

  function catchUp(): void {
    const { size } = fstatSync(file)
    if (size <= replayed) return
    const bytes = Buffer.alloc(size - replayed)
    const length = readSync(file, bytes, 0, bytes.length, replayed)
    const from = replayed
    for (let end = bytes.indexOf(0x0a); end !== -1 && end < length; end = bytes.indexOf(0x0a, replayed - from)) {
      lines += 1
      replay(parse(bytes.toString('utf8', replayed - from, end), path, lines))
      replayed = from + end + 1
    }
  }

  try {
    catchUp()
    if (options.repair) {
      chmodSync(dirname(path), 0o700)
      fchmodSync(file, 0o600)
    }
    if (options.repair && fstatSync(file).size > replayed) ftruncateSync(file, replayed)
  } catch (error) {
    closeSync(file)
    throw error
  }
  return {
    append(line) {
      const bytes = Buffer.from(`${line}\n`)
      const { size } = fstatSync(file)
      if (size + bytes.length > options.maxBytes) throw fullJournal(options.maxBytes, dirname(path))
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
      } catch (error) {
        // A full disk may have taken half a line; the next one must not be glued to it.
        ftruncateSync(file, size)
        throw error
      }
      catchUp()
    },
    catchUp,
    close: () => closeSync(file),
  }
}

/** A journal that ends with the process. */
export function journalInMemory(
  replay: (line: unknown) => void,
  { maxBytes }: Pick<JournalOptions, 'maxBytes'>,
): Journal {
  let size = 0
  return {
    append(line) {
      const bytes = Buffer.byteLength(line) + 1
      if (size + bytes > maxBytes) throw fullJournal(maxBytes, null)
      size += bytes
      replay(JSON.parse(line))
    },
    catchUp() {},
    close() {},
  }
}

function fullJournal(maxBytes: number, folder: string | null): SandboxFullError {
  return new SandboxFullError(`written ${Math.floor(maxBytes / 1024)} KiB, all that it may`, folder)
}

/** What a simulator remembers cannot be read. The message is a sentence for the operator. */
export class DamagedJournalError extends Error {
  override name = 'DamagedJournalError'
}

function parse(text: string, path: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new DamagedJournalError(
      `Line ${number} of ${path}, where the sandbox remembers what it holds, is damaged. Move the file away to begin with an empty simulator.`,
    )
  }
}
