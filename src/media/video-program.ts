import { Worker } from 'node:worker_threads'
import { type LimitPassed, serveParent, type TaskLimits, watchLimits } from '#processes'
import type { FromThread, ToThread, VideoTask } from './video-thread.ts'

export interface VideoLimits extends TaskLimits {
  /** Of the parsed index. Measured: a million frames, nine hours at 30 per second, take about 100. */
  heapMegabytes: number
}

/**
 * Runs only as a process of `video-process.ts`, which sends one request at a time and the bytes that are asked for. The parser
 * runs in a thread, a new one for each video, so that this one can look at what it takes.
 */

export type { VideoTask }

export interface VideoRequest {
  input: VideoTask
  limits: VideoLimits
}

type Measured = Extract<FromThread, { kind: 'measured' }>
/** `residentBytes` is what the process holds after the task. */
export type FromProgram = Exclude<FromThread, Measured> | (Measured & { residentBytes: number }) | LimitPassed

const THREAD = new URL('./video-thread.ts', import.meta.url)

if (process.send) listen((message, then = () => {}) => void process.send?.(message, then))

function listen(send: (message: FromProgram, then?: () => void) => void): void {
  serveParent({ loads: THREAD })
  let thread: Worker | null = null
  process.on('message', (message: VideoRequest | ToThread) => {
    if ('input' in message) thread = work(message, send)
    else thread?.postMessage(message)
  })
}

function work({ input, limits }: VideoRequest, send: (message: FromProgram, then?: () => void) => void): Worker {
  const watch = watchLimits(limits, ({ kind }, then) => send({ kind }, then))
  const thread = new Worker(THREAD, {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: limits.heapMegabytes, maxYoungGenerationSizeMb: 32 },
    env: {},
    execArgv: [],
  })
  thread.on('message', (message: FromThread) => {
    if (message.kind === 'write') watch.startAgain()
    if (message.kind !== 'measured') return send(message)
    watch.stop()
    send({ ...message, residentBytes: process.memoryUsage.rss() })
  })
  thread.on('error', (error: NodeJS.ErrnoException) => {
    // One that passes its limit by far ends this process.
    if (error.code !== 'ERR_WORKER_OUT_OF_MEMORY') throw error
    send({ kind: 'over' })
  })
  return thread
}
