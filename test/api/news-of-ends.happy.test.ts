import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { NewsPage } from '#contract'
import { type Api, startApi } from '../_util/api/api.ts'
import { type MailServer, startMailServer } from '../_util/api/mail-server.ts'
import type { Person } from '../_util/api/members.ts'
import { reader } from '../_util/api/news.ts'
import { type StartedNewsroom, startNewsroom } from '../_util/api/newsroom.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** News of what ends soon. */

let api: Api
let mail: MailServer
let newsroom: StartedNewsroom
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi({ rate: anyRate, mailer: { send: async () => {} } })
  newsroom = startNewsroom(api, {
    smtpUrl: mail.url,
    settings: { foldMs: 0, mailPauseMs: 0 },
    networks: [scriptedNetwork({ name: 'bluesky' })],
  })
})
beforeEach(async () => {
  for (const table of ['news', 'memberships', 'post_sets'] as const) await api.db.deleteFrom(table).execute()
  await api.setClock(null)
  mail.mails.splice(0)
})
afterAll(async () => {
  await newsroom.stop({ graceMs: 0 })
  await api.close()
  await mail.close()
})

const bell = (person: Person): Promise<NewsPage> => done(person.request('GET', '/news'))
const unread = async (person: Person) => (await done(person.request('GET', '/news/unread'))).unread as number
const mailsTo = ({ mail: address }: { mail: string }) => mail.mails.filter(({ to }) => to.includes(address))

test('a connection that only a person can renew, ten days before it ends, once', async () => {
  const admin = await reader(api, 'admin')
  await api.setClock('2030-06-01T10:00:00Z')
  const { id } = await api.db
    .selectFrom('connections')
    .select('identity_id as id')
    .where('account_type', '=', 'BLUESKY')
    .executeTakeFirstOrThrow()
  await api.db
    .updateTable('network_identities')
    .set({ expires_at: new Date('2030-06-11T10:00:01Z') })
    .where('id', '=', id)
    .execute()
  await newsroom.watchNow()
  await newsroom.lookNow()
  expect(await unread(admin)).toBe(0)
  await api.setClock('2030-06-01T10:00:01Z')
  for (let look = 0; look < 2; look++) {
    await newsroom.watchNow()
    await newsroom.lookNow()
  }
  expect((await bell(admin)).data).toMatchObject([
    { kind: 'CONNECTION_ENDING', cause: 'CONNECTION', count: 1, endsAt: '2030-06-11T10:00:01.000Z' },
  ])
  await api.db.updateTable('network_identities').set({ expires_at: null }).where('id', '=', id).execute()
})

test('an API key that has webhooks, seven days before it ends, once', async () => {
  const admin = await reader(api, 'admin')
  const [used, bare] = [await endingKey(admin), await endingKey(admin)]
  const webhook = { url: 'https://hooks.example.com/almanac' }
  expect((await api.request('POST', '/v1/webhooks', { key: used.key, body: webhook })).status).toBe(201)
  expect(bare.id).not.toBe(used.id)
  await api.setClock('2031-03-01T10:00:00Z')
  await newsroom.watchNow()
  await newsroom.lookNow()
  expect(await unread(admin)).toBe(0)
  await api.setClock('2031-03-01T10:00:01Z')
  for (let look = 0; look < 2; look++) {
    await newsroom.watchNow()
    await newsroom.lookNow()
  }
  expect((await bell(admin)).data).toMatchObject([
    { kind: 'KEY_ENDING', cause: 'WEBHOOKS', key: { id: used.id }, endsAt: '2031-03-08T10:00:01.000Z', count: 1 },
  ])
  // Who made the key is concerned, and gets a mail.
  expect(mailsTo(admin).map(({ text }) => text)).toEqual([
    expect.stringMatching(/Its webhooks end with it[\s\S]*Replace the key/),
  ])
})

/** A key for webhooks that ends on 8 March 2031 at 10:00:01, made by a person. */
async function endingKey({ userId }: Person): Promise<{ id: string; key: string }> {
  const key = await api.newKey({ scopes: ['webhooks:write'] })
  const changes = { expires_at: new Date('2031-03-08T10:00:01Z'), created_by: userId }
  const made = api.db
    .updateTable('api_keys')
    .set(changes)
    .where('id', '=', sql<string>`(select id from api_keys order by id desc limit 1)`)
  return { key, ...(await made.returning('id').executeTakeFirstOrThrow()) }
}
