import { msg } from '@lingui/core/macro'
import type { NoteColor } from '#contract'
import { translated } from '../../language/translated.ts'

/** The nine colors of notes, with names for who cannot see them. All take dark text. */
export const NOTE_COLOR_NAMES: Readonly<Record<NoteColor, string>> = translated({
  '#faf785': msg`Yellow`,
  '#fff0db': msg`Apricot`,
  '#ffe5e5': msg`Rose`,
  '#ffe4f7': msg`Pink`,
  '#f2edff': msg`Lilac`,
  '#e1effc': msg`Sky`,
  '#e4f8e2': msg`Mint`,
  '#eee2d7': msg`Sand`,
  '#f2f2f2': msg`Gray`,
})

export const NOTE_COLORS = Object.keys(NOTE_COLOR_NAMES) as NoteColor[]
