import { searched } from '../design/searched.ts'
import { wordsLocale } from '../language/language.ts'

/** An emoji with what it is called in the language of the page. */
export interface NamedEmoji {
  emoji: string
  name: string
  /** Words of its name, as they are compared. */
  nameWords: readonly string[]
  /** Other words that people look for it by. */
  otherWords: readonly string[]
}

/** Names and keywords of Unicode's CLDR, written by `scripts/make-emoji-words.ts`. */
const FILES: Readonly<Record<string, () => Promise<{ default: string }>>> = {
  en: () => import('./emoji-words/en.txt?raw'),
  de: () => import('./emoji-words/de.txt?raw'),
}

const wordsOf = (text: string) => searched(text).split(/[^\p{L}\p{N}]+/u)

/** The emojis of the picker with their names, in its order. */
export async function loadEmojiNames(): Promise<readonly NamedEmoji[]> {
  const file = await (FILES[wordsLocale()] ?? FILES.en)?.()
  return readEmojiNames(file?.default ?? '')
}

/** Reads lines of an emoji, its name and other words, between tabs. */
export function readEmojiNames(text: string): NamedEmoji[] {
  return text.split('\n').flatMap((line) => {
    const [emoji, name, others = ''] = line.split('\t')
    return emoji && name ? [{ emoji, name, nameWords: wordsOf(name), otherWords: wordsOf(others) }] : []
  })
}

/** How well an emoji fits what was typed, the best first. In German, words are often parts of longer ones. */
const FITS: readonly ((emoji: NamedEmoji, part: string) => boolean)[] = [
  ({ nameWords }, part) => nameWords.some((word) => word.startsWith(part)),
  ({ nameWords, otherWords }, part) => [...nameWords, ...otherWords].some((word) => word.startsWith(part)),
  ({ nameWords, otherWords }, part) => [...nameWords, ...otherWords].some((word) => word.includes(part)),
]

/** Those that have each word that was typed: first those whose names begin with them. */
export function findEmojis(named: readonly NamedEmoji[], text: string): NamedEmoji[] {
  const typed = wordsOf(text).filter((word) => word !== '')
  if (typed.length === 0) return []
  return [...new Set(FITS.flatMap((fits) => named.filter((emoji) => typed.every((part) => fits(emoji, part)))))]
}
