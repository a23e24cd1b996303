import { open } from 'node:fs/promises'
import { oneAtATime } from '#media'
import { converse, endProgram, lendFile, restingProcesses } from '#processes'
import type { CalendarLimits, CalendarRequest, FromProgram } from './calendar-program.ts'
import type { CalendarOnDisk } from './calendar-thread.ts'
import { CalendarFailure } from './failure.ts'
import type { NotesRead, NotesWanted } from './read-notes.ts'

const MIB = 1024 * 1024
/** Measured: 5,000 events that repeat take a second and 200 MB; 10 MB of single ones about as much. */
const LIMITS: CalendarLimits = { heapMegabytes: 384, residentBytes: 640 * MIB, seconds: 10 }

/**
 * The notes of a calendar, from its file: none of it comes into this process.
 *
 * @throws CalendarFailure the file is no calendar, or take too much memory or time
 * @throws Error the process was ended from outside, or the machine is too busy: it can be tried again
 * @throws the signal's reason
 */
export type ReadCalendar = (file: CalendarOnDisk, wanted: NotesWanted, signal: AbortSignal) => Promise<NotesRead>

/** Reads one calendar at a time, in a process of its own that is ended when it takes too much. */
export function openCalendarProcess(limits: CalendarLimits = LIMITS): ReadCalendar {
  const inTurn = oneAtATime()
  const processes = restingProcesses(new URL('./calendar-program.ts', import.meta.url), 1_000)
  return (file, wanted, signal) =>
    inTurn(async () => {
      const child = processes.wake()
      let rests = false
      try {
        await using lent = await lendFile(child, { path: file.path, open: () => streamOf(file.path) }, signal)
        const request: CalendarRequest = { file: { ...file, path: lent.path }, wanted, limits }
        const about = { seconds: limits.seconds, reads: 'calendars', crashed: tookTooMuch, signal }
        for await (const answer of converse<FromProgram>(child, request, about)) {
          rests = answer.kind !== 'late' && answer.kind !== 'over'
          if (answer.kind === 'read') return answer.read
          throw failureOf(answer)
        }
        throw new Error('The process that reads calendars gave no answer.')
      } finally {
        if (rests) processes.rest(child)
        else endProgram(child)
      }
    }, signal)
}

const streamOf = async (path: string) => (await open(path)).createReadStream()

function failureOf(answer: Exclude<FromProgram, { kind: 'read' }>): Error {
  switch (answer.kind) {
    case 'not a calendar':
      return new CalendarFailure(
        'imported-calendar:not_a_calendar',
        `What was read is not an iCalendar file. ${answer.message} Give the address of the calendar in iCal format (.ics).`,
      )
    case 'too complex':
      return tooComplex(answer.message)
    case 'broken':
      return new Error(`A calendar could not be read: ${answer.message}`)
    default:
      return tookTooMuch()
  }
}

const tooComplex = (why: string) =>
  new CalendarFailure(
    'imported-calendar:too_complex',
    `${why} Remove it from the calendar, or share a calendar with fewer events.`,
  )
const tookTooMuch = () => tooComplex('The calendar takes too much memory or time to read.')
