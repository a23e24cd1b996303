import type { Label } from '#contract'
import { change } from '../../api/change.ts'
import { isLabelColor } from '../../design/label-colors.ts'

export interface LabelFields {
  name: string
  color: string | null
}

export function createLabel({ name, color }: LabelFields): Promise<Label> {
  return change('POST /labels', { body: { name, color: color !== null && isLabelColor(color) ? color : null } })
}
