import { execFile } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { superuserUrl } from '../../../test/_util/database/superuser.ts'
import { migrate } from '../migrate.ts'
import { prepareBinaries } from './binaries.ts'
import { createCluster } from './cluster.ts'
import { openHome } from './home.ts'
import { openEmbeddedDatabase } from './index.ts'
import { endPostmaster, readNote } from './postmaster.ts'
import { startServer } from './server.ts'

const projectDir = join(import.meta.dirname, '..', '..', '..')
const log = () => {}

let workDir: string
/** A cluster as earlier versions made it: everything is the superuser's. */
let old: string
const left: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'almanac-role-'))
  await chmod(workDir, 0o711)
  old = join(workDir, 'old')
  const { stop } = await startOldServer(old)
  await stop()
})
afterEach(async () => {
  for (const close of left.splice(0).reverse()) await close()
})
afterAll(() => rm(workDir, { recursive: true }))

/** What the start did when there was one role: initdb, the server, the database, the tables. */
async function startOldServer(dataDir: string): Promise<{ stop(): Promise<void> }> {
  const home = { ...(await openHome(dataDir, log)), sockets: null }
  const binaries = await prepareBinaries({ projectDir, home: home.folder, user: home.user, log })
  await createCluster(home, binaries)
  const { port } = await startServer({ home, binaries, port: undefined, log })
  const url = await superuserUrl(dataDir, `postgres://127.0.0.1:${port}/almanac`)
  await query(url.replace(/almanac$/, 'postgres'), 'create database almanac template template0')
  await migrate(url)
  await query(
    url,
    `create schema pgboss; create type pgboss.job_state as enum ('created', 'done');
     create table pgboss.job (id serial primary key, state pgboss.job_state) partition by list (id);
     create table pgboss.job_one partition of pgboss.job for values in (1);
     create view pgboss.jobs as select * from pgboss.job; create domain pgboss.name as text;
     create function pgboss.one() returns int language sql return 1; create sequence pgboss.loose;
     create statistics pgboss.facts on id, state from pgboss.job;
     insert into pgboss.job values (1, 'created');
     insert into accounts (id, name, slug, plan) values (gen_random_uuid(), 'Kept', 'kept', 'FREE')`,
  )
  return {
    async stop() {
      const running = await readNote(home)
      if (running) await endPostmaster(home, running.pid, { fastMs: 60_000 })
    },
  }
}

async function copyOfOld(): Promise<string> {
  const dataDir = join(workDir, `data-${left.length}-${Math.random().toString(36).slice(2)}`)
  await promisify(execFile)('cp', ['-a', old, dataDir])
  return dataDir
}

async function open(dataDir: string, mode: 'own' | 'join' | 'look' = 'own') {
  const database = await openEmbeddedDatabase({ dataDir, projectDir, log, mode })
  left.push(() => database.stop())
  return database
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}

/** Objects of the database that are neither the application's nor an extension's, by what they are. */
const FOREIGN = `
  with mine as (select oid from pg_roles where rolname = 'almanac_app'),
    rooms as (select oid from pg_namespace where nspname in ('public', 'pgboss')),
    extended as (select objid from pg_depend where deptype = 'e')
  select 'database' as kind, datname::text as name from pg_database, mine where datname = 'almanac' and datdba <> mine.oid
  union all select 'schema', nspname from pg_namespace, mine where nspname = 'pgboss' and nspowner <> mine.oid
  union all select 'relation', pg_class.oid::regclass::text from pg_class, mine
    where relnamespace in (table rooms) and relowner <> mine.oid and pg_class.oid not in (table extended)
  union all select 'routine', pg_proc.oid::regprocedure::text from pg_proc, mine
    where pronamespace in (table rooms) and proowner <> mine.oid and pg_proc.oid not in (table extended)
  union all select 'type', pg_type.oid::regtype::text from pg_type, mine
    where typnamespace in (table rooms) and typowner <> mine.oid and pg_type.oid not in (table extended)
      and typelem not in (table extended)
  union all select 'statistics', stxname from pg_statistic_ext, mine where stxowner <> mine.oid`

async function expectPlainRole(url: string) {
  expect(new URL(url).username).toBe('almanac_app')
  expect(
    await query(
      url,
      `select rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls,
         pg_has_role(current_user, 'pg_execute_server_program', 'member') as programs
       from pg_roles where rolname = current_user`,
    ),
  ).toEqual([
    {
      rolsuper: false,
      rolcreaterole: false,
      rolcreatedb: false,
      rolreplication: false,
      rolbypassrls: false,
      programs: false,
    },
  ])
  for (const text of [
    `copy (select 1) to program 'cat'`,
    `copy (select 1) to '/tmp/never'`,
    `select pg_read_file('postgresql.conf')`,
    `create role more superuser`,
    `alter role almanac_app superuser`,
    'create database more',
    `alter system set shared_buffers = '1MB'`,
  ]) {
    await expect(query(url, text), text).rejects.toMatchObject({ code: '42501' })
  }
}

test('in a new cluster the application has a plain role, which makes its tables and extensions itself', async () => {
  const dataDir = join(workDir, 'new')
  const { url } = await open(dataDir)
  await migrate(url)
  await query(url, 'create schema pgboss')
  expect(await query(url, FOREIGN)).toEqual([])
  await expectPlainRole(url)
  const { mode } = await stat(join(dataDir, 'postgres', 'app-password'))
  expect(mode & 0o777).toBe(0o600)
})

test('a cluster in which all is the superuser’s becomes the plain role’s, and works as before', async () => {
  const { url } = await open(await copyOfOld())
  expect(await query(url, FOREIGN)).toEqual([])
  await expectPlainRole(url)
  expect(await query(url, 'select name from accounts')).toEqual([{ name: 'Kept' }])
  expect(await query(url, 'select state from pgboss.jobs')).toEqual([{ state: 'created' }])
  // Only an owner may.
  await query(
    url,
    `alter table accounts add column more text; alter type pgboss.job_state add value 'late'; drop table pgboss.job_one;
     create or replace function almanac_now() returns timestamptz language sql stable return date_trunc('milliseconds', now());
     drop schema pgboss cascade`,
  )
  await migrate(url)
})

test('a server that was left running with all of the superuser’s is adopted the same way, by a command too', async () => {
  const dataDir = join(workDir, 'running')
  const { stop } = await startOldServer(dataDir)
  left.push(stop)
  const command = await open(dataDir, 'join')
  expect(command.adopted).toBe(true)
  await expectPlainRole(command.url)
  const owner = await open(dataDir)
  expect(owner.url).toBe(command.url)
  expect(await query(owner.url, FOREIGN)).toEqual([])
})

const appPassword = (dataDir: string) => join(dataDir, 'postgres', 'app-password')
async function serverPid(dataDir: string) {
  return (await readNote({ ...(await openHome(dataDir, log)), sockets: null }))?.pid
}

test('all of it or nothing is given, and the next start does what an interrupted one left', async () => {
  const dataDir = await copyOfOld()
  const first = await open(dataDir)
  const before = await readFile(appPassword(dataDir), 'utf8')
  const admin = await superuserUrl(dataDir, first.url)
  // As if the start had ended before the file was written, and an earlier version had made another table meanwhile.
  await query(admin, 'create table later (); create schema pgboss_later; alter role almanac_app createdb')
  await first.stop()
  await rm(appPassword(dataDir))
  const second = await open(dataDir, 'join')
  expect(await query(second.url, FOREIGN)).toEqual([])
  await query(second.url, 'drop table later; drop schema pgboss_later')
  await expectPlainRole(second.url)
  expect(await readFile(appPassword(dataDir), 'utf8')).not.toBe(before)
})

test('a password that is not the role’s is reported with what to do, and doing it helps', async () => {
  const dataDir = await copyOfOld()
  const first = await open(dataDir)
  await query(await superuserUrl(dataDir, first.url), `alter role almanac_app password 'another'`)
  const advice = /app-password\. Stop Almanac, remove that file and start again/
  await expect(open(dataDir, 'join')).rejects.toThrow(advice)
  await first.stop()
  await rm(appPassword(dataDir))
  const second = await open(dataDir, 'join')
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a password that is lost while Almanac runs is not replaced under it', async () => {
  const dataDir = await copyOfOld()
  const first = await open(dataDir)
  await rm(appPassword(dataDir))
  await expect(open(dataDir, 'join')).rejects.toThrow(/app-password is missing.* Stop Almanac and start it again/)
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  // Its own server, when it died, comes back with the same one.
  const pid = (await serverPid(dataDir)) ?? 0
  process.kill(pid, 'SIGQUIT')
  await expect.poll(() => serverPid(dataDir), { timeout: 20_000 }).not.toBe(pid)
  await expect.poll(() => first.healthy(), { timeout: 20_000 }).toBe(true)
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  expect(first.url).toContain((await readFile(appPassword(dataDir), 'utf8')).trim())
})

test.each<[string, (dataDir: string, admin: string) => Promise<unknown>, RegExp]>([
  [
    'has no connection left',
    (_, admin) => query(admin, 'alter role almanac_app connection limit 1'),
    /no connection left for its role almanac_app/,
  ],
  [
    'has a full disk',
    (_, admin) =>
      query(
        admin,
        `create function full_disk() returns event_trigger language plpgsql as
           $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
         create event trigger full_disk on ddl_command_start execute function full_disk()`,
      ),
    /The disk that holds .* is full/,
  ],
  [
    'has files that cannot be read',
    async (dataDir) => {
      await rm(appPassword(dataDir))
      await mkdir(appPassword(dataDir))
    },
    /EISDIR/,
  ],
])('a server that answers and %s is not taken for one that does not answer', async (_, harm, words) => {
  const dataDir = await copyOfOld()
  const owner = await open(dataDir)
  const pid = await serverPid(dataDir)
  await harm(dataDir, await superuserUrl(dataDir, owner.url))
  await expect(open(dataDir, 'join')).rejects.toThrow(words)
  expect(await serverPid(dataDir)).toBe(pid)
  expect(owner.healthy()).toBe(true)
})

test('a look changes nothing that it finds', async () => {
  const dataDir = await copyOfOld()
  const first = await open(dataDir, 'look')
  expect(new URL(first.url).username).toBe('almanac')
  expect(await query(first.url, 'select name from accounts')).toEqual([{ name: 'Kept' }])
  expect(await query(first.url, `select from pg_roles where rolname = 'almanac_app'`)).toEqual([])
  expect(await query(first.url, `select from pg_tables where tableowner <> current_user`)).toEqual([])
  await expect(stat(appPassword(dataDir))).rejects.toThrow('ENOENT')
  await first.stop()
  expect(await serverPid(dataDir)).toBeUndefined()
  const owner = await open(dataDir)
  const second = await open(dataDir, 'look')
  expect([second.adopted, second.url]).toEqual([true, owner.url])
  await second.stop()
  await rm(appPassword(dataDir))
  const third = await open(dataDir, 'look')
  expect(await query(third.url, 'select name from accounts')).toEqual([{ name: 'Kept' }])
  await expect(stat(appPassword(dataDir))).rejects.toThrow('ENOENT')
  expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a look at what has no database yet makes none, and one at a server that hangs leaves it alone', async () => {
  const empty = join(workDir, 'empty')
  await expect(open(empty, 'look')).rejects.toThrow(/no database in .* yet/)
  expect(await readdir(join(empty, 'postgres'))).not.toContain('cluster')
  const dataDir = await copyOfOld()
  await open(dataDir)
  const pid = (await serverPid(dataDir)) ?? 0
  process.kill(pid, 'SIGSTOP')
  try {
    await expect(open(dataDir, 'look')).rejects.toThrow(`(process ${pid}) does not answer`)
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  expect(await serverPid(dataDir)).toBe(pid)
})

test('tables that another session keeps locked are waited for', async () => {
  const dataDir = join(workDir, 'locked')
  const { stop } = await startOldServer(dataDir)
  left.push(stop)
  const port = (await readFile(join(dataDir, 'postgres', 'port'), 'utf8')).trim()
  const admin = await superuserUrl(dataDir, `postgres://127.0.0.1:${port}/almanac`)
  const client = new pg.Client(admin)
  await client.connect()
  await client.query('begin; lock table accounts in access share mode')
  const opening = open(dataDir)
  await expect
    .poll(() => query(admin, `select count(*)::int as waiting from pg_locks where not granted`), { timeout: 20_000 })
    .toEqual([{ waiting: 1 }])
  await client.query('commit')
  await client.end()
  expect(await query((await opening).url, FOREIGN)).toEqual([])
})
