import type { CheckedMedia, Defaults, Finding, PostToCheck } from '../network.ts'
import { checkFile, type FileRules } from '../toolkit/media-rules.ts'
import { tooLong } from '../toolkit/text-rules.ts'
import { canBeMp4 } from '../toolkit/videos.ts'
import { piecesOf } from './commentary.ts'
import { limits, VISIBILITIES } from './manifest.ts'

const NETWORK = 'LinkedIn'
/** Files that are sent as they are, or made into such on the way. */
const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp']

const videoRules: FileRules = {
  network: NETWORK,
  what: 'A video',
  mimeTypes: ['video/mp4'],
  formats: 'MP4, or MOV with H.264 or HEVC and AAC',
  maxBytes: limits.videoMaxBytes,
  minSeconds: limits.videoMinSeconds,
  maxSeconds: limits.videoMaxSeconds,
  minRatio: limits.videoMinRatio,
  maxRatio: limits.videoMaxRatio,
}

/** Everything that LinkedIn is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck, defaults: Defaults): Finding[] {
  return [
    ...checkText(post),
    ...checkMentions(post),
    ...checkVisibility(post, defaults),
    ...checkCount(post.media),
    ...post.media.flatMap((media, index) => checkItem(media, ['media', index])),
  ]
}

const invalid = (steps: Finding['steps'], message: string): Finding => ({ code: 'post:field_invalid', steps, message })

function checkText({ caption, media }: PostToCheck): Finding[] {
  const steps = ['caption']
  const findings = tooLong({
    network: NETWORK,
    what: 'captions',
    steps,
    limit: limits.captionLength,
    actual: caption.length,
  })
  if (caption.trim() === '' && media.length === 0) {
    const message = 'A LinkedIn post needs a caption or media. Write a text, or add an image or a video.'
    findings.push({ code: 'post:caption_required', steps, message })
  }
  if (!caption.isWellFormed()) {
    findings.push(
      invalid(steps, 'The caption holds half of a character, which LinkedIn cannot take. Remove the broken character.'),
    )
  }
  return findings
}

function checkMentions(post: PostToCheck): Finding[] {
  return piecesOf(post).flatMap((piece, index) => {
    if (typeof piece === 'string') return []
    const steps = ['richCaption', index]
    if (piece.urn === null) {
      const message =
        'LinkedIn knows accounts by an id such as urn:li:organization:1234 (or just 1234) or urn:li:person:AbC_123, not by a name or an address. Give that id, or send the text without a mention.'
      return [invalid([...steps, 'mention', 'id'], message)]
    }
    if (piece.text.trim() === '') {
      const message = 'A mention on LinkedIn shows its text, and this one has none. Write the name of the account.'
      return [invalid([...steps, 'text'], message)]
    }
    if (piece.text === piece.name) return []
    const message = `LinkedIn makes a mention of a text that is the exact name of the account. "${piece.text.slice(0, 60)}" differs from "${piece.name.slice(0, 60)}" and may stay plain text.`
    return [{ ...invalid([...steps, 'text'], message), warning: true }]
  })
}

/** That it is missing is told elsewhere. */
function checkVisibility({ accountType }: PostToCheck, { visibility }: Defaults): Finding[] {
  if (visibility === undefined) return []
  const allowed: readonly unknown[] =
    accountType === 'LINKEDIN_PAGE' ? VISIBILITIES.LINKEDIN_PAGE : VISIBILITIES.LINKEDIN_PERSONAL
  if (allowed.includes(visibility)) return []
  const message = `Posts of this kind of LinkedIn account can be seen by ${allowed.join(' or ')}. Choose one of them among the publishing defaults of the account.`
  return [invalid(['accountType'], message)]
}

function checkCount(media: readonly CheckedMedia[]): Finding[] {
  const videos = media.filter(({ facts }) => facts.type === 'VIDEO').length
  const images = media.length - videos
  const steps = ['media']
  if (videos > 0 && images > 0) {
    const message = 'A LinkedIn post holds images or a video, not both. Remove the one or the other.'
    return [{ code: 'post:media_mix', steps, message }]
  }
  const [what, limit] = videos > 0 ? ['video', limits.videos.value] : ['images', limits.images.value]
  if (media.length <= limit) return []
  const message = `LinkedIn takes at most ${limit} ${what} in a post; this one has ${media.length}. Remove ${media.length - limit}.`
  return [{ code: 'post:media_count', steps, limit, actual: media.length, message }]
}

function checkItem(media: CheckedMedia, steps: Finding['steps']): Finding[] {
  return media.facts.type === 'VIDEO' ? checkVideo(media, steps) : checkImage(media, steps)
}

function checkImage({ facts, altText }: CheckedMedia, steps: Finding['steps']): Finding[] {
  const findings = tooLong({
    network: NETWORK,
    what: 'alternative texts',
    code: 'post:field_too_long',
    steps: [...steps, 'altText'],
    limit: limits.altTextLength,
    actual: altText?.length ?? 0,
  })
  findings.push(
    ...checkFile(facts, steps, {
      network: NETWORK,
      what: 'An image',
      mimeTypes: IMAGE_TYPES,
      formats: 'JPEG, PNG, GIF or WebP',
    }),
  )
  // Size and format are fitted on the way; motion survives in a GIF that needs no fitting alone.
  const moves = facts.mimeType === 'image/gif' && facts.bytes <= limits.imageBytes.value
  if (facts.animated && !(moves && facts.width * facts.height <= limits.imagePixels.value)) {
    const message = `LinkedIn plays animations that are GIF files of at most ${limits.imageBytes.value / 1e6} MB; of this one the first picture is sent. Use a smaller GIF or a video to keep the motion.`
    findings.push({ code: 'post:media_type', steps, message, warning: true })
  }
  return findings
}

function checkVideo({ facts, title }: CheckedMedia, steps: Finding['steps']): Finding[] {
  const findings = tooLong({
    network: NETWORK,
    what: 'titles',
    code: 'post:field_too_long',
    steps: [...steps, 'title'],
    limit: limits.titleLength,
    actual: title?.length ?? 0,
  })
  findings.push(...checkFile(canBeMp4(facts) ? { ...facts, mimeType: 'video/mp4' } : facts, steps, videoRules))
  const limit = limits.videoMinBytes.value
  if (facts.bytes < limit) {
    const message = `A video on LinkedIn must have at least ${limit} bytes; this file has ${facts.bytes}. Export it in a higher quality.`
    findings.push({ code: 'post:media_size', steps, limit, actual: facts.bytes, message })
  }
  return findings
}
