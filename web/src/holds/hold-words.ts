import type { Hold, HoldShown, PlacedHold, ReleasedHold } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { count, listOf } from '../design/words.ts'

/** What is stopped: "Demo", "all brands of Bakery", "Corner Bakery on Bluesky". */
export function placeOf({ scope, name, accountType }: Pick<Hold, 'scope' | 'name' | 'accountType'>): string {
  if (scope === 'ACCOUNT') return `all brands of ${name}`
  return accountType === null ? name : `${name} on ${networkName(accountType)}`
}

/** Who stopped it, since when and why; `since` in words. */
export function whoWords({ by, reason }: Pick<HoldShown, 'by' | 'reason'>, since: string): string {
  return `${by === 'operator' ? 'The operator' : by} stopped it on ${since}: ${reason}`
}

/** What holding came to. */
export function stoppedWords({ hold, withNetworks }: PlacedHold): string {
  const stopped = `Publishing is stopped for ${placeOf(hold)}.`
  if (withNetworks === 0) return `${stopped} No post is with a network.`
  const them = withNetworks === 1 ? 'It cannot be stopped any more.' : 'They cannot be stopped any more.'
  return `${stopped} ${count(withNetworks, 'post is', 'posts are')} already with a network. ${them}`
}

/** What a release came to. */
export function resumedWords({ publishing, parked, failed }: ReleasedHold): string {
  const parts = [
    ...(publishing > 0 ? [`${count(publishing, 'late post goes', 'late posts go')} out now`] : []),
    ...(parked > 0 ? [`${count(parked, 'late post is a draft', 'late posts are drafts')} now`] : []),
    ...(failed > 0 ? [`${count(failed, 'network')} of posts that were partly published failed`] : []),
  ]
  return parts.length === 0 ? 'Publishing goes on.' : `Publishing goes on: ${listOf(parts)}.`
}
