import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import { Migrator } from 'kysely/migration'
import { type Database, openDatabase } from '#persistence'
import { createDatabase } from './database.ts'

const folder = new URL('../../../src/persistence/migrations/', import.meta.url)

/** An empty database as it is before a migration, such as `0012-…`: `migrate` brings it to the present. */
export async function createDatabaseBefore(
  migration: string,
): Promise<{ url: string; db: Database; drop(): Promise<void> }> {
  const { url, drop } = await createDatabase('template0')
  const db = openDatabase(url, { poolSize: 2 })
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql') && file < migration).sort()
  const migrations = files.map(async (file) => {
    const text = await readFile(new URL(file, folder), 'utf8')
    return [file.replace(/\.sql$/, ''), { up: async (on: Database) => void (await sql.raw(text).execute(on)) }] as const
  })
  const found = Object.fromEntries(await Promise.all(migrations))
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => found },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  }).migrateToLatest()
  if (error) throw error
  return {
    url,
    db,
    async drop() {
      await db.destroy()
      await drop()
    },
  }
}
