import { CompiledQuery, type QueryResult } from 'kysely'
import type { Database } from './database.ts'
import { keepName } from './prepared-names.ts'

/**
 * A statement whose text never changes, with its values as $1, $2, …: for what every request needs. It is never compiled,
 * and each connection has PostgreSQL parse and plan it once.
 */
export function constantStatement<Row>(text: string): (db: Database, values: readonly unknown[]) => Promise<Row[]> {
  keepName(text)
  return async (db, values) => (await db.executeQuery<Row>(CompiledQuery.raw(text, [...values]))).rows
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
