import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GuestCalendar } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { enter, type GuestClient, share } from '../_util/api/guests.ts'
import { signInAs } from '../_util/api/members.ts'
import { done, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let guest: GuestClient
let other: GuestClient
beforeAll(async () => {
  api = await startApi()
  const link = await share(api, await signInAs(api, 'owner'))
  guest = await enter(api, link)
  other = await enter(api, link)
})
afterAll(() => api.close())

const RANGE = '?from=2030-05-25T00:00:00Z&to=2030-07-20T00:00:00Z'
const calendarOf = (more = ''): Promise<GuestCalendar> => done(guest.request('GET', `/calendar${RANGE}${more}`))

test('a month comes in pages of 500 posts, each of them once, also where many are at one time', async () => {
  const repeat = { interval: 'DAY', occurrences: 49 }
  for (let series = 0; series < 11; series++) await api.create({ scheduledAt: '2030-05-30T10:00:00Z', repeat })
  const first = await calendarOf()
  expect([first.cards.length, first.truncated, first.next]).toEqual([500, false, expect.any(String)])
  const second = await calendarOf(`&cursor=${first.next}`)
  expect([second.cards.length, second.notes, second.next]).toEqual([39, [], null])
  const cards = [...first.cards, ...second.cards]
  expect(new Set(cards.map(({ id }) => id)).size).toBe(539)
  expect(cards.map(({ scheduledAt }) => scheduledAt)).toEqual(cards.map(({ scheduledAt }) => scheduledAt).toSorted())
})

test.each(['x', '2030-05-30T10:00:00.000Z_x', 'x_01a22692-185d-72f9-87fd-c26580292071'])(
  'a page begins where another has ended, not at %s',
  async (cursor) => {
    const answer = await guest.request('GET', `/calendar${RANGE}&cursor=${cursor}`)
    expect(statusAndCode(answer)).toEqual([400, 'request:invalid_query'])
  },
)

test('a visit that asks for more than ten things in a second waits, and no other visit does', async () => {
  const statuses: number[] = []
  // Whole seconds are counted: of so many requests some come within the same.
  for (let count = 0; count < 20 && !statuses.includes(429); count++) {
    const answers = await Promise.all(Array.from({ length: 11 }, () => guest.request('GET', '/visit')))
    statuses.push(...answers.map(({ status }) => status))
  }
  expect(statuses).toContain(429)
  expect((await other.request('GET', '/visit')).status).toBe(200)
})
