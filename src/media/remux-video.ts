import { Readable } from 'node:stream'
import { MediaFailure } from './failure.ts'
import { probe } from './probe.ts'
import type { Rendition } from './rendition.ts'
import { sniff } from './sniff.ts'
import type { MediaStore } from './store.ts'
import { runVideoProcess } from './video-process.ts'

/**
 * Stores the picture and the sound of an MP4 or QuickTime file in a fresh MP4: `remux-mp4.ts` has the how. The same file
 * gives the same bytes. Rejects with `MediaFailure` when the file cannot have that form, or is damaged.
 */
export async function remuxVideo(store: MediaStore, key: string): Promise<Rendition> {
  const sniffed = await sniff(store, key)
  if (sniffed.kind !== 'video') throw new TypeError('Only videos can be remuxed.')
  if (sniffed.mimeType === 'video/webm') {
    throw new MediaFailure('media-upload:unsupported_type', 'A WebM video cannot be made an MP4. Export it as an MP4.')
  }
  const bytes = (await store.stat(key))?.bytes ?? 0
  const stored = await store.put(Readable.from(runVideoProcess(store, key, { task: 'remux', bytes })))
  const probed = await probe(store, stored.key)
  if (probed.kind === 'ok') return { key: stored.key, facts: probed.facts }
  await store.remove(stored.key)
  throw new MediaFailure(probed.code, probed.message)
}
