import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { PostInput, ProblemEntry } from '#contract'
import { captionCodePoints as OF_A_TEXT, captionsOfSetCodePoints as TOGETHER } from '#contract/limits'

/** Only the composer says this: what is longer, the server takes in no request, so it cannot say what is wrong with it. */
const CODE = 'composer:text_too_long'

/** That texts are longer than any request takes; null while they are not. */
export function textTooLong(posts: readonly Pick<PostInput, 'accountType' | 'caption'>[]): ProblemEntry | null {
  const lengths = posts.map(({ caption }) => textLength(caption))
  const over = posts.flatMap((post, place) => ((lengths[place] ?? 0) > OF_A_TEXT ? [{ ...post, place }] : []))
  const [first] = over
  const characters = i18n.number(first ? OF_A_TEXT : TOGETHER)
  const common = { code: CODE, path: '', pointer: '#' }
  if (first) {
    const message = t`The text is too long: at most ${characters} characters.`
    // Of a text that all share, no account is named.
    if (over.length > 1 || posts.length === 1) return { ...common, message }
    const { place, accountType } = first
    return { ...common, message, accountType, path: `posts[${place}].caption`, pointer: `#/posts/${place}/caption` }
  }
  if (lengths.reduce((sum, length) => sum + length, 0) <= TOGETHER) return null
  return { ...common, message: t`The texts of all accounts are too long: at most ${characters} characters together.` }
}

/** Code points. */
export function textLength(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}
