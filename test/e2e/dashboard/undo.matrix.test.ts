import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../_util/api.ts'
import { anyRate } from '../../_util/dashboard-api.ts'
import { runSequences } from '../../_util/undo-sequences.ts'

const SEQUENCES = 1_000

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

test('a thousand sequences of actions are taken back to the very rows', { timeout: 600_000 }, async () => {
  const seed = 2_026
  const counts = await runSequences(api, { sequences: SEQUENCES, seed })
  // Everything that there is to do was done.
  expect(counts.size).toBe(15)
  expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(SEQUENCES)
})
