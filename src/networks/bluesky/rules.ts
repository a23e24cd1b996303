import type { CheckedMedia, Finding, PostToCheck } from '../network.ts'
import { graphemes, utf8Bytes } from '../toolkit/text.ts'
import { isFarTooLong } from '../toolkit/text-rules.ts'
import { canBeMp4 } from '../toolkit/videos.ts'
import { LIMITS } from './manifest.ts'

/** Formats of images that can be sent, or converted to one that can. */
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/gif']

/** What Bluesky takes: a text, up to four images or one video. */
export function checkPost(post: PostToCheck): Finding[] {
  return [...checkText(post), ...checkCount(post.media), ...post.media.flatMap(checkItem)]
}

function checkText({ caption, media }: PostToCheck): Finding[] {
  const steps = ['caption']
  const bytes = utf8Bytes(caption)
  if (isFarTooLong(bytes, LIMITS.textBytes)) return checkBytes(bytes, 'Shorten it.')
  const findings: Finding[] = []
  if (caption.trim() === '' && media.length === 0) {
    const message = 'A Bluesky post needs a caption or media. Write a text, or add an image or a video.'
    findings.push({ code: 'post:caption_required', steps, message })
  }
  if (!caption.isWellFormed()) {
    const message = 'The caption holds half of a character, which Bluesky cannot store. Remove the broken character.'
    findings.push({ code: 'post:field_invalid', steps, message })
  }
  const length = graphemes(caption)
  const limit = LIMITS.textGraphemes.value
  if (length > limit) {
    const message = `The caption has ${length} characters, Bluesky takes ${limit}. Shorten it by ${length - limit}.`
    findings.push({ code: 'post:caption_too_long', steps, message, limit, actual: length })
  }
  return [...findings, ...checkBytes(bytes, 'Use fewer emojis that are made of several.')]
}

function checkBytes(actual: number, advice: string): Finding[] {
  const limit = LIMITS.textBytes.value
  if (actual <= limit) return []
  const message = `The caption has ${actual} bytes in UTF-8, Bluesky takes ${limit}. ${advice}`
  return [{ code: 'post:caption_too_long', steps: ['caption'], message, limit, actual }]
}

function checkCount(media: readonly CheckedMedia[]): Finding[] {
  const videos = media.filter(({ facts }) => facts.type === 'VIDEO').length
  const images = media.length - videos
  const steps = ['media']
  if (videos > 0 && images > 0) {
    const message = 'A Bluesky post holds images or a video, not both. Remove the one or the other.'
    return [{ code: 'post:media_mix', steps, message }]
  }
  if (videos > LIMITS.videos.value) {
    const limit = LIMITS.videos.value
    const message = `The post has ${videos} videos, Bluesky takes ${limit}. Keep one.`
    return [{ code: 'post:media_count', steps, message, limit, actual: videos }]
  }
  if (images > LIMITS.images.value) {
    const limit = LIMITS.images.value
    const message = `The post has ${images} images, Bluesky takes ${limit}. Remove ${images - limit}.`
    return [{ code: 'post:media_count', steps, message, limit, actual: images }]
  }
  return []
}

function checkItem(item: CheckedMedia, index: number): Finding[] {
  const steps = ['media', index]
  const findings = item.facts.type === 'VIDEO' ? checkVideo(item, steps) : checkImage(item, steps)
  // Of the items that have to go, nothing is counted.
  const length = index < LIMITS.images.value ? graphemes(item.altText ?? '') : 0
  const limit = LIMITS.altText.value
  if (length > limit) {
    const message = `The alternative text has ${length} characters, the Bluesky app shows ${limit}. It is sent as it is.`
    const at = [...steps, 'altText']
    findings.push({ code: 'post:field_too_long', steps: at, message, limit, actual: length, warning: true })
  }
  return findings
}

function checkImage({ facts }: CheckedMedia, steps: (string | number)[]): Finding[] {
  if (!IMAGE_TYPES.includes(facts.mimeType)) {
    const message = `Bluesky images can be JPEG, PNG, WebP or GIF files, not ${facts.mimeType}. Convert the file.`
    return [{ code: 'post:media_type', steps, message }]
  }
  if (facts.animated) {
    const message = 'Bluesky does not play animated images: the first picture is sent. Use a video to keep the motion.'
    return [{ code: 'post:media_type', steps, message, warning: true }]
  }
  return []
}

function checkVideo({ facts }: CheckedMedia, steps: (string | number)[]): Finding[] {
  const findings: Finding[] = []
  if (!canBeMp4(facts)) {
    const codecs = [facts.videoCodec, facts.audioCodec].filter((codec) => codec !== null).join(' and ')
    const message = `Bluesky videos must be MP4 files, or MOV files with H.264 or HEVC and AAC; this is ${facts.mimeType} with ${codecs}. Convert the file to MP4.`
    findings.push({ code: 'post:media_type', steps, message })
  }
  const maxBytes = LIMITS.videoBytes.value
  if (facts.bytes > maxBytes) {
    const message = `The video has ${facts.bytes} bytes, Bluesky takes ${maxBytes}. Use a smaller file.`
    findings.push({ code: 'post:media_size', steps, message, limit: maxBytes, actual: facts.bytes })
  }
  const duration = facts.durationMs ?? 0
  const limit = LIMITS.videoDuration.value
  if (duration > limit) {
    const message = `The video lasts ${Math.ceil(duration / 1000)} seconds, Bluesky takes ${limit / 1000}. Cut it.`
    findings.push({ code: 'post:media_duration', steps, message, limit, actual: duration })
  }
  return findings
}
