import { connectAgainMessage } from '#domain'
import type { Network } from '#networks'
import type { DeliveryContent } from '#persistence'
import { canRefresh } from './run.ts'
import { type Refreshed, refreshToken, tokenOf } from './token-refresher.ts'
import type { DeliverDeps } from './turn.ts'

/** The token of a post that has ended, renewed where it is over soon: what comes behind results goes on for longer than many a token lasts. */
export async function freshToken(
  deps: DeliverDeps,
  content: DeliveryContent,
  { identityId, now, network }: { identityId: string; now: Date; network: Network },
): Promise<Refreshed> {
  const token = tokenOf(deps, content.identity)
  if (!token) return { kind: 'dead', message: connectAgainMessage }
  const lastsMs = (token.expiresAt?.getTime() ?? Number.POSITIVE_INFINITY) - now.getTime()
  const lasts = lastsMs > deps.settings.refreshAheadMs
  return lasts || !canRefresh({ refreshed: false, network, token })
    ? { kind: 'token', token }
    : refreshToken(deps, identityId, token)
}
