/**
 * Ends of lines that few networks know: of old Macs, the line break within a paragraph of Word and PowerPoint (U+000B), the break of
 * a page, and those of Unicode.
 */
const ODD_LINE_ENDS = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/g
const CONTROLS = /[^\P{Cc}\t\n\r]/gu
/** What most texts have none of. */
const UNPLAIN = /\r(?!\n)|[^\P{Cc}\t\n\r]|[\u2028\u2029]/u

/**
 * A text as it goes out to networks: unusual line ends become U+000A, and all control characters except tabs and
 * ordinary line ends are removed. Office programs put such characters into copied text; networks refuse them or show
 * them as boxes.
 */
export function plainLines(text: string): string {
  return UNPLAIN.test(text) ? text.replace(ODD_LINE_ENDS, '\n').replace(CONTROLS, '') : text
}

/** The same for a text of one line, such as a title: lines are joined with a space. */
export function plainLine(text: string): string {
  return plainLines(text).replace(/[\r\n]+/g, ' ')
}

/** The characters of a text that `plainLines` replaces or removes, by name, each once: `U+000B`. */
export function oddCharactersIn(text: string): string[] {
  // Line ends of old Macs look the same afterwards.
  const found = new Set(text.match(/[^\P{Cc}\t\n\r]|[\u2028\u2029]/gu))
  return [...found].map((each) => `U+${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
}
