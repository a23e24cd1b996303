import { LIMITS, withoutUnprintable } from '#contract'

const { max } = LIMITS.noteCodePoints

/** Of a longer title no more is needed: it has more code points than a note. */
export const TITLE_UNITS = 2 * max + 1

/** A title as the content of a note: one line, cut with an ellipsis. Any text of `TITLE_UNITS` at most. */
export function noteContent(title: string): string {
  const letters = [...withoutUnprintable(title.replace(/\s+/g, ' ')).trim()]
  if (letters.length === 0) return 'Event without a title'
  return letters.length <= max
    ? letters.join('')
    : `${letters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}
