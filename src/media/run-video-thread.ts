import { on } from 'node:events'
import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import type { MediaStore } from './store.ts'
import type { FromThread, ThreadInput, ToThread } from './video-thread.ts'

/** Milliseconds of a processor that a thread may take without anything coming of it, before its video is called damaged. */
const PROCESSOR_LIMIT_MS = { measure: 15_000, remux: 60_000 }
/** The same by the clock. A machine or a disk that is busy is no fault of the file: the thread ends with an error of ours. */
const TIME_LIMIT_MS = { measure: 60_000, remux: 240_000 }
const WATCH_MS = 1_000
/** Megabytes for the parsed index of a video. Measured: a million frames, nine hours at 30 per second, take about 100. */
const MEMORY_LIMIT_MB = { measure: 256, remux: 768 }
/** Bytes that are read at once at most. No real index is as large. */
const READ_LIMIT_BYTES = 64 * 1024 * 1024

/** How a thread ends. */
export type Ended = Exclude<FromThread, { kind: 'read' | 'write' }>

/**
 * Lets a thread work on a stored video; yields what it writes, one piece at a time, and returns how it ended. The parser
 * runs there with limits to its memory and time: a file of a hundred bytes can announce four thousand million frames, and
 * a process that dies of one upload publishes nothing any more.
 */
export async function* runVideoThread(
  store: MediaStore,
  key: string,
  input: ThreadInput,
): AsyncGenerator<Uint8Array, Ended> {
  const thread = new Worker(new URL('./video-thread.ts', import.meta.url), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB[input.task], maxYoungGenerationSizeMb: 32 },
    env: {},
    execArgv: [],
  })
  // What goes wrong is met below; this is for what goes wrong in a thread that nobody waits for any more.
  thread.on('error', () => {})
  let late = false
  let since = performance.now()
  let usedBefore = 0
  let used = 0
  const watch = setInterval(async () => {
    const usage = await thread.cpuUsage().catch(() => null)
    if (usage) used = (usage.user + usage.system) / 1_000
    late = used - usedBefore > PROCESSOR_LIMIT_MS[input.task]
    if (late || performance.now() - since > TIME_LIMIT_MS[input.task]) await thread.terminate()
  }, WATCH_MS)
  const answer = (id: number, bytes: Uint8Array) => thread.postMessage({ id, bytes } satisfies ToThread)
  try {
    for await (const [message] of on(thread, 'message', { close: ['exit'] }) as AsyncIterable<[FromThread]>) {
      if (message.kind === 'read') {
        const { id, start, end } = message
        if (end - start > READ_LIMIT_BYTES) return unreadable
        answer(id, await buffer(await store.open(key, { start, end })))
      } else if (message.kind === 'write') {
        yield message.bytes
        since = performance.now()
        usedBefore = used
        answer(message.id, new Uint8Array())
      } else {
        return message
      }
    }
    if (late) return unreadable
    throw new Error('The thread that reads videos ended without an answer.')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return unreadable
    throw error
  } finally {
    clearInterval(watch)
    await thread.terminate()
  }
}

const unreadable: Ended = {
  kind: 'failed',
  code: 'media-upload:corrupt',
  message: 'The video is damaged: its index cannot be read. Export it again and upload it.',
}
