// Where a text that is too long is cut.

const signs = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** What stands for the rest of a sentence. Some networks count it as two characters. */
const REST = '…'
const REST_COUNTS = 2

const SENTENCE_END = /[\p{Sentence_Terminal}…][\p{Pe}\p{Pf}"']*$/u

/** Letters that the last word may lose, so that it is not cut. */
const LONGEST_WORD = 30

/**
 * A text of which so many UTF-16 code units may stay: whole sentences where that leaves half of it, else words and the sign that
 * there was more.
 */
export function shortened(text: string, fits: number): string {
  const most = text.slice(0, fits)
  let end = 0
  for (const { segment, index } of sentences.segment(text)) {
    const last = index + segment.trimEnd().length
    if (last <= most.length) end = last
  }
  // What follows does not have to look like a sentence: an address does not.
  const whole = most.trimEnd()
  if (SENTENCE_END.test(whole) && /^\s/.test(text.slice(whole.length))) end = whole.length
  if (end > most.length / 2) return text.slice(0, end)
  const all = [...signs.segment(most)].map(({ segment }) => segment)
  const cut = all.slice(0, Math.max(0, all.length - REST_COUNTS)).join('')
  const isWord = cut.length === text.length || /\s/.test(text.slice(cut.length, cut.length + 1))
  const space = isWord ? cut.length : cut.search(/\s+\S*$/)
  const kept = space > 0 && cut.length - space <= LONGEST_WORD ? cut.slice(0, space) : cut
  return kept.trim() === '' ? most.trimEnd() : `${kept.trimEnd()}${REST}`
}

/** How much of the start of a text stays without so many characters at its end, in UTF-16 code units. */
export function fitsWithout(text: string, by: number): number {
  if (by <= 0) return text.length
  const starts = [...signs.segment(text)].map(({ index }) => index)
  return starts[Math.max(0, starts.length - by)] ?? text.length
}
