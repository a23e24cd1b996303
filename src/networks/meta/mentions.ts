import { comparable } from '../kit/lookup.ts'

/** Signs in the name of a Page at most, generously. */
const NAME_LENGTH = 200

/**
 * Whether a text in a listing may be one as it was sent: white space may have changed, characters may be composed again, and
 * mentions are shown as names or, where the app may not make them, not at all (`least` is then 0). The words between mentions are
 * looked for in order, each at the first place: where the text fits at all it fits so, and the time does not grow with the number.
 */
export function isMessageOf(message: string, shown: string, least = 0): boolean {
  const pieces = piecesOf(message)
  if (pieces.length === 1) return comparable(shown) === comparable(message)
  const [text, words] = [squeezed(shown), pieces.map(squeezed)]
  const [head = '', ...others] = words
  const tail = others.pop() ?? ''
  if (!text.startsWith(head)) return false
  let end = head.length
  for (const each of others) {
    const at = text.indexOf(each, end + least)
    if (at < 0) return false
    end = at + each.length
  }
  const names = text.length - words.join('').length
  return text.endsWith(tail) && text.length - tail.length >= end + least && names <= NAME_LENGTH * (words.length - 1)
}

const squeezed = (text: string) => comparable(text).replaceAll(' ', '')

/** A text of nothing but mentions looks like many others. */
export function isOnlyMentions(message: string): boolean {
  const words = piecesOf(message)
  return words.length > 1 && !/[\p{L}\p{N}]/u.test(words.join(''))
}

/** What stands before, between and behind the mentions. */
const piecesOf = (message: string): string[] => comparable(message).split(/@\[\d{1,30}\]/)
