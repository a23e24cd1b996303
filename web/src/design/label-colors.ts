import { msg, t } from '@lingui/core/macro'
import type { LabelColor } from '#contract'
import { translated } from '../language/translated.ts'

/** The colors of labels, with names for who cannot see them. */
const LABEL_COLOR_NAMES: Readonly<Record<LabelColor, string>> = translated({
  '#e42a23': msg`Red`,
  '#cb4f0b': msg`Orange`,
  '#a16c04': msg`Amber`,
  '#727d0e': msg`Olive`,
  '#2a8823': msg`Green`,
  '#0b866d': msg`Teal`,
  '#0d819f': msg`Cyan`,
  '#1974e3': msg`Blue`,
  '#6267ea': msg`Indigo`,
  '#9457db': msg`Violet`,
  '#d72c8f': msg`Pink`,
  '#6e7786': msg`Gray`,
})

export const LABEL_COLORS = Object.keys(LABEL_COLOR_NAMES) as LabelColor[]

export const isLabelColor = (color: string): color is LabelColor => color in LABEL_COLOR_NAMES

/** "Teal", "No color"; of a color that is none of ours, its number. */
export function labelColorName(color: string | null): string {
  if (color === null) return t`No color`
  return isLabelColor(color) ? LABEL_COLOR_NAMES[color] : color
}
