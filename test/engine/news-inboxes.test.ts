import { afterEach, beforeEach, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../_util/api/mail-server.ts'
import { addHistoryRow, addMember, startNewsroom } from '../_util/api/newsroom.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import type { Script } from '../_util/engine/scripted-network.ts'

/** Who planned a post hears that it waits in the inbox of its account, and that it was not finished there. */

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const delivered = { kind: 'published', providerId: null, permalink: null, inbox: 'try-1' } as const
const finished = { kind: 'published', providerId: 'post-1', permalink: 'https://example.test/post-1' } as const
const given = { kind: 'ended', message: 'It was cancelled.' } as const

const start = scriptedEngines()
let mail: MailServer
beforeEach(async () => {
  mail = await startMailServer()
})
afterEach(() => mail.close())

async function deliver(inbox: NonNullable<Script['inbox']>, preferences: object = {}) {
  const { engine } = await start({ publish: [delivered], inbox })
  const author = await addMember(engine, { email: 'author@example.com', role: 'author' })
  await engine.db
    .updateTable('users')
    .set({ preferences: JSON.stringify(preferences) })
    .where('id', '=', author)
    .execute()
  const set = await engine.schedule()
  await addHistoryRow(engine, set, { action: 'scheduled', type: 'USER', id: author })
  await engine.drain()
  const newsroom = startNewsroom(engine, { smtpUrl: mail.url })
  return {
    engine,
    set,
    async look() {
      await newsroom.lookNow()
      await engine.advance(MINUTE + 1_000)
      await newsroom.lookNow()
    },
    async later() {
      await engine.advance(HOUR + MINUTE)
      await engine.inboxes()
    },
    news: async () =>
      (await engine.db.selectFrom('news').select('kind').orderBy('id').execute()).map(({ kind }) => kind),
    stop: () => newsroom.stop({ graceMs: 0 }),
  }
}

test('who scheduled it gets a mail that says that it is not published, and one when it was not finished', async () => {
  const { look, later, news, set, stop } = await deliver([given])
  await look()
  const first = await mail.next('author@example.com')
  expect(first.subject).toBe('Brand: a post waits in the BLUESKY inbox')
  expect(first.text).toContain(
    'BLUESKY (Me, Brand): a post is not published yet. It waits in the BLUESKY inbox for a person to finish it.',
  )
  expect(first.text).toContain(`post=${set}`)
  await later()
  await look()
  const second = await mail.next('author@example.com')
  expect(second.subject).toBe('Brand: a post was not finished in BLUESKY')
  expect(second.text).toContain('it may still be published in the app')
  expect(await news()).toEqual(['IN_INBOX', 'INBOX_ENDED'])
  await stop()
})

test('in the language of the reader', async () => {
  const { look, stop } = await deliver([given], { locale: 'de' })
  await look()
  const { subject, text } = await mail.next('author@example.com')
  expect(subject).toBe('Brand: ein Beitrag wartet im Posteingang von BLUESKY')
  expect(text).toContain('Ein Beitrag ist noch nicht veröffentlicht.')
  await stop()
})

test('who finishes it before the mail gets none, and there is no news of what was published', async () => {
  const { look, later, news, stop } = await deliver([finished])
  await later()
  await look()
  expect(mail.mails).toEqual([])
  expect(await news()).toEqual(['IN_INBOX'])
  await stop()
})
