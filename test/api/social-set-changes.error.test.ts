import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { type Answer, type Api, BLUESKY_POST, type Body, startApi } from '../_util/api/api.ts'
import { untilWaiting } from '../_util/api/invitations.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

let api: Api
let admin: Person
beforeAll(async () => {
  api = await startApi({ plans: { STARTER: { socialSets: 2 }, FREE: { socialSets: 1 } } })
  admin = await signInAs(api, 'admin')
})
afterAll(() => api.close())

const codeOf = ({ status, body }: Answer) => [status, body?.code]
const paths = ({ status, body }: Answer) => [status, body.errors?.map(({ path }: Body) => path).toSorted()]
const change = (body: object, id = api.socialSetId) => admin.request('PATCH', `/social-sets/${id}`, { body })

test('a name and a timezone are asked for, both problems at once', async () => {
  const make = (body: object) => admin.request('POST', '/social-sets', { body })
  expect(paths(await make({}))).toEqual([400, ['name', 'timezone']])
  expect(paths(await make({ name: ' ', timezone: 'Mars/Base' }))).toEqual([400, ['name', 'timezone']])
  expect(paths(await make({ name: 'x'.repeat(201), timezone: '+02:00' }))).toEqual([400, ['name', 'timezone']])
  expect(paths(await make({ name: 'a\0b', timezone: 'UTC' }))).toEqual([400, ['name']])
  expect(paths(await make({ name: 'Brand', timezone: 'UTC', sandbox: true }))).toEqual([400, ['sandbox']])
  expect((await change({ name: '' })).body.errors[0].message).toBe('A social set needs a name.')
})

test('another timezone without a choice changes nothing', async () => {
  expect(paths(await change({ timezone: 'Asia/Tokyo', name: 'Never' }))).toEqual([400, ['keep']])
  expect(paths(await change({ timezone: 'Asia/Tokyo', keep: 'both' }))).toEqual([400, ['keep']])
  const { body } = await admin.request('GET', '/social-sets')
  expect(body.data[0]).toMatchObject({ name: 'Brand', timezone: 'Europe/Berlin' })
})

test('a look at a change needs a timezone, and one that exists', async () => {
  const preview = (query: string) => admin.request('GET', `/social-sets/${api.socialSetId}/timezone-change${query}`)
  expect(codeOf(await preview(''))).toEqual([400, 'request:invalid_query'])
  expect(codeOf(await preview('?timezone=UTC&more=1'))).toEqual([400, 'request:invalid_query'])
  expect(paths(await preview('?timezone=Mars'))).toEqual([400, ['timezone']])
})

test('the plan has an end, also for two who ask at once; what is there stays', async () => {
  const accountId = await api.newAccount({ plan: 'STARTER' })
  const theirs = await signInAs(api, 'owner', { accountId })
  const make = (name: string) => theirs.request('POST', '/social-sets', { body: { name, timezone: 'UTC' } })
  expect((await make('First')).status).toBe(201)
  const asked = await api.db.transaction().execute(async (trx) => {
    await trx.selectFrom('accounts').select('id').where('id', '=', accountId).forUpdate().execute()
    const both = [make('Second'), make('Third')]
    await untilWaiting(api, 2)
    return both
  })
  const answers = await Promise.all(asked)
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 403])
  const refused = answers.find(({ status }) => status === 403)
  expect(refused?.body).toMatchObject({
    code: 'plan:social_sets_exceeded',
    message: 'The account has the 2 social sets of its plan. What is there keeps working and publishing.',
  })
  const { body } = await theirs.request('GET', '/social-sets')
  expect(body.data).toHaveLength(2)
  expect((await theirs.request('PATCH', `/social-sets/${body.data[0].id}`, { body: { name: 'New' } })).status).toBe(200)
})

test('one social set is reported in words of its own', async () => {
  const accountId = await api.newAccount({ plan: 'FREE' })
  await api.newSocialSet({ accountId })
  const theirs = await signInAs(api, 'owner', { accountId })
  const { body } = await theirs.request('POST', '/social-sets', { body: { name: 'Second', timezone: 'UTC' } })
  expect(body.message).toMatch(/^The account has the one social set of its plan\./)
})

test('a publisher that takes a set while the zone changes wins, or finds it moved', async () => {
  const id = await api.newSocialSet({ connected: ['BLUESKY'] })
  const set = await api.create({ socialSetId: id, scheduledAt: '2030-06-01T10:00:00Z', status: 'SCHEDULED' })
  const asked = await api.db.transaction().execute(async (trx) => {
    await trx.updateTable('post_sets').set({ status: 'PUBLISHING' }).where('id', '=', set.id).execute()
    const changing = change({ timezone: 'Asia/Tokyo', keep: 'clock' }, id)
    await untilSomeoneWaits(api.db)
    return { changing }
  })
  expect((await asked.changing).body.moved).toEqual({ postSets: 0, notes: 0, inGap: 0, staying: 0 })
  const { body } = await admin.request('GET', `/post-sets/${set.id}`)
  expect(body).toMatchObject({ status: 'PUBLISHING', scheduledAt: '2030-06-01T10:00:00.000Z' })
})

test('two changes at once come one after the other', async () => {
  const id = await api.newSocialSet({ timezone: 'UTC', connected: ['BLUESKY'] })
  const set = await api.create({ socialSetId: id, scheduledAt: '2030-06-01T10:00:00Z' })
  const answers = await Promise.all([
    change({ timezone: 'Asia/Tokyo', keep: 'clock' }, id),
    change({ timezone: 'America/New_York', keep: 'clock' }, id),
  ])
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  const { timezone } = (await admin.request('GET', '/social-sets')).body.data.find((one: Body) => one.id === id)
  const { body } = await admin.request('GET', `/post-sets/${set.id}`)
  const shown = Temporal.Instant.from(body.scheduledAt).toZonedDateTimeISO(timezone)
  expect(shown.toPlainDateTime().toString()).toBe('2030-06-01T10:00:00')
})

const POST_SET = { status: 'DRAFT', approval: 'NONE', posts: [BLUESKY_POST] }
const WRITES: [string, (ids: { socialSetId: string; setId: string; noteId: string }) => Promise<Answer>][] = [
  [
    'a new set',
    ({ socialSetId }) =>
      admin.request('POST', '/post-sets', { body: { ...POST_SET, socialSetId, scheduledAt: LOCAL } }),
  ],
  [
    'a new note',
    ({ socialSetId }) =>
      admin.request('POST', '/notes', {
        body: { socialSetId, scheduledAt: LOCAL, content: 'A note', hexColor: '#faf785' },
      }),
  ],
  ['a copy', ({ setId }) => admin.request('POST', `/post-sets/${setId}/duplicate`, { body: { scheduledAt: LOCAL } })],
  [
    'a series',
    ({ setId }) =>
      admin.request('PATCH', `/post-sets/${setId}`, {
        body: { scheduledAt: LOCAL, repeat: { interval: 'DAY', occurrences: 2 } },
      }),
  ],
  ['a changed note', ({ noteId }) => admin.request('PATCH', `/notes/${noteId}`, { body: { scheduledAt: LOCAL } })],
]
const LOCAL = '2030-06-01T10:00'

test.each(WRITES)('%s that is written while the timezone changes is at its clock time there', async (_, write) => {
  const socialSetId = await api.newSocialSet({ connected: ['BLUESKY'], timezone: 'UTC' })
  const set = await api.create({ socialSetId })
  const body = { socialSetId, scheduledAt: '2030-06-05T10:00Z', content: 'A note', hexColor: '#faf785' }
  const { body: note } = await admin.request('POST', '/notes', { body })
  const written = await api.db.transaction().execute(async (trx) => {
    // As the change does, which then holds the rows of the calendar.
    await trx.updateTable('social_sets').set({ timezone: 'Asia/Tokyo' }).where('id', '=', socialSetId).execute()
    await trx.selectFrom('notes').select('id').where('id', '=', note.id).forUpdate().execute()
    const writing = write({ socialSetId, setId: set.id, noteId: note.id })
    await untilSomeoneWaits(api.db)
    return { writing }
  })
  const answer = await written.writing
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300)
  expect(answer.body.scheduledAt).toBe('2030-06-01T01:00:00.000Z')
})

test('a social set that is not there is reported as missing', async () => {
  for (const id of [newId(), 'nothing']) {
    expect(codeOf(await change({ name: 'x' }, id))).toEqual([404, 'social-set:not_found'])
    const look = await admin.request('GET', `/social-sets/${id}/timezone-change?timezone=UTC`)
    expect(codeOf(look)).toEqual([404, 'social-set:not_found'])
  }
})
