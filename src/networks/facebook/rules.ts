import { checkFirstComment, firstCommentOf, refuseComment } from '../kit/first-comment.ts'
import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { codePoints } from '../kit/text.ts'
import type { CheckedMedia, Finding, PostToCheck, TextCount } from '../network.ts'
import { forms, limits, type PostType } from './manifest.ts'
import { type Fields, fieldsOf, isOwn, isPageId, isReel, reel } from './post.ts'

const network = 'Facebook'
const unsent = {
  link: 'Facebook has links on the items of a carousel only.',
  tags: 'Facebook lets no program tag people by their handles.',
}
/** Format and size of images are not looked at: they are fitted on the way. */
const image: ItemRules = { what: 'An image', unsent }
/** A card shows its picture, a title and a description, and leads to its link. */
const card: ItemRules = {
  what: 'A picture of a card',
  unsent: { tags: unsent.tags },
  advised: { minWidth: limits.cardPixels, minHeight: limits.cardPixels, says: 'looks coarse' },
}
const formats: ItemRules = {
  what: 'A video',
  unsent,
  mimeTypes: ['video/mp4', 'video/quicktime'],
  videoCodecs: ['avc', 'hevc', 'vp9', 'av1'],
  audioCodecs: ['aac'],
  formats: 'MP4 or MOV with H.264, H.265, VP9 or AV1 and AAC',
  maxBytes: limits.videoBytes,
}
const upright = { ...formats, ...reel, minFrameRate: limits.minFrameRate, maxFrameRate: limits.maxFrameRate }
const videos: Partial<Record<PostType, ItemRules>> = {
  REEL: { ...upright, what: 'A reel' },
  STORY: { ...upright, what: 'A story', minSeconds: limits.storyMinSeconds, maxSeconds: limits.storyMaxSeconds },
  VIDEO: { ...formats, maxSeconds: limits.videoMaxSeconds },
}

/** Everything that Facebook is known to refuse, and what it would do other than people expect, as warnings. */
export const checkPost = (post: PostToCheck): Finding[] => [...findingsOf(post, fieldsOf(post.fields))]

/** Counted in UTF-16 code units. */
export function countCaption({ caption, fields }: PostToCheck): TextCount | null {
  if (fieldsOf(fields).type === 'STORY') return null
  return { actual: caption.length, limit: limits.messageLength.value }
}

type Findings = Generator<Finding>
const invalid = (steps: Finding['steps'], message: string) => refuse('post:field_invalid', steps, message)
const odd = (steps: Finding['steps'], message: string) => warn('post:field_invalid', steps, message)

function* findingsOf(post: PostToCheck, fields: Fields): Findings {
  const { type, videoCoverImageSeconds } = fields
  if (!Object.hasOwn(forms, type)) {
    yield invalid(['type'], `Facebook has no posts of type ${type}. Use ${Object.keys(forms).join(', ')}.`)
    return
  }
  yield* checkText(post, fields)
  yield* checkComment(post, type)
  yield* checkForm(network, forms[type], post.media)
  // The network takes a picture as cover or chooses one, and takes no moment of the video.
  if (videoCoverImageSeconds) {
    const message = ['VIDEO', 'REEL'].includes(type)
      ? 'Facebook takes no moment of the video as its cover, and chooses one itself. Change it on the Page.'
      : `Facebook is not told of the cover, because a post of type ${type} has none.`
    yield odd(['videoCoverImageSeconds'], message)
  }
  if (type !== 'TEXT') for (const [index, item] of post.media.entries()) yield* checkMedia(item, ['media', index], type)
  const { cardsMax, cardsShown } = limits
  if (type === 'CAROUSEL' && post.media.length > cardsShown.value) {
    const message = `Facebook takes up to ${cardsMax.value} cards and shows the first ${cardsShown.value}.`
    yield warn('post:media_count', ['media'], message)
  }
}

function* checkText(post: PostToCheck, { type, richCaption = [] }: Fields): Findings {
  const { caption } = post
  if (type === 'STORY') {
    const message = 'Facebook shows no caption on a story. It is kept here and not sent.'
    if (caption.trim() !== '') yield odd(['caption'], message)
    return
  }
  const length = { network, limit: limits.messageLength, actual: caption.length }
  yield* checkCaption(post, length, type === 'TEXT' ? 'always' : undefined)
  for (const [index, segment] of richCaption.entries()) {
    // Only Pages can be mentioned, by their ids; people cannot.
    if (typeof segment === 'string' || !segment.mention || isPageId(segment.mention.id.trim())) continue
    const message = `Facebook mentions Pages by their id, which is a number; "${segment.mention.id.slice(0, 40)}" is none. The text is sent without the mention.`
    yield odd(['richCaption', index, 'mention', 'id'], message)
  }
}

function* checkComment(post: PostToCheck, type: PostType): Findings {
  const text = firstCommentOf(post)
  if (text === null) return
  if (type === 'STORY') yield refuseComment('Stories on Facebook take no comments. Remove the first comment.')
  else yield* checkFirstComment(text, { network, limit: limits.commentLength, actual: text.length })
}

function* checkMedia(item: CheckedMedia, steps: Finding['steps'], type: PostType): Findings {
  const { facts } = item
  const pictures = type === 'CAROUSEL' ? card : image
  const isVideo = facts.type === 'VIDEO'
  yield* checkItem(network, item, steps, isVideo ? (videos[type] ?? { ...pictures, what: 'A video' }) : pictures)
  if (type === 'CAROUSEL') yield* checkCard(item, steps)
  // Short upright videos become reels, whether one asks for it or not.
  const isShort = (facts.durationMs ?? 0) / 1000 <= limits.reelMaxSeconds.value
  if (type !== 'VIDEO' || !isVideo || !isShort || facts.height <= facts.width) return
  const message = isReel(facts)
    ? 'Facebook makes a reel of an upright video of up to 90 seconds, so it is sent as one. Choose type REEL to say so.'
    : 'Facebook may make a reel of an upright video of up to 90 seconds, and may leave it unshared as a draft. Crop it to 9:16 and choose type REEL to be sure.'
  yield warn('post:media_ratio', steps, message)
}

function* checkCard(item: CheckedMedia, steps: Finding['steps']): Findings {
  yield* checkLink(item.link?.trim() ?? '', [...steps, 'link'])
  for (const [name, { value: limit }] of [
    ['title', limits.cardTitle],
    ['description', limits.cardDescription],
  ] as const) {
    const actual = codePoints(item[name]?.trim() ?? '')
    const message = `Facebook cuts the ${name} of a card after about ${limit} characters; this one has ${actual}.`
    if (actual > limit) yield warn('post:field_too_long', [...steps, name], message, { limit, actual })
  }
}

function* checkLink(link: string, steps: Finding['steps']): Findings {
  const url = URL.parse(link)
  if (link === '') {
    const message =
      'A carousel on Facebook is made of links: every item needs one. Give this item a link, or choose type MULTI_IMAGE.'
    yield refuse('post:field_required', steps, message)
  } else if (!url || !/^https?:$/.test(url.protocol)) {
    const words = `"${link.slice(0, 80)}" is none. Write it with https://.`
    yield invalid(steps, `Facebook takes web addresses as links of cards; ${words}`)
  } else if (isOwn(url)) {
    yield odd(steps, 'Facebook may refuse cards that lead to Facebook itself. Use another link.')
  }
}
