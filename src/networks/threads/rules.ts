import { checkFirstComment, firstCommentOf, refuseComment } from '../kit/first-comment.ts'
import { comparable } from '../kit/lookup.ts'
import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { codePoints, utf8Bytes } from '../kit/text.ts'
import { hashtagsIn, isFarTooLong, linksIn } from '../kit/text-rules.ts'
import type { Finding, PostToCheck, TextCount } from '../network.ts'
import { form, limits, videoTypes } from './manifest.ts'
import { textLength } from './text.ts'

const network = 'Threads'
const both = {
  altText: { limit: limits.altTextLength, count: codePoints },
  unsent: { tags: 'Threads has no tags on media; mention people in the caption.' },
}
/** Format and size of images are fitted on the way. */
const image: ItemRules = {
  ...both,
  what: 'An image',
  maxRatio: limits.imageMaxRatio,
  advised: { minRatio: limits.imageMinRatio, minWidth: limits.imageMinWidth, says: 'may be refused or look coarse' },
}
const video: ItemRules = {
  ...both,
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
  advised: { maxBitRate: limits.videoBitRate },
}

/** Everything that Threads is known to refuse, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck): Finding[] {
  return [
    ...checkText(post),
    ...checkForm(network, form, post.media),
    ...post.media.flatMap((item, index) =>
      checkItem(network, item, ['media', index], item.facts.type === 'VIDEO' ? video : image),
    ),
    ...checkComment(post),
  ]
}

/** A reply like those of a thread: of the same text, no one could tell it from them. */
function checkComment(post: PostToCheck): Finding[] {
  const text = firstCommentOf(post)
  if (text === null) return []
  const parts = [post, ...(post.thread ?? [])].map(({ caption }) => comparable(caption))
  const same = parts.indexOf(comparable(text))
  const message = `The first comment has the same text as part ${same + 1} of the post. Change one of them.`
  const limit = limits.textLength
  const length = { network, unit: 'characters (an emoji counts as 4 or more)', limit }
  const { actual } = countCaption({ ...post, caption: text })
  const most = limits.links.value
  const links = isFarTooLong(codePoints(text), limit) ? 0 : linksIn(text).length
  const many = `Threads takes at most ${most} different links in a comment; this one has ${links}. Remove ${links - most}.`
  return [
    ...(same === -1 ? [] : [refuseComment(message)]),
    ...(links > most ? [refuseComment(many)] : []),
    ...checkFirstComment(text, { ...length, actual }),
  ]
}

/** An emoji counts more than its code points, nothing counts less. */
export function countCaption({ caption }: PostToCheck): TextCount {
  const points = codePoints(caption)
  const actual = isFarTooLong(points, limits.textLength) ? points : textLength(caption)
  return { actual, limit: limits.textLength.value }
}

function checkText(post: PostToCheck): Finding[] {
  const { caption } = post
  const { actual } = countCaption(post)
  const unit = 'characters (an emoji counts as 4 or more)'
  const findings = checkCaption(post, { network, unit, limit: limits.textLength, actual }, 'without media')
  if (isFarTooLong(codePoints(caption), limits.textLength)) return findings
  const steps = ['caption']
  const bytes = utf8Bytes(caption)
  const { value: safe } = limits.textBytes
  if (bytes > safe && actual <= limits.textLength.value) {
    const message = `Threads says that it takes ${limits.textLength.value} characters, but was seen to refuse texts of more than ${safe} bytes; this one has ${bytes}, because letters such as ä or パ have two or three. Shorten it by ${bytes - safe} bytes to be sure.`
    findings.push(warn('post:caption_too_long', steps, message, { limit: safe, actual: bytes }))
  }
  const links = linksIn(caption).length
  const most = limits.links.value
  if (links > most) {
    const message = `Threads takes at most ${most} different links in a caption; this one has ${links}. Remove ${links - most}.`
    findings.push(refuse('post:field_invalid', steps, message, { limit: most, actual: links }))
  }
  const hashtags = hashtagsIn(caption).length
  const limit = limits.topicTags.value
  if (hashtags > limit) {
    const message = `The caption has ${hashtags} hashtags. Threads makes a topic of the first one and shows the others as plain text.`
    findings.push(warn('post:hashtags_count', steps, message, { limit, actual: hashtags }))
  }
  return findings
}
