import Type from 'typebox'
import { formOf, limitsReadOn } from '../kit/limits.ts'
import type { DefaultField, Limit, Manifest } from '../network.ts'
import { agreement } from './agreement.ts'

const TRANSFER_PAGE = 'https://developers.tiktok.com/doc/content-posting-api-media-transfer-guide'
const DIRECT_POST_PAGE = 'https://developers.tiktok.com/doc/content-posting-api-reference-direct-post'
const CREATOR_PAGE = 'https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info'
const PHOTO_PAGE = 'https://developers.tiktok.com/doc/content-posting-api-reference-photo-post'
const limit = limitsReadOn('2026-11-21')

const MEGABYTES = 'The page writes MB. Powers of ten are taken, which also fit where it means 1,048,576 bytes.'
const FULL_HD = 'The page says "1080p", which is taken as 1920x1080 lying or standing; larger photos are made smaller.'

/** Types of files that are taken. */
export const videoTypes: readonly string[] = ['video/mp4', 'video/quicktime', 'video/webm']

/** Every number that rules, connector and simulator use. */
export const limits = {
  videoCaption: limit(2200, 'UTF-16 code units', DIRECT_POST_PAGE),
  photoDescription: limit(4000, 'UTF-16 code units', PHOTO_PAGE),
  photoTitle: limit(90, 'UTF-16 code units', PHOTO_PAGE),
  videos: limit(1, 'video', DIRECT_POST_PAGE),
  photos: limit(35, 'photos', PHOTO_PAGE),

  photoBytes: limit(20_000_000, 'bytes', TRANSFER_PAGE, MEGABYTES),
  photoLongSide: limit(1920, 'pixels', TRANSFER_PAGE, FULL_HD),
  photoShortSide: limit(1080, 'pixels', TRANSFER_PAGE, FULL_HD),

  videoBytes: limit(4_000_000_000, 'bytes', TRANSFER_PAGE, MEGABYTES),
  videoMaxSeconds: limit(600, 'seconds', TRANSFER_PAGE),
  videoMinSide: limit(360, 'pixels', TRANSFER_PAGE),
  videoMaxSide: limit(4096, 'pixels', TRANSFER_PAGE),
  videoMinFrameRate: limit(23, 'frames per second', TRANSFER_PAGE),
  videoMaxFrameRate: limit(60, 'frames per second', TRANSFER_PAGE),

  chunkMinBytes: limit(5 * 1024 * 1024, 'bytes', TRANSFER_PAGE, 'The page writes 5 MB; 5 MiB is enough for both.'),
  chunkMaxBytes: limit(64_000_000, 'bytes', TRANSFER_PAGE, MEGABYTES),
  lastChunkMaxBytes: limit(128_000_000, 'bytes', TRANSFER_PAGE, MEGABYTES),
  chunks: limit(1000, 'chunks', TRANSFER_PAGE),
  creatorInfoPerMinute: limit(20, 'questions in a minute what an account may do', CREATOR_PAGE),
  uploadMinutes: limit(60, 'minutes that an upload address works', DIRECT_POST_PAGE),
} as const satisfies Record<string, Limit>

/** The API has no types for this network: what the media are decides. */
const caption = { ...limits.videoCaption, unit: `UTF-16 code units; ${limits.photoDescription.value} with photos` }
/** A video or photos. */
export const form = formOf(null, caption, { min: limits.videos, images: limits.photos, videos: limits.videos })

export const PRIVACY_TITLES = {
  PUBLIC_TO_EVERYONE: 'Everyone',
  MUTUAL_FOLLOW_FRIENDS: 'Friends: followers that the account follows back',
  FOLLOWER_OF_CREATOR: 'Followers',
  SELF_ONLY: 'Only the account itself',
} as const
export type Privacy = keyof typeof PRIVACY_TITLES
export const PRIVACY_LEVELS = Object.keys(PRIVACY_TITLES) as Privacy[]

/** Off by default, as the network's rules for apps want it. */
const onOrOff = (name: string, title: string, description: string): DefaultField => ({
  name,
  group: name.startsWith('allow') ? 'interaction' : 'disclosure',
  title,
  description,
  schema: Type.Boolean(),
  required: false,
  ...(name === 'aiGenerated' ? {} : { perPost: true }),
  ...(name === 'allowDuet' || name === 'allowStitch' ? { media: 'VIDEO' } : {}),
})

export const MODES = ['DIRECT', 'INBOX'] as const

/** What a post alone can have, with a video or with photos. */
const onlyOfPosts = (
  media: 'VIDEO' | 'IMAGE',
  field: Pick<DefaultField, 'name' | 'title' | 'description' | 'schema' | 'picker'>,
): DefaultField => ({ ...field, media, required: false, option: 'only' })

const defaults: readonly DefaultField[] = [
  {
    name: 'mode',
    title: 'How posts go out',
    description:
      'Directly, as long as nothing is chosen. In the inbox of the TikTok app a draft waits: there the creator chooses audience and labels, and publishes it.',
    schema: Type.Enum([...MODES]),
    titles: { DIRECT: 'Published directly', INBOX: 'Into the TikTok inbox' },
    required: false,
  },
  onlyOfPosts('VIDEO', {
    name: 'coverMilliseconds',
    title: 'Cover frame',
    description: 'The moment of the video that is its cover. Without it: the first frame.',
    schema: Type.Integer({
      minimum: 0,
      maximum: limits.videoMaxSeconds.value * 1000,
      description: 'Milliseconds from the start of the video.',
    }),
    picker: 'millisecond',
  }),
  onlyOfPosts('IMAGE', {
    name: 'title',
    title: 'Title of the photos',
    description: `Above the caption of photos: at most ${limits.photoTitle.value} characters.`,
    schema: Type.String(),
  }),
  onlyOfPosts('IMAGE', {
    name: 'coverIndex',
    title: 'Cover photo',
    description: 'Which photo is the cover. Without it: the first one.',
    schema: Type.Integer({ minimum: 0, maximum: limits.photos.value - 1, description: 'Counted from 0.' }),
    picker: 'photo',
  }),
  onlyOfPosts('IMAGE', {
    name: 'autoMusic',
    title: 'Add music',
    description: 'Whether TikTok adds music to photos, which it chooses.',
    schema: Type.Boolean(),
  }),
  {
    name: 'privacy',
    title: 'Who can see the posts',
    picker: 'audience',
    group: 'audience',
    description: 'Private accounts cannot post to everyone. Posts for the inbox need none.',
    schema: Type.Enum(PRIVACY_LEVELS),
    titles: PRIVACY_TITLES,
    required: true,
    unless: { name: 'mode', value: 'INBOX' },
    perPost: true,
    sandbox: 'PUBLIC_TO_EVERYONE',
  },
  onOrOff('allowComments', 'Allow comments', 'Whether people may comment, as far as the account itself allows it.'),
  onOrOff('allowDuet', 'Allow duets', 'Whether others may make duets with the videos. Photos have none.'),
  onOrOff(
    'allowStitch',
    'Allow stitches',
    'Whether others may take parts of the videos into theirs. Photos have none.',
  ),
  onOrOff(
    'brandContent',
    'Paid partnership',
    'The posts promote a third party for a reward; TikTok labels them. They cannot be for the account alone.',
  ),
  onOrOff('brandOrganic', 'Own brand', "The posts promote the creator's own business; TikTok labels them."),
  onOrOff(
    'aiGenerated',
    'Made with AI',
    'The posts show what a program has generated; TikTok labels videos. It has no label for photos.',
  ),
]

export const manifest: Manifest = {
  name: 'tiktok',
  title: 'TikTok',
  accountTypes: ['TIKTOK'],
  forms: { TIKTOK: [form] },
  defaults,
  agreement,
  limits,
  endpoints: {
    api: { default: 'https://open.tiktokapis.com', setting: 'API_URL' },
    /** Where videos are uploaded to. The network names the whole address; another host must be reached by https. */
    upload: { default: 'https://open-upload.tiktokapis.com', setting: 'UPLOAD_URL' },
    /** The pages of the sign-in and of posts. */
    web: { default: 'https://www.tiktok.com', setting: 'WEB_URL' },
  },
  settings: {
    CLIENT_KEY: {
      description: 'Client key of your app at https://developers.tiktok.com.',
      sandbox: 'sandbox-client-key',
    },
    CLIENT_SECRET: {
      description: 'Client secret of your app at https://developers.tiktok.com.',
      sandbox: 'sandbox-client-secret',
      secret: true,
    },
    SCOPES: {
      description:
        'Scopes that people are asked for, with commas: video.publish, video.upload for posts into the inbox of the app, or both. Add video.list when your app has it: an unclear outcome of a photo post can then sometimes be cleared up.',
      default: 'user.info.basic,video.publish',
      sandbox: 'user.info.basic,video.publish,video.upload,video.list',
    },
  },
  // A cut-off request may still be at work over there. Sending a chunk again makes no second post in any case.
  listingDelayMs: 30_000,
  fetchesMedia: true,
  idempotentPublish: false,
}
