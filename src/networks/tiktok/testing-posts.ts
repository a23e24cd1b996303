import type { MediaFacts } from '#contract'
import type { BrokenPost } from '../conformance/index.ts'
import type { CheckedMedia, PostToCheck } from '../network.ts'

const photoFacts: MediaFacts = {
  type: 'IMAGE',
  mimeType: 'image/jpeg',
  bytes: 500_000,
  width: 1080,
  height: 1920,
  durationMs: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
  animated: false,
}
const videoFacts: MediaFacts = {
  ...photoFacts,
  type: 'VIDEO',
  mimeType: 'video/mp4',
  bytes: 20_000_000,
  durationMs: 30_000,
  videoCodec: 'avc',
  audioCodec: 'aac',
  frameRate: 30,
}
const item = (facts: MediaFacts, more: Partial<CheckedMedia>): CheckedMedia => ({
  facts,
  altText: null,
  title: null,
  description: null,
  link: null,
  tags: [],
  ...more,
})

/** Media that the network takes, but for what a test changes. For tests alone. */
export const photo = (facts: Partial<MediaFacts> = {}, more: Partial<CheckedMedia> = {}) =>
  item({ ...photoFacts, ...facts }, more)
export const video = (facts: Partial<MediaFacts> = {}, more: Partial<CheckedMedia> = {}) =>
  item({ ...videoFacts, ...facts }, more)

export const post = (caption: string, ...media: CheckedMedia[]): PostToCheck => ({
  accountType: 'TIKTOK',
  caption,
  fields: {},
  media,
})

/** Posts that break rules, as the conformance suite wants them. */
export const broken: readonly BrokenPost[] = [
  { title: 'a text alone', post: post('Bread'), codes: ['post:media_required'] },
  { title: 'a long caption of a video', post: post('x'.repeat(2201), video()), codes: ['post:caption_too_long'] },
  { title: 'a long caption of photos', post: post('x'.repeat(4001), photo()), codes: ['post:caption_too_long'] },
  { title: 'two videos', post: post('', video(), video()), codes: ['post:media_count'] },
  { title: 'a video among photos', post: post('', photo(), video()), codes: ['post:media_mix'] },
  { title: 'AV1', post: post('', video({ videoCodec: 'av1' })), codes: ['post:media_codec'] },
  { title: 'an alternative text', post: post('', photo({}, { altText: 'A loaf' })), codes: ['post:field_invalid?'] },
  {
    title: 'a paid partnership for nobody',
    post: post('', video()),
    defaults: { privacy: 'SELF_ONLY', brandContent: true },
    codes: ['post:field_invalid'],
  },
]
