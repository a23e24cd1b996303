import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { codePoints } from '../kit/text.ts'
import { hashtagsIn, isFarTooLong, mentionsIn } from '../kit/text-rules.ts'
import type { CheckedMedia, Finding, PostToCheck, TextCount } from '../network.ts'
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
    ...checkText(post, fields),
    ...checkForm(network, forms[type], post.media),
    ...checkCollaborators(post, fields),
    ...checkComment(fields),
    ...checkSound(fields, post.signIn ?? null),
    ...checkCover(post, fields),
    ...post.media.flatMap((item, index) =>
      checkItem(network, item, ['media', index], item.facts.type === 'VIDEO' ? videos[type] : pictures),
    ),
    ...checkTags(post),
    ...checkRatios(post, fields),
  ]
}

const invalid = (steps: Finding['steps'], message: string, numbers?: Pick<Finding, 'limit' | 'actual'>) =>
  refuse('post:field_invalid', steps, message, numbers)
const untold = (steps: Finding['steps'], message: string) => warn('post:field_invalid', steps, message)

/** Counted in UTF-16 code units. */
export function countCaption({ caption, fields }: PostToCheck): TextCount | null {
  if (fieldsOf(fields).type === 'STORY') return null
  return { actual: caption.length, limit: limits.captionLength.value }
}

function checkText(post: PostToCheck, { type }: Fields): Finding[] {
  const { caption } = post
  const steps = ['caption']
  if (type === 'STORY') {
    if (caption.trim() === '') return []
    return [untold(steps, 'Instagram shows no caption on a story. It is kept here and not sent.')]
  }
  const limit = limits.captionLength
  const findings = checkCaption(post, { network, limit, actual: caption.length })
  if (isFarTooLong(caption.length, limit)) return findings
  for (const [code, what, actual, most, mostInApp] of [
    ['post:hashtags_count', 'hashtags', hashtagsIn(caption).length, limits.hashtags, limits.hashtagsInApp],
    ['post:mentions_count', 'mentions', mentionsIn(caption).length, limits.mentions, limits.mentionsInApp],
  ] as const) {
    if (actual > most.value) {
      const message = `Instagram takes at most ${most.value} ${what} in a caption; this one has ${actual}. Remove ${actual - most.value}.`
      findings.push(refuse(code, steps, message, { limit: most.value, actual }))
    } else if (actual > mostInApp.value) {
      const message = `The caption has ${actual} ${what}. The Instagram app is said to take no more than ${mostInApp.value}; others may not count.`
      findings.push(warn(code, steps, message, { limit: mostInApp.value, actual }))
    }
  }
  return findings
}

function checkCollaborators({ fields }: PostToCheck, { type, collaborators }: Fields): Finding[] {
  if (collaborators.length === 0) return []
  const steps = ['collaborators']
  if (type === 'STORY') return [invalid(steps, 'Stories on Instagram take no collaborators. Remove them.')]
  const written = fields.collaborators as string[]
  const findings = written.flatMap((each, index) => checkHandle(each, [...steps, index]))
  const limit = limits.collaborators.value
  const actual = collaborators.length
  if (actual <= limit) return findings
  const message = `Instagram takes at most ${limit} collaborators; this post has ${actual}. Remove ${actual - limit}.`
  return [...findings, invalid(steps, message, { limit, actual })]
}

function checkHandle(written: string, steps: Finding['steps']): Finding[] {
  if (HANDLE.test(handle(written))) return []
  const message = `Instagram knows no handles such as "${written.slice(0, 40)}". Use 1 to 30 letters, digits, dots and underscores, without @.`
  return [invalid(steps, message)]
}

function checkComment({ type, firstComment }: Fields): Finding[] {
  if (firstComment === null) return []
  const steps = ['firstComment']
  if (type === 'STORY') return [invalid(steps, 'Stories on Instagram take no comments. Remove the first comment.')]
  const limit = limits.commentLength.value
  const actual = codePoints(firstComment)
  if (actual <= limit) return []
  const message = `The first comment has ${actual} characters. Instagram does not say how many it takes; more than ${limit} are likely to be refused.`
  return [warn('post:field_too_long', steps, message, { limit, actual })]
}

function checkSound({ type, audio, audioName }: Fields, signIn: string | null): Finding[] {
  if (type === 'REEL') {
    if (audio !== null && signIn === OWN_SIGN_IN) {
      const message =
        'Instagram has no tracks of its audio library for accounts that are connected without a Facebook Page. Remove the track, or connect the account with Facebook.'
      return [invalid(['audio'], message)]
    }
    if (audio === null || /^\d{1,30}$/.test(audio)) return []
    return [
      invalid(['audio'], 'Instagram knows tracks by the id of its audio library, which is a number. Give that id.'),
    ]
  }
  const only = (steps: Finding['steps'], what: string) =>
    invalid(steps, `Only reels on Instagram have ${what}. Remove it or use type REEL.`)
  return [
    ...(audioName === null ? [] : [only(['audioName'], 'a named sound')]),
    ...(audio === null ? [] : [only(['audio'], 'a track')]),
  ]
}

function checkCover({ media }: PostToCheck, { type, cover }: Fields): Finding[] {
  if (cover === null || cover === 0) return []
  const steps = ['videoCoverImage']
  const film = media.find(({ facts }) => facts.type === 'VIDEO')
  if (!film || type === 'STORY') {
    const why = type === 'STORY' ? 'a story has no cover' : 'the post has no video'
    return [untold(steps, `Instagram is not told of the cover, because ${why}.`)]
  }
  const { durationMs } = film.facts
  if (durationMs === null || Math.floor(cover * 1000) < durationMs) return []
  const message = `Instagram takes the cover from within the video, which is ${durationMs / 1000} seconds long; ${cover} is behind its end. Choose an earlier second.`
  return [invalid(steps, message)]
}

function checkTags({ media }: PostToCheck): Finding[] {
  return media.flatMap(({ tags }: CheckedMedia, index) => {
    const steps = ['media', index, 'tags']
    const findings = tags.flatMap((tag, place) => checkHandle(tag.text, [...steps, place, 'text']))
    const limit = limits.tagsPerMedia.value
    const actual = new Set(tags.map((tag) => handle(tag.text))).size
    if (actual <= limit) return findings
    const message = `Instagram takes at most ${limit} tags on a media item; this one has ${actual}. Remove ${actual - limit}.`
    return [...findings, invalid(steps, message, { limit, actual })]
  })
}

function checkRatios({ media }: PostToCheck, { type }: Fields): Finding[] {
  const [first, ...others] = media.map(({ facts }) => facts.width / facts.height)
  if (type !== 'CAROUSEL' || first === undefined) return []
  if (others.every((ratio) => Math.abs(ratio - first) <= 0.01)) return []
  const message = 'Instagram crops all items of a carousel to the shape of the first one, and these differ in shape.'
  return [warn('post:media_ratio', ['media'], message)]
}
