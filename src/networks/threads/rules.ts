import type { CheckedMedia, Finding, PostToCheck } from '../network.ts'
import { checkFile } from '../toolkit/media-rules.ts'
import { codePoints } from '../toolkit/text.ts'
import { hashtagsIn, isFarTooLong, linksIn, tooLong } from '../toolkit/text-rules.ts'
import { limits, videoTypes } from './manifest.ts'
import { textLength } from './text.ts'

/** Everything that Threads is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck): Finding[] {
  return [...checkText(post), ...checkCount(post.media), ...post.media.flatMap(checkItem)]
}

function checkText({ caption, media }: PostToCheck): Finding[] {
  const steps = ['caption']
  const points = codePoints(caption)
  // An emoji counts more than its code points, nothing counts less.
  const isFar = isFarTooLong(points, limits.textLength)
  const length = tooLong({
    network: 'Threads',
    what: 'captions',
    unit: 'characters (an emoji counts as 4 or more)',
    steps,
    limit: limits.textLength,
    actual: isFar ? points : textLength(caption),
  })
  if (isFar) return length
  const findings: Finding[] = []
  if (caption.trim() === '' && media.length === 0) {
    const message = 'A post on Threads needs a caption or media. Write a text, or add an image or a video.'
    findings.push({ code: 'post:caption_required', steps, message })
  }
  if (!caption.isWellFormed()) {
    const message = 'The caption holds half of a character, which Threads cannot show. Remove the broken character.'
    findings.push({ code: 'post:field_invalid', steps, message })
  }
  findings.push(...length)
  const links = linksIn(caption).length
  const mostLinks = limits.links.value
  if (links > mostLinks) {
    const message = `Threads takes at most ${mostLinks} different links in a caption; this one has ${links}. Remove ${links - mostLinks}.`
    findings.push({ code: 'post:field_invalid', steps, limit: mostLinks, actual: links, message })
  }
  const hashtags = hashtagsIn(caption).length
  const mostTags = limits.topicTags.value
  if (hashtags > mostTags) {
    const message = `The caption has ${hashtags} hashtags. Threads makes a topic of the first one and shows the others as plain text.`
    findings.push({ code: 'post:hashtags_count', steps, limit: mostTags, actual: hashtags, message, warning: true })
  }
  return findings
}

function checkCount(media: readonly CheckedMedia[]): Finding[] {
  const limit = limits.carouselMax.value
  const actual = media.length
  if (actual <= limit) return []
  const message = `A post on Threads takes at most ${limit} images and videos; this one has ${actual}. Remove ${actual - limit}.`
  return [{ code: 'post:media_count', steps: ['media'], limit, actual, message }]
}

function checkItem(media: CheckedMedia, index: number): Finding[] {
  const steps = ['media', index]
  const findings = media.facts.type === 'VIDEO' ? checkVideo(media, steps) : checkImage(media, steps)
  findings.push(
    ...tooLong({
      network: 'Threads',
      what: 'alternative texts',
      code: 'post:field_too_long',
      steps: [...steps, 'altText'],
      limit: limits.altTextLength,
      actual: codePoints(media.altText ?? ''),
    }),
  )
  if (media.tags.length > 0) {
    const message = 'Threads has no tags on media: they are kept here and not sent. Mention people in the caption.'
    findings.push({ code: 'post:field_invalid', steps: [...steps, 'tags'], message, warning: true })
  }
  return findings
}

/** Format and size of images are fitted on the way. */
function checkImage({ facts }: CheckedMedia, steps: Finding['steps']): Finding[] {
  const findings = checkFile(facts, steps, {
    network: 'Threads',
    what: 'An image',
    maxRatio: limits.imageMaxRatio,
  })
  const ratio = facts.width / facts.height
  const tallest = limits.imageMinRatio.value
  if (ratio < tallest) {
    const actual = Math.round(ratio * 1000) / 1000
    const message = `The image is ${facts.width}x${facts.height} (${actual}:1). Threads may refuse what is taller than ${tallest}:1. Crop it.`
    findings.push({ code: 'post:media_ratio', steps, limit: tallest, actual, message, warning: true })
  }
  const narrowest = limits.imageMinWidth.value
  if (facts.width < narrowest) {
    const message = `The image is ${facts.width} pixels wide; Threads enlarges what is narrower than ${narrowest}, which looks coarse.`
    findings.push({
      code: 'post:media_dimensions',
      steps,
      limit: narrowest,
      actual: facts.width,
      message,
      warning: true,
    })
  }
  if (facts.animated) {
    const message = 'Threads shows no animated images; the first picture is sent. Use a video to keep the motion.'
    findings.push({ code: 'post:media_type', steps, message, warning: true })
  }
  return findings
}

function checkVideo({ facts }: CheckedMedia, steps: Finding['steps']): Finding[] {
  const findings = checkFile(facts, steps, {
    network: 'Threads',
    what: 'A video',
    mimeTypes: videoTypes,
    videoCodecs: ['avc', 'hevc'],
    audioCodecs: ['aac'],
    formats: 'MP4 or MOV with H.264 or HEVC and AAC',
    maxBytes: limits.videoBytes,
    maxWidth: limits.videoMaxWidth,
    minRatio: limits.videoMinRatio,
    maxRatio: limits.videoMaxRatio,
    maxSeconds: limits.videoMaxSeconds,
    minFrameRate: limits.videoMinFrameRate,
    maxFrameRate: limits.videoMaxFrameRate,
  })
  const limit = limits.videoBitRate.value
  const actual = facts.durationMs ? Math.round((facts.bytes * 8000) / facts.durationMs) : 0
  if (actual > limit) {
    const message = `Threads asks for at most ${limit / 1e6} megabits per second; this video has ${Math.ceil(actual / 1e6)} and may be refused.`
    findings.push({ code: 'post:media_codec', steps, limit, actual, message, warning: true })
  }
  return findings
}
