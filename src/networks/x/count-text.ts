import { createRequire } from 'node:module'

type TwitterText = Pick<
  typeof import('twitter-text'),
  'parseTweet' | 'extractCashtags' | 'extractUrlsWithIndices' | 'hasInvalidCharacters'
>

let loaded: TwitterText | null = null

/** The vendor's own counting. Loading it takes 70 to 110 ms (Node 26, 2026-11-21), so it waits until it is needed. */
function library(): TwitterText {
  loaded ??= createRequire(import.meta.url)('twitter-text') as TwitterText
  return loaded
}

/**
 * The library looks for links in time that grows with the square of a word's length: 60,000 characters of one word took
 * it 19 s on a busy machine. Words are looked at by themselves, and none is longer than this, as links hardly ever are.
 */
const LONGEST_WORD = 2_048

/** Cuts a text into words and what stands between them. Joined they are the text. */
function wordsOf(text: string): string[] {
  return text.split(/(\s+)/).flatMap((word) => {
    const parts: string[] = []
    for (let at = 0; at < word.length; at += LONGEST_WORD) parts.push(word.slice(at, at + LONGEST_WORD))
    return parts
  })
}

/** Length of a text as the network counts: https://docs.x.com/fundamentals/counting-characters (read 2026-11-21). */
export function weightedLength(text: string): number {
  const { parseTweet } = library()
  if (text.length <= LONGEST_WORD) return parseTweet(text).weightedLength
  // No link, emoji or composed character spans white space, so the words add up to the text.
  return wordsOf(text).reduce((sum, word) => sum + parseTweet(word).weightedLength, 0)
}

/** `$TICKER`s of a text, without the `$`. */
export function cashtagsIn(text: string): string[] {
  return library().extractCashtags(text)
}

/** Whether a text holds a character that the network takes in no post (byte order marks, unassigned ones, half ones). */
export function hasInvalidCharacters(text: string): boolean {
  return !text.isWellFormed() || library().hasInvalidCharacters(text)
}

/** Replaces everything that the network makes a link of, also without `https://`. */
export function replaceLinks(text: string, replace: (link: string) => string): string {
  return wordsOf(text)
    .map((word) => {
      if (!word.includes('.')) return word
      let result = ''
      let end = 0
      for (const { url, indices } of library().extractUrlsWithIndices(word)) {
        result += word.slice(end, indices[0]) + replace(url)
        end = indices[1]
      }
      return result + word.slice(end)
    })
    .join('')
}
