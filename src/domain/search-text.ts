import { wholeText } from '#contract'

/**
 * A text as search sees it. Capitals are folded one character at a time (so that `STRASSE` finds `Straße`, and the
 * place of a sigma in its word does not matter). A letter with its marks is then one character wherever there is such a one: what
 * a Mac decomposes is found like what is typed. Letters from a to z and digits stay, a space of any kind becomes `Z`, every other
 * character `X`, its number in letters from A to P, and `Y`. So no matter what a database's locale takes for a letter,
 * all of Unicode has trigrams; no text has a line break or a wildcard of LIKE in it; and a part of one text is a part
 * of another exactly when it is so in what this makes of them.
 */
export function searchable(text: string): string {
  return replaced(replaced(text, folded).normalize('NFC'), recode)
}

/** The text with what becomes of each character that is no small letter and no digit. */
function replaced(text: string, change: (character: string) => string): string {
  const known = new Map<string, string>()
  return text.replace(/[^a-z0-9]/gu, (character) => {
    const found = known.get(character) ?? change(character)
    known.set(character, found)
    return found
  })
}

/** Also those that do not break, as French and Word have them, and wide ones of East Asia. */
const SPACE = /\p{Zs}/u
const folded = (character: string): string => character.toUpperCase().toLowerCase()
const recode = (character: string): string =>
  SPACE.test(character) ? 'Z' : `X${letters(character.codePointAt(0) ?? 0)}Y`

/** What a search looks through: the whole texts of the posts of a set, each once, a line each. */
export function searchTextOf(posts: readonly Parameters<typeof wholeText>[0][]): string {
  const captions = new Set(posts.map(wholeText))
  return [...new Set([...captions].map(searchable))].join('\n')
}

/** What a search of the media library looks through: name and alternative text, a line each. */
export function mediaSearchText({ name, altText }: { name: string; altText: string | null }): string {
  return [name, altText ?? '']
    .filter((text) => text !== '')
    .map(searchable)
    .join('\n')
}

const DIGITS = 'ABCDEFGHIJKLMNOP'

/** A number in hexadecimal, written with letters. */
function letters(codePoint: number): string {
  let text = ''
  for (let rest = codePoint; text === '' || rest > 0; rest >>= 4) text = DIGITS.charAt(rest & 15) + text
  return text
}
