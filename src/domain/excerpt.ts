const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Spaces are the only control characters of a line. */
const ASCII = /^[\x20-\x7e]*$/

/** Where no space is near the end, as in Chinese or in an address, a text is cut between characters. */
const NEAR = 0.6

/**
 * The beginning of a text as one line of at most so many code points. One that is cut ends with a whole word and "…".
 */
export function excerptOf(text: string, codePoints: number): string {
  const line = text.replace(/\s+/gu, ' ').trim()
  if (fits(line, codePoints)) return line
  const cut = beginningOf(line, codePoints - 1)
  const space = line[cut.length] === ' ' ? cut.length : cut.lastIndexOf(' ')
  return `${(space >= NEAR * cut.length ? cut.slice(0, space) : cut).trimEnd()}…`
}

const fits = (line: string, codePoints: number) =>
  line.length <= codePoints || (line.length <= 2 * codePoints && [...line].length <= codePoints)

/**
 * So many code points of a longer line, cut between what people see as characters. Only a single character that is longer by itself
 * is cut within.
 */
function beginningOf(line: string, codePoints: number): string {
  // One more is looked at: whether it belongs to the character before it. Of letters of ASCII each is one by itself.
  if (ASCII.test(line.slice(0, codePoints + 1))) return line.slice(0, codePoints)
  // A code point has two units at most.
  const points = [...line.slice(0, 2 * (codePoints + 1))]
  const [most, next = ''] = [points.slice(0, codePoints).join(''), points[codePoints]]
  const whole = graphemes.segment(most + next).containing(most.length)?.index ?? 0
  return whole > 0 ? most.slice(0, whole) : most
}
