import type { Networks } from '#networks'
import { connectedNetworks, type Database } from '#persistence'

/** So long before a post is due. */
const AHEAD_MS = 60_000
/** Another network may have been connected since. */
const AGAIN_AFTER_MS = 600_000

/**
 * Has the code that only posts need loaded before one is due: the first post of a process would wait for it. Of connected networks alone,
 * for the memory that it takes.
 */
export function createLoadedAhead({ networks, db }: { networks: Networks; db: Database }) {
  let loadedAt = Number.NEGATIVE_INFINITY
  return {
    /** @param nextAt when the next post is due, by `performance.now()`; null: none is */
    async before(nextAt: number | null): Promise<void> {
      const now = performance.now()
      if (nextAt === null || nextAt - now > AHEAD_MS || now - loadedAt < AGAIN_AFTER_MS) return
      loadedAt = now
      const connected = new Set(await connectedNetworks(db))
      const loading = networks.all.flatMap(({ manifest, connector }) =>
        connected.has(manifest.name) ? (connector.load?.() ?? []) : [],
      )
      await Promise.all(loading)
    },
  }
}
