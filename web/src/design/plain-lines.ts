// As `src/contract/plain-lines.ts` has it, which a test holds this against: a value of the contract would bring its libraries.

const ODD_LINE_ENDS = /\r(?!\n)|[\v\f\u0085\u2028\u2029]/g
const CONTROLS = /[^\P{Cc}\t\n\r]/gu

/** A text as it goes out to networks: odd ends of lines become usual ones, other control characters go. */
export function plainLines(text: string): string {
  return text.replace(ODD_LINE_ENDS, '\n').replace(CONTROLS, '')
}
