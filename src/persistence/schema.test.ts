import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../test/_util/database.ts'
import { type Database, databaseNow, openDatabase } from './database.ts'
import { DatabaseNotUsableError, migrate } from './migrate.ts'
import { dumpSchema } from './schema-dump.ts'

let database: { url: string; drop(): Promise<void> }
let db: Database

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url)
})
afterAll(async () => {
  await db.destroy()
  await database.drop()
})

test('the migrations make exactly the schema that is written down', async () => {
  await expect(await dumpSchema(db)).toMatchFileSnapshot('./schema.sql')
})

test('migrating again, also from several processes at once, changes nothing', async () => {
  const before = await dumpSchema(db)
  await Promise.all([migrate(database.url), migrate(database.url), migrate(database.url)])
  expect(await dumpSchema(db)).toBe(before)
})

test('data of a newer version is refused in words', async () => {
  await sql`insert into migrations (name, timestamp) values ('9999-later', '2099')`.execute(db)
  await expect(migrate(database.url)).rejects.toThrow(DatabaseNotUsableError)
  await expect(migrate(database.url)).rejects.toThrow(/newer Almanac.*9999-later/)
  await sql`delete from migrations where name = '9999-later'`.execute(db)
})

test('times are dates cut to milliseconds, byte counts are numbers', async () => {
  expect(await databaseNow(db)).toBeInstanceOf(Date)
  const { rows } = await sql<{ time: string; bytes: number }>`
    select (almanac_now() = date_trunc('milliseconds', almanac_now()))::text as time, 5000000000::bigint as bytes`.execute(
    db,
  )
  expect(rows[0]).toEqual({ time: 'true', bytes: 5_000_000_000 })
})
