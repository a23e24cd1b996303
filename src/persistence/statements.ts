import { CompiledQuery, type QueryResult } from 'kysely'
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
  keepName(text)
  return async (db, values) => (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
}

let named = 0
const newName = () => `almanac_${++named}`

function keepName(text: string): void {
  if (!names.has(text)) names.set(text, newName())
}

/** What the name stands for gives other columns since a migration: every connection prepares the text again, under another. */
export function renamePrepared(text: string, name: string): void {
  if (names.get(text) === name) names.set(text, newName())
}

/**
 * Runs a query that was built, and has each connection keep it prepared: for what every post needs. Only for queries whose text
 * is the same each time, as one with a list of values of any length is not.
 */
export function executePrepared<Row>(
  db: Database,
  query: { compile(db: Database): CompiledQuery<Row> },
): Promise<QueryResult<Row>> {
  const compiled = query.compile(db)
  keepName(compiled.sql)
  return db.executeQuery(compiled)
}
