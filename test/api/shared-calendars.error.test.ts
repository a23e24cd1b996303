import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { newId } from '#domain'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { EVERYTHING, enter, type GuestClient, share } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, NO_SET, NO_SOCIAL_SET, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let owner: Person
let guest: GuestClient
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  owner = await signInAs(api, 'owner')
  guest = await enter(api, await share(api, owner), { name: 'Clara' })
})
afterAll(() => api.close())

const WAITING = { approval: 'EXTERNAL_PENDING' }
const NOT_FOUND = [404, 'shared-calendar:not_found']
const NOT_ALLOWED = [403, 'shared-calendar:not_allowed']
const INVALID = [400, 'request:invalid_body']
const approve = (version: number) => ({ body: { decision: 'approve', version } })
const decide = (id: string, body: object) => guest.request('POST', `/posts/${id}/decision`, { body })

describe('a link', () => {
  const make = (more: object) => {
    const body = { name: 'Spring', socialSetIds: [api.socialSetId], ...EVERYTHING, ...more }
    return owner.request('POST', '/shared-calendars', { body })
  }

  test.each([
    ['a name of nothing', { name: '  ' }, 'name'],
    ['a name that turns round', { name: 'a\u202eb' }, 'name'],
    ['a name of a megabyte', { name: 'a'.repeat(900_000) }, 'name'],
    ['no brand', { socialSetIds: [] }, 'socialSetIds'],
    ['too many brands', { socialSetIds: Array(51).fill(newId()) }, 'socialSetIds'],
    ['a short passcode', { passcode: '12345' }, 'passcode'],
    ['a passcode with a space at its end', { passcode: '123456 ' }, 'passcode'],
    ['a day that is none', { lastDay: '2030-02-30' }, 'lastDay'],
    ['a time as its last day', { lastDay: '2030-02-20T10:00:00Z' }, 'lastDay'],
    ['a day of another age', { lastDay: '2199-01-01' }, 'lastDay'],
    ['an unknown field', { token: 'mine' }, 'token'],
    ['files that are a word', { allows: { ...EVERYTHING.allows, files: 'pdf' } }, 'allows.files'],
    ['a right that there is none', { allows: { ...EVERYTHING.allows, publish: true } }, 'allows.publish'],
  ])('with %s is refused where it is wrong', async (_, more, path) => {
    const answer = await make(more)
    expect(statusAndCode(answer)).toEqual(INVALID)
    expect(answer.body.errors.map((entry: { path: string }) => entry.path)).toContain(path)
  })

  test('of brands that the member does not see, or that are none, is refused', async () => {
    const other = await api.newSocialSet({ accountId: await api.newAccount() })
    for (const id of [other, newId(), 'nonsense']) {
      expect(statusAndCode(await make({ socialSetIds: [api.socialSetId, id] }))).toEqual(NO_SOCIAL_SET)
    }
    const hidden = await api.newSocialSet()
    const editor = await signInAs(api, 'editor', { socialSetIds: [api.socialSetId] })
    const { sharedCalendar } = await share(api, owner, { socialSetIds: [api.socialSetId, hidden] })
    for (const [method, path] of [
      ['PATCH', ''],
      ['POST', '/renew'],
      ['POST', '/close'],
      ['POST', '/look'],
      ['GET', '/visitors'],
    ]) {
      const body = method === 'PATCH' ? { body: {} } : {}
      const answer = await editor.request(method ?? '', `/shared-calendars/${sharedCalendar.id}${path}`, body)
      expect(statusAndCode(answer)).toEqual(NOT_FOUND)
    }
    const { data } = await done(editor.request('GET', '/shared-calendars'))
    expect(data.map(({ id }: { id: string }) => id)).not.toContain(sharedCalendar.id)
  })

  test('that is closed or over is not changed, renewed or looked at', async () => {
    const { sharedCalendar } = await share(api, owner)
    const path = `/shared-calendars/${sharedCalendar.id}`
    await done(owner.request('POST', `${path}/close`))
    for (const answer of [
      owner.request('PATCH', path, { body: { name: 'Open again' } }),
      owner.request('POST', `${path}/renew`),
      owner.request('POST', `${path}/look`),
    ]) {
      expect(await answer).toMatchObject({
        status: 409,
        body: { code: 'request:refused', why: { code: 'why:shared_calendar_closed' } },
      })
    }
    const over = await share(api, owner, { lastDay: '2020-01-01' })
    expect(over.sharedCalendar.state).toBe('expired')
    expect(await owner.request('POST', `/shared-calendars/${over.sharedCalendar.id}/look`)).toMatchObject({
      status: 409,
      body: { code: 'request:refused', why: { code: 'why:shared_calendar_over' } },
    })
  })

  test('needs a plan with approvals to let guests decide', async () => {
    const accountId = await api.newAccount({ plan: 'FREE' })
    const person = await signInAs(api, 'owner', { accountId })
    const body = { name: 'Spring', socialSetIds: [await api.newSocialSet({ accountId })], ...EVERYTHING }
    const answer = await person.request('POST', '/shared-calendars', { body })
    expect(statusAndCode(answer)).toEqual([403, 'plan:approvals_not_available'])
    const allows = { ...EVERYTHING.allows, decide: false }
    await done(person.request('POST', '/shared-calendars', { body: { ...body, allows } }), 201)
  })

  test('of an account whose plan has no approvals any more lets guests decide nothing', async () => {
    const accountId = await api.newAccount()
    const person = await signInAs(api, 'owner', { accountId })
    const socialSetId = await api.newSocialSet({ accountId })
    const visitor = await enter(api, await share({ socialSetId }, person), { name: 'Clara' })
    await api.db.updateTable('accounts').set({ plan: 'FREE' }).where('id', '=', accountId).execute()
    expect((await done(visitor.request('GET', '/visit'))).allows.decide).toBe(false)
    const body = { posts: [{ id: newId(), version: 1 }] }
    expect(statusAndCode(await visitor.request('POST', '/approvals', { body }))).toEqual(NOT_ALLOWED)
  })

  test('is one of a hundred that are open', async () => {
    const accountId = await api.newAccount()
    const person = await signInAs(api, 'owner', { accountId })
    const socialSetId = await api.newSocialSet({ accountId })
    const { sharedCalendar } = await share({ socialSetId }, person)
    await sql`
      insert into shared_calendars
      select gen_random_uuid(), account_id, name, social_set_ids, sha256(number::text::bytea), passcode_hash,
        shows_scheduled, shows_drafts, shows_published, allows_comment, allows_decide, allows_notes, last_day, expires_at,
        created_by, created_by_name
      from shared_calendars, generate_series(2, ${LIMITS.sharedCalendars.openPerAccount}) as number
      where id = ${sharedCalendar.id}`.execute(api.db)
    const body = { name: 'Spring', socialSetIds: [socialSetId], ...EVERYTHING }
    const answer = await person.request('POST', '/shared-calendars', { body })
    expect(statusAndCode(answer)).toEqual([409, 'request:refused'])
  })
})

describe('a decision', () => {
  test.each([
    ['of neither kind', { decision: 'publish', version: 1 }],
    ['without a version', { decision: 'approve' }],
    ['for changes without words', { decision: 'request-changes', version: 1, message: ' \n ' }],
    ['with a control character', { decision: 'approve', version: 1, message: 'a\u0007b' }],
    ['with half of a character', { decision: 'approve', version: 1, message: '\ud800' }],
    ['with too many words', { decision: 'request-changes', version: 1, message: 'a'.repeat(5_001) }],
  ])('%s is refused', async (_, body) => {
    const { id } = await api.create(WAITING)
    expect(statusAndCode(await decide(id, body))).toEqual(INVALID)
    expect(await done(api.request('GET', `/v1/post-sets/${id}`))).toMatchObject({ ...WAITING, version: 1 })
  })

  test('shared-08: about another version is refused with what has changed', async () => {
    const set = await api.create(WAITING)
    const [{ id }] = set.posts
    const body = {
      scheduledAt: '2030-06-04T10:00:00Z',
      posts: [
        { ...BLUESKY_POST, id, caption: 'Other words' },
        { ...BLUESKY_POST, accountType: 'THREADS' },
      ],
    }
    await done(guest.request('PUT', `/posts/${set.id}/seen`, { body: { version: 1 } }), 204)
    await done(api.request('PATCH', `/v1/post-sets/${set.id}`, { body }))
    const answer = await decide(set.id, { decision: 'approve', version: 1 })
    expect(statusAndCode(answer)).toEqual([412, 'post-set:version_conflict'])
    expect(answer.body.errors).toMatchObject([
      { path: 'scheduledAt', message: 'It is to be published at another time.' },
      { path: 'posts[0].caption', accountType: 'BLUESKY', message: 'The caption for BLUESKY is another.' },
      { path: 'posts[1]', accountType: 'THREADS', message: 'The post for THREADS was added.' },
    ])
    expect(JSON.stringify(answer.body)).not.toContain('Other words')
    await done(guest.request('POST', `/posts/${set.id}/decision`, approve(2)))
  })

  test('shared-08: of the second of two is refused', async () => {
    const { id } = await api.create(WAITING)
    const answers = await Promise.all([
      decide(id, { decision: 'approve', version: 1 }),
      decide(id, { decision: 'request-changes', version: 1, message: 'The logo' }),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    const lost = answers.find(({ status }) => status === 412)
    expect(lost?.body.errors).toMatchObject([{ path: 'approval' }])
    expect((await api.history(id)).filter(({ actor_type }) => actor_type === 'REVIEWER')).toHaveLength(1)
  })

  test.each(['NONE', 'PENDING', 'APPROVED', 'DENIED'])(
    'shared-06: about what does not wait is refused: %s',
    async (approval) => {
      const { id } = await api.create({ approval })
      expect(statusAndCode(await decide(id, { decision: 'approve', version: 1 }))).toEqual([
        409,
        'shared-calendar:not_waiting',
      ])
      expect((await done(api.request('GET', `/v1/post-sets/${id}`))).approval).toBe(approval)
    },
  )

  test('about what is being published is refused', async () => {
    const { id } = await api.create({ ...WAITING, status: 'SCHEDULED' })
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHING' }).where('id', '=', id).execute()
    expect(statusAndCode(await decide(id, { decision: 'approve', version: 1 }))).toEqual([
      409,
      'shared-calendar:not_waiting',
    ])
  })

  test('about what is not there is refused', async () => {
    const gone = await api.create(WAITING)
    await done(owner.request('DELETE', `/post-sets/${gone.id}`), 204)
    for (const id of [newId(), 'nonsense', gone.id]) {
      expect(statusAndCode(await decide(id, { decision: 'approve', version: 1 }))).toEqual(NO_SET)
    }
  })

  test('of more than 100 at once, or of none, is refused', async () => {
    for (const count of [0, 101]) {
      const body = { posts: Array.from({ length: count }, () => ({ id: newId(), version: 1 })) }
      expect(statusAndCode(await guest.request('POST', '/approvals', { body }))).toEqual(INVALID)
    }
  })
})

describe('what a link does not allow', () => {
  test('shared-01: is refused, and nothing is written', async () => {
    const allows = { comment: false, decide: false, notes: false }
    const looking = await enter(api, await share(api, owner, { allows }), { name: 'Clara' })
    const { id } = await api.create(WAITING)
    const note = { socialSetId: api.socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-09' }
    for (const answer of [
      looking.request('POST', `/posts/${id}/decision`, approve(1)),
      looking.request('POST', '/approvals', { body: { posts: [{ id, version: 1 }] } }),
      looking.request('POST', `/posts/${id}/comments`, { body: { text: 'Hello' } }),
      looking.request('POST', '/notes', { body: note }),
    ]) {
      expect(statusAndCode(await answer)).toEqual(NOT_ALLOWED)
    }
    expect(await done(api.request('GET', `/v1/post-sets/${id}`))).toMatchObject({ ...WAITING, version: 1 })
  })

  test('shared-05: waits for a name', async () => {
    const nameless = await enter(api, await share(api, owner))
    const { id } = await api.create(WAITING)
    const required = [409, 'shared-calendar:name_required']
    expect(statusAndCode(await nameless.request('POST', `/posts/${id}/decision`, approve(1)))).toEqual(required)
    const email = { body: { email: 'clara@example.com' } }
    expect(statusAndCode(await nameless.request('PUT', '/visit/email', email))).toEqual(required)
  })
})

test.each(['', '  ', 'a\u202eb', 'a\nb', 'a'.repeat(81)])('a guest is not called %j', async (name) => {
  const answer = await guest.request('PUT', '/visit/name', { body: { name } })
  expect(statusAndCode(answer)).toEqual(INVALID)
})

test('news are refused where no mail can be sent, and to what is no address', async () => {
  const ask = (email: string) => guest.request('PUT', '/visit/email', { body: { email } })
  expect(statusAndCode(await ask('clara'))).toEqual(INVALID)
  expect(statusAndCode(await ask('clara@example.com'))).toEqual([409, 'request:refused'])
})

test('a calendar wants a range of at most 62 days, and a brand of the link', async () => {
  const other = await api.newSocialSet()
  for (const query of [
    '',
    'from=2030-01-01',
    'from=2030-02-01&to=2030-01-01',
    'from=2030-01-01&to=2030-03-05',
    'x=1',
  ]) {
    expect(statusAndCode(await guest.request('GET', `/calendar?${query}`))).toEqual([400, 'request:invalid_query'])
  }
  for (const id of [other, 'nonsense']) {
    const answer = await guest.request('GET', `/calendar?from=2030-01-01&to=2030-02-01&socialSetId=${id}`)
    expect(statusAndCode(answer)).toEqual(NO_SOCIAL_SET)
  }
})

test('what takes no parameters refuses them, behind what is not there', async () => {
  const { id } = await api.create(WAITING)
  for (const path of ['/visit', `/posts/${id}`, `/posts/${id}/comments`]) {
    expect(statusAndCode(await guest.request('GET', `${path}?x=1`))).toEqual([400, 'request:invalid_query'])
  }
  expect(statusAndCode(await guest.request('GET', `/posts/${newId()}?x=1`))).toEqual(NO_SET)
})

test('a note has a content, a color and a time of our years', async () => {
  const good = { socialSetId: api.socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-09' }
  for (const wrong of [
    { content: '' },
    { content: 'a'.repeat(1_025) },
    { hexColor: '#000000' },
    { scheduledAt: '2200-01-01' },
    { repeat: { interval: 'DAY', occurrences: 3 } },
  ]) {
    expect(statusAndCode(await guest.request('POST', '/notes', { body: { ...good, ...wrong } }))).toEqual(INVALID)
  }
})
