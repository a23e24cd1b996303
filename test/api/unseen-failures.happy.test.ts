import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { endedSet, REFUSED } from '../_util/api/results.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'editor')
})
afterAll(() => api.close())

const refused = { result: REFUSED }
const unseen = () => done(person.request('GET', '/results/unseen'))
const waiting = async (): Promise<string[]> =>
  (await done(person.request('GET', `/results?socialSetId=${api.socialSetId}&group=needs-you`))).groups[0].data.map(
    ({ id }: { id: string }) => id,
  )

test('what failed for an account that must be reconnected is unseen once the account works again', async () => {
  const expired = {
    result: { status: 'FAILED', reason: 'ACCOUNT_CONNECTION_EXPIRED', message: 'Sign in again.' },
  } as const
  const id = await endedSet(api, [expired])
  const account = (status: 'CONNECTED' | 'RECONNECT_REQUIRED') =>
    api.db.updateTable('connections').set({ status }).where('account_type', '=', 'BLUESKY').execute()
  expect((await unseen()).total).toBe(1)
  await account('RECONNECT_REQUIRED')
  try {
    expect((await unseen()).total).toBe(0)
    expect(await waiting()).toEqual([id])
    await endedSet(api, [expired, refused])
    expect((await unseen()).total).toBe(1)
  } finally {
    await account('CONNECTED')
  }
  expect((await unseen()).total).toBe(2)
})
