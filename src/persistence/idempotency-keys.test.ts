import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '#domain'
import { createDatabase } from '../../test/_util/database/database.ts'
import { insertAccount } from './accounts.ts'
import { type Database, openDatabase } from './database.ts'
import { removeExpiredAnswers, storeAnswer, tryLockIdempotencyKey } from './idempotency-keys.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database
const apiKeyId = newId()

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url, { poolSize: 4 })
  const accountId = newId()
  await insertAccount(db, { id: accountId, name: 'Account', slug: accountId, plan: 'SCALE' })
  await sql`insert into api_keys (id, account_id, name, prefix, secret_hash, scopes)
    values (${apiKeyId}, ${accountId}, 'Key', 'alm_', '', '{}')`.execute(db)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

const keysOf = async () =>
  (await db.selectFrom('idempotency_keys').select('key').orderBy('key').execute()).map(({ key }) => key)
async function store(key: string, hoursAgo: number) {
  const answer = { status: 201, headers: {}, body: '{}' }
  await storeAnswer(db, { apiKeyId, key }, { requestHash: Buffer.alloc(32), answer })
  await sql`update idempotency_keys set answered_at = answered_at - make_interval(hours => ${hoursAgo}::integer)
    where key = ${key}`.execute(db)
}

test('idempotency-10: answers that have expired are removed in batches; younger ones stay, and one that is locked is not waited for', async () => {
  for (const index of [1, 2, 3, 4, 5]) await store(`old ${index}`, 25)
  await store('young', 23)
  const statements: number[] = []
  const counted = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      statements.push(Number(result.numAffectedRows))
      return result
    },
  })
  const other = openDatabase(database.url, { poolSize: 1 })
  await other.transaction().execute(async (trx) => {
    await trx.selectFrom('idempotency_keys').selectAll().where('key', '=', 'old 3').forUpdate().execute()
    expect(await removeExpiredAnswers(counted, { batch: 2 })).toBe(4)
  })
  await other.destroy()
  expect(statements).toEqual([2, 2, 0])
  expect(await keysOf()).toEqual(['old 3', 'young'])
  expect(await removeExpiredAnswers(db)).toBe(1)
  expect(await keysOf()).toEqual(['young'])
})

test('a key is locked for one transaction at a time', async () => {
  const [key, another] = [
    { apiKeyId, key: 'a' },
    { apiKeyId: newId(), key: 'a' },
  ]
  await db.transaction().execute(async (trx) => {
    expect(await tryLockIdempotencyKey(trx, key)).toBe(true)
    await db.transaction().execute(async (second) => {
      expect(await tryLockIdempotencyKey(second, key)).toBe(false)
      expect(await tryLockIdempotencyKey(second, another)).toBe(true)
    })
  })
  await db.transaction().execute(async (trx) => {
    expect(await tryLockIdempotencyKey(trx, key)).toBe(true)
  })
})
