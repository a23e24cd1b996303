import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { codePoints } from '../kit/text.ts'
import { isFarTooLong, mentionsIn } from '../kit/text-rules.ts'
import type { Finding, Limit, PostToCheck, TextCount } from '../network.ts'
import { type Fields, fieldsOf, handle, POST_TYPES, type PostType } from './fields.ts'
import { forms, limits, OWN_SIGN_IN } from './manifest.ts'

const network = 'Instagram'
/** What an account may be called. */
const HANDLE = /^[A-Za-z0-9._]{1,30}$/

const NO_TRACKS =
  'Instagram has no tracks of its audio library for accounts that are connected without a Facebook Page. Remove the track, or connect the account with Facebook.'

/** Stories are shown as they are, with bars where something is missing. */
const storyImage: ItemRules = {
  what: 'An image',
  advised: { minWidth: limits.imageMinWidth, says: 'looks coarse or may be refused' },
}
/** Format and size of images are not looked at: they are fitted on the way. */
const image: ItemRules = {
  ...storyImage,
  minRatio: limits.imageMinRatio,
  maxRatio: limits.imageMaxRatio,
  altText: { limit: limits.altTextLength, count: codePoints },
  advised: { ...storyImage.advised, minRatio: limits.imageAdvisedMinRatio },
}
const video = {
  mimeTypes: ['video/mp4', 'video/quicktime'],
  videoCodecs: ['avc', 'hevc'],
  audioCodecs: ['aac'],
  formats: 'MP4 or MOV with H.264 or HEVC and AAC',
  maxWidth: limits.videoMaxWidth,
  advised: {
    minFrameRate: limits.videoMinFrameRate,
    maxFrameRate: limits.videoMaxFrameRate,
    maxBitRate: limits.videoBitRate,
  },
}
/** Bounds of reels and of stories have the same names. */
const bounds = (kind: 'reel' | 'story') => ({
  maxBytes: limits[`${kind}Bytes`],
  minSeconds: limits[`${kind}MinSeconds`],
  maxSeconds: limits[`${kind}MaxSeconds`],
  minRatio: limits[`${kind}MinRatio`],
  maxRatio: limits[`${kind}MaxRatio`],
})
const reel: ItemRules = { ...video, ...bounds('reel'), what: 'A reel' }
const videos: Record<PostType, ItemRules> = {
  IMAGE: reel,
  REEL: reel,
  CAROUSEL: {
    ...reel,
    what: 'A video in a carousel',
    advised: { ...video.advised, maxSeconds: limits.carouselVideoSeconds },
  },
  STORY: { ...video, ...bounds('story'), what: 'A story' },
}

/** Everything that Instagram is known to refuse, and what it would do other than people expect, as warnings. */
export const checkPost = (post: PostToCheck): Finding[] => [...findingsOf(post, fieldsOf(post.fields))]

/** Counted in UTF-16 code units. */
export function countCaption({ caption, fields }: PostToCheck): TextCount | null {
  if (fieldsOf(fields).type === 'STORY') return null
  return { actual: caption.length, limit: limits.captionLength.value }
}

const invalid = (steps: Finding['steps'], message: string) => refuse('post:field_invalid', steps, message)
const unsent = (steps: Finding['steps'], message: string) => warn('post:field_invalid', steps, message)

function* findingsOf(post: PostToCheck, fields: Fields): Generator<Finding> {
  const { type } = fields
  const { media } = post
  if (!POST_TYPES.includes(type)) {
    yield invalid(['type'], `Instagram has no posts of type ${type}. Use ${POST_TYPES.join(', ')}.`)
    return
  }
  yield* checkText(post, type)
  yield* checkForm(network, forms[type], media)
  yield* checkFields(post, fields)
  const pictures = type === 'STORY' ? storyImage : image
  for (const [index, item] of media.entries()) {
    yield* checkItem(network, item, ['media', index], item.facts.type === 'VIDEO' ? videos[type] : pictures)
  }
  for (const [index, { tags }] of media.entries()) {
    const handles = tags.map(({ text }) => text)
    yield* checkHandles(handles, ['media', index, 'tags'], limits.tagsPerMedia, 'tags on a media item', ['text'])
  }
  const [first = 0, ...others] = media.map(({ facts }) => facts.width / facts.height)
  if (type === 'CAROUSEL' && others.some((ratio) => Math.abs(ratio - first) > 0.01)) {
    const message = 'Instagram crops all items of a carousel to the shape of the first one, and these differ in shape.'
    yield warn('post:media_ratio', ['media'], message)
  }
}

/**
 * How many hashtags a caption has: letters, digits, underscores and emoji may be one there, behind # or its wide form of East Asia. The
 * keycap #️⃣ is a # whose frame comes behind it, and none.
 */
const hashtags = (caption: string) =>
  caption.match(/[#＃](?=[\p{L}\p{N}_\p{Extended_Pictographic}\p{Regional_Indicator}])/gu)?.length ?? 0

function* checkText(post: PostToCheck, type: PostType): Generator<Finding> {
  const { caption } = post
  const steps = ['caption']
  if (type === 'STORY') {
    if (caption.trim() !== '')
      yield unsent(steps, 'Instagram shows no caption on a story. It is kept here and not sent.')
    return
  }
  const limit = limits.captionLength
  yield* checkCaption(post, { network, limit, actual: caption.length })
  if (isFarTooLong(caption.length, limit)) return
  for (const [code, what, actual, most, mostInApp] of [
    ['post:hashtags_count', 'hashtags', hashtags(caption), limits.hashtags, limits.hashtagsInApp],
    ['post:mentions_count', 'mentions', mentionsIn(caption).length, limits.mentions, limits.mentionsInApp],
  ] as const) {
    const { value: inApp } = mostInApp
    yield* tooMany(code, steps, most, actual, `${what} in a caption`)
    if (actual > inApp && actual <= most.value) {
      const message = `The caption has ${actual} ${what}. The Instagram app is said to take no more than ${inApp}; others may not count.`
      yield warn(code, steps, message, { limit: inApp, actual })
    }
  }
}

function* tooMany(code: Finding['code'], steps: Finding['steps'], most: Limit, actual: number, what: string) {
  const limit = most.value
  if (actual <= limit) return
  const message = `Instagram takes at most ${limit} ${what}; this one has ${actual}. Remove ${actual - limit}.`
  yield refuse(code, steps, message, { limit, actual })
}

/** `inEntry`: where the handle is in an entry of the list. */
function* checkHandles(
  written: readonly string[],
  steps: Finding['steps'],
  most: Limit,
  what: string,
  inEntry: Finding['steps'] = [],
): Generator<Finding> {
  for (const [index, each] of written.entries()) {
    const message = `Instagram knows no handles such as "${each.slice(0, 40)}". Use 1 to 30 letters, digits, dots and underscores, without @.`
    if (!HANDLE.test(handle(each))) yield invalid([...steps, index, ...inEntry], message)
  }
  yield* tooMany('post:field_invalid', steps, most, new Set(written.map(handle)).size, what)
}

function* checkFields({ fields, media, signIn }: PostToCheck, read: Fields): Generator<Finding> {
  const { type, collaborators, firstComment, audio, audioName, cover } = read
  const isStory = type === 'STORY'
  if (isStory && collaborators.length > 0) {
    yield invalid(['collaborators'], 'Stories on Instagram take no collaborators. Remove them.')
  } else if (collaborators.length > 0) {
    const written = fields.collaborators as string[]
    yield* checkHandles(written, ['collaborators'], limits.collaborators, 'collaborators on a post')
  }

  const limit = limits.commentLength.value
  const actual = codePoints(firstComment ?? '')
  if (isStory && firstComment !== null) {
    yield invalid(['firstComment'], 'Stories on Instagram take no comments. Remove the first comment.')
  } else if (actual > limit) {
    const message = `The first comment has ${actual} characters. Instagram does not say how many it takes; more than ${limit} are likely to be refused.`
    yield warn('post:field_too_long', ['firstComment'], message, { limit, actual })
  }

  const onlyReels = (what: string) => `Only reels on Instagram have ${what}. Remove it or use type REEL.`
  if (type !== 'REEL') {
    if (audioName !== null) yield invalid(['audioName'], onlyReels('a named sound'))
    if (audio !== null) yield invalid(['audio'], onlyReels('a track'))
  } else if (audio !== null && signIn === OWN_SIGN_IN) {
    yield invalid(['audio'], NO_TRACKS)
  } else if (audio !== null && !/^\d{1,30}$/.test(audio)) {
    yield invalid(['audio'], 'Instagram knows tracks by the id of its audio library, which is a number. Give that id.')
  }

  if (cover === null || cover === 0) return
  const film = media.find(({ facts }) => facts.type === 'VIDEO')
  const durationMs = film?.facts.durationMs ?? null
  if (!film || isStory) {
    const why = isStory ? 'a story has no cover' : 'the post has no video'
    yield unsent(['videoCoverImage'], `The cover is not sent to Instagram, because ${why}.`)
  } else if (durationMs !== null && Math.floor(cover * 1000) >= durationMs) {
    const message = `Instagram takes the cover from within the video, which is ${durationMs / 1000} seconds long; ${cover} is behind its end. Choose an earlier second.`
    yield invalid(['videoCoverImage'], message)
  }
}
