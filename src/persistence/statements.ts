import { CompiledQuery } from 'kysely'
import type { Database } from './database.ts'

/** Names of the statements of constant text, by their texts. */
const names = new Map<string, string>()

/** The name under which connections keep a statement prepared; undefined for a text that is put together each time. */
export function preparedName(text: string): string | undefined {
  return names.get(text)
}

/**
 * A statement whose text never changes, with its values as $1, $2, …: for what every request needs. It is never compiled,
 * and each connection has PostgreSQL parse and plan it once.
 */
export function constantStatement<Row>(text: string): (db: Database, values: readonly unknown[]) => Promise<Row[]> {
  names.set(text, names.get(text) ?? `almanac_${names.size + 1}`)
  return async (db, values) => (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}
