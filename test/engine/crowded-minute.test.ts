import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type CrowdedMinute, edits, openCrowdedMinute } from '../_util/engine/crowded-minute.ts'
import { HOUR_MS, holdEngines } from '../_util/engine/holds.ts'

/**
 * Posts that are added, removed or swapped while their set falls due: each has a result, and what was answered is what goes out. Many
 * more rounds are in crowded-minute.long.test.ts.
 */

let minute: CrowdedMinute
beforeAll(async () => {
  minute = await openCrowdedMinute()
})
afterAll(() => minute.close())

test.each(edits)('%s between what a claim sees and its lock', async (edit) => {
  expect(await minute.between(edit)).toEqual({ taken: 1, wrong: [] })
})

test('a hundred sets are edited while they fall due', async () => {
  for (let round = 0; round < 2; round++) expect((await minute.round()).wrong).toEqual([])
})

describe('a post that was forgotten when its set was claimed', () => {
  const { startTwo } = holdEngines()
  const late = { status: 'FAILED', reason: 'UNKNOWN', message: expect.stringContaining('too late to send it') }

  /** As a fault of ours would leave it: THREADS has no delivery. */
  async function forget({ engine }: Awaited<ReturnType<typeof startTwo>>): Promise<string> {
    const set = await engine.schedule({ accountTypes: ['BLUESKY', 'THREADS'] })
    await engine.look()
    await engine.db.deleteFrom('deliveries').where('account_type', '=', 'THREADS').execute()
    return set
  }

  test('is sent when the others have ended, and ends the set', async () => {
    const two = await startTwo()
    const set = await forget(two)
    await two.engine.work()
    expect(await two.engine.set(set)).toMatchObject({ status: 'PUBLISHING', results: [{ status: 'POSTED' }, null] })
    await two.engine.drain()
    expect(await two.engine.set(set)).toMatchObject({
      status: 'PUBLISHED',
      results: [{ status: 'POSTED' }, { status: 'POSTED' }],
    })
    expect([two.bluesky.calls, two.threads.calls].map((calls) => calls.filter((call) => call === 'publish'))).toEqual([
      ['publish'],
      ['publish'],
    ])
    expect(await two.engine.history(set)).toEqual(['publishing', 'post published', 'post published', 'published'])
  })

  test('is not sent when it is too late by then, and is told', async () => {
    const two = await startTwo()
    const { engine } = two
    const set = await forget(two)
    await engine.advance(7 * HOUR_MS)
    await engine.drain()
    expect(await engine.set(set)).toMatchObject({ status: 'PUBLISHED', results: [late, late] })
    expect(two.threads.calls).toEqual([])
  })
})
