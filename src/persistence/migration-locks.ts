import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Database } from './database.ts'

/** What statements of migrations need of tables that are there already. */
interface TableNeeds {
  /** Tables and views that no other transaction may use meanwhile. */
  alone: string[]
  /** Tables that others may read and not write meanwhile: indexes, triggers, references, rows. */
  unwritten: string[]
  /** Indexes that go away; their tables are needed alone. */
  indexes: string[]
  /** Tables that go away; the tables that they reference are needed alone. */
  dropped: string[]
}

/** Another transaction keeps a table from the migrations; nothing has changed. */
export class TablesInUseError extends Error {
  override name = 'TablesInUseError'
}

/** A session that waits for locks, and another connection, which looks at what it waits for. */
interface Session {
  pid: number
  watch: Database
}

/** What waits behind a lock that is waited for waits as long, statements of the version before among it. */
const LOCK_MS = 2_000
/** When it is looked for what the lock waits for. */
const LOOK_MS = 1_000

// SQLSTATEs of PostgreSQL's manual, appendix A: a lock timeout, a canceled statement, a deadlock.
const REFUSED: ReadonlySet<unknown> = new Set(['55P03', '57014', '40P01'])

const STATEMENTS: readonly [keyof TableNeeds, RegExp][] = [
  ['alone', /\balter (?:table|view) (?:if exists )?(?:only )?(\w+)/g],
  ['alone', /\block table ([\w, ]+) in\b/g],
  ['alone', /\bdrop trigger (?:if exists )?\w+ on (\w+)/g],
  ['alone', /\bdrop (?:table|view) (?:if exists )?([\w, ]+)/g],
  ['alone', /\bcreate or replace view (\w+)/g],
  ['dropped', /\bdrop table (?:if exists )?([\w, ]+)/g],
  ['indexes', /\bdrop index (?:if exists )?([\w, ]+)/g],
  ['unwritten', /\bcreate (?:unique )?index (?:if not exists )?\w+ on (?:only )?(\w+)/g],
  ['unwritten', /\bcreate (?:or replace |constraint )?trigger \w+ (?:before|after) [^;]*? on (\w+)/g],
  ['unwritten', /\breferences (\w+)/g],
  ['unwritten', /\b(?:insert into|delete from) (\w+)/g],
  ['unwritten', /\bupdate (?:only )?(\w+) (?:as \w+ )?set\b/g],
]

/**
 * What a migration needs, read from its statements. Not from bodies of functions and `do` blocks: a migration that changes
 * tables in one begins with `lock table … in access exclusive mode`. A test holds this against what PostgreSQL locks.
 */
export function tableNeeds(migration: string): TableNeeds {
  const statements = migration
    .replace(/--.*$/gm, '')
    .replace(/\$(\w*)\$[\s\S]*?\$\1\$/g, "''")
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\s+/g, ' ')
    .toLowerCase()
  const needs: TableNeeds = { alone: [], unwritten: [], indexes: [], dropped: [] }
  for (const [need, form] of STATEMENTS) {
    for (const [, names = ''] of statements.matchAll(form)) {
      needs[need].push(...names.split(',').map((name) => name.trim().split(' ')[0] ?? ''))
    }
  }
  return needs
}

/**
 * Locks what the migrations need, in one statement and for two seconds at most; what they lock besides is waited for as
 * long. The locks last as long as the transaction.
 *
 * @throws TablesInUseError with who uses them, in words
 */
export async function lockTables(trx: Database, needs: TableNeeds, session: Session): Promise<void> {
  const { rows } = await sql<{ statement: string }>`
    select format('lock table %s in %s mode', relation::regclass,
      case when bool_or(alone) then 'access exclusive' else 'share row exclusive' end) as statement
    from (
      select to_regclass(name)::oid as relation, true as alone from unnest(${needs.alone}::text[]) as name
      union all select to_regclass(name)::oid, false from unnest(${needs.unwritten}::text[]) as name
      union all select indrelid, true from unnest(${needs.indexes}::text[]) as name
        join pg_index on indexrelid = to_regclass(name)
      union all select confrelid, true from unnest(${needs.dropped}::text[]) as name
        join pg_constraint on conrelid = to_regclass(name) and contype = 'f'
    ) as needed
    where relation is not null group by relation order by relation::regclass::text`.execute(trx)
  await sql`select set_config('lock_timeout', ${String(LOCK_MS)}, true)`.execute(trx)
  if (rows.length === 0) return
  await sql`select set_config('statement_timeout', ${String(LOCK_MS)}, true)`.execute(trx)
  const locks = sql.raw(`do $$ begin ${rows.map(({ statement }) => `${statement};`).join(' ')} end $$`)
  await namingBlockers(() => locks.execute(trx), session)
  await sql`select set_config('statement_timeout', '0', true)`.execute(trx)
}

/**
 * Runs what may wait for locks of others, and names them when it is refused one.
 *
 * @throws TablesInUseError when it was refused one
 */
export async function namingBlockers(work: () => Promise<unknown>, { pid, watch }: Session): Promise<void> {
  const over = new AbortController()
  const looked = pause(LOOK_MS, undefined, { signal: over.signal })
    .then(() => readBlockers(watch, pid))
    .catch(() => null)
  try {
    await work()
  } catch (error) {
    if (!REFUSED.has((error as { code?: unknown }).code)) throw error
    throw new TablesInUseError((await looked) ?? 'another transaction', { cause: error })
  } finally {
    over.abort()
  }
}

/** Those that a session waits for, in words, oldest transactions first; null when there are none any more. */
async function readBlockers(db: Database, pid: number): Promise<string | null> {
  const { rows } = await sql<Blocker>`
    select blocker as pid, nullif(application_name, '') as name, usename as role,
      extract(epoch from clock_timestamp() - xact_start)::integer as seconds
    from unnest(pg_blocking_pids(${pid})) as blocker left join pg_stat_activity as session on session.pid = blocker
    order by xact_start limit 3`.execute(db)
  if (rows.length === 0) return null
  return rows.map(inWords).join(', ')
}

interface Blocker {
  pid: number
  name: string | null
  role: string | null
  /** How old its transaction is; null where this role may not know. */
  seconds: number | null
}

function inWords({ pid, name, role, seconds }: Blocker): string {
  // A transaction that is prepared for a commit in two phases has no process.
  if (pid === 0) return 'a prepared transaction (pg_prepared_xacts)'
  const age = seconds === null ? '' : `, ${seconds} s old`
  return `${name ?? 'a session'} (process ${pid}${role === null ? '' : ` of ${role}`}${age})`
}
