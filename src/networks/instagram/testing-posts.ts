import type { Sample } from '../conformance/index.ts'
import { openStage as openAnyStage, type Stage } from '../kit/testing.ts'
import type { Network } from '../network.ts'
import { network as instagram } from './index.ts'

/** The pretend network with one account. For tests alone. */
export const openStage = (network: Network = instagram): Promise<Stage> =>
  openAnyStage(network, 'INSTAGRAM', { base: 'graph/v25.0' })

const FILES: Record<string, string[]> = {
  IMAGE: ['transparent.png'],
  CAROUSEL: ['transparent.png', 'video-h264-aac.mp4'],
  REEL: ['video-h264-aac.mp4'],
  STORY: ['photo.jpg'],
}

/** A post of a type that the network takes. */
export function sample(type: string, more: Partial<Sample> = {}): Sample {
  return {
    title: type,
    accountType: 'INSTAGRAM',
    caption: type === 'STORY' ? '' : 'Bread',
    media: (FILES[type] ?? []).map((file) => ({ file })),
    ...more,
    fields: { type, collaborators: [], ...more.fields },
  }
}
