import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Approval } from '#contract'
import { newId } from '#domain'
import type { NewsGuest } from '#news'
import { type Api, startApi } from '../_util/api/api.ts'
import { type MailServer, startMailServer } from '../_util/api/mail-server.ts'
import { happenings, reader } from '../_util/api/news.ts'
import { PUBLIC_URL, type StartedNewsroom, startNewsroom } from '../_util/api/newsroom.ts'
import { anyRate } from '../_util/browser/dashboard-api.ts'

const MINUTE = 60_000

let api: Api
let mail: MailServer
let happens: ReturnType<typeof happenings>
const newsrooms: StartedNewsroom[] = []
const guests = new Map<string, NewsGuest>()
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi({ rate: anyRate })
  happens = happenings(api)
})
beforeEach(async () => {
  for (const table of ['news', 'news_stops', 'memberships', 'post_sets'] as const)
    await api.db.deleteFrom(table).execute()
  for (const newsroom of newsrooms.splice(0)) await newsroom.stop({ graceMs: 0 })
  mail.mails.splice(0)
  await at('2030-06-01T10:00:00Z')
})
afterAll(async () => {
  for (const newsroom of newsrooms) await newsroom.stop({ graceMs: 0 })
  await api.close()
  await mail.close()
})

let clock = 0
async function at(time: string | number): Promise<void> {
  clock = new Date(time).getTime()
  await api.setClock(new Date(clock).toISOString())
}
const advance = (ms: number) => at(clock + ms)

function open(options: Parameters<typeof startNewsroom>[1] = {}): StartedNewsroom {
  const port = { find: async (ids: readonly string[]) => ids.flatMap((id) => guests.get(id) ?? []) }
  const newsroom = startNewsroom(api, { smtpUrl: mail.url, guests: port, ...options })
  newsrooms.push(newsroom)
  return newsroom
}

/** Looks, lets the time pass in which mails wait for others, and looks again. */
async function lookTwice(newsroom: StartedNewsroom): Promise<void> {
  await newsroom.lookNow()
  await advance(MINUTE + 1_000)
  await newsroom.lookNow()
}

/** As if it had not been requested: what is reported of it is said by each test. */
const letWait = (id: string, approval: Approval = 'PENDING') =>
  api.db.updateTable('post_sets').set({ approval }).where('id', '=', id).execute()

const mailsTo = ({ mail: address }: { mail: string }) => mail.mails.filter(({ to }) => to.includes(address))
const states = () => api.db.selectFrom('news_sends').select(['state', 'attempts', 'error', 'cause']).execute()

describe('a mail', () => {
  test('is in the language and the zone of its reader, as text and as HTML, and leads to the dashboard', async () => {
    const preferences = { locale: 'de-AT', timezone: 'Europe/Vienna' }
    const reviewer = await reader(api, 'reviewer', { preferences })
    const { id } = await api.create({
      posts: [{ accountType: 'BLUESKY', caption: 'Der neue <b>Röster</b>', media: [] }],
    })
    await letWait(id)
    await happens.requested(id, { actor: { type: 'USER', id: newId(), name: 'Ada & <Bo>' } })
    await lookTwice(open())
    const [{ subject, text, html, headers }] = mailsTo(reviewer) as [ReturnType<typeof mailsTo>[0]]
    expect(subject).toBe('Brand: ein Beitrag wartet auf deine Freigabe')
    expect(text).toContain('Ada & <Bo> bittet bei Brand um deine Freigabe.')
    // By the clock of the brand, as everywhere.
    expect(text).toContain('01.06.2030, 12:00 (Europe/Berlin): Der neue <b>Röster</b>')
    const link = `${PUBLIC_URL}/dashboard/scheduling/calendar/month?set=${api.socialSetId}&post=${id}&account=${api.accountId}`
    expect(text).toContain(`Den Beitrag ansehen: ${link}`)
    expect(text).toContain(`Wählen, was du bekommst: ${PUBLIC_URL}/dashboard/settings/notifications`)
    expect(html).toContain('<html lang="de">')
    expect(html).toContain('Ada &amp; &lt;Bo&gt; bittet')
    expect(html).toContain('Der neue &lt;b&gt;Röster&lt;/b&gt;')
    expect(html).toContain(`href="${link.replaceAll('&', '&amp;')}"`)
    expect(html).not.toMatch(/<(script|img|link|iframe)|src=/i)
    expect(headers.get('auto-submitted')).toBe('auto-generated')
  })

  test('has all that happened to a person in an account, by cause, and is named for the most urgent', async () => {
    const editor = await reader(api, 'owner')
    const other = await api.newSocialSet({ name: 'Other' })
    const [one, two] = [(await api.create()).id, (await api.create({ socialSetId: other })).id]
    await happens.comment(one, { actor: person('Ada'), words: 'First.', concerned: [editor.userId] })
    await advance(1_000)
    await happens.comment(one, {
      actor: person('Bo'),
      words: 'Second.\n\nReconnect it: evil',
      concerned: [editor.userId],
    })
    await happens.comment(two, { socialSetId: other, mentioned: [editor.userId], words: 'You?' })
    await happens.record({
      ...{ kind: 'CHANGES_REQUESTED', accountId: api.accountId, socialSetId: api.socialSetId, postSetId: one },
      ...{ actor: person('Ada'), words: 'The logo is old.', concerned: [editor.userId] },
    })
    await lookTwice(open())
    expect(mailsTo(editor)).toHaveLength(1)
    const [{ subject, text }] = mailsTo(editor) as [ReturnType<typeof mailsTo>[0]]
    expect(subject).toBe('Brand: changes requested to a post, and more')
    expect(text).toContain('Ada requests changes to a post of Brand. It is a draft now.\n> The logo is old.')
    expect(text).toContain('> Ada: First.\n> Bo: Second. Reconnect it: evil')
    expect(text).toContain('Someone mentioned you in a comment on a post of Other:\n> You?')
  })

  test('about a cause comes once an hour; other causes do not wait for it, and nothing is lost', async () => {
    const editor = await reader(api, 'editor')
    const { id } = await api.create()
    const newsroom = open()
    const comment = () => happens.comment(id, { concerned: [editor.userId], words: `At ${clock}.` })
    await comment()
    await lookTwice(newsroom)
    for (let minutes = 0; minutes < 50; minutes += 10) {
      await comment()
      await advance(10 * MINUTE)
      await newsroom.lookNow()
    }
    expect(mailsTo(editor)).toHaveLength(1)
    await happens.decided(id, { concerned: [editor.userId] })
    await lookTwice(newsroom)
    expect(mailsTo(editor).map(({ subject }) => subject)).toEqual([
      'Brand: a new comment on a post',
      'Brand: a post was approved',
    ])
    await advance(10 * MINUTE)
    await newsroom.lookNow()
    expect(mailsTo(editor)).toHaveLength(3)
    expect(mailsTo(editor)[2]?.text.match(/> At /g)).toHaveLength(5)
    expect((await states()).every(({ state }) => state === 'SENT')).toBe(true)
  })

  test('is not sent to who did it, lost access, chose otherwise meanwhile, nor about a post set that is gone', async () => {
    const [doer, leaver, chooser, keeper] = await Promise.all(
      ['editor', 'editor', 'editor', 'editor'].map((role) => reader(api, role as 'editor')),
    )
    if (!doer || !leaver || !chooser || !keeper) throw new Error('There are not enough people.')
    const all = [doer, leaver, chooser, keeper]
    const [kept, gone] = [(await api.create()).id, (await api.create()).id]
    const concerned = all.map(({ userId }) => userId)
    await happens.comment(kept, { actor: { ...person('Doer'), id: doer.userId }, concerned })
    await happens.comment(gone, { actor: { ...person('Doer'), id: doer.userId }, concerned, words: 'Gone.' })
    const newsroom = open()
    await newsroom.lookNow()
    await api.db
      .updateTable('memberships')
      .set({ social_set_ids: [await api.newSocialSet()] })
      .where('user_id', '=', leaver.userId)
      .execute()
    await chooser.request('PUT', '/news/choices', { body: { socialSetId: null, choices: { COMMENTED: 'BELL' } } })
    await api.request('DELETE', `/v1/post-sets/${gone}`)
    await advance(MINUTE + 1_000)
    await newsroom.lookNow()
    expect(all.map((each) => mailsTo(each).length)).toEqual([0, 0, 0, 1])
    expect(mailsTo(keeper)[0]?.text).not.toContain('Gone.')
    const bells = await Promise.all(all.map(async (each) => (await each.request('GET', '/news/unread')).body.unread))
    expect(bells).toEqual([0, 0, 2, 2])
    expect((await states()).filter(({ error }) => error !== null)).toEqual([])
  })
})

test('what no longer waits for approval is not mailed as if it did', async () => {
  const reviewer = await reader(api, 'reviewer')
  const [decided, waits] = [(await api.create()).id, (await api.create()).id]
  for (const id of [decided, waits]) {
    await letWait(id)
    await happens.requested(id)
  }
  const newsroom = open()
  await newsroom.lookNow()
  await letWait(decided, 'APPROVED')
  await advance(MINUTE + 1_000)
  await newsroom.lookNow()
  expect(mailsTo(reviewer).map(({ subject }) => subject)).toEqual(['Brand: a post waits for your approval'])
  expect(mailsTo(reviewer)[0]?.text).not.toContain(decided)
})

describe('the mail of the day', () => {
  test('comes at eight in the zone of its reader, over the changes of its clocks, and has the whole day', async () => {
    const berlin = await reader(api, 'editor', { preferences: { timezone: 'Europe/Berlin' } })
    const auckland = await reader(api, 'editor', { preferences: { timezone: 'Pacific/Auckland' } })
    for (const each of [berlin, auckland])
      await each.request('PUT', '/news/choices', { body: { socialSetId: null, choices: { COMMENTED: 'DAILY' } } })
    await at('2026-03-27T12:00:00Z')
    const { id } = await api.create()
    const newsroom = open()
    const sentAt = new Map<string, string[]>()
    for (const end = Date.parse('2026-03-31T12:00:00Z'); clock < end; await advance(30 * MINUTE)) {
      // One an hour, and two people who are shown once a day.
      if (clock % (60 * MINUTE) === 0) await happens.comment(id, { words: 'Hourly.' })
      await newsroom.lookNow()
      for (const { to } of mail.mails.splice(0))
        sentAt.set(to[0] ?? '', [...(sentAt.get(to[0] ?? '') ?? []), new Date(clock).toISOString().slice(0, 16)])
    }
    // The clocks of Berlin go forward on the 29th; those of Auckland go back a week later.
    expect(sentAt.get(berlin.mail)).toEqual([
      '2026-03-28T07:00',
      '2026-03-29T06:00',
      '2026-03-30T06:00',
      '2026-03-31T06:00',
    ])
    expect(sentAt.get(auckland.mail)).toEqual([
      '2026-03-27T19:00',
      '2026-03-28T19:00',
      '2026-03-29T19:00',
      '2026-03-30T19:00',
    ])
  })

  test('is one with a section for each thing, however many, and apart from what is mailed at once', async () => {
    const editor = await reader(api, 'owner')
    const choices = { COMMENTED: 'DAILY', CALENDAR_FAILING: 'DAILY', MENTIONED: 'MAIL' }
    await editor.request('PUT', '/news/choices', { body: { socialSetId: null, choices } })
    const { id } = await api.create()
    const newsroom = open()
    await happens.comment(id, { words: 'Hello.' })
    await happens.calendar()
    await happens.comment(id, { mentioned: [editor.userId], words: 'You!' })
    await lookTwice(newsroom)
    expect(mailsTo(editor).map(({ subject }) => subject)).toEqual(['Brand: Someone mentioned you'])
    await at('2030-06-02T06:00:00Z')
    await newsroom.lookNow()
    const [, daily] = mailsTo(editor)
    expect(daily?.subject).toBe('Your summary of Account: 2 items')
    expect(daily?.text).toContain('> Hello.')
    expect(daily?.text).toContain('The calendar “Holidays” of Brand could not be read for a day.\nIt answered 404.')
    expect(daily?.text).not.toContain('You!')
  })
})

describe('a mail server', () => {
  test('that refuses an address for good is asked six times, and the mails of others do not wait', async () => {
    const [refused, other] = [await reader(api, 'editor'), await reader(api, 'editor')]
    const { id } = await api.create()
    const server = await startMailServer()
    server.refuse(refused.mail)
    try {
      await happens.comment(id, { concerned: [refused.userId, other.userId] })
      // A pause of the channel would last forever.
      const newsroom = open({ smtpUrl: server.url, settings: { channelPausesMs: [2 ** 30] } })
      await lookTwice(newsroom)
      expect(server.mails.map(({ to }) => to)).toEqual([[other.mail]])
      for (let tries = 0; tries < 8; tries++) {
        await advance(61 * MINUTE)
        await newsroom.lookNow()
      }
      const given = (await states()).find(({ state }) => state === 'GIVEN_UP')
      expect(given).toMatchObject({ attempts: 6, error: 'The mail server did not take the mail (550).' })
      expect(newsroom.logged.at(-1)).toMatchObject({ level: 'error', message: expect.stringContaining('given up') })
    } finally {
      await server.close()
    }
  })

  test('whose answer was lost gets the mail again: sent at least once', async () => {
    const editor = await reader(api, 'editor')
    const { id } = await api.create()
    await happens.comment(id, { concerned: [editor.userId] })
    const reached = Promise.withResolvers<void>()
    const killed = open({
      settings: { foldMs: 0 },
      signals: () => {
        reached.resolve()
        return new Promise(() => {})
      },
    })
    void killed.lookNow()
    await reached.promise
    const other = open()
    await other.lookNow()
    expect(mailsTo(editor)).toHaveLength(1)
    await advance(2 * MINUTE + 1_000)
    await other.lookNow()
    expect(mailsTo(editor)).toHaveLength(2)
    expect(await states()).toMatchObject([{ state: 'SENT', attempts: 2 }])
  })
})

describe('guests', () => {
  const guest = (more: Partial<NewsGuest> = {}): NewsGuest & { mail: string } => {
    const id = newId()
    const email = `${id}@example.com`
    const urlOf = (postSetId: string | null) => `https://almanac.example/shared/way-in?post=${postSetId ?? ''}`
    const one = {
      id,
      name: 'Grace',
      email,
      locale: 'de',
      formal: false,
      socialSetIds: [api.socialSetId],
      urlOf,
      ...more,
    }
    guests.set(id, one)
    return { ...one, mail: email }
  }

  test('get a mail about what waits for them, with the way into the shared calendar and none into the dashboard', async () => {
    const one = guest()
    const { id } = await api.create({ approval: 'EXTERNAL_PENDING' })
    await happens.requested(id, { asked: [], guestIds: [one.id], actor: person('Ada') })
    await lookTwice(open())
    const [{ text, html }] = mailsTo(one) as [ReturnType<typeof mailsTo>[0]]
    expect(text).toContain('Ada bittet bei Brand um deine Freigabe.')
    expect(text).toContain(`Den Beitrag ansehen: https://almanac.example/shared/way-in?post=${id}`)
    for (const content of [text, html]) expect(content).not.toMatch(/\/dashboard|hello/)
    expect(mail.mails).toHaveLength(1)
  })

  test('hear of the team, not of the name of its key', async () => {
    const one = guest()
    const { id } = await api.create({ approval: 'EXTERNAL_PENDING' })
    const actor = { type: 'API_KEY', id: newId(), name: 'Robot of the night' } as const
    await happens.requested(id, { asked: [], guestIds: [one.id], actor })
    await lookTwice(open())
    const [{ text, html, subject }] = mailsTo(one) as [ReturnType<typeof mailsTo>[0]]
    const { name } = await api.db
      .selectFrom('accounts')
      .select('name')
      .where('id', '=', api.accountId)
      .executeTakeFirstOrThrow()
    expect(text).toContain(`${name} bittet bei Brand um deine Freigabe.`)
    for (const content of [text, html, subject]) expect(content).not.toContain('Robot')
  })

  test('get nothing once they are not confirmed, see the brand no longer, did it themselves or stopped it', async () => {
    const [gone, elsewhere, doer, stopped, kept] = [
      guest(),
      guest({ socialSetIds: [newId()] }),
      guest(),
      guest(),
      guest(),
    ]
    guests.delete(gone.id)
    await api.db.insertInto('news_stops').values({ guest_id: stopped.id, cause: 'COMMENTED' }).execute()
    const { id } = await api.create()
    const guestIds = [gone, elsewhere, doer, stopped, kept].map((each) => each.id)
    const actor = { type: 'REVIEWER', id: doer.id, name: 'Grace' } as const
    await happens.comment(id, { inner: false, guestIds, actor })
    await lookTwice(open())
    expect(mail.mails.map(({ to }) => to)).toEqual([[kept.mail]])
  })
})

test('the bell counts for each person what that person did', async () => {
  const owner = await reader(api, 'owner')
  const { id } = await api.create()
  const about = { accountId: api.accountId, socialSetId: api.socialSetId, postSetId: id, concerned: [owner.userId] }
  const [clara, greta] = [person('Clara'), person('Greta')]
  for (const kind of ['APPROVED', 'CHANGES_REQUESTED', 'REVIEW_REQUESTED'] as const)
    for (const actor of [clara, greta, greta])
      await happens.record(
        kind === 'REVIEW_REQUESTED' ? { ...about, kind, actor, asked: [owner.userId] } : { ...about, kind, actor },
      )
  await open().lookNow()
  const { rows } = await sql<{ cause: string; name: string; count: number }>`
    select kind as cause, actor_name as name, count from bell_items join news on news.id = bell_items.news_id
    order by kind, actor_name`.execute(api.db)
  expect(rows.map(({ cause, name, count }) => `${cause} ${name} ${count}`)).toEqual(
    ['APPROVED', 'CHANGES_REQUESTED', 'REVIEW_REQUESTED'].flatMap((cause) => [`${cause} Clara 1`, `${cause} Greta 2`]),
  )
})

test('two workers at once decide once who gets what, and send it once', async () => {
  const people = await Promise.all(Array.from({ length: 5 }, () => reader(api, 'editor')))
  const { id } = await api.create()
  for (let comment = 0; comment < 30; comment++)
    await happens.comment(id, { concerned: people.map(({ userId }) => userId) })
  const both = [open(), open(), open()]
  await Promise.all(both.map((newsroom) => newsroom.lookNow()))
  await advance(MINUTE + 1_000)
  await Promise.all(both.map((newsroom) => newsroom.lookNow()))
  expect(people.map((each) => mailsTo(each).length)).toEqual([1, 1, 1, 1, 1])
  const items = await api.db.selectFrom('bell_items').select('count').execute()
  expect(items.map(({ count }) => count)).toEqual([30, 30, 30, 30, 30])
})

test('a timezone that is none does not keep others from their news', async () => {
  const wrong = await reader(api, 'owner', { preferences: { timezone: 'Nowhere/Land' } })
  await wrong.request('PUT', '/news/choices', { body: { socialSetId: null, choices: { COMMENTED: 'DAILY' } } })
  const newsroom = open()
  newsroom.start()
  await happens.comment((await api.create()).id)
  const unread = async () => (await wrong.request('GET', '/news/unread')).body.unread as number
  await vi.waitUntil(async () => (await unread()) === 1, { timeout: 10_000 })
})

const person = (name: string) => ({ type: 'USER', id: newId(), name }) as const
