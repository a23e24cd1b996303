import { Worker } from 'node:worker_threads'
import { type LimitPassed, serveParent, type TaskLimits, watchLimits } from '#processes'
import type { Page, PageFacts } from './open-graph.ts'

/**
 * Runs only as a process of `page-process.ts`, which sends one page at a time. It is parsed in a thread, so that this one can look at
 * what that takes.
 */

export interface PageLimits extends TaskLimits {
  heapMegabytes: number
}

export interface PageRequest {
  page: Page
  limits: PageLimits
}

/** `residentBytes` is what the process holds after the task. */
export type FromProgram = { kind: 'read'; facts: PageFacts; residentBytes: number } | LimitPassed

const THREAD = new URL('./page-thread.ts', import.meta.url)

if (process.send) listen((answer, then = () => {}) => void process.send?.(answer, then))

function listen(send: (answer: FromProgram, then?: () => void) => void): void {
  serveParent({ loads: THREAD })
  process.on('message', ({ page, limits }: PageRequest) => {
    const watch = watchLimits(limits, ({ kind }, then) => send({ kind }, then))
    const thread = new Worker(THREAD, {
      workerData: page,
      resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 32 },
      env: {},
      execArgv: [],
    })
    thread.on('message', (facts: PageFacts) => {
      watch.stop()
      send({ kind: 'read', facts, residentBytes: process.memoryUsage.rss() })
    })
    thread.on('error', (error: NodeJS.ErrnoException) => {
      // One that passes its limit by far ends this process.
      if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
      watch.stop()
      send({ kind: 'over' })
    })
  })
}
