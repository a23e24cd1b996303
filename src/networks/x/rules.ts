import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { isFarTooLong } from '../kit/text-rules.ts'
import type { CheckedMedia, Defaults, Finding, PostToCheck, TextCount } from '../network.ts'
import { cashtagsIn, hasInvalidCharacters, replaceLinks, weightedLength } from './count-text.ts'
import { form, limits } from './manifest.ts'

const network = 'X'
const unsent = { tags: 'X knows tagged accounts by number and not by name.' }
/** Format and size of images are not looked at but for animated ones: they are fitted on the way. */
const image: ItemRules = {
  what: 'An image',
  unsent,
  motion: {
    isKept: (item) => isGif(item),
    message:
      'X plays animations of GIF files alone; of this image the first picture is sent. Use a GIF or a video to keep the motion.',
  },
  mimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  formats: 'JPEG, PNG, WebP or GIF',
  altText: { limit: limits.altTextLength },
}
const gif: ItemRules = {
  ...image,
  what: 'An animated GIF',
  maxBytes: limits.gifBytes,
  maxWidth: limits.gifMaxWidth,
  maxHeight: limits.gifMaxHeight,
}
const longVideo: ItemRules = {
  what: 'A video',
  unsent: { ...unsent, altText: 'X takes alternative texts of images alone.' },
  mimeTypes: ['video/mp4', 'video/quicktime'],
  videoCodecs: ['avc'],
  audioCodecs: ['aac'],
  formats: 'MP4 or MOV with H.264 and AAC',
  maxBytes: limits.longVideoBytes,
  minWidth: limits.videoMinSide,
  minHeight: limits.videoMinSide,
  maxWidth: limits.videoMaxSide,
  maxHeight: limits.videoMaxSide,
  minRatio: limits.videoMinRatio,
  maxRatio: limits.videoMaxRatio,
  minSeconds: limits.videoMinSeconds,
  maxSeconds: limits.longVideoMaxSeconds,
  maxFrameRate: limits.videoMaxFrameRate,
}
/** Of an account without Premium. X promises no more than 1280x1024, lying or upright. */
const videoOf = ({ facts }: CheckedMedia): ItemRules => {
  const [long, short] = [limits.videoAdvisedLongSide, limits.videoAdvisedShortSide]
  const [maxWidth, maxHeight] = facts.width < facts.height ? [short, long] : [long, short]
  const says = 'may be refused: larger ones are for accounts with X Premium, and work for most others'
  const advised = { maxWidth, maxHeight, says }
  return { ...longVideo, maxBytes: limits.videoBytes, maxSeconds: limits.videoMaxSeconds, advised }
}

/** Limits that accounts with Premium do not have. */
const WITHOUT_PREMIUM = [limits.textLength, limits.videoBytes, limits.videoMaxSeconds].map(({ value }) => value)
const PREMIUM = 'If the account has X Premium, sign in again, or turn on "X Premium" among its publishing defaults.'

/** Everything that X is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck, defaults: Defaults): Finding[] {
  const media = post.media.flatMap((item, index) => {
    const rules = isGif(item) ? gif : image
    const ofVideo = hasPremium(defaults) ? longVideo : videoOf(item)
    return checkItem(network, item, ['media', index], item.facts.type === 'IMAGE' ? rules : ofVideo)
  })
  return [...checkText(post, defaults), ...checkCount(post.media), ...media, ...checkCost(post)].map((finding) =>
    WITHOUT_PREMIUM.includes(finding.limit ?? 0) ? { ...finding, message: `${finding.message} ${PREMIUM}` } : finding,
  )
}

/** What a post costs an app that pays for each, in dollars: https://docs.x.com/x-api/getting-started/pricing, read 2026-11-23. */
const PRICE = { plain: 0.015, withLink: 0.2 }

/** Each part of a thread is a post. */
function checkCost({ caption, thread = [] }: PostToCheck): Finding[] {
  if (thread.length === 0) return []
  const texts = [caption, ...thread.map((part) => part.caption)]
  const prices = texts.map((text) => (replaceLinks(text, () => '') !== text ? PRICE.withLink : PRICE.plain))
  const sum = prices.reduce((one, other) => one + other, 0).toFixed(2)
  const message = `X counts each of the ${texts.length} parts as a post. Where the app pays for each they cost about $${sum}; a part with a link costs $0.20 instead of $0.015.`
  return [warn('post:thread_cost', ['thread'], message)]
}

/** An animated GIF goes out as it is; an animated image of another format is sent as a picture. */
export const isGif = ({ facts }: Pick<CheckedMedia, 'facts'>): boolean =>
  facts.mimeType === 'image/gif' && facts.animated

/** X reports it for every account; it may also be chosen. */
const hasPremium = ({ longPosts }: Defaults): boolean => longPosts === true

const textLimit = (defaults: Defaults) => (hasPremium(defaults) ? limits.longTextLength : limits.textLength)

/** A link counts 23, an emoji 2. */
export function countCaption({ caption }: PostToCheck, defaults: Defaults): TextCount {
  const limit = textLimit(defaults).value
  return { actual: weightedLength(caption, 2 * limit), limit }
}

function checkText(post: PostToCheck, defaults: Defaults): Finding[] {
  const limit = textLimit(defaults)
  const { actual } = countCaption(post, defaults)
  const unit = 'characters (a link counts 23, an emoji 2)'
  const findings = checkCaption(post, { network, unit, limit, actual }, 'without media')
  if (isFarTooLong(actual, limit)) return findings
  const invalid = (message: string, numbers?: { limit: number; actual: number }) =>
    findings.push(refuse('post:field_invalid', ['caption'], message, numbers))
  if (hasInvalidCharacters(post.caption)) {
    invalid('The caption holds a character that X takes in no post, such as a byte order mark. Remove it.')
  }
  const cashtags = cashtagsIn(post.caption).length
  const most = limits.cashtags.value
  if (cashtags > most) {
    const message = `X takes at most ${most} cashtag in a post; this one has ${cashtags}. Write the others without "$".`
    invalid(message, { limit: most, actual: cashtags })
  }
  return findings
}

/** An animated GIF is alone in its post. */
function checkCount(media: readonly CheckedMedia[]): Finding[] {
  const gifs = media.filter(isGif).length
  if (gifs === 0 || media.length === 1) return checkForm(network, form, media)
  if (gifs < media.length) {
    return [refuse('post:media_mix', ['media'], 'An animated GIF is alone in its post on X. Keep it, or the others.')]
  }
  const limit = limits.gifs.value
  const message = `X takes at most ${limit} animated GIF in a post; this one has ${gifs}. Remove ${gifs - limit}.`
  return [refuse('post:media_count', ['media'], message, { limit, actual: gifs })]
}
