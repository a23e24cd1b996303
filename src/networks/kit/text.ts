const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** What a reader calls characters: extended grapheme clusters (UAX 29), so a family emoji counts once. */
export function graphemes(text: string): number {
  // Without surrogates, marks and joiners every unit is a cluster of its own, but for a line break of two characters.
  if (isPlain(text)) return text.length
  let count = 0
  for (const _ of segmenter.segment(text)) count++
  return count
}

const isPlain = (text: string) => /^[\n\x20-\x7e]*$/.test(text)

/** Unicode code points. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count++
  return count
}

/** Bytes of the text in UTF-8. */
export function utf8Bytes(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
