import { someAtATime } from '#media'
import { converse, endProgram, restingProcesses } from '#processes'
import type { FeedTask } from './feed-events.ts'
import type { FromFeedProgram, WrittenFeed } from './feed-program.ts'

/** Calendars that are written at once. */
const PLACES = 2
const REST_MS = 30_000
/** Of a processor: 2,000 posts take a tenth of that. By the clock it is four times as much, less than a transaction may rest. */
const SECONDS = 3

/**
 * Writes calendars for others in processes of their own, as many at once as there are places.
 *
 * @throws Error the process was ended from outside, or the machine is too busy: it can be tried again
 */
export interface FeedWriter {
  /** Begins the work when there is a place for it. */
  inTurn<T>(work: (write: (task: FeedTask) => Promise<WrittenFeed>) => Promise<T>): Promise<T>
}

export function openFeedProcesses(): FeedWriter {
  const inTurn = someAtATime(PLACES)
  const processes = restingProcesses(new URL('./feed-program.ts', import.meta.url), REST_MS)
  async function write(task: FeedTask): Promise<WrittenFeed> {
    const child = processes.wake()
    let rests = false
    try {
      const about = { seconds: SECONDS, reads: 'what is on a calendar', crashed }
      for await (const answer of converse<FromFeedProgram>(child, task, about)) {
        rests = true
        if (answer.kind === 'written') return answer.feed
        throw new Error(`A calendar could not be written: ${answer.message}`)
      }
      throw new Error('The process that writes calendars gave no answer.')
    } finally {
      if (rests) processes.rest(child)
      else endProgram(child)
    }
  }
  return { inTurn: (work) => inTurn(() => work(write)) }
}

const crashed = () => new Error('The process that writes calendars crashed.')
