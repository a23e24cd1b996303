import type { CheckedMedia, Finding, PostToCheck } from '../network.ts'
import { checkFile } from '../toolkit/media-rules.ts'
import { isFarTooLong, tooLong } from '../toolkit/text-rules.ts'
import { CTA_TYPES, fieldsOf, leadsToAddress } from './fields.ts'
import { limits, TITLE } from './manifest.ts'
import { phoneNumberIn } from './phone-numbers.ts'

/** Everything that Google is known to refuse of a post, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck): Finding[] {
  return [
    ...checkCaption(post.caption),
    ...checkCallToAction(post),
    ...checkCount(post.media),
    ...post.media.flatMap(checkItem),
  ]
}

const invalid = (steps: Finding['steps'], message: string, more: Partial<Finding> = {}): Finding => ({
  code: 'post:field_invalid',
  steps,
  message,
  ...more,
})

/**
 * A text is demanded: Google's own forms do so for a post of this kind, and it is what tells a post from another when
 * an answer was lost.
 */
function checkCaption(caption: string): Finding[] {
  const steps = ['caption']
  if (caption.trim() === '') {
    const message = `${TITLE} shows no post without a text. Write a caption.`
    return [{ code: 'post:caption_required', steps, message }]
  }
  if (!caption.isWellFormed()) {
    return [invalid(steps, `The caption holds half of a character, which ${TITLE} does not take. Write it anew.`)]
  }
  const limit = limits.summaryLength
  const findings = tooLong({ network: TITLE, what: 'captions', steps, limit, actual: caption.length })
  const number = isFarTooLong(caption.length, limit) ? null : phoneNumberIn(caption)
  if (number !== null) {
    const message = `${TITLE} allows no phone numbers in the text of posts and may reject this one for "${number}". Remove it; the button CALL dials the number of the profile.`
    findings.push(invalid(steps, message, { warning: true }))
  }
  return findings
}

function checkCallToAction(post: PostToCheck): Finding[] {
  const { ctaType, ctaUrl } = fieldsOf(post.fields)
  if (!CTA_TYPES.includes(ctaType)) {
    return [invalid(['ctaType'], `${TITLE} has no button of type ${ctaType}. Use ${CTA_TYPES.join(', ')}.`)]
  }
  const steps = ['ctaUrl']
  if (!leadsToAddress(ctaType)) {
    if (ctaUrl === null) return []
    const why = ctaType === 'CALL' ? 'a CALL button dials the number of the profile' : 'ctaType NONE means no button'
    const message = `${TITLE} is not sent ctaUrl, because ${why}. Choose another ctaType to have it used.`
    return [invalid(steps, message, { warning: true })]
  }
  if (ctaUrl === null) {
    const message = `${TITLE} needs the address to which the button ${ctaType} leads. Give ctaUrl, or use ctaType NONE.`
    return [{ code: 'post:field_required', steps, message }]
  }
  if (isLink(ctaUrl)) return []
  return [
    invalid(
      steps,
      `${TITLE} takes ctaUrl as an http or https address without a user name; "${ctaUrl.slice(0, 60)}" is none. Write the whole address, such as https://example.com/menu.`,
    ),
  ]
}

function isLink(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text) || !text.isWellFormed() || !URL.canParse(text)) return false
  const { username, password, hostname } = new URL(text)
  return username === '' && password === '' && /\.[^.]+$|^\[|^localhost$/.test(hostname)
}

function checkCount(media: readonly CheckedMedia[]): Finding[] {
  const limit = limits.photos.value
  if (media.length <= limit) return []
  const message = `${TITLE} shows one photo with a post; this one has ${media.length} media items. Remove ${media.length - limit}.`
  return [{ code: 'post:media_count', steps: ['media'], limit, actual: media.length, message }]
}

/** Format and size of images are fitted on the way; nothing is ever enlarged. */
function checkItem(item: CheckedMedia, index: number): Finding[] {
  const { facts } = item
  const steps = ['media', index]
  if (facts.type === 'VIDEO') {
    const message = `Posts on ${TITLE} take a photo and no videos, whatever the app itself offers. Use an image.`
    return [{ code: 'post:media_type', steps, message }]
  }
  const findings = checkFile(facts, steps, {
    network: TITLE,
    what: 'A photo',
    minWidth: limits.photoMinSide,
    minHeight: limits.photoMinSide,
  })
  if (findings.length === 0) findings.push(...checkAdvisedSize(facts, steps))
  const limit = limits.photoMinBytes.value
  if (facts.bytes < limit) {
    const message = `A photo on ${TITLE} must have at least ${limit} bytes; this file has ${facts.bytes}. Use a larger or finer one.`
    findings.push({ code: 'post:media_size', steps, limit, actual: facts.bytes, message })
  }
  if (facts.animated) {
    const message = `${TITLE} shows no animated images; the first picture is sent.`
    findings.push({ code: 'post:media_type', steps, message, warning: true })
  }
  findings.push(...checkUnsent(item, steps))
  return findings
}

function checkAdvisedSize({ width, height }: CheckedMedia['facts'], steps: Finding['steps']): Finding[] {
  const { photoAdvisedWidth: wide, photoAdvisedHeight: high } = limits
  if (width >= wide.value && height >= high.value) return []
  const [limit, actual] = width < wide.value ? [wide.value, width] : [high.value, height]
  const message = `The photo is ${width}x${height}. ${TITLE} is said to want ${wide.value}x${high.value} for posts and may refuse it. Use a larger one.`
  return [{ code: 'post:media_dimensions', steps, limit, actual, message, warning: true }]
}

/** Nothing that is written with a photo has a place on the network. */
function checkUnsent(item: CheckedMedia, steps: Finding['steps']): Finding[] {
  const { altText, title, description, link, tags } = item
  const parts = { 'alternative text': altText, title, description, link }
  const written = Object.entries(parts).flatMap(([name, text]) => (text?.trim() ? [name] : []))
  if (tags.length > 0) written.push('tags')
  if (written.length === 0) return []
  const message = `${TITLE} has no place for what is written with a photo (${written.join(', ')}). It is kept here and not sent.`
  return [invalid(steps, message, { warning: true })]
}
