import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { codePoints } from '../kit/text.ts'
import type { CheckedMedia, Finding, PostToCheck, TextCount } from '../network.ts'
import { type Fields, fieldsOf, isReel, reel } from './fields.ts'
import { forms, limits, type PostType } from './manifest.ts'
import { isOwn, isPageId } from './message.ts'

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
export function checkPost(post: PostToCheck): Finding[] {
  const fields = fieldsOf(post.fields)
  const { type } = fields
  if (!Object.hasOwn(forms, type)) {
    const message = `Facebook has no posts of type ${type}. Use ${Object.keys(forms).join(', ')}.`
    return [refuse('post:field_invalid', ['type'], message)]
  }
  const { cardsMax, cardsShown } = limits
  const hidden = `Facebook takes up to ${cardsMax.value} cards and shows the first ${cardsShown.value}.`
  return [
    ...checkText(post, fields),
    ...checkForm(network, forms[type], post.media),
    ...checkCover(fields),
    ...(type === 'TEXT' ? [] : post.media.flatMap((media, index) => checkMedia(media, ['media', index], type))),
    ...(type === 'CAROUSEL' && post.media.length > cardsShown.value
      ? [warn('post:media_count', ['media'], hidden)]
      : []),
  ]
}

/** Counted in UTF-16 code units. */
export function countCaption({ caption, fields }: PostToCheck): TextCount | null {
  if (fieldsOf(fields).type === 'STORY') return null
  return { actual: caption.length, limit: limits.messageLength.value }
}

/** Only Pages can be mentioned, by their ids; people cannot. */
function checkText(post: PostToCheck, { type, richCaption = [] }: Fields): Finding[] {
  if (type === 'STORY') {
    const message = 'Facebook shows no caption on a story. It is kept here and not sent.'
    return post.caption.trim() === '' ? [] : [warn('post:field_invalid', ['caption'], message)]
  }
  const length = { network, limit: limits.messageLength, actual: post.caption.length }
  const mentions = richCaption.flatMap((segment, index) => {
    if (typeof segment === 'string' || !segment.mention || isPageId(segment.mention.id.trim())) return []
    const message = `Facebook mentions Pages by their id, which is a number; "${segment.mention.id.slice(0, 40)}" is none. The text is sent without the mention.`
    return [warn('post:field_invalid', ['richCaption', index, 'mention', 'id'], message)]
  })
  return [...checkCaption(post, length, type === 'TEXT' ? 'always' : undefined), ...mentions]
}

/** The network takes a picture as cover or chooses one, and takes no moment of the video. */
function checkCover({ type, videoCoverImageSeconds }: Fields): Finding[] {
  if (!videoCoverImageSeconds) return []
  const message = ['VIDEO', 'REEL'].includes(type)
    ? 'Facebook takes no moment of the video as its cover, and chooses one itself. Change it on the Page.'
    : `Facebook is not told of the cover, because a post of type ${type} has none.`
  return [warn('post:field_invalid', ['videoCoverImageSeconds'], message)]
}

function checkMedia(media: CheckedMedia, steps: Finding['steps'], type: PostType): Finding[] {
  const isVideo = media.facts.type === 'VIDEO'
  const pictures = type === 'CAROUSEL' ? card : image
  return [
    ...checkItem(network, media, steps, isVideo ? (videos[type] ?? { ...pictures, what: 'A video' }) : pictures),
    ...(type === 'VIDEO' && isVideo ? checkWhetherReel(media.facts, steps) : []),
    ...(type === 'CAROUSEL' ? checkCard(media, steps) : []),
  ]
}

/** Short upright videos become reels, whether one asks for it or not. */
function checkWhetherReel(facts: CheckedMedia['facts'], steps: Finding['steps']): Finding[] {
  const isShort = (facts.durationMs ?? 0) / 1000 <= limits.reelMaxSeconds.value
  if (!isShort || facts.height <= facts.width) return []
  const message = isReel(facts)
    ? 'Facebook makes a reel of an upright video of up to 90 seconds, so it is sent as one. Choose type REEL to say so.'
    : 'Facebook may make a reel of an upright video of up to 90 seconds, and may leave it unshared as a draft. Crop it to 9:16 and choose type REEL to be sure.'
  return [warn('post:media_ratio', steps, message)]
}

function checkCard(media: CheckedMedia, steps: Finding['steps']): Finding[] {
  const cut = { title: limits.cardTitle.value, description: limits.cardDescription.value }
  const words = (['title', 'description'] as const).flatMap((name) => {
    const actual = codePoints(media[name]?.trim() ?? '')
    const message = `Facebook cuts the ${name} of a card after about ${cut[name]} characters; this one has ${actual}.`
    const finding = warn('post:field_too_long', [...steps, name], message, { limit: cut[name], actual })
    return actual > cut[name] ? [finding] : []
  })
  return [...checkLink(media.link?.trim() ?? '', [...steps, 'link']), ...words]
}

function checkLink(link: string, steps: Finding['steps']): Finding[] {
  const url = URL.parse(link)
  if (link === '') {
    const message =
      'A carousel on Facebook is made of links: every item needs one. Give this item a link, or choose type MULTI_IMAGE.'
    return [refuse('post:field_required', steps, message)]
  }
  if (!url || !/^https?:$/.test(url.protocol)) {
    const message = `Facebook takes web addresses as links of cards; "${link.slice(0, 80)}" is none. Write it with https://.`
    return [refuse('post:field_invalid', steps, message)]
  }
  const message = 'Facebook may refuse cards that lead to Facebook itself. Use another link.'
  return isOwn(url) ? [warn('post:field_invalid', steps, message)] : []
}
