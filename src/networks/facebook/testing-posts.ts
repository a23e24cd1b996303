import type { Delivery, Step, Trouble, World } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { HttpResult } from '../kit/http.ts'
import { openStage as openAnyStage, type Stage } from '../kit/testing.ts'
import type { CheckedMedia, PublishOutcome } from '../network.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'

/** The simulator with one Page. For tests alone. `cards`: what samples cannot say of their media, in order. */
export async function openStage(
  cards: readonly Partial<Pick<CheckedMedia, 'link' | 'title' | 'description'>>[] = [],
  world: Parameters<typeof simulate>[1] = {},
): Promise<Stage> {
  const played = { ...network, simulate: (deps: Parameters<typeof simulate>[0]) => simulate(deps, world) }
  const stage = await openAnyStage(played, 'FACEBOOK', { base: 'graph/v25.0' })
  const { media } = stage.world
  const of: typeof media.of = async (items) =>
    (await media.of(items)).map((item, index) => ({ ...item, ...cards[index] }))
  stage.world = { ...stage.world, media: { ...media, of } }
  return stage
}

const TWO = ['photo.jpg', 'transparent.png']
const FILES: Record<string, string[]> = {
  IMAGE: ['transparent.png'],
  MULTI_IMAGE: TWO,
  CAROUSEL: TWO,
  VIDEO: ['video-short.mp4'],
  REEL: ['video-h264-aac.mp4'],
  STORY: ['photo.jpg'],
}

/** A post of a type that the network takes. */
export function sample(type: string, more: Partial<Sample> = {}): Sample {
  return {
    title: type.toLowerCase(),
    accountType: 'FACEBOOK',
    caption: type === 'STORY' ? '' : 'Bread',
    media: (FILES[type] ?? []).map((file) => ({ file })),
    ...more,
    fields: { type, richCaption: [], ...more.fields },
  }
}
export const videoStory = sample('STORY', { title: 'story of a video', media: [{ file: 'video-h264-aac.mp4' }] })

/** Other answers to the requests of a step, the first one if nothing else is said; `reached`: the network did what was asked. */
export function during(step: Step, answer: HttpResult, { times = 1, reached = false } = {}): Trouble {
  let left = times
  return {
    async intercept(exchange) {
      if (exchange.step !== step || left-- <= 0) return exchange.send()
      if (reached) await exchange.send()
      return answer
    },
  }
}

/** Asks until the network says what became of a post. */
export async function settled({ clock }: World, delivery: Delivery, turns = 20): Promise<PublishOutcome> {
  let outcome = (await delivery.call('publish')) as PublishOutcome
  for (let turn = 0; outcome.kind === 'accepted' && turn < turns; turn++) {
    clock.jumpTo(outcome.askAgainAt)
    outcome = (await delivery.call('confirm')) as PublishOutcome
  }
  return outcome
}
