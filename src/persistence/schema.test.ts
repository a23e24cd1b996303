import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../test/_util/database/database.ts'
import { tableTypes } from '../../test/_util/database/table-types.ts'
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

test('the migrations make exactly the schema that is written down, as SQL and as types', async () => {
  await expect(await dumpSchema(db)).toMatchFileSnapshot('./schema.sql')
  await expect(await tableTypes(db)).toMatchFileSnapshot('./tables.ts')
})

test('what can be removed has a view of all that was not, and unique indexes that leave out what was', async () => {
  const { rows: tables } = await sql<{ name: string; columns: string[] }>`
    select table_name as name, array_agg(column_name::text order by column_name)
        filter (where not starts_with(column_name, 'removed_')) as columns
    from information_schema.columns
    where table_schema = 'public' and table_name in (
      select table_name from information_schema.columns join information_schema.tables using (table_schema, table_name)
      where column_name = 'removed_at' and table_type = 'BASE TABLE')
    group by table_name order by 1`.execute(db)
  expect(tables.map(({ name }) => name)).toEqual(['all_notes', 'all_post_sets'])
  for (const { name, columns } of tables) {
    const view = name.replace(/^all_/, '')
    const { rows: shown } = await sql<{ columns: string[]; writable: string }>`
      select array_agg(column_name::text order by column_name) as columns,
        (select is_insertable_into from information_schema.tables where table_name = ${view}) as writable
      from information_schema.columns where table_name = ${view}`.execute(db)
    expect(shown, name).toEqual([{ columns, writable: 'YES' }])
    const { rows: views } = await sql<{ definition: string }>`
      select pg_get_viewdef(${view}::regclass) as definition`.execute(db)
    expect(views[0]?.definition, name).toMatch(/WHERE \(removed_at IS NULL\);$/)
    const { rows: unique } = await sql<{ index: string }>`
      select pg_get_indexdef(indexrelid) as index from pg_index
      where indrelid = ${name}::regclass and indisunique and not indisprimary`.execute(db)
    for (const { index } of unique) expect(index).toContain('removed_at IS NULL')
  }
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
    with read as materialized (select almanac_now() as at)
    select (at = date_trunc('milliseconds', at))::text as time, 5000000000::bigint as bytes from read`.execute(db)
  expect(rows[0]).toEqual({ time: 'true', bytes: 5_000_000_000 })
})
