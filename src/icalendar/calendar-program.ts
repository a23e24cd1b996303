import { Worker } from 'node:worker_threads'
import { type LimitPassed, serveParent, type TaskLimits, watchLimits } from '#processes'
import type { CalendarTask, FromThread } from './calendar-thread.ts'

/**
 * Runs only as a process of `read-calendar.ts`, which sends one calendar. It is read in a thread, so that this one can look at
 * what it takes: a rule can hang inside one call.
 */

export interface CalendarLimits extends TaskLimits {
  heapMegabytes: number
}

export interface CalendarRequest extends CalendarTask {
  limits: CalendarLimits
}

export type FromProgram = FromThread | LimitPassed

const THREAD = new URL('./calendar-thread.ts', import.meta.url)

if (process.send) listen((answer, then = () => {}) => void process.send?.(answer, then))

function listen(send: (answer: FromProgram, then?: () => void) => void): void {
  serveParent({ loads: THREAD })
  process.on('message', ({ limits, ...task }: CalendarRequest) => {
    const watch = watchLimits(limits, ({ kind }, then) => send({ kind }, then))
    const thread = new Worker(THREAD, {
      workerData: task satisfies CalendarTask,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 32 },
      env: {},
      execArgv: [],
    })
    thread.on('message', (answer: FromThread) => {
      watch.stop()
      send(answer)
    })
    thread.on('error', (error: NodeJS.ErrnoException) => {
      // One that passes its limit by far ends this process.
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
      send({ kind: 'over' })
    })
  })
}
