import { afterAll, beforeAll, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { expectSentAsShown, FIT_CASES } from '../../_util/browser/fit-sent.ts'

/** One of the cases of `fit-sent.matrix.test.ts`. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

test('what a network has got of a picture that is filled is what the preview showed', async () => {
  const [first] = FIT_CASES
  await expectSentAsShown(dashboard, first, 'PAD')
}, 60_000)
