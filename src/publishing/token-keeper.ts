import { databaseNow, identitiesToRenew } from '#persistence'
import { readToken, refreshToken, type TokenDeps } from './token-refresher.ts'

/** Identities of one network that are renewed in one look. */
const AT_ONCE = 200

export interface Renewals {
  renewed: number
  /** Dead for certain: their connections are marked. */
  dead: number
  /** Passing faults: the next look tries again. */
  failed: number
}

/**
 * Renews credentials that would lapse although nobody publishes, by what each network says of itself. Several processes
 * may look at once: a refresh holds the row, and whoever comes second finds it fresh. `signal` ends the look between two
 * identities.
 */
export async function renewTokens(deps: TokenDeps, signal: AbortSignal): Promise<Renewals> {
  const renewals: Renewals = { renewed: 0, dead: 0, failed: 0 }
  for (const { manifest, connect } of deps.networks.all) {
    const { renewEveryMs, refresh } = connect
    if (renewEveryMs === undefined || !refresh) continue
    const ids = await identitiesToRenew(deps.db, manifest.name, { olderThanMs: renewEveryMs, limit: AT_ONCE })
    for (const id of ids) {
      if (signal.aborted) return renewals
      const token = await readToken(deps, id)
      // Another process may have been here since the list was read.
      const age = token && (await databaseNow(deps.db)).getTime() - (token.refreshedAt?.getTime() ?? 0)
      if (!token || age === null || age < renewEveryMs) continue
      const outcome = await refreshToken(deps, id, token)
      renewals[outcome.kind === 'token' ? 'renewed' : outcome.kind]++
    }
  }
  return renewals
}
