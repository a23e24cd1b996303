import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { accountTypes, type Results } from '#contract'
import { createSecretBox } from '#domain'
import { createDiskStore, createUrlSigner, probe } from '#media'
import { loadNetworks } from '#networks'
import { type DemoCalendarDeps, makeDemoCalendar } from '#operations'
import { type Api, startApi } from '../_util/api/api.ts'
import { enter } from '../_util/api/guests.ts'
import { signInAs } from '../_util/api/members.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let folder: string
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  folder = await mkdtemp(join(tmpdir(), 'almanac-demo-'))
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

/** The demo account's calendar, as its first start at that time fills it. */
async function calendarOf(now: Date, timezone: string) {
  const accountId = await api.newAccount()
  const owner = await signInAs(api, 'owner', { accountId })
  const socialSetId = await api.newSocialSet({ accountId, timezone, connected: [...accountTypes] })
  const store = createDiskStore({ dir: folder })
  const shown: string[] = []
  const deps: DemoCalendarDeps = {
    db: api.db,
    box: createSecretBox([Buffer.alloc(32, 7)]),
    networks: await loadNetworks(),
    urls: createUrlSigner({ publicUrl: 'https://almanac.test', secrets: [Buffer.alloc(32, 7)] }),
    store,
    now: () => now,
    remember({ id }) {
      shown.push(id)
      return `https://almanac.test/${id}`
    },
  }
  await makeDemoCalendar(deps, { accountId, socialSetId, ownerEmail: owner.email, timezone })
  const from = new Date(now.getTime() - 31 * 86_400_000).toISOString()
  const to = new Date(now.getTime() + 30 * 86_400_000).toISOString()
  const calendar = await done(owner.request('GET', `/calendar?${new URLSearchParams({ socialSetId, from, to })}`))
  return { owner, socialSetId, store, shown, cards: calendar.cards, notes: calendar.notes }
}

test('fills every week of the month around today, without red', async () => {
  const { cards } = await calendarOf(new Date(), 'Europe/Berlin')
  const days = cards.map(({ scheduledAt }: { scheduledAt: string }) =>
    Math.round((new Date(scheduledAt).getTime() - Date.now()) / 86_400_000),
  )
  for (let first = -30; first <= 24; first += 6) {
    expect([first, days.filter((day: number) => day >= first && day < first + 6).length >= 2]).toEqual([first, true])
  }
  expect(cards.filter(({ state }: { state: string }) => /fail|late/.test(state))).toEqual([])
})

test('shows every state that a person meets, with pictures on half of its posts, labels, a series, a thread and notes', async () => {
  const { cards, notes, shown } = await calendarOf(new Date(), 'Europe/Berlin')
  const states = new Set(cards.map(({ state }: { state: string }) => state))
  expect([...states].toSorted()).toEqual(['approved', 'draft', 'pending', 'published', 'scheduled'])
  const pictured = cards.filter(({ thumbnailUrl }: { thumbnailUrl: string | null }) => thumbnailUrl !== null)
  expect(pictured.length / cards.length).toBeGreaterThan(0.5)
  expect(cards.filter(({ seriesId }: { seriesId: string | null }) => seriesId !== null)).toHaveLength(4)
  expect(new Set(cards.flatMap(({ labelsId }: { labelsId: string[] }) => labelsId)).size).toBe(3)
  expect([notes.length, shown.length > 30]).toEqual([4, true])
})

test('has a link for the client, for whom two posts wait', async () => {
  const { owner, cards } = await calendarOf(new Date(), 'Europe/Berlin')
  const { data } = await done(owner.request('GET', '/shared-calendars'))
  expect(data).toMatchObject([{ name: 'For our client', state: 'open', hasPasscode: false }])
  const { address } = await done(owner.request('POST', `/shared-calendars/${data[0].id}/look`))
  const guest = await enter(api, { token: address.split('/').at(-1) })
  expect((await done(guest.request('GET', '/visit'))).waiting.count).toBe(2)
  expect(cards.filter(({ approval }: { approval: string }) => approval === 'EXTERNAL_PENDING')).toHaveLength(2)
})

test('has a failure in the month before, which is no news, and a retry of it that is safe', async () => {
  const { owner, socialSetId } = await calendarOf(new Date(), 'Europe/Berlin')
  expect((await done(owner.request('GET', '/results/unseen'))).total).toBe(0)
  const results: Results = await done(owner.request('GET', `/results?socialSetId=${socialSetId}&days=60`))
  const failures = results.groups[0]?.data.flatMap(({ posts }) => posts.flatMap(({ failure }) => failure ?? []))
  expect(failures?.map(({ retry }) => retry)).toEqual([{ possible: true, why: null }])
})

test.each([
  ['right after midnight', '2026-03-29T00:01', 'Europe/Berlin'],
  ['right before midnight, before the clocks change', '2026-03-28T23:59', 'Europe/Berlin'],
  ['at noon on the other side of the world', '2026-11-23T12:00', 'Pacific/Auckland'],
])('begun %s, nothing is due at once and nothing of the past lies ahead', async (_, wall, timezone) => {
  const now = new Date(Temporal.PlainDateTime.from(wall).toZonedDateTime(timezone).epochMilliseconds)
  await api.setClock(now.toISOString())
  try {
    const { cards } = await calendarOf(now, timezone)
    expect(cards.length).toBeGreaterThan(30)
    for (const { scheduledAt, status } of cards) {
      const past = new Date(scheduledAt) < now
      expect([status, past]).toEqual([status, status === 'PUBLISHED'])
      expect(Math.abs(new Date(scheduledAt).getTime() - now.getTime())).toBeGreaterThan(3_600_000)
    }
  } finally {
    await api.setClock(null)
  }
})

test('its pictures are what is said of them', async () => {
  const { store } = await calendarOf(new Date(), 'UTC')
  const items = await api.db.selectFrom('media_items').select(['storage_key', 'facts', 'bytes']).execute()
  expect(items.length).toBeGreaterThanOrEqual(6)
  for (const { storage_key: key, facts, bytes } of items.slice(-6)) {
    expect(await probe(store, key)).toEqual({ kind: 'ok', facts })
    expect(bytes).toBeLessThanOrEqual(25_000)
  }
})
