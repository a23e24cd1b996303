import { plural, t } from '@lingui/core/macro'
import type { Connection, Hold, HoldShown, PlacedHold, ReleasedHold, SocialSet } from '#contract'
import { networkName } from '../design/network-icon.tsx'
import { listOf } from '../design/words.ts'

/** What the dialog begins with: a connection, a brand, or with neither the whole account. */
export interface StopTarget {
  socialSet: SocialSet | null
  connection?: Pick<Connection, 'id' | 'name' | 'accountType'>
}

/** What is stopped: "Demo", "all brands of Bakery", "Corner Bakery on Bluesky". */
export function placeOf({ scope, name, accountType }: Pick<Hold, 'scope' | 'name' | 'accountType'>): string {
  if (scope === 'ACCOUNT') return t`all brands of ${name}`
  if (accountType === null) return name
  const network = networkName(accountType)
  return t`${name} on ${network}`
}

/** Who stopped it, since when and why; `since` in words. */
export function whoWords({ by, reason }: Pick<HoldShown, 'by' | 'reason'>, since: string): string {
  return by === 'operator'
    ? t`The operator stopped it on ${since}: ${reason}`
    : t`${by} stopped it on ${since}: ${reason}`
}

/** What holding came to. */
export function stoppedWords({ hold, withNetworks }: PlacedHold): string {
  const place = placeOf(hold)
  if (withNetworks === 0) return t`Publishing is stopped for ${place}. No post was already with a network.`
  return t`Publishing is stopped for ${place}. ${plural(withNetworks, {
    one: '# post is already with a network and cannot be stopped.',
    other: '# posts are already with a network and cannot be stopped.',
  })}`
}

/** What a release came to. */
export function resumedWords({ publishing, parked, failed }: ReleasedHold): string {
  const parts = [
    ...(publishing > 0
      ? [plural(publishing, { one: '# late post is publishing now', other: '# late posts are publishing now' })]
      : []),
    ...(parked > 0
      ? [plural(parked, { one: '# late post is now a draft', other: '# late posts are now drafts' })]
      : []),
    ...(failed > 0
      ? [
          plural(failed, {
            one: '# network of a partly published post failed',
            other: '# networks of partly published posts failed',
          }),
        ]
      : []),
  ]
  if (parts.length === 0) return t`Publishing resumed.`
  const outcome = listOf(parts)
  return t`Publishing resumed: ${outcome}.`
}
