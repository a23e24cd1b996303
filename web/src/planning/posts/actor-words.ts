import { t } from '@lingui/core/macro'
import type { HistoryItem } from '#contract'

/** Who it was: a person by name, everything else by what it is. */
export function actorWords({ actor }: Pick<HistoryItem, 'actor'>): string {
  switch (actor.type) {
    case 'API_KEY':
      return actor.agent ? t`Agent, by the key “${actor.name}”` : t`API key “${actor.name}”`
    case 'PUBLISHER':
      return 'Almanac'
    case 'OPERATOR':
      return t`The operator`
    default:
      return actor.name
  }
}
