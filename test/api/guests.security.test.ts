import { sql } from 'kysely'
import { afterAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { enterSharedCalendar } from '#operations'
import { BLUESKY_POST } from '../_util/api/api.ts'
import { BYTES, NOT_SHARED, openGuestFixture, send, WAITING } from '../_util/api/guest-fixture.ts'
import { enter, type GuestClient, OURS, open, share, VISIT } from '../_util/api/guests.ts'
import { identityOf } from '../_util/api/members.ts'
import { done, NO_SET, statusAndCode } from '../_util/browser/dashboard-api.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'

const fixture = await openGuestFixture()
const { api, owner, guest, set, mails, postWithFile, given } = fixture
afterAll(() => api.close())

const call = async (name: string, as: Pick<GuestClient, 'request'>) => send(await given(name), as)

describe('a guest', () => {
  test('shared-06: reaches nothing but what the link shows', async () => {
    const shows = { scheduled: false, drafts: false, published: false }
    const narrow = await enter(api, await share(api, owner, { shows }), { name: 'Clara' })
    const [otherBrand, otherAccount] = [await api.newSocialSet(), await api.newAccount()]
    const [draft, scheduled, published, removed] = await Promise.all([
      postWithFile({}),
      postWithFile({ status: 'DRAFT', approval: 'PENDING' }),
      postWithFile({ approval: 'APPROVED' }),
      postWithFile(WAITING),
    ])
    await api.db.updateTable('post_sets').set({ status: 'PUBLISHED' }).where('id', '=', published.id).execute()
    await done(owner.request('DELETE', `/post-sets/${removed.id}`), 204)
    const elsewhere = await api.create({ ...WAITING, socialSetId: otherBrand })
    const foreign = await api.create(
      { ...WAITING, socialSetId: await api.newSocialSet({ accountId: otherAccount }) },
      await api.newKey({ accountId: otherAccount }),
    )
    const hidden = [draft, scheduled, published, removed, { id: elsewhere.id, media: newId() }, foreign]
    for (const { id, media } of hidden as { id: string; media: string }[]) {
      expect(statusAndCode(await narrow.request('GET', `/posts/${id}`))).toEqual(NO_SET)
      expect(statusAndCode(await narrow.request('GET', `/posts/${id}/comments`))).toEqual(NO_SET)
      expect(statusAndCode(await narrow.request('GET', `/posts/${id}/changes/${newId()}?since=1`))).toEqual(NO_SET)
      expect(statusAndCode(await narrow.request('POST', `/posts/${id}/comments`, { body: { text: 'a' } }))).toEqual(
        NO_SET,
      )
      expect(statusAndCode(await narrow.request('PUT', `/posts/${id}/seen`, { body: { version: 1 } }))).toEqual(NO_SET)
      const decision = { body: { decision: 'approve', version: 1 } }
      expect(statusAndCode(await narrow.request('POST', `/posts/${id}/decision`, decision))).toEqual(NO_SET)
      const undo = { body: { version: 1 } }
      expect(statusAndCode(await narrow.request('POST', `/posts/${id}/decision/undo`, undo))).toEqual(NO_SET)
      for (const variant of ['original', 'thumbnail']) {
        const answer = await narrow.request('GET', `/media/${media}/${variant}`)
        expect(statusAndCode(answer)).toEqual([404, 'media-library:not_found'])
      }
    }
    const note = { content: 'Fair', hexColor: '#faf785', scheduledAt: '2030-06-09' }
    for (const socialSetId of [otherBrand, foreign.socialSetId]) {
      const answer = await narrow.request('POST', '/notes', { body: { ...note, socialSetId } })
      expect(statusAndCode(answer)).toEqual([404, 'social-set:not_found'])
    }
  })

  test('gets no signed address, no id of the library, and nothing inner', async () => {
    const label = await done(owner.request('POST', '/labels', { body: { name: 'Secret label' } }), 201)
    await done(owner.request('PUT', `/post-sets/${set.id}/labels`, { body: { labelsId: [label.id] } }))
    await done(owner.request('PUT', `/post-sets/${set.id}/lock`, { body: { locked: true, reason: 'Secret lock' } }))
    const body = {
      socialSetId: api.socialSetId,
      content: 'Secret note',
      hexColor: '#faf785',
      scheduledAt: '2030-06-09',
    }
    await done(api.request('POST', '/v1/notes', { body }), 201)
    const library = await api.db.selectFrom('media_items').select('id').execute()
    const answers = await Promise.all(
      ['GET /visit', 'GET /calendar', 'GET /posts/:id'].map((name) => call(name, guest)),
    )
    const text = JSON.stringify(answers.map((answer) => answer.body))
    for (const secret of ['/media/?e=', '?e=', 'Secret', owner.email, label.id, ...library.map(({ id }) => id)]) {
      expect(text).not.toContain(secret)
    }
    for (const { id } of library) expect((await guest.request('GET', `/media/${id}/original`)).status).toBe(404)
    await done(owner.request('PUT', `/post-sets/${set.id}/lock`, { body: { locked: false } }))
  })

  test('learns nothing of what was in a post before it was shown', async () => {
    const shows = { scheduled: false, drafts: false, published: false }
    const narrow = await enter(api, await share(api, owner, { shows }), { name: 'Clara' })
    const { id, posts } = await api.create({ posts: [{ ...BLUESKY_POST, caption: 'An inner joke' }] })
    const rewrite = (caption: string, more: object = {}) =>
      done(api.request('PATCH', `/v1/post-sets/${id}`, { body: { posts: [{ ...posts[0], caption }], ...more } }))
    await rewrite('For the client', WAITING)
    await done(narrow.request('PUT', `/posts/${id}/seen`, { body: { version: 1 } }), 204)
    expect(await done(narrow.request('GET', `/posts/${id}`))).toMatchObject({ changes: null })
    await done(narrow.request('PUT', `/posts/${id}/seen`, { body: { version: 2 } }), 204)
    await rewrite('Another inner joke', { approval: 'NONE' })
    const { version } = await rewrite('For the client again', WAITING)
    const read = await done(narrow.request('GET', `/posts/${id}`))
    const postId = posts[0].id
    const caption = (since: number | string) =>
      narrow.request('GET', `/posts/${id}/changes/${postId}${since === '' ? '' : `?since=${since}`}`)
    expect(read.changes).toMatchObject({ since: 2, posts: [{ id: postId, fields: ['caption'] }] })
    expect(await done(caption(2))).toEqual({ caption: { from: 'For the client', to: 'For the client again' } })
    // The first version was never shown, nor was the third.
    for (const since of [1, 3, 4]) expect(statusAndCode(await caption(since))).toEqual([409, 'request:refused'])
    for (const since of ['', 'x', 0, -1, '2&since=1', '2&more=1']) {
      expect(statusAndCode(await caption(since))).toEqual([400, 'request:invalid_query'])
    }
    const stale = await narrow.request('POST', `/posts/${id}/decision`, { body: { decision: 'approve', version: 1 } })
    expect(JSON.stringify([read, stale.body])).not.toContain('joke')
    await done(narrow.request('POST', `/posts/${id}/decision`, { body: { decision: 'approve', version } }))
  })

  test('opens nothing of the dashboard, and a member nothing of a guest', async () => {
    const cookie = `${VISIT}=${guest.cookies[VISIT]}`
    for (const path of ['/session', '/shared-calendars', `/post-sets/${set.id}/history`]) {
      const answer = await api.request('GET', `/internal${path}`, { key: null, headers: { ...OURS, cookie } })
      expect(statusAndCode(answer)).toEqual([401, 'auth:not_signed_in'])
    }
    const headers = { ...OURS, cookie: owner.cookie }
    const answer = await api.request('GET', `/shared/view/${guest.id}/visit`, { headers })
    expect(statusAndCode(answer)).toEqual(NOT_SHARED)
  })
})

describe('files', () => {
  const fetchFile = (client: GuestClient, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${api.url}/shared/view/${client.id}/media/${set.media}/original`, {
      method,
      headers: { ...OURS, cookie: `${VISIT}=${client.cookies[VISIT]}`, ...headers },
    })

  test('are sent whole and in parts, are not kept, and end with the link', async () => {
    const client = await enter(api, await share(api, owner))
    const whole = await fetchFile(client)
    expect([whole.status, await whole.text()]).toEqual([200, BYTES.toString()])
    expect(whole.headers.get('cache-control')).toBe('no-store')
    expect(whole.headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    const part = await fetchFile(client, { range: 'bytes=12-15' })
    expect([part.status, await part.text()]).toEqual([206, 'IHDR'])
    expect((await fetchFile(client, { range: `bytes=${BYTES.length}-` })).status).toBe(416)
    expect((await fetchFile(client, {}, 'HEAD')).headers.get('content-length')).toBe(String(BYTES.length))
    for (const variant of ['rendition', 'nonsense', '..%2Foriginal']) {
      expect((await client.request('GET', `/media/${set.media}/${variant}`)).status).toBe(404)
    }
    await done(owner.request('POST', `/shared-calendars/${client.id}/close`))
    expect((await fetchFile(client)).status).toBe(404)
  })
})

describe('what ends a visit ends it at once:', () => {
  test.each([
    ['renewing', (id: string) => owner.request('POST', `/shared-calendars/${id}/renew`)],
    ['closing', (id: string) => owner.request('POST', `/shared-calendars/${id}/close`)],
    ['a passcode', (id: string) => owner.request('PATCH', `/shared-calendars/${id}`, { body: { passcode: 'tulips' } })],
  ])('shared-03: %s', async (_, end) => {
    const client = await enter(api, await share(api, owner), { name: 'Clara' })
    await done(end(client.id))
    for (const name of ['GET /visit', 'POST /notes', 'GET /media/:id/:variant']) {
      expect([name, ...statusAndCode(await call(name, client))]).toEqual([name, ...NOT_SHARED])
    }
    expect((await client.load()).status).toBe(404)
  })

  test('a brand that is not shared any more', async () => {
    const other = await api.newSocialSet()
    const client = await enter(api, await share(api, owner), { name: 'Clara' })
    await done(owner.request('PATCH', `/shared-calendars/${client.id}`, { body: { socialSetIds: [other] } }))
    expect(statusAndCode(await client.request('GET', `/posts/${set.id}`))).toEqual(NO_SET)
    expect((await client.request('GET', `/media/${set.media}/original`)).status).toBe(404)
  })

  test('shared-03: also for who decides at that moment', async () => {
    const client = await enter(api, await share(api, owner), { name: 'Clara' })
    const { id } = await api.create(WAITING)
    let deciding: Promise<unknown> = Promise.resolve()
    await api.db.transaction().execute(async (trx) => {
      await trx.updateTable('shared_calendars').set({ closed_at: new Date() }).where('id', '=', client.id).execute()
      const body = { decision: 'approve', version: 1 }
      deciding = client.request('POST', `/posts/${id}/decision`, { body }).then(statusAndCode)
      await untilSomeoneWaits(api.db)
    })
    expect(await deciding).toEqual(NOT_SHARED)
    expect(await done(api.request('GET', `/v1/post-sets/${id}`))).toMatchObject({ ...WAITING, version: 1 })
  })
})

describe('what guests write', () => {
  const EVIL = '<script>alert(1)</script><img src=x onerror=alert(1)> \u202eevil\u2066 {{7*7}} \'"; drop table notes;--'

  test('is kept and answered as text', async () => {
    const client = await enter(api, await share(api, owner), { name: '<b>Clara</b>' })
    const note = { socialSetId: api.socialSetId, content: EVIL, hexColor: '#faf785', scheduledAt: '2030-06-09' }
    const made = await done(client.request('POST', '/notes', { body: note }), 201)
    expect(made).toMatchObject({ content: EVIL, by: '<b>Clara</b>' })
    const { id } = await api.create(WAITING)
    const body = { decision: 'request-changes', version: 1, message: EVIL }
    const answer = await client.request('POST', `/posts/${id}/decision`, { body })
    expect(answer.body.decision.message).toBe(EVIL)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const before = mails.length
    await done(client.request('PUT', '/visit/email', { body: { email: 'victim@example.com' } }))
    expect(mails.slice(before).map(({ to, text }) => [to, text.includes('Clara')])).toEqual([
      ['victim@example.com', false],
    ])
  })

  test.each([
    ['PUT /visit/name', 'name'],
    ['POST /posts/:id/comments', 'text'],
    ['POST /notes', 'content'],
    ['POST /posts/:id/decision', 'message'],
    ['POST /posts/:id/decision/undo', 'message'],
  ])('is refused when it is a megabyte: %s', async (name, field) => {
    const { method, path, body } = await given(name)
    const raw = JSON.stringify({ ...body, [field]: 'a'.repeat(1_000_000) })
    const answer = await guest.request(method, path, { raw })
    expect(statusAndCode(answer)).toEqual([413, 'request:too_large'])
  })

  test('is bounded in an hour, also by mails to strangers', async () => {
    const client = await enter(api, await share(api, owner), { name: 'Clara' })
    const { guest: self } = await done(client.request('GET', '/visit'))
    const used = (subject: string, tries: number) =>
      api.db
        .insertInto('attempts')
        .values({ subject, tries, began_at: new Date() })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet({ tries }))
        .execute()
    for (let sent = 0; sent < 3; sent++) {
      await done(client.request('PUT', '/visit/email', { body: { email: `victim${sent}@example.com` } }))
    }
    const fourth = await client.request('PUT', '/visit/email', { body: { email: 'victim4@example.com' } })
    expect(statusAndCode(fourth)).toEqual([429, 'rate-limit:exceeded'])
    for (const subject of [`shared-writes:${self.id}`, `shared-writes:${client.id}`]) {
      await used(subject, 5_000)
      for (const name of [
        'PUT /visit/name',
        'POST /notes',
        'POST /posts/:id/comments',
        'POST /posts/:id/decision',
        'POST /posts/:id/decision/undo',
      ]) {
        expect([name, ...statusAndCode(await call(name, client))]).toEqual([name, 429, 'rate-limit:exceeded'])
      }
      await used(subject, 0)
    }
    await done(client.request('PUT', '/visit/name', { body: { name: 'Clara' } }))
  })
})

test('who comes again and again makes a thousand guests at most, and takes no one away who has a name', async () => {
  const shared = await share(api, owner)
  const clara = await enter(api, shared, { name: 'Clara' })
  await sql`
    insert into shared_guests (id, shared_calendar_id, device, created_at)
    select gen_random_uuid(), ${clara.id}, 'A browser', almanac_now() - number * interval '1 second'
    from generate_series(1, 1005) as number`.execute(api.db)
  await enter(api, shared)
  const guests = await api.db
    .selectFrom('shared_guests')
    .select('name')
    .where('shared_calendar_id', '=', clara.id)
    .execute()
  expect(guests).toHaveLength(1_000)
  await done(clara.request('GET', '/visit'))
})

describe('a passcode', () => {
  test('shows nothing before it is right', async () => {
    const brand = await api.newSocialSet({ name: 'Nordwind Coffee' })
    const secret = await share(api, owner, { name: 'Very secret', socialSetIds: [brand], passcode: 'tulips' })
    for (const page of [await open(api, secret.token), await open(api, secret.token, 'wrong one')]) {
      const text = await page.text()
      expect(page.headers.getSetCookie()).toEqual([])
      for (const shown of ['Nordwind', 'Very secret', secret.sharedCalendar.id, api.accountId, 'Ada']) {
        expect(text).not.toContain(shown)
      }
    }
    const bare = await fetch(`${api.url}/shared/view/${secret.sharedCalendar.id}`)
    expect([bare.status, (await bare.text()).includes('passcode')]).toEqual([404, false])
  })

  test('is checked by the same work, whether it is right or wrong', async () => {
    const secret = await share(api, owner, { passcode: 'tulips' })
    const identity = identityOf(api)
    let checked = 0
    const deps = {
      db: api.db,
      publicUrl: 'https://almanac.test',
      identity: {
        ...identity,
        verifyPassword(input: { hash: string; password: string }) {
          checked += 1
          return identity.verifyPassword(input)
        },
      },
    }
    for (const [passcode, kind] of [
      ['tulips', 'entered'],
      ['tulip', 'passcode'],
      ['', 'passcode'],
      ['a'.repeat(200), 'passcode'],
    ] as const) {
      checked = 0
      const from = { passcode, address: newId() }
      const entered = await enterSharedCalendar(deps, secret.token, from)
      expect([passcode, entered.kind, checked]).toEqual([passcode, kind, 1])
    }
  })

  const guess = (token: string, passcode: string, address: string) =>
    fetch(`${api.url}/shared/${token}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'null', 'sec-fetch-site': 'same-origin', 'x-forwarded-for': address },
      body: new URLSearchParams({ passcode }),
    })

  test('is guessed ten times from an address, and the guest at another one is not kept out', async () => {
    const secret = await share(api, owner, { passcode: 'tulips' })
    const other = await share(api, owner, { passcode: 'tulips' })
    for (let tries = 0; tries < 10; tries++) {
      expect((await guess(secret.token, 'wrong one', '203.0.113.1')).status).toBe(403)
    }
    const refused = await guess(secret.token, 'tulips', '203.0.113.1')
    expect([refused.status, refused.headers.getSetCookie()]).toEqual([429, []])
    expect((await guess(secret.token, 'tulips', '203.0.113.2')).status).toBe(303)
    expect((await guess(other.token, 'tulips', '203.0.113.1')).status).toBe(303)
  })

  test('that many strangers guess has turns, and an open browser needs none', async () => {
    const secret = await share(api, owner, { passcode: 'tulips' })
    const client = await enter(api, secret, { passcode: 'tulips' })
    const subject = `shared-calendar:${client.id}`
    const strangers = (tries: number, began: Date) =>
      api.db
        .insertInto('attempts')
        .values({ subject, tries, began_at: began })
        .onConflict((conflict) => conflict.column('subject').doUpdateSet({ tries, began_at: began }))
        .execute()
    await strangers(200, new Date())
    const far = await guess(secret.token, 'tulips', '203.0.113.3')
    expect([far.status, await far.text()]).toEqual([
      429,
      expect.stringContaining('Too many wrong passcodes were tried. Try again in'),
    ])
    await done(client.request('GET', '/visit'))
    expect((await client.load()).status).toBe(503)
    await strangers(100, new Date(Date.now() - 60_000))
    expect((await guess(secret.token, 'tulips', '203.0.113.3')).status).toBe(303)
  })
})
