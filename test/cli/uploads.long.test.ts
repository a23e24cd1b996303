import { expect, test } from 'vitest'
import { uploadThroughKills } from '../_util/api/upload-walk.ts'

/** The most that any of the processes may have had: measured 309 MB, and a file that is held in memory would be 1,000 more. */
const MOST_MEMORY = 450_000_000

test('1,000 MB through two processes that are killed: the same bytes come back, and memory stays flat', async () => {
  const { peakBytes } = await uploadThroughKills(1_000_000_000)
  console.log(`The most memory of a process: ${Math.round(peakBytes / 1e6)} MB`)
  expect(peakBytes).toBeLessThan(MOST_MEMORY)
})
