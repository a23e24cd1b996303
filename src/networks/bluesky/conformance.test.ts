import { startPds } from '../../../test/_util/networks/pds.ts'
import { part } from '../../../test/_util/run/whole.ts'
import { type BrokenPost, describeNetwork, type Sample, simulatorBackend } from '../conformance/index.ts'
import { checked, fixture } from '../kit/testing.ts'
import type { CheckedMedia } from '../network.ts'
import { network } from './index.ts'
import { errors } from './outcomes.ts'

const accountType = 'BLUESKY'
const caption = 'Fresh bread 🥖 by @nobody.test at https://example.com/bread #bakery'
const photo = { file: 'photo.jpg', altText: 'A round loaf' }
const thread: Sample = {
  ...{ title: 'thread', accountType, caption, fields: { options: { replyAudience: [] } } },
  thread: [
    { caption: 'Baked at https://example.com/bread #oven' },
    { caption: '', media: [photo, { file: 'transparent.png' }] },
    { caption: 'And that was that.' },
  ],
}
const options = { replyAudience: ['MENTIONED', 'FOLLOWING'], allowQuotes: false }
const gated: Sample = { title: 'text that few may reply to', accountType, caption, fields: { options } }
const samples: [Sample, ...Sample[]] = [
  { title: 'text', accountType, caption },
  { title: 'images', accountType, caption, media: [photo, { file: 'transparent.png' }] },
  { title: 'video', accountType, caption: '', media: [{ file: 'video-short.mp4', altText: 'A loaf turns' }] },
  { title: 'QuickTime video', accountType, caption, media: [{ file: 'video-rotated.mov' }] },
  { title: 'gallery', accountType, caption, media: Array(5).fill(photo) },
  gated,
  thread,
]
/** What the video service converts: the one beside a real server converts nothing. */
const converted: Sample[] = [
  { title: 'WebM video', accountType, caption, media: [{ file: 'video-vp9.webm' }] },
  { title: 'animated GIF', accountType, caption, media: [{ file: 'animated.gif', altText: 'Steam' }] },
]
/** The page of the caption. */
const preview = async () => ({ title: 'Bread', description: 'Fresh each day', image: await thumb })
const thumb = fixture('photo.jpg')

const image = checked({ bytes: 5_000_000, width: 4_000, height: 3_000 })
type Facts = Parameters<typeof checked>[0]
const video = (facts: Facts = {}) => checked({ type: 'VIDEO', durationMs: 600_000, audioCodec: null, ...facts })
const quickTime = (facts: Facts) => video({ mimeType: 'video/quicktime', ...facts })
const gif = (bytes = 5_000_000) => checked({ mimeType: 'image/gif', animated: true, durationMs: 2_000, bytes })
const family = '👨‍👩‍👧‍👦'

const broken: [title: string, post: [caption: string, ...media: CheckedMedia[]], ...codes: BrokenPost['codes']][] = [
  ['nothing at all', [' \n'], 'post:caption_required'],
  ['nothing about 300 characters', ['a'.repeat(300)]],
  ['301 characters', ['a'.repeat(301)], 'post:caption_too_long'],
  ['nothing about 120 families of 3,000 bytes', [family.repeat(120)]],
  ['121 families of 3,025 bytes', [family.repeat(121)], 'post:caption_too_long'],
  ['a text that is far too long', ['a'.repeat(6_001)], 'post:caption_too_long'],
  ['nothing about ten large images', ['', ...Array(10).fill(image)]],
  ['eleven images (a warning)', ['', ...Array(11).fill(image)], 'post:media_count?'],
  ['twenty images (a warning)', ['', ...Array(20).fill(image)], 'post:media_count?'],
  ['twenty-one images', ['', ...Array(21).fill(image)], 'post:media_count'],
  ['an image beside a video', ['', image, video()], 'post:media_mix'],
  ['a TIFF', ['', checked({ mimeType: 'image/tiff' })], 'post:media_type'],
  ['a moving GIF of several (a warning)', ['', gif(), image], 'post:media_type?'],
  ['a moving WebP (a warning)', ['', checked({ mimeType: 'image/webp', animated: true })], 'post:media_type?'],
  ['a heavy GIF', ['', gif(300_000_001)], 'post:media_size'],
  ['nothing about QuickTime with sound that an MP4 can hold', ['', quickTime({ audioCodec: 'aac' })]],
  ['QuickTime with other sound', ['', quickTime({ audioCodec: 'pcm-s16' })], 'post:media_type'],
  ['QuickTime with another picture', ['', quickTime({ videoCodec: 'prores' })], 'post:media_type'],
  ['AVI', ['', video({ mimeType: 'video/x-msvideo' })], 'post:media_type'],
  ['a heavy video', ['', video({ bytes: 300_000_001 })], 'post:media_size'],
  ['a long video', ['', video({ durationMs: 600_001 })], 'post:media_duration'],
  ['a long alternative text (a warning)', ['', { ...image, altText: 'a'.repeat(2_001) }], 'post:field_too_long?'],
]

describeNetwork('Bluesky simulator', {
  network,
  start: (context) => simulatorBackend(network, accountType, context),
  samples: [...samples, ...converted],
  preview,
  broken: broken.map(([title, [caption, ...media], ...codes]) => ({
    title,
    post: { accountType, caption, fields: {}, media },
    codes,
  })),
  errors,
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
        const posts = (await pds.posts(identity.externalId)).filter(({ uri }) => !except.has(uri))
        return posts.map(({ uri, value: { text, embed, reply } }) => {
          const media = embed?.video ? 1 : (embed?.images ?? embed?.items ?? []).length
          const above = posts.find(({ cid }) => cid === reply?.parent.cid)
          return { id: uri, text, media, ...(reply ? { replyTo: above?.uri ?? 'nothing' } : {}) }
        })
      },
      stop: pds.stop,
    }
  },
  samples: [samples[0], gated, thread, ...part(samples.slice(1, -2), 2)],
  preview,
  optOut: { faults: 'all', openPermalinks: true, restart: true },
})
