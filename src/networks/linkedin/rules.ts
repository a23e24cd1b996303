import { checkFirstComment, firstCommentOf, refuseComment } from '../kit/first-comment.ts'
import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { tooLong } from '../kit/text-rules.ts'
import { canBeMp4 } from '../kit/videos.ts'
import type { CheckedMedia, Defaults, Finding, PostToCheck, TextCount } from '../network.ts'
import { piecesOf } from './commentary.ts'
import { checkTitle, makesPages } from './document.ts'
import { form, formOfPages, limits } from './manifest.ts'

const network = 'LinkedIn'
/** Size and format are fitted on the way; motion survives in a GIF alone that needs no fitting. */
const image: ItemRules = {
  what: 'An image',
  mimeTypes: ['image/jpeg', 'image/png', 'image/gif', 'image/webp'],
  formats: 'JPEG, PNG, GIF or WebP',
  altText: { limit: limits.altTextLength },
  motion: {
    isKept: ({ facts: { mimeType, bytes, width, height } }) =>
      mimeType === 'image/gif' && bytes <= limits.imageBytes.value && width * height <= limits.imagePixels.value,
    message: `LinkedIn plays animations that are GIF files of at most ${limits.imageBytes.value / 1e6} MB; of this one the first picture is sent. Use a smaller GIF or a video to keep the motion.`,
  },
}
const NO_ALT_TEXT = 'LinkedIn has no alternative texts for documents.'
/** Of what becomes a page; it is fitted on the way. */
const page: ItemRules = {
  what: 'An image',
  mimeTypes: image.mimeTypes ?? [],
  formats: 'JPEG, PNG, GIF or WebP',
  motion: { message: 'Pages of a document do not move; the first picture is sent.' },
  unsent: { altText: NO_ALT_TEXT },
}
const pdf: ItemRules = {
  what: 'A document',
  mimeTypes: ['application/pdf'],
  formats: 'PDF',
  maxBytes: limits.documentBytes,
  unsent: { altText: NO_ALT_TEXT },
}
const video: ItemRules = {
  what: 'A video',
  mimeTypes: ['video/mp4'],
  formats: 'MP4, or MOV with H.264 or HEVC and AAC',
  minBytes: limits.videoMinBytes,
  maxBytes: limits.videoMaxBytes,
  minSeconds: limits.videoMinSeconds,
  maxSeconds: limits.videoMaxSeconds,
  minRatio: limits.videoMinRatio,
  maxRatio: limits.videoMaxRatio,
}

/** Everything that LinkedIn is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck, { comments }: Defaults = {}): Finding[] {
  const limit = limits.captionLength
  return [
    ...checkCaption(post, { network, limit, actual: post.caption.length }, 'without media'),
    ...checkMentions(post),
    ...checkForm(network, makesPages(post) ? formOfPages : form, post.media),
    ...post.media.flatMap(makesPages(post) ? checkPage : checkMedia),
    ...checkTitle(post),
    ...checkComment(post, comments === true),
  ]
}

const NO_COMMENTS =
  'LinkedIn takes comments of people only from apps with a permission for it (w_member_social_feed), which this connection does not have. Remove the first comment, or ask the operator for ALMANAC_LINKEDIN_COMMENTS=on and connect the account again.'

/** Pages were seen to comment without the newer permission: they are let try. */
function checkComment(post: PostToCheck, isAllowed: boolean): Finding[] {
  const text = firstCommentOf(post)
  if (text === null) return []
  if (!isAllowed && post.accountType === 'LINKEDIN_PERSONAL') return [refuseComment(NO_COMMENTS)]
  return checkFirstComment(text, { network, limit: limits.commentLength, actual: text.length })
}

/** Counted in UTF-16 code units. */
export function countCaption({ caption }: PostToCheck): TextCount {
  return { actual: caption.length, limit: limits.captionLength.value }
}

const NO_ID =
  'LinkedIn knows accounts by an id such as urn:li:organization:1234 (or just 1234) or urn:li:person:AbC_123, not by a name or an address. Give that id, or send the text without a mention.'
const NO_TEXT = 'A mention on LinkedIn shows its text, and this one has none. Write the name of the account.'

function checkMentions(post: PostToCheck): Finding[] {
  return piecesOf(post).flatMap((piece, index) => {
    if (typeof piece === 'string') return []
    const { text, name, urn } = piece
    const steps = ['richCaption', index]
    if (urn === null) return [refuse('post:field_invalid', [...steps, 'mention', 'id'], NO_ID)]
    if (text.trim() === '') return [refuse('post:field_invalid', [...steps, 'text'], NO_TEXT)]
    const message = `LinkedIn makes a mention of a text that is the exact name of the account. "${text.slice(0, 60)}" differs from "${name.slice(0, 60)}" and may stay plain text.`
    return text === name ? [] : [warn('post:field_invalid', [...steps, 'text'], message)]
  })
}

function checkMedia(item: CheckedMedia, index: number): Finding[] {
  const { facts, title } = item
  const steps = ['media', index]
  if (facts.type === 'IMAGE') return checkItem(network, item, steps, image)
  if (facts.type === 'DOCUMENT') return checkItem(network, item, steps, pdf)
  const at = { code: 'post:field_too_long', steps: [...steps, 'title'] } as const
  const file = canBeMp4(facts) ? { ...item, facts: { ...facts, mimeType: 'video/mp4' } } : item
  return [
    ...tooLong({ network, what: 'titles', ...at, limit: limits.titleLength, actual: title?.length ?? 0 }),
    ...checkItem(network, file, steps, video),
  ]
}

const checkPage = (item: CheckedMedia, index: number): Finding[] => checkItem(network, item, ['media', index], page)
