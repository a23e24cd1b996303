/**
 * Ends of lines that few networks know: of old Macs, the line break within a paragraph of Word and PowerPoint (U+000B), the break of
 * a page, and those of Unicode.
 */
const ODD_LINE_ENDS = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/g
const CONTROLS = /[^\P{Cc}\t\n\r]/gu
/** What most texts have none of. */
const UNPLAIN = /\r(?!\n)|[^\P{Cc}\t\n\r]|[\u2028\u2029]/u

/**
 * A text as it goes out to networks: odd ends of lines become U+000A, and of other control characters tabs and the usual ends of
 * lines are left. Office programs leave such characters in what is copied from them; networks refuse them, or show them as boxes.
 */
export function plainLines(text: string): string {
  return UNPLAIN.test(text) ? text.replace(ODD_LINE_ENDS, '\n').replace(CONTROLS, '') : text
}

/** The same of a text that has one line, such as a title: a space stands between lines. */
export function plainLine(text: string): string {
  return plainLines(text).replace(/[\r\n]+/g, ' ')
}

/** The characters of a text that `plainLines` replaces or leaves out, by name, each once: `U+000B`. */
export function oddCharactersIn(text: string): string[] {
  // Line ends of old Macs look the same afterwards.
  const found = new Set(text.match(/[^\P{Cc}\t\n\r]|[\u2028\u2029]/gu))
  return [...found].map((each) => `U+${each.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
}
