import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { newId, unsubscribeToken } from '#domain'
import type { NewsGuest } from '#news'
import { addNews } from '#persistence'
import { type Api, startApi } from '../_util/api/api.ts'
import { type MailServer, type ReceivedMail, startMailServer } from '../_util/api/mail-server.ts'
import { happenings, reader } from '../_util/api/news.ts'
import { PUBLIC_URL, type StartedNewsroom, startNewsroom, UNSUBSCRIBE_KEYS } from '../_util/api/newsroom.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'

let api: Api
let mail: MailServer
let newsroom: StartedNewsroom
let happens: ReturnType<typeof happenings>
const guests = new Map<string, NewsGuest>()
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi({ rate: anyRate, mailer: { send: async () => {} } })
  happens = happenings(api)
  newsroom = startNewsroom(api, {
    smtpUrl: mail.url,
    settings: { foldMs: 0, mailPauseMs: 0 },
    guests: { find: async (ids) => ids.flatMap((id) => guests.get(id) ?? []) },
  })
})
beforeEach(async () => {
  for (const table of ['news', 'news_stops', 'news_choices', 'memberships', 'post_sets'] as const)
    await api.db.deleteFrom(table).execute()
  mail.mails.splice(0)
})
afterAll(async () => {
  await newsroom.stop({ graceMs: 0 })
  await api.close()
  await mail.close()
})

const unread = async (person: Awaited<ReturnType<typeof reader>>) =>
  (await done(person.request('GET', '/news/unread'))).unread as number
const mailsTo = ({ mail: address }: { mail: string }) => mail.mails.filter(({ to }) => to.includes(address))

/** The address that ends mails like this, on the server of the test. */
function endOf({ headers }: ReceivedMail): string {
  const [, url = ''] = /^<(.+)>$/.exec(headers.get('list-unsubscribe') ?? '') ?? []
  expect(url.startsWith(`${PUBLIC_URL}/unsubscribe?token=`)).toBe(true)
  return url.replace(PUBLIC_URL, api.url)
}

/** As mail programs do it (RFC 8058, 3.1): no cookie, from nowhere. */
const oneClick = (url: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }) })

describe('a mail ends mails like it', () => {
  test('by one POST without a session; the bell goes on, other causes too, and doing it again changes nothing', async () => {
    const editor = await reader(api, 'owner')
    const body = { socialSetId: api.socialSetId, choices: { COMMENTED: 'MAIL', DECIDED: 'MAIL' } }
    await done(editor.request('PUT', '/news/choices', { body }))
    const { id } = await api.create()
    await happens.comment(id)
    await newsroom.lookNow()
    const [first] = mailsTo(editor) as [ReceivedMail]
    expect(first.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click')
    for (let click = 0; click < 2; click++) {
      const answer = await oneClick(endOf(first))
      expect(answer.status).toBe(200)
      expect(await answer.text()).toContain('Almanac sends you no more mails about this.')
    }
    await happens.comment(id)
    await happens.comment((await api.create()).id, { concerned: [editor.userId] })
    await happens.decided(id)
    await newsroom.lookNow()
    expect(mailsTo(editor).map(({ subject }) => subject)).toEqual([
      'Brand: a new comment on a post',
      'Brand: a post was approved',
    ])
    expect(await unread(editor)).toBe(3)
    const { account, socialSets } = await done(editor.request('GET', '/news/choices'))
    expect(account).toContainEqual({ cause: 'COMMENTED', choice: 'BELL' })
    expect(socialSets[0].choices).toContainEqual({ cause: 'COMMENTED', choice: 'BELL' })
  })

  test('which no look at the page does: that asks, in the language of its reader, and runs nothing', async () => {
    const editor = await reader(api, 'editor', { preferences: { locale: 'de' } })
    await happens.comment((await api.create()).id, { concerned: [editor.userId] })
    await newsroom.lookNow()
    const url = endOf(mailsTo(editor)[0] as ReceivedMail)
    for (const method of ['GET', 'HEAD']) expect((await fetch(url, { method })).status).toBe(200)
    const page = await fetch(url)
    expect(page.headers.get('cache-control')).toBe('no-store')
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    const html = await page.text()
    expect(html).toContain('<html lang="de">')
    expect(html).toContain('Kommentare')
    expect(html).not.toContain('<script')
    expect(await api.db.selectFrom('news_choices').selectAll().execute()).toEqual([])
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html) ?? []
    expect(new URL(action, api.url).toString()).toBe(url)
    expect((await fetch(url, { method: 'POST' })).status).toBe(200)
    expect(await api.db.selectFrom('news_choices').select(['cause', 'choice']).execute()).toEqual([
      { cause: 'COMMENTED', choice: 'BELL' },
    ])
  })

  test('of its reader and account alone: another id, another key and cut or joined tokens are refused', async () => {
    const [editor, other] = [await reader(api, 'editor'), await reader(api, 'editor')]
    const wanted = { type: 'member', id: editor.userId, accountId: api.accountId, causes: ['COMMENTED'] } as const
    const own = unsubscribeToken(UNSUBSCRIBE_KEYS, wanted)
    const [text = '', signature = ''] = own.split('.')
    const forged = Buffer.from(Buffer.from(text, 'base64url').toString().replace(editor.userId, other.userId)).toString(
      'base64url',
    )
    const tokens = [
      `${forged}.${signature}`,
      unsubscribeToken([randomBytes(32)], { ...wanted, id: other.userId }),
      `${text}.${signature.slice(0, -2)}`,
      `${text}.`,
      `${own}.${signature}`,
      text,
    ]
    for (const token of tokens) expect((await oneClick(`${api.url}/unsubscribe?token=${token}`)).status).toBe(404)
    expect(await api.db.selectFrom('news_choices').selectAll().execute()).toEqual([])
    expect((await oneClick(`${api.url}/unsubscribe?token=${own}`)).status).toBe(200)
    const rows = await api.db.selectFrom('news_choices').select('user_id').execute()
    expect(rows).toEqual([{ user_id: editor.userId }])
    expect(api.logged()).not.toContain(own)
    expect(api.logged()).not.toContain(signature)
  })

  test('its page names the brand that the mail was about, to a member who sees it, and says that all brands end', async () => {
    const editor = await reader(api, 'owner')
    const { socialSetId } = api
    const choices = { COMMENTED: 'MAIL' }
    const second = await api.newSocialSet({ name: 'Second & brand' })
    await done(editor.request('PUT', '/news/choices', { body: { socialSetId: null, choices } }))
    const pageOf = async (url: string, method = 'GET') => (await fetch(url, { method })).text()
    const mailed = async (sets: readonly string[]) => {
      mail.mails.splice(0)
      for (const id of sets) {
        const { id: post } = await api.create({ socialSetId: id })
        await happens.comment(post, { socialSetId: id, concerned: [editor.userId] })
      }
      await newsroom.lookNow()
      return endOf(mailsTo(editor)[0] as ReceivedMail)
    }
    const one = await mailed([second])
    const words = 'This mail was about Second &amp; brand. Mails about the following end for all brands of '
    expect(await pageOf(one)).toContain(words)
    expect(await pageOf(await mailed([second, socialSetId]))).not.toContain('This mail was about')
    expect(await pageOf(one, 'POST')).toContain(words)
    const left = { social_set_ids: [socialSetId] }
    await api.db.updateTable('memberships').set(left).where('user_id', '=', editor.userId).execute()
    expect(await pageOf(one)).not.toContain('Second')
  })

  test('also of a guest, and of one who is no member any more it changes nothing', async () => {
    const wanted = { id: newId(), accountId: api.accountId, causes: ['REVIEW_REQUESTED'] } as const
    for (const type of ['guest', 'member'] as const) {
      const token = unsubscribeToken(UNSUBSCRIBE_KEYS, { ...wanted, type })
      expect((await oneClick(`${api.url}/unsubscribe?token=${token}`)).status).toBe(200)
    }
    expect(await api.db.selectFrom('news_choices').selectAll().execute()).toEqual([])
    expect(await api.db.selectFrom('news_stops').selectAll().execute()).toEqual([
      { guest_id: wanted.id, cause: 'REVIEW_REQUESTED' },
    ])
  })
})

describe('who does not see a brand', () => {
  test('has no news of it, neither then nor when access is lost later; and none of another account', async () => {
    const elsewhere = await api.newSocialSet()
    const [restricted, loser] = [await reader(api, 'admin', { socialSetIds: [elsewhere] }), await reader(api, 'admin')]
    const stranger = await reader(api, 'owner', { accountId: await api.newAccount() })
    const everyone = [restricted, loser, stranger]
    for (const person of everyone) {
      const body = { socialSetId: null, choices: { COMMENTED: 'MAIL', DECIDED: 'BELL' } }
      await done(person.request('PUT', '/news/choices', { body }))
    }
    const { id } = await api.create()
    await happens.decided(id, { concerned: everyone.map(({ userId }) => userId) })
    await happens.comment(id, { mentioned: [restricted.userId, stranger.userId] })
    await newsroom.lookNow()
    expect(await Promise.all(everyone.map(unread))).toEqual([0, 2, 0])
    expect(everyone.map((person) => mailsTo(person).length)).toEqual([0, 1, 0])
    const { data } = await done(loser.request('GET', '/news'))
    await api.db
      .updateTable('memberships')
      .set({ social_set_ids: [elsewhere] })
      .where('user_id', '=', loser.userId)
      .execute()
    expect(await done(loser.request('GET', '/news'))).toEqual({ unread: 0, data: [], next: null })
    expect((await loser.request('PUT', `/news/${data[0].id}/read`)).status).toBe(404)
  })

  test('has those of a webhook of its own, which is of no brand, and of no one else’s', async () => {
    const maker = await reader(api, 'editor', { socialSetIds: [api.socialSetId] })
    const other = await reader(api, 'editor', { socialSetIds: [api.socialSetId] })
    const webhook = { webhookId: newId(), host: 'hooks.example', reason: 'It answered 500.' }
    const place = { accountId: api.accountId, actor: null }
    await addNews(api.db, [{ ...place, kind: 'WEBHOOK_FAILING', ...webhook, concerned: [maker.userId] }])
    await newsroom.lookNow()
    expect([await unread(maker), await unread(other)]).toEqual([1, 0])
    expect([mailsTo(maker).length, mailsTo(other).length]).toEqual([1, 0])
    const { data } = await done(maker.request('GET', '/news'))
    expect((await other.request('PUT', `/news/${data[0].id}/read`)).status).toBe(404)
    await done(maker.request('PUT', `/news/${data[0].id}/read`))
    expect(await unread(maker)).toBe(0)
  })

  test('has none of the whole account, and reads and changes no one else’s', async () => {
    const restricted = await reader(api, 'owner', { socialSetIds: [api.socialSetId] })
    const owner = await reader(api, 'owner')
    const place = { accountId: api.accountId, actor: null }
    await addNews(api.db, [{ ...place, kind: 'PLAN_USED', resource: 'POSTS', percent: 80 }])
    await newsroom.lookNow()
    expect([await unread(restricted), await unread(owner)]).toEqual([0, 1])
    const { data } = await done(owner.request('GET', '/news'))
    expect((await restricted.request('PUT', `/news/${data[0].id}/read`)).status).toBe(404)
    await done(restricted.request('PUT', '/news/read', { body: { until: '2100-01-01T00:00:00Z' } }))
    expect(await unread(owner)).toBe(1)
  })
})

describe('what is in a mail', () => {
  /** Everything that was secret when the mail was made, and is in the database or in what callers have. */
  const SECRETS = {
    key: () => api.key,
    passcode: () => 'correct horse',
    feed: () => `${PUBLIC_URL}/calendar/${'f'.repeat(43)}.ics`,
    caption: () => 'A caption that is not out yet',
  }

  test('are no tokens, passcodes, addresses of feeds nor captions of failed posts; nor in the log', async () => {
    const owner = await reader(api, 'owner')
    const { id } = await api.create({ posts: [{ accountType: 'BLUESKY', caption: SECRETS.caption(), media: [] }] })
    await api.db
      .insertInto('news')
      .values({
        ...{
          id: newId(),
          account_id: api.accountId,
          social_set_id: api.socialSetId,
          kind: 'POST_FAILED',
          subject: 'x',
        },
        ...{ account_type: 'BLUESKY', post_set_id: id, facts: JSON.stringify({ reason: 'UNKNOWN', message: 'No.' }) },
      })
      .execute()
    await happens.calendar({ concerned: [owner.userId], reason: 'It answered 401.' })
    await newsroom.lookNow()
    const [one] = mailsTo(owner) as [ReceivedMail]
    const everything = [one.content, one.text, one.html, JSON.stringify(newsroom.logged)].join('\n')
    for (const [name, secret] of Object.entries(SECRETS))
      expect([name, everything.includes(secret())]).toEqual([name, false])
    const { session } = { session: owner.cookie.split('=')[1] ?? '-' }
    expect(everything).not.toContain(session)
    expect(everything).not.toContain(owner.password)
    // The one thing that opens something by itself: the address that ends mails.
    const addresses = [...new Set(one.text.match(/https?:\/\/\S+/g))].filter((url) => !url.includes('/unsubscribe?'))
    for (const url of addresses)
      expect(url).toMatch(/\/dashboard\/[a-z/-]+\?(set=[\w-]+&(post=[\w-]+&)?)?account=[\w-]+$/)
  })

  test('is never an inner comment for a guest, for any caller', async () => {
    const id = newId()
    const urlOf = () => 'https://almanac.example/shared/way-in'
    const guest = {
      id,
      name: 'Grace',
      email: `${id}@example.com`,
      locale: null,
      formal: false,
      socialSetIds: [api.socialSetId],
      urlOf,
    }
    guests.set(id, guest)
    const postSet = (await api.create()).id
    await expect(happens.comment(postSet, { guestIds: [id], words: 'Inner words.' })).rejects.toThrow()
    // As if a version of another release had recorded it.
    await happens.comment(postSet, { inner: false, guestIds: [id], words: 'Inner words.' })
    await api.db
      .updateTable('news')
      .set({ facts: JSON.stringify({ inner: true, guestIds: [id], words: 'Inner words.' }) })
      .execute()
    await happens.comment(postSet, { inner: false, guestIds: [id], words: 'Shared words.' })
    await newsroom.lookNow()
    expect(mail.mails.map(({ to }) => to)).toEqual([[guest.email]])
    expect(mail.mails[0]?.content).toContain('Shared words.')
    expect(mail.mails[0]?.content).not.toContain('Inner words.')
  })

  test('what people wrote is one line of text, no matter what is in it, and never longer than it may be', async () => {
    const owner = await reader(api, 'owner')
    const { id } = await api.create()
    const hostile = `\r\n.\r\nBcc: evil@example.com\r\n\r\n<script>alert(1)</script>\u202e\u2066${'x'.repeat(1_000_000)}`
    const actor = { type: 'USER', id: newId(), name: '"><img src=x onerror=alert(1)>\r\nTo: evil@example.com' } as const
    await happens.comment(id, { words: hostile, actor, mentioned: [owner.userId] })
    await newsroom.lookNow()
    expect(mail.mails.map(({ to }) => to)).toEqual([[owner.mail]])
    const { text, html, subject, headers, content } = mail.mails[0] as ReceivedMail
    expect(html).not.toMatch(/<(script|img)/)
    expect(text).not.toMatch(/^(Bcc|To):/m)
    expect([...headers.keys()]).not.toContain('bcc')
    expect(headers.get('to')).toBe(owner.mail)
    expect(`${text}${html}${subject}`).not.toMatch(/[\u202e\u2066]/)
    expect(content.length).toBeLessThan(20_000)
  })
})
