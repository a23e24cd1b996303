import { Worker } from 'node:worker_threads'
import { type LimitPassed, serveParent, type TaskLimits, watchLimits } from '#processes'
import type { FrameAnswer, FrameTask } from './frame-thread.ts'

/**
 * Runs only as a process of `draw-frame.ts`, for one frame. The decoder runs in a thread, so that this one can look at what it takes.
 */

export interface FrameRequest {
  task: FrameTask
  limits: TaskLimits
}

export type FromFrameProgram = FrameAnswer | LimitPassed

const THREAD = new URL('./frame-thread.ts', import.meta.url)

if (process.send) listen((message, then = () => {}) => void process.send?.(message, then))

function listen(send: (message: FromFrameProgram, then?: () => void) => void): void {
  serveParent({ loads: THREAD })
  process.on('message', ({ task, limits }: FrameRequest) => {
    const watch = watchLimits(limits, ({ kind }, then) => send({ kind }, then))
    const thread = new Worker(THREAD, { workerData: task, env: {}, execArgv: [] })
    thread.on('message', (answer: FrameAnswer) => {
      watch.stop()
      send(answer)
    })
  })
}
