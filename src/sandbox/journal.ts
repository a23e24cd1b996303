import { closeSync, ftruncateSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

/** A file of lines, each JSON, that only grows. */
export interface Journal {
  /** Written when it returns: the line outlives the process, however that ends. */
  append(line: string): void
  close(): void
}

/**
 * Opens a journal and hands every line of it to `replay`, oldest first. A last line that was cut off by the end of a
 * process is dropped: its write was never answered.
 */
export function openJournal(path: string, replay: (line: unknown) => void): Journal {
  mkdirSync(dirname(path), { recursive: true })
  const file = openSync(path, 'a+', 0o600)
  let size = 0
  try {
    const bytes = readFileSync(file)
    for (let number = 1; ; number++) {
      const end = bytes.indexOf(0x0a, size)
      if (end === -1) break
      replay(parse(bytes.toString('utf8', size, end), path, number))
      size = end + 1
    }
    if (size < bytes.length) ftruncateSync(file, size)
  } catch (error) {
    closeSync(file)
    throw error
  }
  return {
    append(line) {
      const bytes = Buffer.from(`${line}\n`)
      try {
        for (let written = 0; written < bytes.length; ) written += writeSync(file, bytes, written)
        size += bytes.length
      } catch (error) {
        // A full disk may have taken half a line; the next one must not be glued to it.
        ftruncateSync(file, size)
        throw error
      }
    },
    close: () => closeSync(file),
  }
}

/** The pretend networks' memory cannot be read. The message is a sentence for the operator. */
export class DamagedJournalError extends Error {
  override name = 'DamagedJournalError'
}

function parse(text: string, path: string, number: number): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new DamagedJournalError(
      `Line ${number} of ${path}, where the sandbox remembers what it holds, is damaged. Move the file away to begin anew.`,
    )
  }
}
