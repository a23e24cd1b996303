import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { createDatabase } from '../../test/_util/database/database.ts'
import { createDatabaseBefore } from '../../test/_util/database/database-before.ts'
import { insertAccount, insertSocialSet } from './accounts.ts'
import { openDatabase } from './database.ts'
import { migrate } from './migrate.ts'
import { addNews } from './news.ts'

const closing: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

/** A database of the release that had alerts, with one that was sent and one that waits. */
async function withAlerts() {
  const { url, db, drop } = await createDatabaseBefore('0033-news.sql')
  closing.push(drop)
  const [account, user, brand, connection] = [newId(), newId(), newId(), newId()]
  await sql`insert into accounts (id, name, slug, plan) values (${account}, 'A', 'a', 'SCALE')`.execute(db)
  await sql`insert into users (id, name, email) values (${user}, 'Ada', 'ada@example.com')`.execute(db)
  const alert = async (kind: string, reason: string) => {
    const id = newId()
    await sql`
      insert into alerts (id, account_id, social_set_id, kind, account_type, connection_id, reason, message)
      values (${id}, ${account}, ${brand}, ${kind}, 'BLUESKY', ${connection}, ${reason}, 'Why.')`.execute(db)
    return id
  }
  const send = (alertId: string, userId: string | null, state: string) =>
    sql`insert into alert_sends (id, alert_id, user_id, state, attempts, next_at)
      values (${newId()}, ${alertId}, ${userId}, ${state}, 1, almanac_now())`.execute(db)
  return { url, db, brand, connection, user, alert, send }
}

const news = (db: Parameters<ReturnType<typeof sql>['execute']>[0]) =>
  sql`select id, kind, subject, facts from news order by kind desc`.execute(db)

test('alerts of before are news, and what waits is still sent', async () => {
  const { url, db, brand, connection, user, alert, send } = await withAlerts()
  const [failed, dead] = [await alert('POST_FAILED', 'ACCOUNT_RESTRICTED'), await alert('CONNECTION_DEAD', 'UNKNOWN')]
  await send(failed, null, 'SENT')
  await send(failed, user, 'WAITING')
  await send(dead, user, 'WAITING')
  await migrate(url)
  expect((await news(db)).rows).toEqual([
    {
      id: failed,
      kind: 'POST_FAILED',
      subject: `post ${brand} BLUESKY ACCOUNT_RESTRICTED`,
      facts: { reason: 'ACCOUNT_RESTRICTED', message: 'Why.' },
    },
    {
      id: dead,
      kind: 'CONNECTION_DEAD',
      subject: `connection ${connection}`,
      facts: { reason: 'UNKNOWN', message: 'Why.' },
    },
  ])
  const { rows } = await sql`
    select news_id, way, user_id, cause, state, attempts from news_sends order by way desc, cause desc`.execute(db)
  expect(rows).toEqual([
    { news_id: failed, way: 'RECEIVER', user_id: null, cause: null, state: 'SENT', attempts: 1 },
    { news_id: failed, way: 'MAIL', user_id: user, cause: 'POST_FAILED', state: 'WAITING', attempts: 1 },
    { news_id: dead, way: 'MAIL', user_id: user, cause: 'CONNECTION', state: 'WAITING', attempts: 1 },
  ])
  expect((await sql`select from alerts`.execute(db)).rows).toEqual([])
})

test('an alert of a process of the version before goes the new way', async () => {
  const { url, db, brand, alert } = await withAlerts()
  await migrate(url)
  const id = await alert('POST_FAILED', 'ACCOUNT_CONNECTION_EXPIRED')
  expect((await news(db)).rows).toMatchObject([{ id, subject: `expired ${brand} BLUESKY` }])
  expect((await sql`select from alerts`.execute(db)).rows).toEqual([])
})

test('what is recorded once is news once, also when two processes do it at the same time', async () => {
  const { url, drop } = await createDatabase()
  const db = openDatabase(url)
  closing.push(() => db.destroy().then(drop))
  const [accountId, socialSetId] = [newId(), newId()]
  await insertAccount(db, { id: accountId, name: 'Account', slug: accountId, plan: 'SCALE' })
  await insertSocialSet(db, { id: socialSetId, accountId, name: 'Brand', timezone: 'UTC' })
  const waiting = { kind: 'STILL_WAITING', accountId, socialSetId, postSetId: newId(), actor: null, once: '1' } as const
  await Promise.all([1, 2, 3].map(() => addNews(db, [waiting])))
  expect((await news(db)).rows).toHaveLength(1)
})
