import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Calendar, CalendarElsewhere } from '#contract'
import { cardsQuery } from '#persistence'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { follow } from '../_util/api/event-stream.ts'
import { newMember, type Person, signInAs } from '../_util/api/members.ts'
import { anyRate, done, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { explaining } from '../_util/database/explain.ts'

let api: Api
let tokyo: string
let hidden: string
/** Sees two of the three brands. */
let member: Person
beforeAll(async () => {
  api = await startApi({ rate: anyRate })
  tokyo = await api.newSocialSet({ name: 'Tokyo', timezone: 'Asia/Tokyo', connected: ['BLUESKY'] })
  hidden = await api.newSocialSet({ name: 'Hidden', connected: ['BLUESKY'] })
  member = await signInAs(api, 'editor', { socialSetIds: [api.socialSetId, tokyo] })
})
afterAll(() => api.close())

const june = { from: '2030-06-01T00:00:00Z', to: '2030-07-01T00:00:00Z' }
const calendar = (person: Person, more: object = {}): Promise<Calendar> =>
  done(person.request('GET', `/calendar?${new URLSearchParams({ ...june, ...more })}`))
const brandsOf = ({ cards }: Calendar) => [...new Set(cards.map(({ socialSetId }) => socialSetId))].toSorted()
const at = (socialSetId: string, scheduledAt: string, more: object = {}) =>
  api.create({ socialSetId, scheduledAt, ...more })

describe('a calendar that names no brand', () => {
  test('has the cards of all that the member sees, by time, each with its brand; and nothing of the others', async () => {
    const second = await at(tokyo, '2030-06-02T10:00:00Z')
    const first = await at(api.socialSetId, '2030-06-02T09:00:00Z')
    const unseen = await at(hidden, '2030-06-02T08:00:00Z')
    const { cards, timezone, truncated } = await calendar(member)
    expect(cards.map(({ id, socialSetId }) => [id, socialSetId])).toEqual([
      [first.id, api.socialSetId],
      [second.id, tokyo],
    ])
    expect([timezone, truncated]).toEqual(['UTC', false])
    const all = await calendar(await signInAs(api, 'reviewer'))
    expect(all.cards.map(({ id }) => id)).toEqual([unseen.id, first.id, second.id])
  })

  test('is that of the account which is open, for a person of two', async () => {
    const accountId = await api.newAccount()
    const theirs = await api.newSocialSet({ accountId, name: 'Of another account', connected: ['BLUESKY'] })
    const key = await api.newKey({ accountId })
    const made = await api.create({ socialSetId: theirs, scheduledAt: '2030-06-04T10:00:00Z' }, key)
    const person = await signInAs(api, 'owner')
    await newMember(api, accountId, { accountId, userId: person.userId, password: person.password })
    expect(brandsOf(await calendar(person))).not.toContain(theirs)
    await done(person.request('PUT', '/session/account', { body: { accountId } }), 204)
    const there = await calendar(person)
    expect(there.cards.map(({ id }) => id)).toEqual([made.id])
    expect(brandsOf(there)).toEqual([theirs])
    expect(
      statusAndCode(await person.request('GET', `/calendar?socialSetId=${tokyo}&from=2030-06-01&to=2030-07-01`)),
    ).toEqual([404, 'social-set:not_found'])
  })

  test('has notes that are on a date of the range in their brand, and times are read by the zone that is asked for', async () => {
    const note = (socialSetId: string, scheduledAt: string, content: string) =>
      done(member.request('POST', '/notes', { body: { socialSetId, scheduledAt, content, hexColor: '#faf785' } }), 201)
    // In New York the month begins 13 hours after the note's date has begun in Tokyo.
    await note(tokyo, '2030-08-01T00:00:00', 'First of August in Tokyo')
    const august = { from: '2030-08-01', to: '2030-09-01', timezone: 'America/New_York' }
    const { notes, timezone } = await calendar(member, august)
    expect(notes.map(({ content, socialSetId }) => [content, socialSetId])).toEqual([
      ['First of August in Tokyo', tokyo],
    ])
    expect(timezone).toBe('America/New_York')
    const late = await at(tokyo, '2030-09-01T03:59:00Z')
    const beyond = await at(tokyo, '2030-09-01T04:00:00Z')
    const ids = (await calendar(member, august)).cards.map(({ id }) => id)
    expect(ids).toContain(late.id)
    expect(ids).not.toContain(beyond.id)
  })

  test('counts elsewhere by months of that zone, and knows the authors of all', async () => {
    const word = 'thunderstruck'
    await at(tokyo, '2031-01-01T02:00:00Z', {
      posts: [{ ...BLUESKY_POST, caption: word }],
    })
    const asked = new URLSearchParams({ ...june, timezone: 'America/New_York', 'filters[search]': word })
    const { groups }: CalendarElsewhere = await done(member.request('GET', `/calendar/elsewhere?${asked}`))
    expect(groups.map(({ month, count }) => [month, count])).toEqual([['2030-12', 1]])
    await done(
      member.request('POST', '/post-sets', {
        body: api.draft({ socialSetId: tokyo, scheduledAt: '2030-06-09T10:00:00Z' }),
      }),
      201,
    )
    const { data } = await done(member.request('GET', '/calendar/authors'))
    expect(data.map(({ id }: { id: string }) => id)).toContain(member.userId)
  })

  test('is searched at all times, the latest first, by one query', async () => {
    const posts = [{ ...BLUESKY_POST, caption: 'A saxophonist plays' }]
    const early = await at(tokyo, '2029-02-01T02:00:00Z', { posts })
    const late = await at(api.socialSetId, '2031-02-01T02:00:00Z', { posts })
    await at(hidden, '2030-02-01T02:00:00Z', { posts })
    const found = (person: Person, search: string) =>
      person.request('GET', `/calendar/found?${new URLSearchParams({ 'filters[search]': search })}`)
    const { data } = await done(found(member, 'SAXOPHONIST'))
    expect(data.map(({ id, socialSetId }: Calendar['cards'][number]) => [id, socialSetId])).toEqual([
      [late.id, api.socialSetId],
      [early.id, tokyo],
    ])
    expect((await done(found(await signInAs(api, 'reviewer'), 'saxophonist'))).data).toHaveLength(3)
    expect((await done(found(member, 'saxophonist tuba'))).data).toEqual([])
    expect(statusAndCode(await found(member, 'sa'))).toEqual([400, 'request:invalid_query'])
    expect(statusAndCode(await member.request('GET', '/calendar/found'))).toEqual([400, 'request:invalid_query'])
    const before = api.queries()
    await done(found(member, 'saxophonist'))
    const once = api.queries() - before
    for (let brand = 0; brand < 5; brand += 1) await api.newSocialSet({ name: `More ${brand}` })
    const all = await signInAs(api, 'owner')
    await done(found(all, 'saxophonist'))
    const middle = api.queries()
    await done(found(all, 'saxophonist'))
    expect(api.queries() - middle).toBeLessThanOrEqual(once)
  })

  test('finds nothing of the other account of a person', async () => {
    const accountId = await api.newAccount()
    const theirs = await api.newSocialSet({ accountId, name: 'Of one more account', connected: ['BLUESKY'] })
    const key = await api.newKey({ accountId })
    const posts = [{ ...BLUESKY_POST, caption: 'A harpsichord' }]
    const made = await api.create({ socialSetId: theirs, scheduledAt: '2030-06-04T10:00:00Z', posts }, key)
    const person = await signInAs(api, 'owner')
    await newMember(api, accountId, { accountId, userId: person.userId, password: person.password })
    const found = async () =>
      (await done(person.request('GET', '/calendar/found?filters%5Bsearch%5D=harpsichord'))).data.map(
        ({ id }: { id: string }) => id,
      )
    expect(await found()).toEqual([])
    await done(person.request('PUT', '/session/account', { body: { accountId } }), 204)
    expect(await found()).toEqual([made.id])
  })

  test('has the free saved times of all brands, each by its own clock', async () => {
    const monday = [{ weekday: 1, time: '09:00' }]
    for (const id of [api.socialSetId, tokyo, hidden]) {
      await done(
        (await signInAs(api, 'owner')).request('PUT', `/social-sets/${id}/saved-times`, { body: { times: monday } }),
      )
    }
    // Monday, 3 June 2030; in Tokyo it is nine o'clock seven hours before it is in Berlin.
    const week = new URLSearchParams({ from: '2030-06-02T22:00:00Z', to: '2030-06-09T22:00:00Z' })
    const slots = async () => (await done(member.request('GET', `/calendar/free-slots?${week}`))).slots
    const both = [
      { socialSetId: tokyo, at: '2030-06-03T00:00:00.000Z' },
      { socialSetId: api.socialSetId, at: '2030-06-03T07:00:00.000Z' },
    ]
    expect(await slots()).toEqual(both)
    await at(tokyo, '2030-06-03T00:00:30Z')
    await at(tokyo, '2030-06-03T07:00:00Z')
    expect(await slots()).toEqual(both.slice(1))
    const past = new URLSearchParams({ from: '2020-06-01', to: '2020-06-08' })
    expect((await done(member.request('GET', `/calendar/free-slots?${past}`))).slots).toEqual([])
    for (const wrong of [
      { from: '2030-06-01', to: '2030-06-11' },
      { from: '2030-06-02', to: '2030-06-01' },
      { from: 'soon', to: '2030-06-01' },
    ]) {
      const answer = await member.request('GET', `/calendar/free-slots?${new URLSearchParams(wrong)}`)
      expect(statusAndCode(answer)).toEqual([400, 'request:invalid_query'])
    }
  })

  test('has what the member has typed in all brands that they see', async () => {
    const type = async (person: Person, socialSetId: string) => {
      const id = crypto.randomUUID()
      await done(
        person.request('PUT', `/kept-drafts/${id}`, {
          body: { socialSetId, postSetId: null, sequence: 1, basedOnVersion: null, excerpt: 'Half a', content: {} },
        }),
      )
      return id
    }
    const typed = async (person: Person) =>
      (await done(person.request('GET', '/kept-drafts'))).data.map(({ id }: { id: string }) => id)
    const person = await signInAs(api, 'editor')
    const [first, second, third] = [
      await type(person, tokyo),
      await type(person, hidden),
      await type(person, api.socialSetId),
    ]
    expect(await typed(person)).toEqual([third, second, first])
    expect(await typed(member)).toEqual([])
    await api.db
      .updateTable('memberships')
      .set({ social_set_ids: [tokyo, api.socialSetId] })
      .where('user_id', '=', person.userId)
      .execute()
    expect(await typed(person)).toEqual([third, first])
  })

  test('refuses a zone that is none', async () => {
    const asked = new URLSearchParams({ ...june, timezone: '+02:00' })
    const answer = await member.request('GET', `/calendar?${asked}`)
    expect(statusAndCode(answer)).toEqual([400, 'request:invalid_query'])
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(['timezone'])
  })

  test('shows what is held by the hold of each brand', async () => {
    const scheduled = { status: 'SCHEDULED', approval: 'APPROVED' }
    const [one, other] = [
      await at(tokyo, '2030-06-20T10:00:00Z', scheduled),
      await at(api.socialSetId, '2030-06-20T10:00:00Z', scheduled),
    ]
    await done(member.request('POST', '/holds', { body: { scope: 'SOCIAL_SET', id: tokyo, reason: 'Wait' } }), 201)
    const { cards } = await calendar(member)
    const stateOf = (id: string) => cards.find((card) => card.id === id)?.state
    expect([stateOf(one.id), stateOf(other.id)]).toEqual(['held', 'scheduled'])
  })

  test('asks the database as often as that of one brand, and reads a range of an index of each', async () => {
    const queriesOf = async (more: object) => {
      const before = api.queries()
      await calendar(member, more)
      return api.queries() - before
    }
    expect(await queriesOf({})).toBeLessThanOrEqual(await queriesOf({ socialSetId: tokyo }))
    await sql`
      insert into post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
      select gen_random_uuid(), ${api.accountId}, brand, timestamptz '2029-01-01' + n * interval '1 hour', 'DRAFT', 'NONE'
      from generate_series(1, 10000) as n, unnest(array[${api.socialSetId}, ${tokyo}, ${hidden}]::uuid[]) as brand`.execute(
      api.db,
    )
    await sql`analyze all_post_sets, social_sets`.execute(api.db)
    const { db, plan } = explaining(api.db)
    const plain = {
      ...{ socialSetId: null, from: new Date(june.from), before: new Date(june.to), statuses: null },
      ...{ accountTypes: null, approvals: null, labelIds: null, search: null, externalId: null },
    }
    const take = { limit: 6_001, captionCodePoints: 480 }
    for (const socialSetIds of [null, [tokyo, api.socialSetId]]) {
      await cardsQuery({ accountId: api.accountId, socialSetIds }, plain, take).execute(db)
      expect(plan()).toMatch(/Index (Only )?Scan using post_sets_calendar/)
      expect(plan()).not.toMatch(/Seq Scan on (all_post_sets|posts|history)/)
    }
  })
})

describe('live changes of all brands', () => {
  test('come from each that is seen, and from no other', async () => {
    const stream = await follow(api, member, null)
    await stream.until('ready')
    expect(stream.events.filter(([name]) => name === 'ready')).toHaveLength(1)
    const unseen = await at(hidden, '2030-06-05T10:00:00Z')
    const [one, other] = [await at(tokyo, '2030-06-05T10:00:00Z'), await at(api.socialSetId, '2030-06-05T10:00:00Z')]
    await stream.until('post-sets', [one.id, other.id])
    expect(stream.text()).not.toContain(unseen.id)
    stream.close()
  })
})
