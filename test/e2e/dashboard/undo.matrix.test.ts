import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../../_util/api/api.ts'
import { runSequences } from '../../_util/api/undo-sequences.ts'
import { anyRate } from '../../_util/browser/dashboard-api.ts'

const SEQUENCES = 1_000
/** At the same time, each on sets of its own: one after the other, most of the time is waiting for the database. */
const SEEDS = [2_026, 2_027, 2_028, 2_029]

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

test('a thousand sequences of actions are taken back to the very rows', { timeout: 600_000 }, async () => {
  const sequences = SEQUENCES / SEEDS.length
  const counts = await Promise.all(SEEDS.map((seed) => runSequences(api, { sequences, seed })))
  for (const done of counts) {
    // Everything that there is to do was done.
    expect(done.size).toBe(15)
    expect([...done.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(sequences)
  }
})
