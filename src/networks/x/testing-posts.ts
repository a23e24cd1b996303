import { Readable } from 'node:stream'
import type { Sample } from '../conformance/index.ts'
import { answer, fixture, type Stage } from '../kit/testing.ts'
import type { MediaToSend, Network } from '../network.ts'
import { network } from './index.ts'

/** Posts that the network takes. For tests alone. */
export const textPost = (caption: string): Sample => ({ title: 'text', accountType: 'TWITTER', caption })

export const mediaPost = (caption: string, ...files: (string | { file: string; altText: string })[]): Sample => ({
  ...textPost(caption),
  media: files.map((file) => (typeof file === 'string' ? { file } : file)),
})

export const problem = (status: number, detail: string, headers: Record<string, string> = {}) =>
  answer(status, { title: 'Problem', detail, type: 'about:blank', status }, headers)

/** The network, where every account has this name. */
const named = (name: string): Network => ({
  ...network,
  simulate(deps) {
    const simulator = network.simulate(deps)
    return { ...simulator, identityFor: (each) => simulator.identityFor({ ...each, name }) }
  },
})
export const premium = named('Corner Premium')
/** Of an app that may not answer posts. */
export const silent = named('Corner Silent')
/** With Premium, and a name of long videos that is for promoted ones alone. */
export const promoting = named('Corner Premium Ads')

/** Puts another video in place of every file: what `change` makes of a short one. */
export async function replaceVideo(stage: Stage, change: (bytes: Buffer) => Buffer, durationMs = 1_000): Promise<void> {
  const { media } = stage.world
  const bytes = change(await fixture('video-short.mp4'))
  const open = async ({ start, end } = { start: 0, end: bytes.length }) => Readable.from([bytes.subarray(start, end)])
  const changed = (item: MediaToSend): MediaToSend => {
    const facts = { ...item.facts, durationMs, bytes: bytes.length }
    return { ...item, facts, source: { ...item.source, facts, open } }
  }
  stage.world = { ...stage.world, media: { ...media, of: async (files) => (await media.of(files)).map(changed) } }
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
