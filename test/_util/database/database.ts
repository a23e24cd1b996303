import { randomUUID } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'
import { inject } from 'vitest'

/** The migrated database that tests copy theirs from; made once a run by global-setup.ts. */
export const TEMPLATE = 'almanac_template'

/**
 * A database of its own for a test, migrated and without rows. Its address is that of the product's role.
 *
 * @param template `template0`: nothing is in it at all
 */
export async function createDatabase(
  template: typeof TEMPLATE | 'template0' = TEMPLATE,
): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(inject('databaseUrl'))
  await onServer(`create database ${name} template ${template} owner ${url.username} strategy file_copy`)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => onServer(`drop database ${name} with (force)`) }
}

/** Has a database refuse connections and drops those that there are. Answers how to open it again. */
export async function shutDatabase(url: string): Promise<() => Promise<void>> {
  const name = new URL(url).pathname.slice(1)
  await onServer(`alter database ${name} with allow_connections false`)
  await onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`)
  return () => onServer(`alter database ${name} with allow_connections true`)
}

let admin: Promise<pg.Client> | undefined

/** All files of a process ask by one connection, as each costs the server a process, and its start more than most statements. */
async function onServer(text: string) {
  admin ??= connect().catch((error) => {
    admin = undefined
    throw error
  })
  await (await admin).query(text)
}

async function connect(): Promise<pg.Client> {
  const client = new pg.Client(inject('databaseAdminUrl'))
  const forget = () => {
    admin = undefined
  }
  client.on('error', forget).on('end', forget)
  await client.connect()
  // It keeps no process from ending.
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection
  stream.unref()
  return client
}
