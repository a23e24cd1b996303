import { checkCaption, checkForm, checkItem, type ItemRules, refuse, warn } from '../kit/rules.ts'
import { isFarTooLong } from '../kit/text-rules.ts'
import type { CheckedMedia, Finding, PostToCheck, TextCount } from '../network.ts'
import { CTA_TYPES, fieldsOf, leadsToAddress } from './fields.ts'
import { form, limits, TITLE } from './manifest.ts'
import { phoneNumberIn } from './phone-numbers.ts'

/** Format and size of images are fitted on the way; nothing is ever enlarged. */
const photo: ItemRules = {
  what: 'A photo',
  unsent: 'everything',
  minWidth: limits.photoMinSide,
  minHeight: limits.photoMinSide,
  minBytes: limits.photoMinBytes,
  advised: { minWidth: limits.photoAdvisedWidth, minHeight: limits.photoAdvisedHeight },
  motion: { message: `${TITLE} shows no animated images; the first picture is sent.` },
}

/** Everything that Google is known to refuse of a post, and what it would do other than people expect, as warnings. */
export function checkPost(post: PostToCheck): Finding[] {
  return [
    ...checkText(post),
    ...checkCallToAction(post),
    ...checkForm(TITLE, form, post.media),
    ...post.media.flatMap(checkPhoto),
  ]
}

/** Counted in UTF-16 code units. */
export function countCaption({ caption }: PostToCheck): TextCount {
  return { actual: caption.length, limit: limits.summaryLength.value }
}

/**
 * A text is demanded: Google's own forms do so for a post of this kind, and it is what distinguishes posts when
 * an answer was lost.
 */
function checkText(post: PostToCheck): Finding[] {
  const { caption } = post
  const limit = limits.summaryLength
  const findings = checkCaption(post, { network: TITLE, limit, actual: caption.length }, 'always')
  const number = isFarTooLong(caption.length, limit) ? null : phoneNumberIn(caption)
  if (number === null) return findings
  const message = `${TITLE} allows no phone numbers in the text of posts and may reject this one for "${number}". Remove it; the button CALL dials the number of the profile.`
  return [...findings, warn('post:field_invalid', ['caption'], message)]
}

function checkCallToAction(post: PostToCheck): Finding[] {
  const { ctaType, ctaUrl } = fieldsOf(post.fields)
  if (!CTA_TYPES.includes(ctaType)) {
    const message = `${TITLE} has no button of type ${ctaType}. Use ${CTA_TYPES.join(', ')}.`
    return [refuse('post:field_invalid', ['ctaType'], message)]
  }
  const steps = ['ctaUrl']
  if (!leadsToAddress(ctaType)) {
    if (ctaUrl === null) return []
    const why = ctaType === 'CALL' ? 'a CALL button dials the number of the profile' : 'ctaType NONE means no button'
    const message = `${TITLE} is not sent ctaUrl, because ${why}. Choose another ctaType to have it used.`
    return [warn('post:field_invalid', steps, message)]
  }
  if (ctaUrl === null) {
    const message = `${TITLE} needs the address to which the button ${ctaType} leads. Give ctaUrl, or use ctaType NONE.`
    return [refuse('post:field_required', steps, message)]
  }
  if (isLink(ctaUrl)) return []
  const message = `${TITLE} takes ctaUrl as an http or https address without a user name; "${ctaUrl.slice(0, 60)}" is none. Write the whole address, such as https://example.com/menu.`
  return [refuse('post:field_invalid', steps, message)]
}

function isLink(text: string): boolean {
  if (!/^https?:\/\/\S+$/i.test(text) || !text.isWellFormed() || !URL.canParse(text)) return false
  const { username, password, hostname } = new URL(text)
  return username === '' && password === '' && /\.[^.]+$|^\[|^localhost$/.test(hostname)
}

/** Of a part of a photo the bytes are known only when it has been made: a guess refuses no post. */
function checkPhoto(item: CheckedMedia, index: number): Finding[] {
  if (item.facts.type === 'VIDEO') return []
  return checkItem(TITLE, item, ['media', index], photo).map((finding) => {
    if ((!item.crop && !item.isFitted) || finding.code !== 'post:media_size') return finding
    return { ...finding, message: `${finding.message} The bytes of the part that is shown are a guess.`, warning: true }
  })
}
