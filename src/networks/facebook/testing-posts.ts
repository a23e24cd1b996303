import type { Delivery, World } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import { openStage as openAnyStage, type Stage } from '../kit/testing.ts'
import type { PublishOutcome } from '../network.ts'
import { network } from './index.ts'

/** What the samples of the suite cannot say of their media. */
interface Card {
  link?: string | null
  title?: string | null
  description?: string | null
}

/** The pretend network with one Page. For tests alone. @param cards for the media of every post, in order */
export async function openStage(cards: readonly Card[] = []): Promise<Stage> {
  const stage = await openAnyStage(network, 'FACEBOOK', { base: 'graph/v25.0' })
  const { media } = stage.world
  const of: typeof media.of = async (items) =>
    (await media.of(items)).map((item, index) => ({ ...item, ...cards[index] }))
  stage.world = { ...stage.world, media: { ...media, of } }
  return stage
}

const FILES: Record<string, string[]> = {
  TEXT: [],
  IMAGE: ['transparent.png'],
  MULTI_IMAGE: ['photo.jpg', 'transparent.png'],
  CAROUSEL: ['photo.jpg', 'transparent.png'],
  VIDEO: ['video-short.mp4'],
  REEL: ['video-h264-aac.mp4'],
  STORY: ['photo.jpg'],
}

/** A post of a type that the network takes. */
export function sample(type: string, more: Partial<Sample> = {}): Sample {
  return {
    title: type,
    accountType: 'FACEBOOK',
    caption: type === 'STORY' ? '' : 'Bread',
    media: (FILES[type] ?? []).map((file) => ({ file })),
    ...more,
    fields: { type, richCaption: [], ...more.fields },
  }
}

/** Asks until the network says what became of a post. */
export async function settled(world: World, delivery: Delivery): Promise<PublishOutcome> {
  let outcome = (await delivery.call('publish')) as PublishOutcome
  for (let turn = 0; outcome.kind === 'accepted' && turn < 20; turn++) {
    world.clock.jumpTo(outcome.askAgainAt)
    outcome = (await delivery.call('confirm')) as PublishOutcome
  }
  return outcome
}
