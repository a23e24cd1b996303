import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { FAULTS, type FaultName, faultNames } from '#networks'
import { exactlyOnce } from '../_util/faults/crash-scene.ts'
import { type CrashStage, openStage } from '../_util/faults/crash-stage.ts'
import { part } from '../_util/run/whole.ts'

/** Everything that the simulators can do wrong, against the running engine: once at most, and an honest result. */

let stage: CrashStage
beforeAll(async () => {
  stage = await openStage()
}, 60_000)
afterAll(() => stage.close())

/** A network whose tokens cannot be refreshed by a program: its connection is over, and nothing was posted. */
const withoutRefresh = (network: string, fault: FaultName) => network === 'instagram' && fault === 'token-expired'

const cases = (['bluesky', 'instagram'] as const).flatMap((network) =>
  faultNames.map((fault) => [network, fault] as const),
)

describe.concurrent('a fault of the network', () => {
  test.each(part(cases, 6))('resources-61: %s: %s', async (network, fault) => {
    const scene = await stage.scene({ network, fault, step: 'finished' })
    try {
      await scene.startOther()
      if (fault === 'rate-limited') await scene.skipWait(10 * 60_000)
      const lasting = withoutRefresh(network, fault) ? 'ACCOUNT_CONNECTION_EXPIRED' : FAULTS[fault].lasting
      expect(await scene.outcome()).toEqual(
        lasting ? { status: 'PUBLISHED', result: expect.any(String), reason: lasting, posts: 0 } : exactlyOnce,
      )
    } finally {
      await scene.close()
    }
  })
})
