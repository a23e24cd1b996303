import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { signInAs } from '../_util/api/members.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
})
afterAll(() => api.close())

test('members see that the clock has jumped ahead by the last word of a worker, until it is right', async () => {
  const member = await signInAs(api, 'reviewer')
  const clockSeen = async () => (await done(member.request('GET', '/holds'))).clock
  const report = (aheadMs: number | null) =>
    sql`update heartbeat set clock_ahead_ms = ${aheadMs},
      clock_seen_at = almanac_now() - ${aheadMs ?? 0} * interval '1 millisecond'`.execute(api.db)
  expect(await clockSeen()).toBeNull()
  await report(7_200_000)
  expect(await clockSeen()).toEqual({ aheadMs: 7_200_000 })
  // Set right, and no worker has said so yet.
  await sql`update heartbeat set clock_seen_at = almanac_now()`.execute(api.db)
  expect(await clockSeen()).toBeNull()
  await report(7_200_000)
  await report(null)
  expect(await clockSeen()).toBeNull()
})
