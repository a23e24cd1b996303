import { MediaFailure } from './failure.ts'
import { someAtATime } from './one-at-a-time.ts'
import type { Probed } from './probed.ts'
import type { VideoMimeType } from './sniff.ts'
import type { MediaStore } from './store.ts'
import { runVideoProcess, type VideoOptions } from './video-process.ts'

/**
 * The index of a video may take all that its process may have. Two places: imports bring one file of an account at a time,
 * so a file that takes long leaves a place to the others.
 */
const inTurn = someAtATime(2)

/** Measures a video in a process of its own, two videos at a time. Rejects with the signal's reason. */
export async function probeVideo(
  store: MediaStore,
  key: string,
  file: { bytes: number; mimeType: VideoMimeType },
  options: VideoOptions = {},
): Promise<Probed> {
  const { bytes, mimeType } = file
  const work = () => runVideoProcess(store, key, { task: 'measure', bytes }, options).next()
  try {
    const { value } = await inTurn(work, options.signal)
    if (value instanceof Uint8Array || value.kind !== 'measured') throw new Error('A video was not measured.')
    return { kind: 'ok', facts: { type: 'VIDEO', mimeType, bytes, animated: false, ...value.measures } }
  } catch (error) {
    if (error instanceof MediaFailure) return { kind: 'failed', code: error.code, message: error.message }
    throw error
  }
}
