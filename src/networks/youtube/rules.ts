import { checkFirstComment, firstCommentOf, refuseComment } from '../kit/first-comment.ts'
import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { utf8Bytes } from '../kit/text.ts'
import { hashtagsIn, isFarTooLong, tooLong } from '../kit/text-rules.ts'
import type { CheckedMedia, Defaults, Finding, PostToCheck, TextCount } from '../network.ts'
import { form, limits } from './manifest.ts'
import { fieldsOf } from './state.ts'

const network = 'YouTube'
/** People may take the tags of an item for those of the video. */
const unsent = { tags: 'YouTube knows no people tagged in a video.' }
/** Everything that can be imported can be uploaded: YouTube converts all common formats, shapes and rates. */
const video: ItemRules = {
  what: 'A video',
  unsent,
  maxBytes: limits.videoBytes,
  maxSeconds: limits.videoSeconds,
  advised: {
    maxSeconds: limits.unverifiedSeconds,
    says: 'fails on channels that are not verified by phone (youtube.com/verify)',
  },
}
/** Format and size of the file are fitted on the way. */
const thumbnail: ItemRules = {
  what: 'A thumbnail',
  unsent,
  advised: { minWidth: limits.thumbnailWidth, says: 'may be refused, which leaves the video without it' },
  motion: { message: 'YouTube shows no animated thumbnails; the first picture is sent.' },
}

/** Everything that YouTube is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck, defaults: Defaults = {}): Finding[] {
  return [
    ...checkTitle(post),
    ...checkText(post),
    ...checkCount(post.media),
    ...post.media.flatMap((item, index) =>
      checkItem(network, item, ['media', index], item.facts.type === 'VIDEO' ? video : thumbnail),
    ),
    ...checkComment(post, defaults.madeForKids === true),
  ]
}

function checkComment(post: PostToCheck, isForKids: boolean): Finding[] {
  const text = firstCommentOf(post)
  if (text === null) return []
  const { privacy } = fieldsOf(post.fields)
  if (privacy === 'private') {
    return [
      refuseComment('No one can comment on a private video. Remove the first comment, or choose another privacy.'),
    ]
  }
  if (isForKids) {
    return [refuseComment('YouTube takes no comments on videos that are made for kids. Remove the first comment.')]
  }
  return checkFirstComment(text, { network, limit: limits.commentLength, actual: text.length })
}

function checkTitle({ fields }: PostToCheck): Finding[] {
  const { title } = fieldsOf(fields)
  const steps = ['title']
  if (title.trim() === '') {
    const message = 'YouTube wants a title for every video. Write one of 1 to 100 characters.'
    return [refuse('post:field_required', steps, message)]
  }
  const length = { limit: limits.titleLength, actual: title.length }
  return [
    ...tooLong({ network, what: 'titles', code: 'post:field_too_long', steps, ...length }),
    ...checkBrackets(title, 'The title', steps),
  ]
}

/** Counted in bytes of UTF-8. */
export function countCaption({ caption }: PostToCheck): TextCount {
  return { actual: utf8Bytes(caption), limit: limits.descriptionBytes.value }
}

function checkText(post: PostToCheck): Finding[] {
  const { caption, fields } = post
  const { actual } = countCaption(post)
  const unit = 'bytes (a letter of English is one, others are two to four)'
  const limit = limits.descriptionBytes
  const findings = checkCaption(post, { network, what: 'descriptions', unit, limit, actual })
  if (isFarTooLong(actual, limit)) return findings
  findings.push(...checkBrackets(caption, 'The caption', ['caption']))
  const most = limits.hashtags.value
  const hashtags = hashtagsIn(`${fieldsOf(fields).title}\n${caption}`).length
  if (hashtags <= most) return findings
  const message = `YouTube ignores all hashtags of a video that has more than ${most}; this one has ${hashtags} in title and caption. Remove ${hashtags - most}.`
  return [...findings, warn('post:hashtags_count', ['caption'], message, { limit: most, actual: hashtags })]
}

function checkBrackets(text: string, what: string, steps: Finding['steps']): Finding[] {
  const found = [...new Set(text.match(/[<>]/g))].join(' and ')
  if (found === '') return []
  const message = `${what} has ${found}, which YouTube takes in no text. Remove it or write it in words.`
  return [refuse('post:field_invalid', steps, message)]
}

function checkCount(media: readonly CheckedMedia[]): Finding[] {
  const counted = checkForm(network, { ...form, media: { ...form.media, min: 0 } }, media)
  if (media.some(({ facts }) => facts.type === 'VIDEO')) return counted
  const message = 'A post on YouTube is a video, with or without an image as its thumbnail. Add a video.'
  return [refuse('post:media_required', ['media'], message), ...counted]
}
