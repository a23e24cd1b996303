import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ClientBase } from 'pg'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { type Home, writeHomeFile } from './home.ts'

/**
 * The role of everything that Almanac does with its data. It owns the database and all that is in it, and may do nothing
 * else on the server: run programs, read files, make roles or databases. Its password is in the file `app-password`.
 */
export const APP_ROLE = 'almanac_app'

const passwordFile = 'app-password'
export const appPasswordFile = (home: Home) => join(home.folder, passwordFile)

/** How long transactions of a process that was killed may keep their tables. */
const LOCK_MS = 70_000
const LOCK_NOT_AVAILABLE = '55P03'
const DEADLOCK_DETECTED = '40P01'
/** What the client says when its own time is up; such an error has no code. */
const QUERY_TIMEOUT = 'Query read timeout'

/** The name of the one session that every process of Almanac keeps open on the server. */
export const PRESENCE_NAME = 'almanac-presence'

/** Whether processes of Almanac use the server, besides that of the session. */
export async function hasOtherPresences(session: ClientBase): Promise<boolean> {
  const { rowCount } = await session.query(
    'select 1 from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()',
    [PRESENCE_NAME],
  )
  return rowCount !== 0
}

/** @throws EmbeddedDatabaseError */
export async function readAppPassword(home: Home): Promise<string> {
  const password = await keptPassword(home)
  if (password !== null) return password
  throw new EmbeddedDatabaseError(`The file ${appPasswordFile(home)} is missing. Start again: the start makes it.`)
}

/**
 * Makes the application's role when it is missing, takes away what it may not do, and gives it the database with all that
 * the superuser owns there. Clusters of earlier versions have everything from the superuser. It changes nothing when all
 * is as it should be; interrupted at any point, the next start does the rest.
 *
 * `reassign owned` does not do: PostgreSQL refuses it for the role that initdb made.
 *
 * @param superuser a session in Almanac's database
 * @param known the password that this process works with already
 * @throws EmbeddedDatabaseError
 */
export async function prepareRole(superuser: ClientBase, home: Home, known?: string): Promise<void> {
  const { kept, found, plain, foreign } = await readRole(superuser, home)
  if (kept !== null && plain && foreign.length === 0) return
  // With another password every new connection of theirs would fail.
  if (kept === null && known === undefined && found && (await hasOtherPresences(superuser))) throw lostPassword(home)
  const password = kept ?? known ?? randomBytes(24).toString('base64url')
  const role = `role ${APP_ROLE} with login nosuperuser nocreatedb nocreaterole noreplication nobypassrls`
  const statements = [
    // A statement that fails is written to the server's log, and the password is in this one.
    `set local log_min_error_statement = panic`,
    `set local lock_timeout = ${LOCK_MS}`,
    `${found ? 'alter' : 'create'} ${role} password '${password}'`,
    ...foreign,
  ]
  // One text is one transaction.
  await superuser.query(statements.join(';\n')).catch((error: Error & { code?: string }) => {
    const late = error.message === QUERY_TIMEOUT
    if (!late && error.code !== LOCK_NOT_AVAILABLE && error.code !== DEADLOCK_DETECTED) throw error
    throw new EmbeddedDatabaseError(
      `Another program keeps tables of the database in ${home.folder} locked, so that they cannot be given to the role ${APP_ROLE}. End that program and start again.`,
    )
  })
  // After the role has it: a file means that it is the role's.
  if (kept === null) await writeHomeFile(home, passwordFile, `${password}\n`)
}

/** Whether `prepareRole` has nothing to do. */
export async function isRoleReady(superuser: ClientBase, home: Home): Promise<boolean> {
  const { kept, plain, foreign } = await readRole(superuser, home)
  return kept !== null && plain && foreign.length === 0
}

async function readRole(superuser: ClientBase, home: Home) {
  const kept = await keptPassword(home)
  const { rows } = await superuser.query<{ plain: boolean }>(
    `select rolcanlogin and not (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls) as plain
     from pg_roles where rolname = '${APP_ROLE}'`,
  )
  const [role] = rows
  return { kept, found: role !== undefined, plain: role?.plain === true, foreign: await foreignObjects(superuser) }
}

const lostPassword = (home: Home) =>
  new EmbeddedDatabaseError(
    `The file ${appPasswordFile(home)} is missing, and Almanac runs with the password that was in it. Stop Almanac and start it again: the start makes another.`,
  )

async function keptPassword(home: Home): Promise<string | null> {
  try {
    return (await readFile(appPasswordFile(home), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * The statements that give the application's role what the session's own role has in this database, the database itself
 * included. What belongs to an extension stays with it, and what follows its table (indexes, own sequences) goes along.
 */
async function foreignObjects(superuser: ClientBase): Promise<string[]> {
  const { rows } = await superuser.query<{ object: string }>(`
    with me as (select oid as role from pg_roles where rolname = current_user),
      rooms as (select oid as room from pg_namespace where nspname !~ '^pg_' and nspname <> 'information_schema'),
      extended as (select classid, objid from pg_depend where deptype = 'e'),
      following as (select objid from pg_depend where classid = 'pg_class'::regclass and deptype in ('a', 'i'))
    select format('database %I', datname) as object from pg_database, me
      where datname = current_database() and datdba = role
    union all
    select format('schema %I', nspname) from pg_namespace, me where nspowner = role and oid in (table rooms)
      and ('pg_namespace'::regclass, oid) not in (table extended)
    union all
    select case relkind when 'S' then 'sequence ' when 'v' then 'view ' when 'm' then 'materialized view '
        when 'f' then 'foreign table ' when 'c' then 'type ' else 'table ' end || oid::regclass
      from pg_class, me
      where relowner = role and relnamespace in (table rooms) and relkind in ('r', 'p', 'S', 'v', 'm', 'f', 'c')
        and ('pg_class'::regclass, oid) not in (table extended)
        and (relkind <> 'S' or oid not in (table following))
    union all
    select 'routine ' || oid::regprocedure from pg_proc, me where proowner = role and pronamespace in (table rooms)
      and ('pg_proc'::regclass, oid) not in (table extended)
    union all
    select 'type ' || oid::regtype from pg_type, me
      where typowner = role and typnamespace in (table rooms) and typtype in ('e', 'd', 'r')
        and ('pg_type'::regclass, oid) not in (table extended)
    union all
    select format('statistics %s.%I', stxnamespace::regnamespace, stxname) from pg_statistic_ext, me
      where stxowner = role and stxnamespace in (table rooms)`)
  return rows.map(({ object }) => `alter ${object} owner to ${APP_ROLE}`)
}
