import type { MediaFacts } from '#contract'
import { type BrokenPost, describeNetwork, type Sample, simulatorBackend } from '../conformance/index.ts'
import type { CheckedMedia } from '../network.ts'
import { errors, network } from './index.ts'

const fields = { ctaType: 'LEARN_MORE', ctaUrl: 'https://example.com/bread?from=post' }
const sample = (title: string, caption: string, more: Partial<Sample> = {}): Sample => ({
  title,
  accountType: 'GMB',
  caption,
  fields: { ctaType: 'NONE' },
  ...more,
})
const photo: CheckedMedia = {
  facts: {
    type: 'IMAGE',
    mimeType: 'image/png',
    bytes: 200_000,
    width: 1200,
    height: 900,
    durationMs: null,
    videoCodec: null,
    audioCodec: null,
    frameRate: null,
    animated: false,
  },
  altText: null,
  title: null,
  description: null,
  link: null,
  tags: [],
}
const withFacts = (facts: Partial<MediaFacts>): CheckedMedia => ({ ...photo, facts: { ...photo.facts, ...facts } })
const post = (caption: string, more: object, ...media: CheckedMedia[]) =>
  ({ accountType: 'GMB', caption, fields: { ctaType: 'NONE', ...more }, media }) as const
const video = { type: 'VIDEO', mimeType: 'video/mp4', durationMs: 4_000, videoCodec: 'avc', frameRate: 30 } as const

const broken: BrokenPost[] = [
  { title: 'a post without a text', post: post(' ', {}, photo), codes: ['post:caption_required'] },
  { title: 'a long text', post: post('x'.repeat(1501), {}), codes: ['post:caption_too_long'] },
  { title: 'a button to nowhere', post: post('Bread', { ctaType: 'SHOP' }), codes: ['post:field_required'] },
  {
    title: 'a video and a photo',
    post: post('Bread', {}, photo, withFacts(video)),
    codes: ['post:media_count', 'post:media_type'],
  },
  {
    title: 'a small file (a problem) with a small picture (a warning)',
    post: post('Bread', {}, withFacts({ bytes: 10_239, width: 300, height: 250 })),
    codes: ['post:media_size', 'post:media_dimensions?'],
  },
  {
    title: 'a phone number and an address of a call (warnings)',
    post: post('Call us: +49 30 1234567', { ctaType: 'CALL', ctaUrl: 'https://example.com' }),
    codes: ['post:field_invalid?', 'post:field_invalid?'],
  },
]

describeNetwork('google-business', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'GMB', context),
  samples: [
    sample('text', 'Fresh bread every morning'),
    sample('photo with a button', 'New: rye with walnuts', { fields, media: [{ file: 'photo.jpg' }] }),
    sample('text with a call', 'Order your cake', { fields: { ctaType: 'CALL' } }),
  ],
  broken,
})
