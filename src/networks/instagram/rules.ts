import type { Finding, PostToCheck } from '../network.ts'
import { codePoints } from '../toolkit/text.ts'
import { isFarTooLong } from '../toolkit/text-rules.ts'
import { type Fields, fieldsOf, handle, POST_TYPES, type PostType } from './fields.ts'
import { forms, limits } from './manifest.ts'
import { checkMedia } from './rules-media.ts'

/** What an account may be called. */
const HANDLE = /^[A-Za-z0-9._]{1,30}$/

const SAYS: Record<PostType, string> = {
  IMAGE: 'exactly one image',
  CAROUSEL: '2 to 10 images or videos',
  REEL: 'exactly one video',
  STORY: 'exactly one image or video',
}

/** Everything that Instagram is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck): Finding[] {
  const fields = fieldsOf(post.fields)
  if (!POST_TYPES.includes(fields.type)) {
    return [invalid(['type'], `Instagram has no posts of type ${fields.type}. Use ${POST_TYPES.join(', ')}.`)]
  }
  return [
    ...checkCaption(post, fields),
    ...checkCount(post, fields),
    ...checkCollaborators(post, fields),
    ...checkComment(fields),
    ...checkSound(fields),
    ...checkCover(post, fields),
    ...post.media.flatMap((media, index) => checkMedia(media, index, fields.type)),
    ...checkTags(post),
    ...checkRatios(post, fields),
  ]
}

const invalid = (steps: Finding['steps'], message: string, more: Partial<Finding> = {}): Finding => ({
  code: 'post:field_invalid',
  steps,
  message,
  ...more,
})

function checkCaption({ caption }: PostToCheck, { type }: Fields): Finding[] {
  const steps = ['caption']
  if (type === 'STORY') {
    if (caption.trim() === '') return []
    return [invalid(steps, 'Instagram shows no caption on a story. It is kept here and not sent.', { warning: true })]
  }
  const findings: Finding[] = []
  const limit = limits.captionLength.value
  if (caption.length > limit) {
    findings.push({
      code: 'post:caption_too_long',
      steps,
      limit,
      actual: caption.length,
      message: `Instagram takes captions of at most ${limit} characters; this one has ${caption.length}. Shorten it by ${caption.length - limit}.`,
    })
  }
  if (isFarTooLong(caption.length, limits.captionLength)) return findings
  const counts = [
    ['post:hashtags_count', 'hashtags', /#[\p{L}\p{N}_]/gu, limits.hashtags.value, limits.hashtagsInApp.value],
    // A handle, not the host of a mail address.
    [
      'post:mentions_count',
      'mentions',
      /(?<![\p{L}\p{N}._])@[\w.]/gu,
      limits.mentions.value,
      limits.mentionsInApp.value,
    ],
  ] as const
  for (const [code, what, pattern, most, mostInApp] of counts) {
    const actual = [...caption.matchAll(pattern)].length
    if (actual > most) {
      const message = `Instagram takes at most ${most} ${what} in a caption; this one has ${actual}. Remove ${actual - most}.`
      findings.push({ code, steps, limit: most, actual, message })
    } else if (actual > mostInApp) {
      const message = `The caption has ${actual} ${what}. The Instagram app is said to take no more than ${mostInApp}; others may not count.`
      findings.push({ code, steps, limit: mostInApp, actual, message, warning: true })
    }
  }
  return findings
}

function checkCount({ media }: PostToCheck, { type }: Fields): Finding[] {
  const { min, max, images, videos } = forms[type].media
  const says = SAYS[type]
  const findings: Finding[] = []
  if (media.length < min || media.length > max) {
    findings.push({
      code: media.length === 0 ? 'post:media_required' : 'post:media_count',
      steps: ['media'],
      limit: media.length < min ? min : max,
      actual: media.length,
      message: `A post of type ${type} on Instagram takes ${says}; this one has ${media.length}. ${media.length < min ? 'Add what is missing' : 'Remove the others'}, or choose another type.`,
    })
  }
  media.forEach(({ facts }, index) => {
    if ((facts.type === 'VIDEO' ? videos : images) > 0) return
    const instead = facts.type === 'VIDEO' ? 'REEL' : 'IMAGE'
    findings.push({
      code: 'post:media_type',
      steps: ['media', index],
      message: `A post of type ${type} on Instagram takes ${says}; this is ${facts.type === 'VIDEO' ? 'a video' : 'an image'}. Choose type ${instead}, or another file.`,
    })
  })
  return findings
}

function checkCollaborators({ fields }: PostToCheck, { type, collaborators }: Fields): Finding[] {
  if (collaborators.length === 0) return []
  const steps = ['collaborators']
  if (type === 'STORY') return [invalid(steps, 'Stories on Instagram take no collaborators. Remove them.')]
  const findings = (fields.collaborators as string[]).flatMap((written, index) =>
    checkHandle(written, [...steps, index]),
  )
  const limit = limits.collaborators.value
  const actual = collaborators.length
  if (actual > limit) {
    const message = `Instagram takes at most ${limit} collaborators; this post has ${actual}. Remove ${actual - limit}.`
    findings.push(invalid(steps, message, { limit, actual }))
  }
  return findings
}

function checkHandle(written: string, steps: Finding['steps']): Finding[] {
  if (HANDLE.test(handle(written))) return []
  return [
    invalid(
      steps,
      `Instagram knows no handles such as "${written.slice(0, 40)}". Use 1 to 30 letters, digits, dots and underscores, without @.`,
    ),
  ]
}

function checkComment({ type, firstComment }: Fields): Finding[] {
  if (firstComment === null) return []
  const steps = ['firstComment']
  if (type === 'STORY') return [invalid(steps, 'Stories on Instagram take no comments. Remove the first comment.')]
  const limit = limits.commentLength.value
  const actual = codePoints(firstComment)
  if (actual <= limit) return []
  const message = `The first comment has ${actual} characters. Instagram does not say how many it takes; more than ${limit} are likely to be refused.`
  return [{ code: 'post:field_too_long', steps, limit, actual, message, warning: true }]
}

function checkSound({ type, audio, audioName }: Fields): Finding[] {
  const findings: Finding[] = []
  if (type !== 'REEL') {
    if (audioName !== null)
      findings.push(invalid(['audioName'], 'Only reels on Instagram have a named sound. Remove it or use type REEL.'))
    if (audio !== null)
      findings.push(invalid(['audio'], 'Only reels on Instagram can have a track. Remove it or use type REEL.'))
  } else if (audio !== null && !/^\d{1,30}$/.test(audio)) {
    findings.push(
      invalid(['audio'], 'Instagram knows tracks by the id of its audio library, which is a number. Give that id.'),
    )
  }
  return findings
}

function checkCover({ media }: PostToCheck, { type, cover }: Fields): Finding[] {
  if (cover === null || cover === 0) return []
  const steps = ['videoCoverImage']
  const video = media.find(({ facts }) => facts.type === 'VIDEO')
  if (!video || type === 'STORY') {
    const why = type === 'STORY' ? 'a story has no cover' : 'the post has no video'
    return [invalid(steps, `Instagram is not told of the cover, because ${why}.`, { warning: true })]
  }
  const { durationMs } = video.facts
  if (durationMs === null || Math.floor(cover * 1000) < durationMs) return []
  const message = `Instagram takes the cover from within the video, which is ${durationMs / 1000} seconds long; ${cover} is behind its end. Choose an earlier second.`
  return [invalid(steps, message)]
}

function checkTags({ media }: PostToCheck): Finding[] {
  return media.flatMap(({ tags }, index) => {
    const steps = ['media', index, 'tags']
    const findings = tags.flatMap((tag, place) => checkHandle(tag.text, [...steps, place, 'text']))
    const limit = limits.tagsPerMedia.value
    const actual = new Set(tags.map((tag) => handle(tag.text))).size
    if (actual > limit) {
      const message = `Instagram takes at most ${limit} tags on a media item; this one has ${actual}. Remove ${actual - limit}.`
      findings.push(invalid(steps, message, { limit, actual }))
    }
    return findings
  })
}

function checkRatios({ media }: PostToCheck, { type }: Fields): Finding[] {
  const [first, ...others] = media.map(({ facts }) => facts.width / facts.height)
  if (type !== 'CAROUSEL' || first === undefined) return []
  if (others.every((ratio) => Math.abs(ratio - first) <= 0.01)) return []
  const message = 'Instagram crops all items of a carousel to the shape of the first one, and these differ in shape.'
  return [{ code: 'post:media_ratio', steps: ['media'], message, warning: true }]
}
