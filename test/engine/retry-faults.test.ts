import { afterAll, beforeAll, test } from 'vitest'
import { type CrashStage, openStage } from '../_util/faults/crash-stage.ts'
import { retryOn } from '../_util/faults/retry-faults.ts'
import { part } from '../_util/run/whole.ts'

/** Retries never make a second post, by the ledger of a simulator. All faults are in retry-faults.long.test.ts. */

let stage: CrashStage
beforeAll(async () => {
  stage = await openStage()
}, 60_000)
afterAll(() => stage.close())

const faults = ['500-before', '500-after-accept', 'timeout-after-accept', 'token-expired', 'media-rejected'] as const
test.concurrent.each(part(faults, 3))('%s', (fault) => retryOn(stage, 'bluesky', fault))
