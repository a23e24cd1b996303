import { buffer } from 'node:stream/consumers'
import { Worker } from 'node:worker_threads'
import type { Probed } from './probe.ts'
import type { VideoMimeType } from './sniff.ts'
import type { MediaStore } from './store.ts'
import type { FromThread, ThreadInput, ToThread } from './video-thread.ts'

/** Milliseconds until a video that is still being read is called damaged. */
const TIME_LIMIT_MS = 60_000
/** Megabytes for the parsed index of a video. Measured: a million frames, nine hours at 30 per second, take about 100. */
const MEMORY_LIMIT_MB = 256
/** Bytes that are read at once at most. No real index is as large. */
const READ_LIMIT_BYTES = 64 * 1024 * 1024

/**
 * Measures a video. The parser runs in a thread of its own, with limits to its memory and time: a file of a hundred
 * bytes can announce four thousand million frames, and a process that dies of one upload publishes nothing any more.
 */
export async function probeVideo(
  store: MediaStore,
  key: string,
  file: { bytes: number; mimeType: VideoMimeType },
): Promise<Probed> {
  const input: ThreadInput = { bytes: file.bytes }
  const thread = new Worker(new URL('./video-thread.ts', import.meta.url), {
    workerData: input,
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_LIMIT_MB, maxYoungGenerationSizeMb: 32 },
    env: {},
    execArgv: [],
  })
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise<Probed>((resolve, reject) => {
      timer = setTimeout(() => resolve(damaged()), TIME_LIMIT_MS)
      thread.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve(damaged())
        else reject(error)
      })
      thread.on('exit', () => reject(new Error('The thread that reads videos ended without an answer.')))
      thread.on('message', (message: FromThread) => {
        if (message.kind === 'failed') {
          resolve({ kind: 'failed', code: message.code, message: message.message })
        } else if (message.kind === 'measured') {
          const { bytes, mimeType } = file
          resolve({ kind: 'ok', facts: { type: 'VIDEO', mimeType, bytes, animated: false, ...message.measures } })
        } else if (message.end - message.start > READ_LIMIT_BYTES) {
          resolve(damaged())
        } else {
          store
            .open(key, { start: message.start, end: message.end })
            .then(buffer)
            .then((bytes) => thread.postMessage({ id: message.id, bytes } satisfies ToThread), reject)
        }
      })
    })
  } finally {
    clearTimeout(timer)
    await thread.terminate()
  }
}

function damaged(): Probed {
  return {
    kind: 'failed',
    code: 'media-upload:corrupt',
    message: 'The video is damaged: its index cannot be read. Export it again and upload it.',
  }
}
