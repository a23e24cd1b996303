const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Spaces are the only control characters of a line. */
const ASCII = /^[\x20-\x7e]*$/

/**
 * The beginning of a text as one line of at most so many code points, cut between what people see as characters. Only a
 * single character that is longer by itself is cut within.
 */
export function excerptOf(text: string, codePoints: number): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  if (line.length <= codePoints) return line
  // One more is looked at: whether it belongs to the character before it. Of letters of ASCII each is one by itself.
  if (ASCII.test(line.slice(0, codePoints + 1))) return line.slice(0, codePoints).trimEnd()
  // A code point has two units at most.
  const points = [...line.slice(0, 2 * (codePoints + 1))]
  if (points.length <= codePoints) return line
  const [most, next = ''] = [points.slice(0, codePoints).join(''), points[codePoints]]
  const whole = graphemes.segment(most + next).containing(most.length)?.index ?? 0
  return whole > 0 ? most.slice(0, whole).trimEnd() : most
}
