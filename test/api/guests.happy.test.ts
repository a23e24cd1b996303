import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GuestCalendar, GuestCard, GuestPostSet, GuestVisit } from '#contract'
import { newId } from '#domain'
import type { Mail } from '#identity'
import { findGuestsToNotify } from '#operations'
import { guestsWhoSee, removeOldVisits } from '#persistence'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { enter, type GuestClient, share } from '../_util/api/guests.ts'
import { type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'

let api: Api
let owner: Person
const mails: Mail[] = []
const thread: { text: string; postSetId: string; by: string }[] = []

beforeAll(async () => {
  api = await startApi({
    rate: anyRate,
    mailer: { send: async (mail) => void mails.push(mail) },
    thread: {
      read: async (_db, guest, postSetId) =>
        thread.filter((each) => each.postSetId === postSetId).map((each) => shown(each, guest.actor.id)),
      async write(_db, guest, postSetId, { text }) {
        const said = { text, postSetId, by: guest.actor.name }
        thread.push(said)
        return shown(said, guest.actor.id)
      },
    },
  })
  owner = await signInAs(api, 'owner')
})
afterAll(() => api.close())

const shown = ({ text, by }: { text: string; by: string }, id: string | null) => ({
  ...{ id: newId(), at: '2026-03-01T10:00:00.000Z', text, editedAt: null, resolved: false },
  by: { name: by, guest: true, mine: id !== null },
})

const WAITING = { approval: 'EXTERNAL_PENDING' }
const RANGE = '?from=2030-05-25T00:00:00Z&to=2030-07-06T00:00:00Z'
const calendarOf = (guest: GuestClient): Promise<GuestCalendar> => done(guest.request('GET', `/calendar${RANGE}`))
const cardOf = async (guest: GuestClient, id: string): Promise<GuestCard | undefined> =>
  (await calendarOf(guest)).cards.find((card) => card.id === id)
const postOf = (guest: GuestClient, id: string): Promise<GuestPostSet> => done(guest.request('GET', `/posts/${id}`))
const patch = (id: string, body: object) => done(api.request('PATCH', `/v1/post-sets/${id}`, { body }))

describe('deciding', () => {
  test('states-16, shared-06, shared-07: approves what waits and leaves its status', async () => {
    const guest = await enter(api, await share(api, owner), { name: 'Clara' })
    for (const status of ['DRAFT', 'SCHEDULED']) {
      const set = await api.create({ ...WAITING, status })
      const answer: GuestPostSet = await done(
        guest.request('POST', `/posts/${set.id}/decision`, { body: { decision: 'approve', version: set.version } }),
      )
      expect(answer).toMatchObject({
        status,
        waiting: false,
        version: 2,
        decision: { decision: 'approve', by: 'Clara', mine: true, message: null },
      })
      const read = await done(api.request('GET', `/v1/post-sets/${set.id}`))
      expect(read).toMatchObject({ status, approval: 'APPROVED', version: 2 })
      expect((await api.history(set.id)).at(-1)).toEqual({
        action: 'approved',
        actor_name: 'Clara',
        actor_type: 'REVIEWER',
        changes: {
          approval: { from: 'EXTERNAL_PENDING', to: 'APPROVED' },
          link: { id: guest.id, name: 'Spring campaign' },
        },
      })
    }
  })

  test('states-15, shared-07: requests changes in words and makes a draft, which stays shown while it is the same', async () => {
    const shows = { scheduled: false, drafts: false, published: false }
    const guest = await enter(api, await share(api, owner, { shows }), { name: 'Clara' })
    const set = await api.create({ ...WAITING, status: 'SCHEDULED' })
    const body = { decision: 'request-changes', version: 1, message: ' The logo is old. ' }
    await done(guest.request('POST', `/posts/${set.id}/decision`, { body }))
    const read = await done(api.request('GET', `/v1/post-sets/${set.id}`))
    expect(read).toMatchObject({ status: 'DRAFT', approval: 'DENIED' })
    expect((await api.history(set.id)).at(-1)).toMatchObject({
      action: 'changes requested',
      changes: { message: 'The logo is old.', link: { name: 'Spring campaign' } },
    })
    expect(await cardOf(guest, set.id)).toMatchObject({
      waiting: false,
      decision: { decision: 'request-changes', by: 'Clara', mine: true, message: 'The logo is old.' },
    })
    await patch(set.id, { posts: [{ ...BLUESKY_POST, id: set.posts[0].id, caption: 'Half a new' }] })
    expect(await cardOf(guest, set.id)).toBeUndefined()
    await patch(set.id, { ...WAITING, posts: [{ ...BLUESKY_POST, id: set.posts[0].id, caption: 'A new logo' }] })
    const asked = await postOf(guest, set.id)
    expect(asked).toMatchObject({ waiting: true, changed: true, decision: null })
    const postId = set.posts[0].id
    const changed = { id: postId, accountType: 'BLUESKY', what: 'changed', fields: ['caption'] }
    expect(asked.changes).toEqual({ since: 2, earlier: 0, scheduledAt: null, posts: [changed] })
    const caption = { from: 'hello', to: 'A new logo' }
    expect(await done(guest.request('GET', `/posts/${set.id}/changes/${postId}?since=2`))).toEqual({ caption })
    expect((await cardOf(guest, set.id))?.changed).toBe(true)
    await done(guest.request('PUT', `/posts/${set.id}/seen`, { body: { version: asked.version } }), 204)
    expect(await postOf(guest, set.id)).toMatchObject({ changed: false, changes: null })
    // It is still before the guest, who opens it now.
    expect(await done(guest.request('GET', `/posts/${set.id}/changes/${postId}?since=2`))).toEqual({ caption })
    await done(owner.request('PUT', `/post-sets/${set.id}/lock`, { body: { locked: true } }))
    const { version } = await postOf(guest, set.id)
    await done(guest.request('PUT', `/posts/${set.id}/seen`, { body: { version } }), 204)
    expect(await done(guest.request('GET', `/posts/${set.id}/changes/${postId}?since=2`))).toEqual({ caption })
  })

  test('shared-08: approves many, each by itself', async () => {
    const guest = await enter(api, await share(api, owner), { name: 'Clara' })
    const sets = await Promise.all(Array.from({ length: 3 }, () => api.create(WAITING)))
    await done(guest.request('PUT', `/posts/${sets[1]?.id}/seen`, { body: { version: 1 } }), 204)
    await patch(sets[1]?.id ?? '', { scheduledAt: '2030-06-03T10:00:00Z' })
    const posts = [...sets.map(({ id, version }) => ({ id, version })), { id: newId(), version: 1 }]
    const answer = await done(guest.request('POST', '/approvals', { body: { posts } }))
    expect(answer.approved).toEqual([
      { id: sets[0]?.id, version: 2 },
      { id: sets[2]?.id, version: 2 },
    ])
    expect(answer.refused).toEqual([
      { id: sets[1]?.id, code: 'post-set:version_conflict', message: expect.stringContaining('another time') },
      { id: posts[3]?.id, code: 'post-set:not_found', message: expect.any(String) },
    ])
  })
})

test('shared-09: a note of a guest is one of the brand, of a shared calendar', async () => {
  const link = await share(api, owner)
  const guest = await enter(api, link, { name: 'Clara' })
  const body = { socialSetId: api.socialSetId, content: 'Fair in town', hexColor: '#faf785', scheduledAt: '2030-06-09' }
  const note = await done(guest.request('POST', '/notes', { body }), 201)
  expect(note).toEqual({ id: expect.any(String), ...body, scheduledAt: '2030-06-08T22:00:00.000Z', by: 'Clara' })
  expect(await done(api.request('GET', `/v1/notes/${note.id}`))).toMatchObject({
    type: 'ONE_TIME',
    source: { type: 'SHARED_CALENDAR' },
    content: 'Fair in town',
  })
  expect((await calendarOf(guest)).notes).toEqual([note])
  await done(api.request('PATCH', `/v1/notes/${note.id}`, { body: { content: 'Fair', scheduledAt: '2030-06-10' } }))
  expect((await calendarOf(await enter(api, link))).notes).toMatchObject([{ content: 'Fair', by: 'Clara' }])
})

test('guests take part in the thread that they share with the team', async () => {
  const guest = await enter(api, await share(api, owner), { name: 'Clara' })
  const { id } = await api.create(WAITING)
  const made = await done(guest.request('POST', `/posts/${id}/comments`, { body: { text: 'Lovely!' } }), 201)
  expect(made).toMatchObject({ text: 'Lovely!', by: { name: 'Clara', guest: true, mine: true } })
  expect((await done(guest.request('GET', `/posts/${id}/comments`))).data).toMatchObject([{ text: 'Lovely!' }])
})

describe('news', () => {
  test('shared-05: go to an address that a link in a mail has confirmed, and bring the guest back', async () => {
    const link = await share(api, owner)
    const guest = await enter(api, link, { name: 'Clara' })
    const { id } = await api.create(WAITING)
    const asked: GuestVisit = await done(
      guest.request('PUT', '/visit/email', {
        body: { email: ' Clara@Example.com ' },
        headers: { 'accept-language': 'de-CH,de;q=0.9' },
      }),
    )
    expect(asked.guest).toMatchObject({ email: null, emailToConfirm: 'clara@example.com' })
    expect(await guestsWhoSee(api.db, api.socialSetId)).toEqual([])
    const mail = mails.at(-1)
    expect(mail?.to).toBe('clara@example.com')
    const address = /https:\/\/almanac\.test(\/shared\/confirm\/\S+)/.exec(mail?.text ?? '')?.[1]
    const page = await fetch(`${api.url}${address}`)
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<form method="post">')])
    const send = () =>
      fetch(`${api.url}${address}`, {
        method: 'POST',
        headers: { origin: 'null', 'sec-fetch-site': 'same-origin' },
        body: new URLSearchParams(),
      })
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(404)
    const { guest: known }: GuestVisit = await done(guest.request('GET', '/visit'))
    expect(known).toMatchObject({ email: 'clara@example.com', emailToConfirm: null })
    expect(await guestsWhoSee(api.db, api.socialSetId)).toEqual([known.id])
    const deps = { db: api.db, publicUrl: 'https://almanac.test' }
    const [reported] = await findGuestsToNotify(deps, [known.id, newId()])
    expect(reported).toMatchObject({
      id: known.id,
      name: 'Clara',
      email: 'clara@example.com',
      locale: 'de-CH',
      socialSetIds: [api.socialSetId],
    })
    const [, token = ''] = /\/shared\/([^?]+)\?post=/.exec(reported?.urlOf(id) ?? '') ?? []
    const phone = await enter(api, { token })
    expect((await done(phone.request('GET', '/visit'))).guest).toMatchObject({ id: known.id, name: 'Clara' })
    await done(guest.request('PUT', '/visit/email', { body: { email: null } }))
    expect(await findGuestsToNotify(deps, [known.id])).toEqual([])
  })
})

test('what is over is removed, and what guests wrote stays', async () => {
  const link = await share(api, owner)
  const guest = await enter(api, link, { name: 'Clara' })
  await calendarOf(guest)
  const silent = await enter(api, link)
  const body = { socialSetId: api.socialSetId, content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-09' }
  const note = await done(guest.request('POST', '/notes', { body }), 201)
  try {
    await api.setClock(new Date(Date.now() + 2 * 86_400_000).toISOString())
    await removeOldVisits(api.db)
    await done(guest.request('GET', '/visit'))
    expect(statusAndCode(await silent.request('GET', '/visit'))).toEqual([404, 'shared-calendar:not_found'])
    await done(owner.request('POST', `/shared-calendars/${link.sharedCalendar.id}/close`))
    await api.setClock(new Date(Date.now() + 40 * 86_400_000).toISOString())
    await removeOldVisits(api.db)
    const rows = await api.db
      .selectFrom('shared_calendars')
      .select('id')
      .where('id', '=', link.sharedCalendar.id)
      .execute()
    expect(rows).toEqual([])
    expect((await done(api.request('GET', `/v1/notes/${note.id}`))).content).toBe('Fair')
  } finally {
    await api.setClock(null)
  }
})
