import { setTimeout as wait } from 'node:timers/promises'
import { LIMITS } from '#contract'
import { SECOND_MS } from '#contract/durations'

/** How an account stands within its second, once a request of it was counted. */
interface Standing {
  /** False: it is one too many. */
  allowed: boolean
  /** When the second is over. */
  resetAt: Date
}

/**
 * Counts a call for its account. Over the rate it waits for the next second, two seconds at most.
 *
 * @param take counts one request
 * @returns null when it is paid; else after how many seconds it may be tried again
 */
export async function pay(take: () => Promise<Standing>, gone: AbortSignal): Promise<number | null> {
  const until = performance.now() + LIMITS.mcp.waitMs
  for (;;) {
    const { allowed, resetAt } = await take()
    if (allowed) return null
    // No second is longer, no matter what the clock of the database says.
    const left = Math.min(Math.max(resetAt.getTime() - Date.now(), 1), SECOND_MS)
    if (gone.aborted || performance.now() + left > until) return 1
    await wait(left, undefined, { signal: gone }).catch(() => {})
  }
}
