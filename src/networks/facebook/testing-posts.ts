import type { Step } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import { stageFor } from '../conformance/stages.ts'
import { answering, type Instead, openStage, type Stage } from '../kit/testing.ts'
import type { Network } from '../network.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'

/** The simulator with one Page, for each test of a file or one for all of them. */
export function stageOf(tests: 'each' | 'all', world: Parameters<typeof simulate>[1] = {}): () => Stage {
  const played: Network = { ...network, simulate: (deps) => simulate(deps, world) }
  const stage = stageFor(tests, () => openStage(played, 'FACEBOOK', { base: 'graph/v25.0' }))
  return () => stage
}

/** Media of posts of all types but texts. */
export const FILES: Record<string, string> = {
  IMAGE: 'transparent.png',
  MULTI_IMAGE: 'photo.jpg transparent.png',
  CAROUSEL: 'photo.jpg photo.jpg',
  VIDEO: 'video-short.mp4',
  REEL: 'video-h264-aac.mp4',
  STORY: 'photo.jpg',
}

/** A post of a type that the network takes. */
export function sample(type: string, more: Partial<Sample> = {}): Sample {
  const link = type === 'CAROUSEL' && { link: 'https://a.example' }
  const words = { altText: 'A loaf of bread', title: ' The oven ', ...link }
  const files = FILES[type]?.match(/\S+/g) ?? []
  return {
    title: type.toLowerCase(),
    accountType: 'FACEBOOK',
    caption: type === 'STORY' ? '' : 'Bread',
    media: files.map((file) => ({ file, ...words })),
    ...more,
    fields: { type, richCaption: [], ...more.fields },
  }
}
/** Several stories: each is a post of its own. */
export const stories = sample('STORY', {
  title: 'several stories',
  media: ['photo.jpg', 'video-h264-aac.mp4', 'transparent.png'].map((file) => ({ file })),
})
export const videoStory = sample('STORY', { title: 'story of a video', media: [{ file: 'video-h264-aac.mp4' }] })

/** Other answers to the requests of a step: to the first, or as a function says; `reached`: the network did what was asked. */
export const during = (step: Step, instead: Instead, more: { times?: number; reached?: boolean } = {}) =>
  answering((each) => each.step === step, instead, { times: typeof instead === 'function' ? 1_000 : 1, ...more })
