import { afterAll, beforeAll, describe, test } from 'vitest'
import { faultNames } from '#networks'
import { type CrashStage, openStage } from '../_util/faults/crash-stage.ts'
import { retryOn } from '../_util/faults/retry-faults.ts'

/** No matter what a simulator does wrong, retries never make a second post. */

let stage: CrashStage
beforeAll(async () => {
  stage = await openStage()
}, 60_000)
afterAll(() => stage.close())

// A post that the network asks to wait with has not failed.
const faults = faultNames.filter((fault) => fault !== 'rate-limited')

describe.concurrent.each(['bluesky', 'instagram'] as const)('%s', (network) => {
  test.each(faults)('%s', (fault) => retryOn(stage, network, fault), 60_000)
})
