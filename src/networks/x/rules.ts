import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { isFarTooLong } from '../kit/text-rules.ts'
import type { CheckedMedia, Defaults, Finding, PostToCheck, TextCount } from '../network.ts'
import { cashtagsIn, hasInvalidCharacters, weightedLength } from './count-text.ts'
import { form, limits } from './manifest.ts'

const network = 'X'
const both = {
  unsent: { tags: 'X knows tagged accounts by number and not by name.' },
  motion: {
    isKept: (item: CheckedMedia) => isGif(item),
    message:
      'X plays animations of GIF files alone; of this image the first picture is sent. Use a GIF or a video to keep the motion.',
  },
}
/** Format and size of images are not looked at but for animated ones: they are fitted on the way. */
const image: ItemRules = {
  ...both,
  what: 'An image',
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
const video: ItemRules = {
  what: 'A video',
  unsent: { ...both.unsent, altText: 'X takes alternative texts of images alone.' },
  mimeTypes: ['video/mp4', 'video/quicktime'],
  videoCodecs: ['avc'],
  audioCodecs: ['aac'],
  formats: 'MP4 or MOV with H.264 and AAC',
  maxBytes: limits.videoBytes,
  minWidth: limits.videoMinSide,
  minHeight: limits.videoMinSide,
  maxWidth: limits.videoMaxSide,
  maxHeight: limits.videoMaxSide,
  minRatio: limits.videoMinRatio,
  maxRatio: limits.videoMaxRatio,
  minSeconds: limits.videoMinSeconds,
  maxSeconds: limits.videoMaxSeconds,
  maxFrameRate: limits.videoMaxFrameRate,
}

const longVideo: ItemRules = { ...video, maxBytes: limits.longVideoBytes, maxSeconds: limits.longVideoMaxSeconds }

/** Everything that X is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck, defaults: Defaults): Finding[] {
  return [
    ...checkText(post, defaults),
    ...checkCount(post.media),
    ...post.media.flatMap((item, index) => checkMedia(item, ['media', index], defaults)),
  ]
}

/** An animated GIF goes out as it is; an animated image of another format is sent as a picture. */
export const isGif = ({ facts }: CheckedMedia): boolean => facts.mimeType === 'image/gif' && facts.animated

/** X tells it of every account; it may also be chosen. */
const hasPremium = ({ longPosts }: Defaults): boolean => longPosts === true

const textLimit = (defaults: Defaults) => (hasPremium(defaults) ? limits.longTextLength : limits.textLength)

const PREMIUM = 'If the account has X Premium, sign in again, or turn on "X Premium" among its publishing defaults.'

/** A link counts 23, an emoji 2. */
export function countCaption({ caption }: PostToCheck, defaults: Defaults): TextCount {
  const limit = textLimit(defaults).value
  return { actual: weightedLength(caption, 2 * limit), limit }
}

function checkText(post: PostToCheck, defaults: Defaults): Finding[] {
  const { caption } = post
  const steps = ['caption']
  const limit = textLimit(defaults)
  const { actual } = countCaption(post, defaults)
  const unit = 'characters (a link counts 23, an emoji 2)'
  const findings = checkCaption(post, { network, unit, limit, actual }, 'without media').map((finding) => {
    if (finding.code !== 'post:caption_too_long' || limit === limits.longTextLength) return finding
    return { ...finding, message: `${finding.message} ${PREMIUM}` }
  })
  if (isFarTooLong(actual, limit)) return findings
  if (hasInvalidCharacters(caption)) {
    const message = 'The caption holds a character that X takes in no post, such as a byte order mark. Remove it.'
    findings.push(refuse('post:field_invalid', steps, message))
  }
  const cashtags = cashtagsIn(caption).length
  const most = limits.cashtags.value
  if (cashtags > most) {
    const message = `X takes at most ${most} cashtag in a post; this one has ${cashtags}. Write the others without "$".`
    findings.push(refuse('post:field_invalid', steps, message, { limit: most, actual: cashtags }))
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

function checkMedia(item: CheckedMedia, steps: Finding['steps'], defaults: Defaults): Finding[] {
  if (item.facts.type === 'IMAGE') return checkItem(network, item, steps, isGif(item) ? gif : image)
  if (hasPremium(defaults)) return checkItem(network, item, steps, longVideo)
  const findings = checkItem(network, item, steps, video).map((finding) => {
    const isLimit = finding.limit === limits.videoMaxSeconds.value || finding.limit === limits.videoBytes.value
    return isLimit ? { ...finding, message: `${finding.message} ${PREMIUM}` } : finding
  })
  return [...findings, ...checkVideoSize(item, steps)]
}

function checkVideoSize({ facts }: CheckedMedia, steps: Finding['steps']): Finding[] {
  const [long, short] = [Math.max(facts.width, facts.height), Math.min(facts.width, facts.height)]
  const { videoAdvisedLongSide: wide, videoAdvisedShortSide: high, videoMaxSide } = limits
  if (long > videoMaxSide.value || (long <= wide.value && short <= high.value)) return []
  const [limit, actual] = long > wide.value ? [wide.value, long] : [high.value, short]
  const message = `X promises to take videos of up to 1280x1024; this one is ${facts.width}x${facts.height}. Larger ones are for accounts with X Premium; they work for most others, and may be refused.`
  return [warn('post:media_dimensions', steps, message, { limit, actual })]
}
