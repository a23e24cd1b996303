const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/**
 * The beginning of a text as one line of at most so many code points, cut between what people see as characters. Only a
 * single character that is longer by itself is cut within.
 */
export function excerptOf(text: string, codePoints: number): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  const points = [...line]
  if (points.length <= codePoints) return line
  // One more is looked at: whether it belongs to the character before it.
  const begin = points.slice(0, codePoints + 1).join('')
  const kept: string[] = []
  let left = codePoints
  for (const { segment } of graphemes.segment(begin)) {
    left -= [...segment].length
    if (left < 0) break
    kept.push(segment)
  }
  return kept.length > 0 ? kept.join('').trimEnd() : points.slice(0, codePoints).join('')
}
