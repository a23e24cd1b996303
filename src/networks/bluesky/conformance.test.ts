import type { MediaFacts } from '#contract'
import { readFixture } from '../../../test/_util/file-server.ts'
import { startPds } from '../../../test/_util/pds.ts'
import { type BrokenPost, describeNetwork, type Sample, simulatorBackend } from '../conformance/index.ts'
import type { CheckedMedia } from '../network.ts'
import { network } from './index.ts'
import { errors } from './outcomes.ts'

const caption = 'Fresh bread 🥖 by @nobody.test at https://example.com/bread #bakery'
const photo = { file: 'photo.jpg', altText: 'A round loaf' }
const samples: [Sample, ...Sample[]] = [
  { title: 'text', accountType: 'BLUESKY', caption },
  { title: 'images', accountType: 'BLUESKY', caption, media: [photo, { file: 'transparent.png' }] },
  {
    title: 'video',
    accountType: 'BLUESKY',
    caption: '',
    media: [{ file: 'video-short.mp4', altText: 'A loaf turns' }],
  },
  { title: 'QuickTime video', accountType: 'BLUESKY', caption, media: [{ file: 'video-rotated.mov' }] },
  { title: 'gallery', accountType: 'BLUESKY', caption, media: Array(5).fill(photo) },
]
/** What the video service converts: the one beside a real server converts nothing. */
const converted: Sample[] = [
  { title: 'WebM video', accountType: 'BLUESKY', caption, media: [{ file: 'video-vp9.webm' }] },
  { title: 'animated GIF', accountType: 'BLUESKY', caption, media: [{ file: 'animated.gif', altText: 'Steam' }] },
]
/** The page of the caption. */
const preview = async () => ({ title: 'Bread', description: 'Fresh each day', image: await thumb })
const thumb = readFixture('photo.jpg')

const image: CheckedMedia = {
  facts: {
    type: 'IMAGE',
    mimeType: 'image/jpeg',
    bytes: 5_000_000,
    width: 4_000,
    height: 3_000,
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
const video: CheckedMedia = {
  ...image,
  facts: { ...image.facts, type: 'VIDEO', mimeType: 'video/mp4', durationMs: 600_000, videoCodec: 'avc' },
}
const withFacts = (item: CheckedMedia, facts: Partial<MediaFacts>) => ({ ...item, facts: { ...item.facts, ...facts } })
const gif = withFacts(image, { mimeType: 'image/gif', animated: true, durationMs: 2_000 })
const post = (caption: string, ...media: CheckedMedia[]) =>
  ({ accountType: 'BLUESKY', caption, fields: {}, media }) as const
const family = '👨‍👩‍👧‍👦'

const broken: BrokenPost[] = [
  { title: 'nothing at all', post: post(' \n'), codes: ['post:caption_required'] },
  { title: 'half a character', post: post('a\ud83e'), codes: ['post:field_invalid'] },
  { title: 'nothing about 300 characters', post: post('a'.repeat(300)), codes: [] },
  { title: '301 characters', post: post('a'.repeat(301)), codes: ['post:caption_too_long'] },
  { title: 'nothing about 120 families of 3,000 bytes', post: post(family.repeat(120)), codes: [] },
  { title: '121 families of 3,025 bytes', post: post(family.repeat(121)), codes: ['post:caption_too_long'] },
  { title: 'nothing about ten large images', post: post('', ...Array(10).fill(image)), codes: [] },
  { title: 'eleven images (a warning)', post: post('', ...Array(11).fill(image)), codes: ['post:media_count?'] },
  { title: 'twenty images (a warning)', post: post('', ...Array(20).fill(image)), codes: ['post:media_count?'] },
  { title: 'twenty-one images', post: post('', ...Array(21).fill(image)), codes: ['post:media_count'] },
  { title: 'two videos', post: post('', video, video), codes: ['post:media_count'] },
  { title: 'an image beside a video', post: post('', image, video), codes: ['post:media_mix'] },
  { title: 'a TIFF', post: post('', withFacts(image, { mimeType: 'image/tiff' })), codes: ['post:media_type'] },
  { title: 'nothing about a moving GIF by itself', post: post('', gif), codes: [] },
  { title: 'a moving GIF of several (a warning)', post: post('', gif, image), codes: ['post:media_type?'] },
  {
    title: 'motion in another format (a warning)',
    post: post('', withFacts(image, { mimeType: 'image/webp', animated: true })),
    codes: ['post:media_type?'],
  },
  { title: 'a heavy GIF', post: post('', withFacts(gif, { bytes: 300_000_001 })), codes: ['post:media_size'] },
  {
    title: 'nothing about QuickTime with sound that an MP4 can hold',
    post: post('', withFacts(video, { mimeType: 'video/quicktime', audioCodec: 'aac' })),
    codes: [],
  },
  {
    title: 'QuickTime with other sound',
    post: post('', withFacts(video, { mimeType: 'video/quicktime', audioCodec: 'pcm-s16' })),
    codes: ['post:media_type'],
  },
  {
    title: 'QuickTime with another picture',
    post: post('', withFacts(video, { mimeType: 'video/quicktime', videoCodec: 'prores' })),
    codes: ['post:media_type'],
  },
  { title: 'nothing about WebM', post: post('', withFacts(video, { mimeType: 'video/webm' })), codes: [] },
  { title: 'nothing about MPEG', post: post('', withFacts(video, { mimeType: 'video/mpeg' })), codes: [] },
  { title: 'AVI', post: post('', withFacts(video, { mimeType: 'video/x-msvideo' })), codes: ['post:media_type'] },
  { title: 'a heavy video', post: post('', withFacts(video, { bytes: 300_000_001 })), codes: ['post:media_size'] },
  { title: 'a long video', post: post('', withFacts(video, { durationMs: 600_001 })), codes: ['post:media_duration'] },
  {
    title: 'a long alternative text (a warning)',
    post: post('', { ...image, altText: 'a'.repeat(2_001) }),
    codes: ['post:field_too_long?'],
  },
]

describeNetwork('Bluesky simulator', {
  network,
  start: (context) => simulatorBackend(network, 'BLUESKY', context),
  samples: [...samples, ...converted],
  preview,
  broken,
  errors: errors,
})

describeNetwork('Bluesky server', {
  network,
  async start() {
    const pds = await startPds()
    const { identity } = await pds.connect()
    return {
      account: { externalId: identity.externalId, username: identity.username, defaults: {} },
      credentials: identity.credentials,
      endpoints: { ...identity.endpoints, video: pds.videoUrl, web: 'https://bsky.app' },
      async posts(except = new Set()) {
        const posts = await pds.posts(identity.externalId)
        const wanted = posts.filter(({ uri }) => !except.has(uri))
        return wanted.map(({ uri, value: { text, embed } }) => {
          const media = embed?.video ? 1 : (embed?.images ?? embed?.items ?? []).length
          return { id: uri, text, media }
        })
      },
      stop: pds.stop,
    }
  },
  samples,
  preview,
  optOut: { faults: 'all', openPermalinks: true, restart: true },
})
