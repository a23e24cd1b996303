import type { NoteColor } from '#contract'

/** The nine colours of notes, with names for who cannot see them. All take dark text. */
export const NOTE_COLOR_NAMES = {
  '#faf785': 'Yellow',
  '#fff0db': 'Apricot',
  '#ffe5e5': 'Rose',
  '#ffe4f7': 'Pink',
  '#f2edff': 'Lilac',
  '#e1effc': 'Sky',
  '#e4f8e2': 'Mint',
  '#eee2d7': 'Sand',
  '#f2f2f2': 'Grey',
} as const satisfies Record<NoteColor, string>

/** Text on any of them, light theme or dark. */
export const NOTE_TEXT_COLOR = '#212529'

export const NOTE_COLORS = Object.keys(NOTE_COLOR_NAMES) as NoteColor[]
