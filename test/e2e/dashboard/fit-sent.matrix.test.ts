import { afterAll, beforeAll, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import type { Dashboard } from '../../_util/browser/dashboard.ts'
import { joinDashboard } from '../../_util/browser/dashboard-of-worker.ts'
import { expectSentAsShown, FIT_CASES } from '../../_util/browser/fit-sent.ts'

/** What a network has got of a picture of another shape is what the preview showed, pixel by pixel, and the file in the library stays. */

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await joinDashboard(browser)
}, 120_000)
afterAll(() => dashboard?.stop())

test.each(FIT_CASES.flatMap((each) => (['PAD', 'CROP'] as const).map((fit) => [each.title, fit, each] as const)))(
  '%s: %s',
  (_, fit, each) => expectSentAsShown(dashboard, each, fit),
  120_000,
)
