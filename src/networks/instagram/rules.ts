import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { codePoints } from '../kit/text.ts'
import { hashtagsIn, isFarTooLong, mentionsIn } from '../kit/text-rules.ts'
import type { Finding, Limit, PostToCheck, TextCount } from '../network.ts'
import { type Fields, fieldsOf, handle, POST_TYPES, type PostType } from './fields.ts'
import { forms, limits, OWN_SIGN_IN } from './manifest.ts'

const network = 'Instagram'
/** What an account may be called. */
const HANDLE = /^[A-Za-z0-9._]{1,30}$/

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
const reel: ItemRules = {
  ...video,
  what: 'A reel',
  maxBytes: limits.reelBytes,
  minSeconds: limits.reelMinSeconds,
  maxSeconds: limits.reelMaxSeconds,
  minRatio: limits.reelMinRatio,
  maxRatio: limits.reelMaxRatio,
}
const videos: Record<PostType, ItemRules> = {
  IMAGE: reel,
  REEL: reel,
  CAROUSEL: {
    ...reel,
    what: 'A video in a carousel',
    advised: { ...video.advised, maxSeconds: limits.carouselVideoSeconds },
  },
  STORY: {
    ...video,
    what: 'A story',
    maxBytes: limits.storyBytes,
    minSeconds: limits.storyMinSeconds,
    maxSeconds: limits.storyMaxSeconds,
    minRatio: limits.storyMinRatio,
    maxRatio: limits.storyMaxRatio,
  },
}

/** Everything that Instagram is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck): Finding[] {
  const fields = fieldsOf(post.fields)
  const { type } = fields
  if (!POST_TYPES.includes(type)) {
    return [invalid(['type'], `Instagram has no posts of type ${type}. Use ${POST_TYPES.join(', ')}.`)]
  }
  const pictures = type === 'STORY' ? storyImage : image
  return [
    ...checkText(post, type),
    ...checkForm(network, forms[type], post.media),
    ...checkFields(post, fields),
    ...post.media.flatMap((item, index) =>
      checkItem(network, item, ['media', index], item.facts.type === 'VIDEO' ? videos[type] : pictures),
    ),
    ...post.media.flatMap(({ tags }, index) => {
      const handles = tags.map(({ text }) => text)
      return checkHandles(handles, ['media', index, 'tags'], limits.tagsPerMedia, 'tags on a media item', ['text'])
    }),
    ...checkRatios(post, type),
  ]
}

const invalid = (steps: Finding['steps'], message: string) => refuse('post:field_invalid', steps, message)
const unsent = (steps: Finding['steps'], message: string) => warn('post:field_invalid', steps, message)

function tooMany(code: Finding['code'], steps: Finding['steps'], most: Limit, actual: number, what: string): Finding[] {
  const limit = most.value
  if (actual <= limit) return []
  const message = `Instagram takes at most ${limit} ${what}; this one has ${actual}. Remove ${actual - limit}.`
  return [refuse(code, steps, message, { limit, actual })]
}

/** Counted in UTF-16 code units. */
export function countCaption({ caption, fields }: PostToCheck): TextCount | null {
  if (fieldsOf(fields).type === 'STORY') return null
  return { actual: caption.length, limit: limits.captionLength.value }
}

function checkText(post: PostToCheck, type: PostType): Finding[] {
  const { caption } = post
  const steps = ['caption']
  if (type === 'STORY') {
    const message = 'Instagram shows no caption on a story. It is kept here and not sent.'
    return caption.trim() === '' ? [] : [unsent(steps, message)]
  }
  const limit = limits.captionLength
  const findings = checkCaption(post, { network, limit, actual: caption.length })
  if (isFarTooLong(caption.length, limit)) return findings
  for (const [code, what, actual, most, mostInApp] of [
    ['post:hashtags_count', 'hashtags', hashtagsIn(caption).length, limits.hashtags, limits.hashtagsInApp],
    ['post:mentions_count', 'mentions', mentionsIn(caption).length, limits.mentions, limits.mentionsInApp],
  ] as const) {
    findings.push(...tooMany(code, steps, most, actual, `${what} in a caption`))
    if (actual > mostInApp.value && actual <= most.value) {
      const message = `The caption has ${actual} ${what}. The Instagram app is said to take no more than ${mostInApp.value}; others may not count.`
      findings.push(warn(code, steps, message, { limit: mostInApp.value, actual }))
    }
  }
  return findings
}

/** `inEntry`: where the handle stands in an entry of the list. */
function checkHandles(
  written: readonly string[],
  steps: Finding['steps'],
  most: Limit,
  what: string,
  inEntry: Finding['steps'] = [],
): Finding[] {
  const findings = written.flatMap((each, index) => {
    const message = `Instagram knows no handles such as "${each.slice(0, 40)}". Use 1 to 30 letters, digits, dots and underscores, without @.`
    return HANDLE.test(handle(each)) ? [] : [invalid([...steps, index, ...inEntry], message)]
  })
  return [...findings, ...tooMany('post:field_invalid', steps, most, new Set(written.map(handle)).size, what)]
}

function* checkFields(post: PostToCheck, fields: Fields): Generator<Finding> {
  const { type, firstComment, audio, audioName } = fields
  const isStory = type === 'STORY'
  if (isStory && fields.collaborators.length > 0) {
    yield invalid(['collaborators'], 'Stories on Instagram take no collaborators. Remove them.')
  } else if (fields.collaborators.length > 0) {
    const written = post.fields.collaborators as string[]
    yield* checkHandles(written, ['collaborators'], limits.collaborators, 'collaborators on a post')
  }

  const limit = limits.commentLength.value
  const length = codePoints(firstComment ?? '')
  if (isStory && firstComment !== null) {
    yield invalid(['firstComment'], 'Stories on Instagram take no comments. Remove the first comment.')
  } else if (length > limit) {
    const message = `The first comment has ${length} characters. Instagram does not say how many it takes; more than ${limit} are likely to be refused.`
    yield warn('post:field_too_long', ['firstComment'], message, { limit, actual: length })
  }

  const onlyReels = (what: string) => `Only reels on Instagram have ${what}. Remove it or use type REEL.`
  if (type !== 'REEL') {
    if (audioName !== null) yield invalid(['audioName'], onlyReels('a named sound'))
    if (audio !== null) yield invalid(['audio'], onlyReels('a track'))
  } else if (audio !== null && post.signIn === OWN_SIGN_IN) {
    yield invalid(
      ['audio'],
      'Instagram has no tracks of its audio library for accounts that are connected without a Facebook Page. Remove the track, or connect the account with Facebook.',
    )
  } else if (audio !== null && !/^\d{1,30}$/.test(audio)) {
    yield invalid(['audio'], 'Instagram knows tracks by the id of its audio library, which is a number. Give that id.')
  }
  yield* checkCover(post, fields)
}

function checkCover({ media }: PostToCheck, { type, cover }: Fields): Finding[] {
  if (cover === null || cover === 0) return []
  const steps = ['videoCoverImage']
  const film = media.find(({ facts }) => facts.type === 'VIDEO')
  if (!film || type === 'STORY') {
    const why = type === 'STORY' ? 'a story has no cover' : 'the post has no video'
    return [unsent(steps, `Instagram is not told of the cover, because ${why}.`)]
  }
  const { durationMs } = film.facts
  if (durationMs === null || Math.floor(cover * 1000) < durationMs) return []
  const message = `Instagram takes the cover from within the video, which is ${durationMs / 1000} seconds long; ${cover} is behind its end. Choose an earlier second.`
  return [invalid(steps, message)]
}

function checkRatios({ media }: PostToCheck, type: PostType): Finding[] {
  const [first, ...others] = media.map(({ facts }) => facts.width / facts.height)
  if (type !== 'CAROUSEL' || first === undefined) return []
  if (others.every((ratio) => Math.abs(ratio - first) <= 0.01)) return []
  const message = 'Instagram crops all items of a carousel to the shape of the first one, and these differ in shape.'
  return [warn('post:media_ratio', ['media'], message)]
}
