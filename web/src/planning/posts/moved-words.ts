import { t } from '@lingui/core/macro'
import type { HistoryRead } from '#contract'

/**
 * "moved to Bakery", "moved from Bakery": what history calls it on both sides that a post went to another brand, named for those who
 * see that brand. Null of everything else.
 */
export function movedTitle(item: HistoryRead): string | null {
  if (item.action === 'deleted' && item.changes.movedTo) {
    const { name } = item.changes.movedTo
    return name === undefined ? t`moved to another brand` : t`moved to ${name}`
  }
  if (item.action === 'created' && item.changes.movedFrom) {
    const { name } = item.changes.movedFrom
    return name === undefined ? t`moved from another brand` : t`moved from ${name}`
  }
  return null
}
