import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { graphemes, utf8Bytes } from '../kit/text.ts'
import { isFarTooLong, tooLong } from '../kit/text-rules.ts'
import { canBeMp4 } from '../kit/videos.ts'
import type { CheckedMedia, Finding, PostToCheck, TextCount } from '../network.ts'
import { form, LIMITS } from './manifest.ts'
import { countedText, sentText } from './text.ts'

const network = 'Bluesky'
const ofSeveral =
  'Bluesky shows a moving picture only where it is the only item of a post; of this one the first picture is sent. Post it by itself to keep the motion.'
/** Formats of images that can be sent, or converted to one that can. */
const image: ItemRules = {
  what: 'An image',
  mimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  formats: 'JPEG, PNG, WebP or GIF',
}
const gifOfSeveral: ItemRules = { ...image, motion: { message: ofSeveral } }
/** An animated GIF by itself becomes a video. */
const video: ItemRules = {
  what: 'A video',
  maxBytes: LIMITS.videoBytes,
  maxSeconds: LIMITS.videoDuration,
  motion: { isKept: () => true, message: '' },
}

/**
 * Types of files that the video service makes an MP4 of, as the Bluesky app lists them. QuickTime is one of them too, but
 * goes out as an MP4 without its place.
 * Source: https://github.com/bluesky-social/social-app/blob/main/src/lib/constants.ts (read 2026-11-23).
 */
export const VIDEO_TYPES: readonly string[] = ['video/mp4', 'video/webm', 'video/mpeg']

/** Whether an item goes out as a video: a video, or an animated GIF that is the only item of its post. */
export const isMoving = ({ facts }: Pick<CheckedMedia, 'facts'>, items: number): boolean =>
  facts.type === 'VIDEO' || (facts.mimeType === 'image/gif' && facts.animated && items === 1)

/** What Bluesky takes: a text, up to twenty images or one video. */
export function checkPost(post: PostToCheck): Finding[] {
  const { media } = post
  const items = media.flatMap((item, index) => checkMedia(item, index, media.length))
  return [...checkText(post), ...checkForm(network, form, media), ...checkGallery(media), ...items]
}

function checkGallery(media: readonly CheckedMedia[]): Finding[] {
  const actual = media.filter(({ facts }) => facts.type === 'IMAGE').length
  const limit = LIMITS.imagesAdvised.value
  if (actual <= limit || actual > LIMITS.images.value) return []
  const message = `The post has ${actual} images. Bluesky takes them, but its app lets people choose ${limit} at most, and other apps may show fewer.`
  return [warn('post:media_count', ['media'], message, { limit, actual })]
}

/** Counted in graphemes, with links shortened; in bytes where there are far too many of them. */
export const countCaption = ({ caption }: PostToCheck): TextCount => countOf(countedText(caption))

function countOf(text: string): TextCount {
  const bytes = utf8Bytes(text)
  if (isFarTooLong(bytes, LIMITS.textBytes)) return { actual: bytes, limit: LIMITS.textBytes.value }
  return { actual: graphemes(text), limit: LIMITS.textGraphemes.value }
}

function checkText(post: PostToCheck): Finding[] {
  const counted = countedText(post.caption)
  const bytes = utf8Bytes(counted)
  const text = { network, what: 'captions', steps: ['caption'] }
  const heavy = tooLong({ ...text, unit: 'bytes of UTF-8', limit: LIMITS.textBytes, actual: bytes })
  if (isFarTooLong(bytes, LIMITS.textBytes)) return heavy
  // A link is shortened in the text, and goes out whole beside it.
  const longest = Math.max(0, ...sentText(post.caption).links.map(({ uri }) => utf8Bytes(uri)))
  const code = 'post:field_too_long'
  heavy.push(...tooLong({ ...text, code, what: 'links', unit: 'bytes', limit: LIMITS.linkBytes, actual: longest }))
  const { actual } = countOf(counted)
  return [...checkCaption(post, { network, limit: LIMITS.textGraphemes, actual }, 'without media'), ...heavy]
}

function checkMedia(item: CheckedMedia, index: number, items: number): Finding[] {
  const steps = ['media', index]
  const rules = item.facts.mimeType === 'image/gif' ? gifOfSeveral : image
  const findings = isMoving(item, items) ? checkVideo(item, steps) : checkItem(network, item, steps, rules)
  // Of the items that have to go, nothing is counted.
  const actual = index < LIMITS.images.value ? graphemes(item.altText ?? '') : 0
  const limit = LIMITS.altText.value
  if (actual <= limit) return findings
  const message = `The alternative text has ${actual} characters, the Bluesky app shows ${limit}. It is sent as it is.`
  return [...findings, warn('post:field_too_long', [...steps, 'altText'], message, { limit, actual })]
}

function checkVideo(item: CheckedMedia, steps: Finding['steps']): Finding[] {
  const { facts } = item
  const findings = checkItem(network, item, steps, video)
  if (facts.type === 'IMAGE' || canBeMp4(facts) || VIDEO_TYPES.includes(facts.mimeType)) return findings
  const codecs = [facts.videoCodec, facts.audioCodec].filter((codec) => codec !== null).join(' and ')
  const message = `Bluesky videos must be MP4, WebM or MPEG files, or MOV files with H.264 or HEVC and AAC; this is ${facts.mimeType} with ${codecs}. Convert the file to MP4.`
  return [refuse('post:media_type', steps, message), ...findings]
}
