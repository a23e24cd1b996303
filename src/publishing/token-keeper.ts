import { MINUTE_MS } from '#contract/durations'
import type { Network } from '#networks'
import { claimRenewals, planRenewals } from '#persistence'
import { readToken, refreshToken, type TokenDeps } from './token-refresher.ts'

interface KeeperDeps extends TokenDeps {
  log: TokenDeps['log'] & { error(fields: object, message: string): void }
}

/** Identities of one network that are renewed side by side. */
const AT_ONCE = 10
/** A look is over by then: a network that hangs must not put off the next look at the others. */
const LOOK_MS = 10 * MINUTE_MS

/** Before what failed is tried again; the last one repeats. Half a day is short beside the weeks in which tokens lapse. */
const PAUSES_MS = [15, 30, 60, 120, 240, 480, 720].map((minutes) => minutes * MINUTE_MS)

export interface Renewals {
  renewed: number
  /** Dead for certain: their connections are marked. */
  dead: number
  /** Passing faults and errors: tried again after a pause. */
  failed: number
}

/**
 * Renews credentials that would lapse although nothing is published, by what each network says of itself, the networks
 * side by side. Several processes may look at once: each claims identities of its own. An identity that cannot be renewed
 * is logged and stops nothing; one whose credentials cannot be refreshed at all is left as it is. `signal` ends the look between two batches; what is left is for the next one.
 */
export async function renewTokens(deps: KeeperDeps, signal: AbortSignal): Promise<Renewals> {
  const renewals: Renewals = { renewed: 0, dead: 0, failed: 0 }
  const over = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)])
  await Promise.all(
    deps.networks.all.map(async (network) => {
      try {
        await renewTokensOf(deps, network, renewals, over)
      } catch (error) {
        deps.log.error({ network: network.manifest.name, error }, 'The tokens of a network could not be renewed')
      }
    }),
  )
  return renewals
}

async function renewTokensOf(
  deps: KeeperDeps,
  { manifest: { name }, connect }: Network,
  renewals: Renewals,
  signal: AbortSignal,
): Promise<void> {
  const { renewEveryMs: everyMs } = connect
  if (everyMs === undefined || !connect.refresh) return
  await planRenewals(deps.db, name, { everyMs, signal })
  while (!signal.aborted) {
    const claimed = await claimRenewals(deps.db, name, { limit: AT_ONCE, pausesMs: PAUSES_MS })
    if (claimed.length === 0) return
    await Promise.all(
      claimed.map(async (identity) => {
        const outcome = await renew(deps, name, connect, identity)
        if (outcome !== 'kept') renewals[outcome === 'token' ? 'renewed' : outcome] += 1
      }),
    )
  }
}

async function renew(
  deps: KeeperDeps,
  network: string,
  { canRefresh }: Network['connect'],
  identity: { id: string; refreshedAt: Date | null },
) {
  try {
    const token = canRefresh && (await readToken(deps, identity.id))
    if (token && !canRefresh(token.credentials)) return 'kept'
    const outcome = await refreshToken(deps, identity.id, identity)
    if (outcome.kind === 'failed') {
      const about = { network, identity: identity.id, reason: outcome.message }
      deps.log.warn(about, 'A token could not be renewed; it is tried again later')
    }
    return outcome.kind
  } catch (error) {
    deps.log.error({ network, identity: identity.id, error }, 'The token of an identity could not be renewed')
    return 'failed'
  }
}
