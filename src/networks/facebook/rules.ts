import type { Finding, PostToCheck } from '../network.ts'
import { tooLong } from '../toolkit/text-rules.ts'
import { type Fields, fieldsOf, POST_TYPES, type PostType } from './fields.ts'
import { forms, limits } from './manifest.ts'
import { isPageId } from './message.ts'
import { checkMedia } from './rules-media.ts'

const SAYS: Record<PostType, string> = {
  TEXT: 'no media',
  IMAGE: 'exactly one image',
  VIDEO: 'exactly one video',
  CAROUSEL: '2 to 10 images, each with a link',
  MULTI_IMAGE: '2 to 10 images',
  REEL: 'exactly one video',
  STORY: 'exactly one image or video',
}

/** Everything that Facebook is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck): Finding[] {
  const fields = fieldsOf(post.fields)
  if (!POST_TYPES.includes(fields.type)) {
    return [invalid(['type'], `Facebook has no posts of type ${fields.type}. Use ${POST_TYPES.join(', ')}.`)]
  }
  return [
    ...checkCaption(post, fields),
    ...checkMentions(fields),
    ...checkCount(post, fields),
    ...checkCover(fields),
    ...post.media.flatMap((media, index) => checkMedia(media, index, fields.type)),
  ]
}

function invalid(steps: Finding['steps'], message: string, more: Partial<Finding> = {}): Finding {
  return { code: 'post:field_invalid', steps, message, ...more }
}

function checkCaption({ caption }: PostToCheck, { type }: Fields): Finding[] {
  const steps = ['caption']
  if (type === 'STORY') {
    if (caption.trim() === '') return []
    return [invalid(steps, 'Facebook shows no caption on a story. It is kept here and not sent.', { warning: true })]
  }
  if (type === 'TEXT' && caption.trim() === '') {
    const message = 'A post of type TEXT on Facebook is nothing but its caption. Write one, or choose another type.'
    return [{ code: 'post:caption_required', steps, message }]
  }
  return tooLong({
    network: 'Facebook',
    what: 'captions',
    steps,
    limit: limits.messageLength,
    actual: caption.length,
  })
}

/** Only Pages can be mentioned, by their ids; people cannot. */
function checkMentions({ type, segments }: Fields): Finding[] {
  if (type === 'STORY') return []
  return segments.flatMap((segment, index) => {
    if (typeof segment === 'string' || !segment.mention || isPageId(segment.mention.id.trim())) return []
    const message = `Facebook mentions Pages by their id, which is a number; "${segment.mention.id.slice(0, 40)}" is none. The text is sent without the mention.`
    return [invalid(['richCaption', index, 'mention', 'id'], message, { warning: true })]
  })
}

function checkCount({ media }: PostToCheck, { type }: Fields): Finding[] {
  const { min, images, videos } = forms[type].media
  const max = Math.max(images, videos)
  const says = SAYS[type]
  const findings: Finding[] = []
  if (media.length < min || media.length > max) {
    const few = media.length < min
    findings.push({
      code: media.length === 0 ? 'post:media_required' : 'post:media_count',
      steps: ['media'],
      limit: few ? min : max,
      actual: media.length,
      message: `A post of type ${type} on Facebook takes ${says}; this one has ${media.length}. ${few ? 'Add what is missing' : 'Remove the others'}, or choose another type.`,
    })
  }
  if (max === 0) return findings
  media.forEach(({ facts }, index) => {
    if ((facts.type === 'VIDEO' ? videos : images) > 0) return
    const video = facts.type === 'VIDEO'
    findings.push({
      code: 'post:media_type',
      steps: ['media', index],
      message: `A post of type ${type} on Facebook takes ${says}; this is ${video ? 'a video' : 'an image'}. Choose type ${video ? 'VIDEO' : 'IMAGE'}, or another file.`,
    })
  })
  return findings
}

/** The network takes a picture as cover or chooses one, and cannot be told a moment of the video. */
function checkCover({ type, cover }: Fields): Finding[] {
  if (cover === null || cover === 0) return []
  const why =
    type === 'VIDEO' || type === 'REEL'
      ? 'Facebook cannot be told a moment of the video as its cover, and chooses one itself. Change it on the Page.'
      : `Facebook is not told of the cover, because a post of type ${type} has none.`
  return [invalid(['videoCoverImageSeconds'], why, { warning: true })]
}
