import type { CheckedMedia, Finding, PostToCheck } from '../network.ts'
import { checkFile } from '../toolkit/media-rules.ts'
import { utf8Bytes } from '../toolkit/text.ts'
import { hashtagsIn, isFarTooLong, tooLong } from '../toolkit/text-rules.ts'
import { fieldsOf } from './fields.ts'
import { limits } from './manifest.ts'

const network = 'YouTube'

/** Everything that YouTube is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck): Finding[] {
  return [
    ...checkTitle(post),
    ...checkCaption(post),
    ...checkHashtags(post),
    ...checkCount(post),
    ...post.media.flatMap(checkItem),
  ]
}

function checkTitle({ fields }: PostToCheck): Finding[] {
  const { title } = fieldsOf(fields)
  const steps = ['title']
  if (title.trim() === '') {
    const message = 'YouTube wants a title for every video. Write one of 1 to 100 characters.'
    return [{ code: 'post:field_required', steps, message }]
  }
  const { titleLength } = limits
  return [
    ...tooLong({
      network,
      what: 'titles',
      code: 'post:field_too_long',
      steps,
      limit: titleLength,
      actual: title.length,
    }),
    ...checkBrackets(title, 'The title', 'post:field_invalid', steps),
  ]
}

function checkCaption({ caption }: PostToCheck): Finding[] {
  const steps = ['caption']
  const actual = utf8Bytes(caption)
  const length = tooLong({
    network,
    what: 'descriptions',
    unit: 'bytes (a letter of English is one, others are two to four)',
    steps,
    limit: limits.descriptionBytes,
    actual,
  })
  if (isFarTooLong(actual, limits.descriptionBytes)) return length
  return [...length, ...checkBrackets(caption, 'The caption', 'post:field_invalid', steps)]
}

function checkBrackets(text: string, what: string, code: Finding['code'], steps: Finding['steps']): Finding[] {
  const found = [...new Set(text.match(/[<>]/g))].join(' and ')
  if (found === '') return []
  return [
    { code, steps, message: `${what} has ${found}, which YouTube takes in no text. Remove it or write it in words.` },
  ]
}

function checkHashtags({ caption, fields }: PostToCheck): Finding[] {
  if (isFarTooLong(utf8Bytes(caption), limits.descriptionBytes)) return []
  const limit = limits.hashtags.value
  const actual = hashtagsIn(`${fieldsOf(fields).title}\n${caption}`).length
  if (actual <= limit) return []
  const message = `YouTube ignores all hashtags of a video that has more than ${limit}; this one has ${actual} in title and caption. Remove ${actual - limit}.`
  return [{ code: 'post:hashtags_count', steps: ['caption'], limit, actual, message, warning: true }]
}

function checkCount({ media }: PostToCheck): Finding[] {
  const videos = media.filter(({ facts }) => facts.type === 'VIDEO').length
  const images = media.length - videos
  const findings: Finding[] = []
  const says = 'A post on YouTube takes exactly one video, and one image beside it as its thumbnail'
  const say = (code: Finding['code'], limit: number, actual: number, words: string) =>
    findings.push({ code, steps: ['media'], limit, actual, message: `${says}; this one has ${words}.` })
  const { videos: mostVideos, thumbnails } = limits
  if (videos === 0) say('post:media_required', mostVideos.value, 0, 'no video. Add one')
  if (videos > mostVideos.value) say('post:media_count', mostVideos.value, videos, `${videos} videos. Keep one`)
  if (images > thumbnails.value) say('post:media_count', thumbnails.value, images, `${images} images. Keep one`)
  return findings
}

function checkItem(media: CheckedMedia, index: number): Finding[] {
  const { facts } = media
  const steps = ['media', index]
  return [
    ...(facts.type === 'VIDEO' ? checkVideo(media, steps) : checkThumbnail(media, steps)),
    ...checkUnsent(media, steps),
  ]
}

/** Whatever can be imported can be uploaded: YouTube converts all common formats, shapes and rates. */
function checkVideo({ facts }: CheckedMedia, steps: Finding['steps']): Finding[] {
  const { videoBytes, videoSeconds, unverifiedSeconds } = limits
  const findings = checkFile(facts, steps, { network, what: 'A video', maxBytes: videoBytes, maxSeconds: videoSeconds })
  const seconds = (facts.durationMs ?? 0) / 1000
  const limit = unverifiedSeconds.value
  if (seconds > limit && seconds <= videoSeconds.value) {
    const message = `The video lasts ${Math.round(seconds / 60)} minutes. YouTube takes more than ${limit / 60} from channels only that are verified by phone (youtube.com/verify); from others the post fails.`
    findings.push({ code: 'post:media_duration', steps, limit, actual: seconds, message, warning: true })
  }
  return findings
}

/** Format and size of the file are fitted on the way. */
function checkThumbnail({ facts }: CheckedMedia, steps: Finding['steps']): Finding[] {
  const findings: Finding[] = []
  const limit = limits.thumbnailWidth.value
  if (facts.width < limit) {
    const message = `YouTube asks for thumbnails of at least ${limit} pixels in width, best 1280x720; this one has ${facts.width} and may be refused, which leaves the video without it.`
    findings.push({ code: 'post:media_dimensions', steps, limit, actual: facts.width, message, warning: true })
  }
  if (facts.animated) {
    const message = 'YouTube shows no animated thumbnails; the first picture is sent.'
    findings.push({ code: 'post:media_type', steps, message, warning: true })
  }
  return findings
}

/** People may take the tags of an item for those of the video. */
function checkUnsent({ tags }: CheckedMedia, steps: Finding['steps']): Finding[] {
  if (tags.length === 0) return []
  const message = 'YouTube knows no people tagged in a video, so the tags are kept here and not sent.'
  return [{ code: 'post:field_invalid', steps: [...steps, 'tags'], message, warning: true }]
}
