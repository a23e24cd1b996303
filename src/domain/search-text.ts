/**
 * A text as search sees it. Capitals are folded one character at a time (so that `STRASSE` finds `Straße`, and the
 * place of a sigma in its word does not matter). Letters from a to z and digits stay, a space becomes `Z`, every other
 * character `X`, its number in letters from A to P, and `Y`. So no matter what a database's locale takes for a letter,
 * all of Unicode has trigrams; no text has a line break or a wildcard of LIKE in it; and a part of one text is a part
 * of another exactly when it is so in what this makes of them.
 */
export function searchable(text: string): string {
  const known = new Map<string, string>()
  return text.replace(/[^a-z0-9]/gu, (character) => {
    const found = known.get(character) ?? recode(character)
    known.set(character, found)
    return found
  })
}

function recode(character: string): string {
  if (character === ' ') return 'Z'
  let text = ''
  for (const part of character.toUpperCase().toLowerCase()) {
    text += /[a-z0-9]/.test(part) ? part : `X${letters(part.codePointAt(0) ?? 0)}Y`
  }
  return text
}

/** What a search looks through: the captions of a set, each once, a line each. */
export function searchTextOf(posts: readonly { caption: string }[]): string {
  const captions = new Set(posts.map(({ caption }) => caption))
  return [...new Set([...captions].map(searchable))].join('\n')
}

const DIGITS = 'ABCDEFGHIJKLMNOP'

/** A number in hexadecimal, written with letters. */
function letters(codePoint: number): string {
  let text = ''
  for (let rest = codePoint; text === '' || rest > 0; rest >>= 4) text = DIGITS.charAt(rest & 15) + text
  return text
}
