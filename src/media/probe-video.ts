import type { Probed } from './probe.ts'
import { runVideoThread } from './run-video-thread.ts'
import type { VideoMimeType } from './sniff.ts'
import type { MediaStore } from './store.ts'

/** Measures a video, in a thread. */
export async function probeVideo(
  store: MediaStore,
  key: string,
  file: { bytes: number; mimeType: VideoMimeType },
): Promise<Probed> {
  const { bytes, mimeType } = file
  const { value: ended } = await runVideoThread(store, key, { task: 'measure', bytes }).next()
  if (!ended || ended instanceof Uint8Array || ended.kind === 'remuxed') throw new Error('A video was not measured.')
  if (ended.kind === 'failed') return ended
  return { kind: 'ok', facts: { type: 'VIDEO', mimeType, bytes, animated: false, ...ended.measures } }
}
