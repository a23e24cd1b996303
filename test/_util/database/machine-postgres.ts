import { existsSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { shell } from '../processes/installation.ts'
import { freePort } from '../processes/ports.ts'

/** Servers of the PostgreSQL that the machine has besides Almanac's own, an older one as a rule. */

const BINARIES = '/usr/lib/postgresql'
/** Its newest major version; absent: the machine has none. */
export const version = existsSync(BINARIES) ? readdirSync(BINARIES).sort().at(-1) : undefined
/** Where its programs are. */
export const bin = `${BINARIES}/${version}/bin`

/** A server of PostgreSQL's own, which its own programs dump and restore. */
export interface Server {
  port: string
  url(name: string): string
  admin(text: string): Promise<unknown>
  stop(mode?: 'fast' | 'immediate'): Promise<unknown>
  /** Of a standby: makes it the server. */
  promote(): Promise<unknown>
}

const asPostgres = (command: string) => shell(`su postgres -s /bin/sh -c "${command}"`)
export const INITDB = 'initdb -U admin -A trust -E UTF8 --locale=C.UTF-8'

/** @param make a command that makes the cluster, in a folder of its own; absent: a new one with our role */
export async function startServer(folder: string, name: string, make?: (cluster: string) => string): Promise<Server> {
  const dir = join(folder, name)
  const port = await freePort()
  await mkdir(dir)
  await shell(`chown postgres '${dir}'`)
  await asPostgres(`cd ${dir} && ${bin}/${make?.(`${dir}/cluster`) ?? `${INITDB} -D ${dir}/cluster`}`)
  await asPostgres(
    `${bin}/pg_ctl -D ${dir}/cluster -w -l ${dir}/log -o '-p ${port} -c listen_addresses=127.0.0.1 -k ${dir}' start`,
  )
  const admin = async (text: string) => {
    const client = new pg.Client(`postgres://admin@127.0.0.1:${port}/postgres`)
    await client.connect()
    await client.query(text).finally(() => client.end())
  }
  if (!make) await admin('create role almanac login')
  return {
    ...{ port, admin },
    url: (database) => `postgres://almanac@127.0.0.1:${port}/${database}`,
    stop: (mode = 'immediate') => asPostgres(`${bin}/pg_ctl -D ${dir}/cluster -m ${mode} stop`),
    promote: () => asPostgres(`${bin}/pg_ctl -D ${dir}/cluster -w promote`),
  }
}
