import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { runSequences } from '../_util/api/undo-sequences.ts'
import { unreadHistory } from '../_util/api/unread-history.ts'
import { anyRate } from '../_util/browser/dashboard-api.ts'
import { WHOLE } from '../_util/run/whole.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

test('undoing any actions, done in any order, leaves every row as it was', {
  timeout: 120_000,
}, async () => {
  const counts = await runSequences(api, { sequences: WHOLE ? 45 : 20, seed: 1 })
  // Nearly everything that there is to do was done; undo.matrix.test.ts does all of it.
  expect(counts.size).toBeGreaterThan(10)
  await runSequences(api, { sequences: WHOLE ? 15 : 8, seed: 2, rule: { rule: 'REQUIRED', reviewers: 2 } })
  expect(await unreadHistory(api.db)).toEqual([])
})
