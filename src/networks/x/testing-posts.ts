import type { Sample } from '../conformance/index.ts'
import type { Network } from '../network.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'

/** Posts that the network takes. For tests alone. */
export const textPost = (caption: string): Sample => ({ title: 'text', accountType: 'TWITTER', caption })

export const mediaPost = (caption: string, ...files: (string | { file: string; altText: string })[]): Sample => ({
  ...textPost(caption),
  media: files.map((file) => (typeof file === 'string' ? { file } : file)),
})

/** The network, where every account has Premium. */
export const premium: Network = {
  ...network,
  simulate(deps) {
    const simulator = simulate(deps)
    return { ...simulator, identityFor: (each) => simulator.identityFor({ ...each, name: 'Corner Premium' }) }
  },
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
