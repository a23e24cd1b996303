import type { CheckedMedia, Defaults, Finding, Limit, PostToCheck } from '../network.ts'
import { checkFile, type FileRules } from '../toolkit/media-rules.ts'
import { isFarTooLong, tooLong } from '../toolkit/text-rules.ts'
import { cashtagsIn, hasInvalidCharacters, weightedLength } from './count-text.ts'
import { limits } from './manifest.ts'

/** Everything that X is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck, defaults: Defaults): Finding[] {
  return [
    ...checkCaption(post, defaults.longPosts === true),
    ...checkCount(post.media),
    ...post.media.flatMap((media, index) => checkItem(media, ['media', index])),
  ]
}

/** An animated GIF goes out as it is; an animated image of another format is sent as a picture. */
export const isGif = ({ facts }: CheckedMedia): boolean => facts.mimeType === 'image/gif' && facts.animated

function checkCaption({ caption, media }: PostToCheck, longPosts: boolean): Finding[] {
  const steps = ['caption']
  const limit = longPosts ? limits.longTextLength : limits.textLength
  const length = weightedLength(caption, 2 * limit.value)
  const findings = checkLength(length, limit)
  if (isFarTooLong(length, limit)) return findings
  if (caption.trim() === '' && media.length === 0) {
    const message = 'A post on X needs a text or media. Write a caption, or add an image or a video.'
    findings.push({ code: 'post:caption_required', steps, message })
  }
  if (hasInvalidCharacters(caption)) {
    const message = 'The caption holds a character that X takes in no post, such as a byte order mark. Remove it.'
    findings.push({ code: 'post:field_invalid', steps, message })
  }
  const cashtags = cashtagsIn(caption).length
  const most = limits.cashtags.value
  if (cashtags > most) {
    const message = `X takes at most ${most} cashtag in a post; this one has ${cashtags}. Write the others without "$".`
    findings.push({ code: 'post:field_invalid', steps, limit: most, actual: cashtags, message })
  }
  return findings
}

function checkLength(actual: number, limit: Limit): Finding[] {
  const found = tooLong({
    network: 'X',
    what: 'captions',
    unit: 'characters (a link counts 23, an emoji 2)',
    steps: ['caption'],
    limit,
    actual,
  })
  if (limit === limits.longTextLength) return found
  return found.map((finding) => ({
    ...finding,
    message: `${finding.message} If the account has X Premium, turn on "Long posts" among its publishing defaults.`,
  }))
}

function checkCount(media: readonly CheckedMedia[]): Finding[] {
  const steps = ['media']
  const gifs = media.filter(isGif).length
  const videos = media.filter(({ facts }) => facts.type === 'VIDEO').length
  const images = media.length - gifs - videos
  const kinds = [gifs, videos, images].filter((count) => count > 0).length
  if (kinds > 1) {
    const message =
      'A post on X holds up to four images, or one animated GIF, or one video, and no mixture. Keep one kind.'
    return [{ code: 'post:media_mix', steps, message }]
  }
  for (const [actual, limit, what] of [
    [images, limits.images.value, 'images'],
    [gifs, limits.gifs.value, 'animated GIF'],
    [videos, limits.videos.value, 'video'],
  ] as const) {
    if (actual <= limit) continue
    const message = `X takes at most ${limit} ${what} in a post; this one has ${actual}. Remove ${actual - limit}.`
    return [{ code: 'post:media_count', steps, limit, actual, message }]
  }
  return []
}

const IMAGE: FileRules = {
  network: 'X',
  what: 'An image',
  mimeTypes: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
  formats: 'JPEG, PNG, WebP or GIF',
}
const GIF: FileRules = {
  network: 'X',
  what: 'An animated GIF',
  maxBytes: limits.gifBytes,
  maxWidth: limits.gifMaxWidth,
  maxHeight: limits.gifMaxHeight,
}
const VIDEO: FileRules = {
  network: 'X',
  what: 'A video',
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

/** Format and size of images are not looked at but for animated ones: they are fitted on the way. */
function checkItem(media: CheckedMedia, steps: Finding['steps']): Finding[] {
  const { facts } = media
  const isVideo = facts.type === 'VIDEO'
  const findings = checkFile(facts, steps, isVideo ? VIDEO : isGif(media) ? GIF : IMAGE)
  if (isVideo) findings.push(...checkVideoSize(media, steps))
  if (facts.animated && !isVideo && !isGif(media)) {
    const message =
      'X plays animations of GIF files alone; of this image the first picture is sent. Use a GIF or a video to keep the motion.'
    findings.push({ code: 'post:media_type', steps, message, warning: true })
  }
  findings.push(...checkAltText(media, steps, isVideo))
  if (media.tags.length > 0) {
    const message = 'X knows tagged accounts by number and not by name. The tags are kept here and not sent.'
    findings.push({ code: 'post:field_invalid', steps: [...steps, 'tags'], message, warning: true })
  }
  return findings
}

function checkVideoSize({ facts }: CheckedMedia, steps: Finding['steps']): Finding[] {
  const [long, short] = [Math.max(facts.width, facts.height), Math.min(facts.width, facts.height)]
  const { videoAdvisedLongSide, videoAdvisedShortSide, videoMaxSide } = limits
  if (long > videoMaxSide.value) return []
  const broken =
    long > videoAdvisedLongSide.value
      ? { limit: videoAdvisedLongSide.value, actual: long }
      : short > videoAdvisedShortSide.value
        ? { limit: videoAdvisedShortSide.value, actual: short }
        : null
  if (!broken) return []
  const message = `X promises to take videos of up to 1280x1024; this one is ${facts.width}x${facts.height}. Larger ones work for most accounts, and may be refused.`
  return [{ code: 'post:media_dimensions', steps, ...broken, message, warning: true }]
}

function checkAltText({ altText }: CheckedMedia, steps: Finding['steps'], isVideo: boolean): Finding[] {
  const at = [...steps, 'altText']
  if (!altText?.trim()) return []
  if (isVideo) {
    const message = 'X takes alternative texts of images alone. This one is kept here and not sent.'
    return [{ code: 'post:field_invalid', steps: at, message, warning: true }]
  }
  return tooLong({
    network: 'X',
    what: 'alternative texts',
    code: 'post:field_too_long',
    steps: at,
    limit: limits.altTextLength,
    actual: altText.length,
  })
}
