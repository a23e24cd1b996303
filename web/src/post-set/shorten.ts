// Where a text that is too long is cut.

const signs = new Intl.Segmenter(undefined, { granularity: 'grapheme' })
const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' })

/** What stands for the rest of a sentence. Some networks count it as two characters. */
const REST = '…'
const REST_COUNTS = 2

/** Letters that the last word may lose, so that it is not cut. */
const LONGEST_WORD = 30

/**
 * A text without so many characters at its end: whole sentences where that leaves half of what may stay, else words and the sign
 * that there was more.
 */
export function shortened(text: string, by: number): string {
  const all = [...signs.segment(text)].map(({ segment }) => segment)
  const room = Math.max(0, all.length - by)
  const most = all.slice(0, room).join('')
  let end = 0
  for (const { segment, index } of sentences.segment(text)) {
    const last = index + segment.trimEnd().length
    if (last <= most.length) end = last
  }
  if (end > most.length / 2) return text.slice(0, end)
  const cut = all.slice(0, Math.max(0, room - REST_COUNTS)).join('')
  const whole = cut.length === text.length || /\s/.test(text.slice(cut.length, cut.length + 1))
  const space = whole ? cut.length : cut.search(/\s+\S*$/)
  const kept = space > 0 && cut.length - space <= LONGEST_WORD ? cut.slice(0, space) : cut
  return kept.trim() === '' ? most.trimEnd() : `${kept.trimEnd()}${REST}`
}

/** The place from which on a text has so many characters more than may stay. */
export function overFrom(text: string, by: number): number {
  if (by <= 0) return text.length
  const starts = [...signs.segment(text)].map(({ index }) => index)
  return starts[Math.max(0, starts.length - by)] ?? text.length
}
