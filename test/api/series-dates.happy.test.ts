import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, cardsOf, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let person: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  person = await signInAs(api, 'author')
})
afterAll(() => api.close())

const ask = (body: object) => person.request('POST', '/post-sets/series-dates', { body })

test('the dates that are reported are those that the series gets', async () => {
  const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'] })
  const plan = { socialSetId, scheduledAt: '2030-05-31T08:00:00Z', repeat: { interval: 'DAY', occurrences: 7 } }
  const { dates } = await done(ask(plan))
  await api.create(plan)
  const made = (await cardsOf(api, person, [['socialSetId', socialSetId]])).map(({ scheduledAt }) => scheduledAt)
  expect(dates).toEqual(made.map((at) => ({ at, shiftedByDst: false })))
  expect(dates).toHaveLength(7)
})

test('a day whose clocks skip the time is marked', async () => {
  const { dates } = await done(
    ask({
      socialSetId: api.socialSetId,
      // The clocks of Berlin go from 02:00 to 03:00 on 28 March 2027.
      scheduledAt: '2027-03-27T02:30:00+01:00',
      repeat: { interval: 'DAY', occurrences: 3 },
    }),
  )
  expect(dates).toEqual([
    { at: '2027-03-27T01:30:00.000Z', shiftedByDst: false },
    { at: '2027-03-28T01:30:00.000Z', shiftedByDst: true },
    { at: '2027-03-29T00:30:00.000Z', shiftedByDst: false },
  ])
})
