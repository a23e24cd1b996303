import { someAtATime } from './one-at-a-time.ts'
import type { Probed } from './probe.ts'
import { runVideoThread } from './run-video-thread.ts'
import type { VideoMimeType } from './sniff.ts'
import type { MediaStore } from './store.ts'

/**
 * The index of a video may take all that its thread may have. Two places: imports bring one file of an account at a time,
 * so a file that takes long leaves a place to the others.
 */
const inTurn = someAtATime(2)

/** Measures a video in a thread, two videos at a time. Rejects with the signal's reason when it comes before the turn. */
export async function probeVideo(
  store: MediaStore,
  key: string,
  file: { bytes: number; mimeType: VideoMimeType },
  signal?: AbortSignal,
): Promise<Probed> {
  const { bytes, mimeType } = file
  const { value: ended } = await inTurn(() => runVideoThread(store, key, { task: 'measure', bytes }).next(), signal)
  if (!ended || ended instanceof Uint8Array || ended.kind === 'remuxed') throw new Error('A video was not measured.')
  if (ended.kind === 'failed') return ended
  return { kind: 'ok', facts: { type: 'VIDEO', mimeType, bytes, animated: false, ...ended.measures } }
}
