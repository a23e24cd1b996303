import { afterAll, beforeAll, expect, test } from 'vitest'
import { testBrowser } from '../../_util/browser/browser.ts'
import { uploadInBrowser } from '../../_util/browser/browser-upload.ts'
import { type Dashboard, startDashboard } from '../../_util/browser/dashboard.ts'
import { freePort } from '../../_util/processes/ports.ts'

/** The most that the server may have had: a file that is held in memory would be 1,000 MB more. */
const MOST_MEMORY = 700_000_000

const browser = testBrowser()
let dashboard: Dashboard
beforeAll(async () => {
  dashboard = await startDashboard(browser, { ALMANAC_PORT: await freePort() })
}, 120_000)
afterAll(() => dashboard?.stop())

test('1,000 MB from a browser, the server killed twice: the same bytes come back, and memory stays flat', async () => {
  browser.allowProblem(/net::ERR_|: 5\d\d$/)
  const { peakBytes } = await uploadInBrowser(dashboard, {
    bytes: 1_000_000_000,
    bytesPerSecond: 40_000_000,
    timeout: 300_000,
  })
  console.log(`The most memory of the server: ${Math.round(peakBytes / 1e6)} MB`)
  expect(peakBytes).toBeLessThan(MOST_MEMORY)
})
