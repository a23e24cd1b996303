import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Sample } from '../conformance/index.ts'
import { answer, type Stage } from '../kit/testing.ts'
import type { MediaSource, Network } from '../network.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'
import type { Spelling } from './simulator-posts.ts'

/** Posts that the network takes. For tests alone. */
export const textPost = (caption: string): Sample => ({ title: 'text', accountType: 'TWITTER', caption })

export const mediaPost = (caption: string, ...files: (string | { file: string; altText: string })[]): Sample => ({
  ...textPost(caption),
  media: files.map((file) => (typeof file === 'string' ? { file } : file)),
})

export const problem = (status: number, detail: string, headers: Record<string, string> = {}) =>
  answer(status, { title: 'Problem', detail, type: 'about:blank', status }, headers)

/** The network, where every account has Premium. */
export const premium = (spelling: Spelling = 'post'): Network => ({
  ...network,
  simulate(deps) {
    const simulator = simulate(deps, { spelling })
    return { ...simulator, identityFor: (each) => simulator.identityFor({ ...each, name: 'Corner Premium' }) }
  },
})

/** Puts another video in place of every file: what `change` makes of a short one. */
export async function replaceVideo(stage: Stage, change: (bytes: Buffer) => Buffer, durationMs = 1_000): Promise<void> {
  const [item] = await stage.world.media.of([{ file: 'video-short.mp4' }])
  if (!item) throw new Error('The fixture is missing.')
  const bytes = change(await buffer(await item.source.open()))
  const facts = { ...item.facts, durationMs, bytes: bytes.length }
  const open: MediaSource['open'] = async (range) =>
    Readable.from([bytes.subarray(range?.start ?? 0, range?.end ?? bytes.length)])
  const video = { ...item, facts, source: { ...item.source, facts, open } }
  stage.world = { ...stage.world, media: { ...stage.world.media, of: async () => [video] } }
}

/** The same MP4, a thousand times as long: its clocks tick slower (`mvhd` and `mdhd` of ISO/IEC 14496-12). */
export function slowed(video: Uint8Array): Buffer {
  const bytes = Buffer.from(video)
  for (const box of ['mvhd', 'mdhd']) {
    for (let at = bytes.indexOf(box); at >= 0; at = bytes.indexOf(box, at + 4)) {
      // Behind the name: version and flags, two times, and then ticks in a second.
      const ticks = at + 4 + 4 + (bytes[at + 4] === 1 ? 16 : 8)
      bytes.writeUInt32BE(Math.max(1, Math.round(bytes.readUInt32BE(ticks) / 1000)), ticks)
    }
  }
  return bytes
}
