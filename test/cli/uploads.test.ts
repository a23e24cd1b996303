import { expect, test } from 'vitest'
import { uploadThroughKills } from '../_util/api/upload-walk.ts'

/** The bounded part of uploads.long.test.ts. */
test('upload-11: 24 MB through two processes that are killed: the same bytes come back', async () => {
  const { peakBytes } = await uploadThroughKills(24_000_000)
  expect(peakBytes).toBeGreaterThan(0)
}, 120_000)
