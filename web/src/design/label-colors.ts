import type { LabelColor } from '#contract'

/** The colours of labels, with names for who cannot see them. */
export const LABEL_COLOR_NAMES = {
  '#e42a23': 'Red',
  '#cb4f0b': 'Orange',
  '#a16c04': 'Amber',
  '#727d0e': 'Olive',
  '#2a8823': 'Green',
  '#0b866d': 'Teal',
  '#0d819f': 'Cyan',
  '#1974e3': 'Blue',
  '#6267ea': 'Indigo',
  '#9457db': 'Violet',
  '#d72c8f': 'Pink',
  '#6e7786': 'Grey',
} as const satisfies Record<LabelColor, string>

export const LABEL_COLORS = Object.keys(LABEL_COLOR_NAMES) as LabelColor[]

/** "Teal", "No colour"; of a colour that is none of ours, its number. */
export function labelColorName(color: string | null): string {
  if (color === null) return 'No colour'
  return (LABEL_COLOR_NAMES as Record<string, string>)[color] ?? color
}
