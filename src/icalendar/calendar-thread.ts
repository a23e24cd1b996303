import { readFileSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { gunzipSync } from 'node:zlib'
import { LIMITS } from '#contract'
import { NotACalendarError } from './components.ts'
import { TooComplexError } from './expand-rule.ts'
import { type NotesRead, type NotesWanted, readNotes } from './read-notes.ts'

/** Runs only as a thread of `calendar-program.ts`, which gives it one calendar and takes one answer. */

export interface CalendarOnDisk {
  path: string
  /** By gzip. */
  compressed: boolean
  /** What the server calls its text; null: nothing. */
  charset: string | null
}

export interface CalendarTask {
  file: CalendarOnDisk
  wanted: NotesWanted
}

export type FromThread =
  | { kind: 'read'; read: NotesRead }
  | { kind: 'not a calendar' | 'too complex'; message: string }
  /** An error of ours. */
  | { kind: 'broken'; message: string }

if (parentPort) {
  parentPort.postMessage(answerOf(workerData as CalendarTask))
  parentPort.close()
}

function answerOf({ file, wanted }: CalendarTask): FromThread {
  try {
    return { kind: 'read', read: readNotes(bytesOf(file), wanted, file.charset) }
  } catch (error) {
    const { message } = error as Error
    if (error instanceof NotACalendarError) return { kind: 'not a calendar', message }
    if (error instanceof TooComplexError) return { kind: 'too complex', message }
    return { kind: 'broken', message }
  }
}

function bytesOf({ path, compressed }: Omit<CalendarOnDisk, 'charset'>): Uint8Array {
  const file = readFileSync(path)
  return compressed ? gunzipSync(file, { maxOutputLength: LIMITS.calendarBytes }) : file
}
