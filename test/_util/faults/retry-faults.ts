import { expect } from 'vitest'
import { FAULTS, type FaultName } from '#networks'
import type { CrashStage } from './crash-stage.ts'

/**
 * Has a simulator do something wrong with a post that is tried once, and retries it twice. What the simulator holds is asked of its
 * own ledger, behind each of them: never more than one, and what the set says. A retry is another post to it, so that what strikes once
 * may strike again.
 */
export async function retryOn(stage: CrashStage, network: 'bluesky' | 'instagram', fault: FaultName): Promise<void> {
  const scene = await stage.scene({ network, fault, step: 'finished', maxAttempts: 1 })
  try {
    await scene.startOther()
    const first = await scene.outcome()
    expect(first.posts).toBe(first.result === 'POSTED' ? 1 : 0)
    for (let nth = 0; nth < 2; nth++) {
      const before = await scene.outcome()
      const why = await scene.retry()
      const { result, posts, reason } = await scene.outcome()
      expect(posts).toBe(result === 'POSTED' ? 1 : 0)
      if (before.result === 'POSTED') expect(why).toContain('It is published.')
      // Its token cannot be refreshed: a person connects the account again first.
      else if (network === 'instagram' && fault === 'token-expired') expect(why).toContain('Reconnect the account')
      else {
        expect(why).toBeNull()
        if (FAULTS[fault].lasting) expect(reason).toBe(FAULTS[fault].lasting)
      }
    }
  } finally {
    await scene.close()
  }
}
