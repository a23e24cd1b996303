import type { CheckedMedia, Finding, Limit } from '../network.ts'
import { checkFile } from '../toolkit/media-rules.ts'
import { codePoints } from '../toolkit/text.ts'
import { isReel, type PostType } from './fields.ts'
import { limits } from './manifest.ts'
import { isOwn } from './message.ts'

const NETWORK = 'Facebook'
const FORMATS = {
  mimeTypes: ['video/mp4', 'video/quicktime'],
  videoCodecs: ['avc', 'hevc', 'vp9', 'av1'],
  audioCodecs: ['aac'],
  formats: 'MP4 or MOV with H.264, H.265, VP9 or AV1 and AAC',
  maxBytes: limits.videoBytes,
}
const SHORT = {
  ...FORMATS,
  minRatio: limits.reelRatio,
  maxRatio: limits.reelRatio,
  minWidth: limits.reelMinWidth,
  minHeight: limits.reelMinHeight,
  minFrameRate: limits.minFrameRate,
  maxFrameRate: limits.maxFrameRate,
}

/** One media item by itself. Format and size of images are not looked at: they are fitted on the way. */
export function checkMedia(media: CheckedMedia, index: number, type: PostType): Finding[] {
  const steps = ['media', index]
  if (type === 'TEXT') return []
  return [
    ...(media.facts.type === 'VIDEO' ? checkVideo(media.facts, steps, type) : checkImage(media.facts, steps)),
    ...(type === 'CAROUSEL' ? checkCard(media, steps) : checkUnused(media, steps)),
    ...(type === 'CAROUSEL' && index === limits.cardsShown.value ? [tooManyCards()] : []),
    ...checkTags(media, steps),
  ]
}

function checkImage(facts: CheckedMedia['facts'], steps: Finding['steps']): Finding[] {
  if (!facts.animated) return []
  const message = 'Facebook shows no animated images; the first picture is sent. Use a video to keep the motion.'
  return [warning('post:media_type', steps, message)]
}

function checkVideo(facts: CheckedMedia['facts'], steps: Finding['steps'], type: PostType): Finding[] {
  const file = (what: string, rules: object) => checkFile(facts, steps, { network: NETWORK, what, ...rules })
  switch (type) {
    case 'REEL':
      return file('A reel', { ...SHORT, minSeconds: limits.reelMinSeconds, maxSeconds: limits.reelMaxSeconds })
    case 'STORY':
      return file('A story', { ...SHORT, minSeconds: limits.storyMinSeconds, maxSeconds: limits.storyMaxSeconds })
    case 'VIDEO':
      return [...file('A video', { ...FORMATS, maxSeconds: limits.videoMaxSeconds }), ...checkWhetherReel(facts, steps)]
    default:
      return []
  }
}

/** Short upright videos become reels, whether one asks for it or not. */
function checkWhetherReel(facts: CheckedMedia['facts'], steps: Finding['steps']): Finding[] {
  const short = (facts.durationMs ?? 0) / 1000 <= limits.reelMaxSeconds.value
  if (!short || facts.height <= facts.width) return []
  const message = isReel(facts)
    ? 'Facebook makes a reel of an upright video of up to 90 seconds, so it is sent as one. Choose type REEL to say so.'
    : 'Facebook may make a reel of an upright video of up to 90 seconds, and may leave it unshared as a draft. Crop it to 9:16 and choose type REEL to be sure.'
  return [warning('post:media_ratio', steps, message)]
}

/** A card shows its picture, a title and a description, and leads to its link. */
function checkCard({ facts, link, title, description }: CheckedMedia, steps: Finding['steps']): Finding[] {
  const findings = checkLink(link?.trim() ?? '', [...steps, 'link'])
  for (const [name, text, limit] of [
    ['title', title, limits.cardTitle],
    ['description', description, limits.cardDescription],
  ] as const) {
    const actual = codePoints(text?.trim() ?? '')
    if (actual > limit.value) findings.push(cut(name, limit, actual, [...steps, name]))
  }
  const { value } = limits.cardPixels
  const actual = Math.min(facts.width, facts.height)
  if (actual < value) {
    const message = `Facebook shows pictures of cards best from ${value} by ${value} pixels on; this one is ${facts.width}x${facts.height}.`
    findings.push({ ...warning('post:media_dimensions', steps, message), limit: value, actual })
  }
  return findings
}

function checkLink(link: string, steps: Finding['steps']): Finding[] {
  if (link === '') {
    const message =
      'A carousel on Facebook is made of links: every item needs one. Give this item a link, or choose type MULTI_IMAGE.'
    return [{ code: 'post:field_required', steps, message }]
  }
  const url = URL.parse(link)
  if (!url || !/^https?:$/.test(url.protocol)) {
    const message = `Facebook takes web addresses as links of cards; "${link.slice(0, 80)}" is none. Write it with https://.`
    return [{ code: 'post:field_invalid', steps, message }]
  }
  if (!isOwn(url)) return []
  return [
    warning('post:field_invalid', steps, 'Facebook may refuse cards that lead to Facebook itself. Use another link.'),
  ]
}

function cut(name: string, limit: Limit, actual: number, steps: Finding['steps']): Finding {
  const message = `Facebook cuts the ${name} of a card after about ${limit.value} characters; this one has ${actual}.`
  return { ...warning('post:field_too_long', steps, message), limit: limit.value, actual }
}

function tooManyCards(): Finding {
  const message = `Facebook takes up to ${limits.cardsMax.value} cards and shows the first ${limits.cardsShown.value}.`
  return warning('post:media_count', ['media'], message)
}

function checkUnused({ link }: CheckedMedia, steps: Finding['steps']): Finding[] {
  if (!link?.trim()) return []
  const message = 'Facebook has links on the items of a carousel only. This one is kept here and not sent.'
  return [warning('post:field_invalid', [...steps, 'link'], message)]
}

function checkTags({ tags }: CheckedMedia, steps: Finding['steps']): Finding[] {
  if (tags.length === 0) return []
  const message = 'Facebook lets no program tag people by their handles. The tags are kept here and not sent.'
  return [warning('post:field_invalid', [...steps, 'tags'], message)]
}

const warning = (code: Finding['code'], steps: Finding['steps'], message: string): Finding => ({
  code,
  steps,
  message,
  warning: true,
})
