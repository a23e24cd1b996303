import type { MediaFacts } from '#contract'
import { type BrokenPost, describeNetwork, type Sample, simulatorBackend } from '../conformance/index.ts'
import type { CheckedMedia } from '../network.ts'
import { errors, network } from './index.ts'

type Type = 'LINKEDIN_PAGE' | 'LINKEDIN_PERSONAL'

const caption = 'Fresh bread (every day) at the_mill #bakery https://example.com/a_b?c=[d]'
const photo = { file: 'photo.jpg', altText: 'A round loaf' }

const samples = (accountType: Type): [Sample, ...Sample[]] => [
  { title: 'text', accountType, caption },
  { title: 'image', accountType, caption, media: [photo] },
  { title: 'images', accountType, caption, media: [{ file: 'transparent.png' }, { file: 'animated.gif' }] },
  { title: 'video', accountType, caption, media: [{ file: 'linkedin-video.mp4' }] },
]

const image: CheckedMedia = {
  facts: {
    type: 'IMAGE',
    mimeType: 'image/jpeg',
    bytes: 9_000_000,
    width: 9_000,
    height: 6_000,
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
const withFacts = (item: CheckedMedia, facts: Partial<MediaFacts>) => ({ ...item, facts: { ...item.facts, ...facts } })
const video = withFacts(image, {
  type: 'VIDEO',
  mimeType: 'video/mp4',
  width: 1920,
  height: 1080,
  durationMs: 60_000,
  videoCodec: 'avc',
  audioCodec: 'aac',
  frameRate: 30,
})

const broken = (accountType: Type): BrokenPost[] => {
  const post = (text: string, ...media: CheckedMedia[]) => ({ accountType, caption: text, fields: {}, media })
  return [
    { title: 'nothing at all', post: post(' \n'), codes: ['post:caption_required'] },
    { title: 'nothing about 20 large images', post: post('', ...Array(20).fill(image)), codes: [] },
    { title: '21 images', post: post('', ...Array(21).fill(image)), codes: ['post:media_count'] },
    { title: 'an image beside a video', post: post('', image, video), codes: ['post:media_mix'] },
    { title: 'a text of 3,001', post: post('a'.repeat(3001)), codes: ['post:caption_too_long'] },
    { title: 'nothing about escapes', post: post('('.repeat(3000)), codes: [] },
    {
      title: 'QuickTime of which no MP4 can be made',
      post: post('', withFacts(video, { mimeType: 'video/quicktime', videoCodec: 'prores' })),
      codes: ['post:media_codec'],
    },
    {
      title: 'what is for the other kind of account',
      post: post('a'),
      defaults: { visibility: accountType === 'LINKEDIN_PAGE' ? 'CONNECTIONS' : 'LOGGED_IN' },
      codes: ['post:field_invalid'],
    },
  ]
}

describeNetwork('linkedin page', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'LINKEDIN_PAGE', context),
  samples: samples('LINKEDIN_PAGE'),
  broken: broken('LINKEDIN_PAGE'),
})

const [first, ...others] = samples('LINKEDIN_PERSONAL')

describeNetwork('linkedin person', {
  network,
  errors,
  start: (context) => simulatorBackend(network, 'LINKEDIN_PERSONAL', context),
  // Several images differ from one in nothing that depends on who posts them.
  samples: [first, ...others.filter(({ title }) => title !== 'images')],
  broken: broken('LINKEDIN_PERSONAL'),
  optOut: {
    // Tokens of apps that post for persons cannot be refreshed: one that has expired ends the post.
    faults: ['token-expired'],
    // Posts of persons cannot be listed. What is done instead is tried once; publish.test.ts sees that it succeeds.
    proofOfAbsence: true,
  },
})
