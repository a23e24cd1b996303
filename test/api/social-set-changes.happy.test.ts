import { afterAll, beforeAll, expect, test } from 'vitest'
import { claimDuePostSets } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { follow } from '../_util/api/event-stream.ts'
import { type Person, signInAs } from '../_util/api/members.ts'

const DUE_LATE = { late: true, besideFull: false, newestFirst: false, limit: 10, perConnection: 10, except: [] }
const NOW = '2027-01-15T12:00:00.000Z'

let api: Api
let admin: Person
beforeAll(async () => {
  api = await startApi()
  admin = await signInAs(api, 'admin')
})
afterAll(() => api.close())

const setAt = (socialSetId: string, scheduledAt: string, status = 'SCHEDULED') =>
  api.create({ socialSetId, scheduledAt, status })
const noteAt = async (socialSetId: string, scheduledAt: string) => {
  const body = { socialSetId, scheduledAt, content: 'A note', hexColor: '#faf785' }
  const made = await admin.request('POST', '/notes', { body })
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body
}
const read = async (id: string) => (await admin.request('GET', `/post-sets/${id}`)).body
const change = (id: string, body: object) => admin.request('PATCH', `/social-sets/${id}`, { body })
const preview = (id: string, timezone: string) =>
  admin.request('GET', `/social-sets/${id}/timezone-change?timezone=${encodeURIComponent(timezone)}`)

test('a member makes a social set, in the usual spelling of its timezone', async () => {
  const made = await admin.request('POST', '/social-sets', {
    body: { name: '  New brand ', timezone: 'america/new_york' },
  })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({ name: 'New brand', timezone: 'America/New_York', accounts: [] })
  const { body } = await admin.request('GET', '/social-sets')
  expect(body.data).toContainEqual(made.body)
})

test('a new social set has a color that none of the account has yet, which can be another one', async () => {
  const makes = (more = {}) =>
    admin.request('POST', '/social-sets', { body: { name: 'Colorful', timezone: 'UTC', ...more } })
  const before = (await admin.request('GET', '/social-sets')).body.data.map(({ color }: { color: string }) => color)
  const { body: made } = await makes()
  expect(before).not.toContain(made.color)
  expect((await makes({ color: '#e42a23' })).body.color).toBe('#e42a23')
  expect((await change(made.id, { color: '#6e7786' })).body.socialSet).toMatchObject({
    color: '#6e7786',
    name: 'Colorful',
  })
  expect((await change(made.id, { color: '#123456' })).status).toBe(400)
})

test('owners rename the account, admins do not', async () => {
  const owner = await signInAs(api, 'owner')
  const renamed = await owner.request('PATCH', '/account', { body: { name: '  Agency ' } })
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Agency'])
  expect((await admin.request('GET', '/session')).body.account.name).toBe('Agency')
  expect((await admin.request('PATCH', '/account', { body: { name: 'Mine' } })).status).toBe(403)
  expect((await owner.request('PATCH', '/account', { body: { name: ' ' } })).status).toBe(400)
})

test('who sees some social sets sees the one that they make', async () => {
  const person = await signInAs(api, 'admin', { socialSetIds: [api.socialSetId] })
  const { body } = await person.request('POST', '/social-sets', { body: { name: 'Mine', timezone: 'UTC' } })
  expect((await person.request('GET', '/session')).body.socialSetIds).toEqual([api.socialSetId, body.id])
})

test('a name changes alone, and a timezone that stays needs no choice', async () => {
  const id = await api.newSocialSet({ name: 'Old' })
  const renamed = await change(id, { name: 'Renamed' })
  expect(renamed.body).toMatchObject({ socialSet: { id, name: 'Renamed', timezone: 'Europe/Berlin' }, moved: null })
  expect((await change(id, { timezone: 'europe/berlin' })).body).toMatchObject({ moved: null })
  expect((await change(id, {})).status).toBe(200)
})

test('instants stay when they are kept', async () => {
  const id = await api.newSocialSet({ connected: ['BLUESKY'] })
  const set = await setAt(id, '2030-06-01T10:00:00Z')
  const changed = await change(id, { timezone: 'Asia/Tokyo', keep: 'instants' })
  expect(changed.body).toMatchObject({ socialSet: { timezone: 'Asia/Tokyo' }, moved: null })
  const after = await read(set.id)
  expect([after.scheduledAt, after.version]).toEqual(['2030-06-01T10:00:00.000Z', set.version])
  expect(await api.history(set.id)).toHaveLength(1)
})

test('clock times stay when they are kept: one row of history for each set, by the one who did it', async () => {
  const id = await api.newSocialSet({ connected: ['BLUESKY'] })
  const scheduled = await setAt(id, '2030-06-01T10:00:00Z')
  const draft = await setAt(id, '2020-06-01T10:00:00Z', 'DRAFT')
  const winter = await setAt(id, '2030-01-10T10:00:00Z')
  const note = await noteAt(id, '2030-06-02T08:00:00Z')
  const moves = { postSets: 3, notes: 1, inGap: 0, staying: 0 }
  const asked = await preview(id, 'America/New_York')
  expect(asked.body).toEqual({ from: 'Europe/Berlin', to: 'America/New_York', moves })
  const changed = await change(id, { timezone: 'America/New_York', keep: 'clock' })
  expect(changed.body.moved).toEqual(moves)

  const after = await read(scheduled.id)
  expect(after).toMatchObject({ scheduledAt: '2030-06-01T16:00:00.000Z', status: 'SCHEDULED' })
  expect(after.version).toBe(scheduled.version + 1)
  expect((await read(draft.id)).scheduledAt).toBe('2020-06-01T16:00:00.000Z')
  expect((await read(winter.id)).scheduledAt).toBe('2030-01-10T16:00:00.000Z')
  expect((await admin.request('GET', `/notes/${note.id}`)).body.scheduledAt).toBe('2030-06-02T14:00:00.000Z')
  const [, row, ...rest] = await api.history(scheduled.id)
  expect(rest).toEqual([])
  expect(row).toEqual({
    action: 'updated',
    actor_type: 'USER',
    actor_name: 'Ada',
    changes: {
      scheduledAt: { from: '2030-06-01T10:00:00.000Z', to: '2030-06-01T16:00:00.000Z' },
      timezone: { from: 'Europe/Berlin', to: 'America/New_York' },
    },
  })
  const { version } = await api.db
    .selectFrom('history')
    .select('version')
    .where('post_set_id', '=', scheduled.id)
    .orderBy('sequence', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
  expect(version).toBe(after.version)
})

test('a gap is jumped over, of two times it is the first, and both are counted before', async () => {
  const id = await api.newSocialSet({ connected: ['BLUESKY'], timezone: 'UTC' })
  const inGap = await setAt(id, '2027-03-28T02:30:00Z')
  const note = await noteAt(id, '2027-03-28T02:00:00Z')
  const twice = await setAt(id, '2027-10-31T02:30:00Z')
  expect((await preview(id, 'Europe/Berlin')).body.moves).toEqual({ postSets: 2, notes: 1, inGap: 2, staying: 0 })
  await change(id, { timezone: 'Europe/Berlin', keep: 'clock' })
  expect((await read(inGap.id)).scheduledAt).toBe('2027-03-28T01:30:00.000Z')
  expect((await admin.request('GET', `/notes/${note.id}`)).body.scheduledAt).toBe('2027-03-28T01:00:00.000Z')
  expect((await read(twice.id)).scheduledAt).toBe('2027-10-31T00:30:00.000Z')
})

test('a series keeps its clock time over summer time, and locked and approved sets move like others', async () => {
  const id = await api.newSocialSet({ connected: ['BLUESKY'] })
  const first = await api.create({
    socialSetId: id,
    scheduledAt: '2027-03-20T09:00:00+01:00',
    status: 'SCHEDULED',
    approval: 'APPROVED',
    repeat: { interval: 'WEEK', occurrences: 3 },
  })
  await api.db
    .updateTable('post_sets')
    .set({ locked_at: new Date(), locked_by: 'Ada' })
    .where('series_id', '=', first.seriesId)
    .execute()
  await change(id, { timezone: 'America/New_York', keep: 'clock' })
  const { body } = await admin.request('GET', `/post-sets?socialSetId=${id}`)
  expect(body.data.map(({ scheduledAt }: { scheduledAt: string }) => scheduledAt)).toEqual([
    '2027-03-20T13:00:00.000Z',
    '2027-03-27T13:00:00.000Z',
    '2027-04-03T13:00:00.000Z',
  ])
  expect(body.data[0]).toMatchObject({ approval: 'APPROVED', isLocked: true })
})

test('what is due, publishing or published keeps its moment, and nothing is sent at once', async () => {
  const id = await api.newSocialSet({ connected: ['BLUESKY'] })
  await api.setClock(NOW)
  try {
    const due = await setAt(id, '2027-01-15T12:00:50Z')
    // It shows 15:00 in Berlin, which has passed in Tokyo.
    const soonHere = await setAt(id, '2027-01-15T14:00:00Z')
    const later = await setAt(id, '2027-02-15T14:00:00Z')
    const publishing = await setAt(id, '2027-01-15T11:00:00Z')
    const claim = () =>
      api.db.transaction().execute((trx) => claimDuePostSets(trx, DUE_LATE, { lateLimitMs: 86_400_000 }))
    const claimed = await claim()
    expect(claimed.map((set) => set.id)).toEqual([publishing.id])
    const changed = await change(id, { timezone: 'Asia/Tokyo', keep: 'clock' })
    expect(changed.body.moved).toEqual({ postSets: 1, notes: 0, inGap: 0, staying: 2 })
    const times = await Promise.all(
      [due, soonHere, later, publishing].map(async (set) => (await read(set.id)).scheduledAt),
    )
    expect(times).toEqual([
      '2027-01-15T12:00:50.000Z',
      '2027-01-15T14:00:00.000Z',
      '2027-02-15T06:00:00.000Z',
      '2027-01-15T11:00:00.000Z',
    ])
    expect(await claim()).toEqual([])
  } finally {
    await api.setClock(null)
  }
})

test('what was deleted comes back at the clock time that it had', async () => {
  const id = await api.newSocialSet({ connected: ['BLUESKY'] })
  const [draft, scheduled] = [await setAt(id, '2030-06-01T10:00:00Z', 'DRAFT'), await setAt(id, '2030-06-02T10:00:00Z')]
  const note = await noteAt(id, '2030-06-02T08:00:00Z')
  const kept = await setAt(id, '2030-06-03T10:00:00Z', 'DRAFT')
  for (const path of [`/post-sets/${draft.id}`, `/post-sets/${scheduled.id}`, `/notes/${note.id}`]) {
    expect((await admin.request('DELETE', path)).status).toBe(204)
  }
  const changed = await change(id, { timezone: 'America/New_York', keep: 'clock' })
  expect(changed.body.moved).toEqual({ postSets: 1, notes: 0, inGap: 0, staying: 0 })
  const restore = async (path: string) => (await admin.request('POST', `${path}/restore`)).body
  expect((await restore(`/post-sets/${draft.id}`)).postSet.scheduledAt).toBe('2030-06-01T16:00:00.000Z')
  expect(await restore(`/post-sets/${scheduled.id}`)).toMatchObject({
    parked: false,
    postSet: { status: 'SCHEDULED', scheduledAt: '2030-06-02T16:00:00.000Z' },
  })
  expect((await restore(`/notes/${note.id}`)).scheduledAt).toBe('2030-06-02T14:00:00.000Z')

  await admin.request('DELETE', `/post-sets/${kept.id}`)
  await change(id, { timezone: 'Asia/Tokyo', keep: 'instants' })
  expect((await restore(`/post-sets/${kept.id}`)).postSet.scheduledAt).toBe('2030-06-03T16:00:00.000Z')
})

test.each(['clock', 'instants'])('screens hear of another timezone, which keeps %s', async (keep) => {
  const id = await api.newSocialSet()
  const stream = await follow(api, admin, id)
  await stream.until('ready')
  expect((await change(id, { timezone: 'Asia/Tokyo', keep })).status).toBe(200)
  await stream.until('social-sets', [id])
  stream.close()
})

test('many sets move in a few queries', async () => {
  const id = await api.newSocialSet({ connected: ['BLUESKY'] })
  await setAt(id, '2030-06-01T10:00:00Z')
  const count = async (timezone: string) => {
    const before = api.queries()
    const { body } = await change(id, { timezone, keep: 'clock' })
    return { queries: api.queries() - before, postSets: body.moved.postSets }
  }
  const one = await count('Asia/Tokyo')
  await api.create({
    socialSetId: id,
    scheduledAt: '2030-06-01T10:00:00Z',
    repeat: { interval: 'DAY', occurrences: 50 },
  })
  expect(await count('America/New_York')).toEqual({ queries: one.queries, postSets: 51 })
})
