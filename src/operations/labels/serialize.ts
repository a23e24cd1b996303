import type { Label } from '#contract'
import type { DatedLabel } from '#persistence'

export function answerLabel({ id, name, color, createdAt }: DatedLabel): Label {
  return { id, name, color, createdAt: createdAt.toISOString() }
}
