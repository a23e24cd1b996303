import { buffer } from 'node:stream/consumers'
import { converse, endProgram, restingProcesses } from '#processes'
import { MediaFailure } from './failure.ts'
import type { MediaStore } from './store.ts'
import type { FromProgram, VideoLimits, VideoRequest, VideoTask } from './video-program.ts'
import type { ToThread } from './video-thread.ts'

const MIB = 1024 * 1024
/** The time is that in which nothing comes of it. */
const LIMITS: Readonly<Record<VideoTask['task'], VideoLimits>> = {
  measure: { heapMegabytes: 256, residentBytes: 640 * MIB, seconds: 15 },
  frame: { heapMegabytes: 256, residentBytes: 640 * MIB, seconds: 15 },
  remux: { heapMegabytes: 768, residentBytes: 1_536 * MIB, seconds: 60 },
}
const processes = restingProcesses(new URL('./video-program.ts', import.meta.url), 1_000)

/** Bytes that are read at once at most. No real index is as large. */
const READ_LIMIT_BYTES = 64 * 1024 * 1024

export interface VideoOptions {
  signal?: AbortSignal | undefined
  /** Default: those of the task. */
  limits?: VideoLimits | undefined
}

/** How the work on a video ends well. */
type VideoResult = Extract<FromProgram, { kind: 'measured' | 'remuxed' | 'cut' }>

/**
 * Lets a process of its own work on a stored video; yields what it writes, one piece at a time, and returns what came of it.
 * A file of a hundred bytes can announce four thousand million frames, and a process that dies of one upload publishes
 * nothing any more: V8 ends the process of a thread that passes its limit by far.
 *
 * @throws MediaFailure the file is damaged, cannot be used, or takes too much memory or processor time
 * @throws Error the process was ended from outside, or the machine is too busy: the file can be tried again
 * @throws the signal's reason
 */
export async function* runVideoProcess(
  store: MediaStore,
  key: string,
  input: VideoTask,
  { signal, limits = LIMITS[input.task] }: VideoOptions = {},
): AsyncGenerator<Uint8Array, VideoResult> {
  const child = processes.wake()
  let isLight = false
  const answer = (id: number, bytes: Uint8Array) => child.send({ id, bytes } satisfies ToThread)
  const request: VideoRequest = { input, limits }
  const { seconds } = limits
  try {
    for await (const message of converse<FromProgram>(child, request, {
      seconds,
      reads: 'videos',
      crashed: unreadable,
      signal,
    })) {
      switch (message.kind) {
        case 'read': {
          const { id, start, end } = message
          if (end - start > READ_LIMIT_BYTES) throw unreadable()
          answer(id, await buffer(await store.open(key, { start, end })))
          break
        }
        case 'write':
          yield message.bytes
          answer(message.id, new Uint8Array())
          break
        case 'failed':
          throw new MediaFailure(message.code, message.message)
        case 'late':
        case 'over':
          throw unreadable()
        default:
          // Copying a video takes long, and a new process is nothing beside it.
          isLight = message.kind === 'measured' && message.residentBytes < limits.residentBytes / 2
          return message
      }
    }
    throw new Error('The process that reads videos gave no answer.')
  } finally {
    if (isLight) processes.rest(child)
    else endProgram(child)
  }
}

function unreadable(): MediaFailure {
  const message = 'The video is damaged: its index cannot be read. Export it again and upload it.'
  return new MediaFailure('media-upload:corrupt', message)
}
