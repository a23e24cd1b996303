import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { DatabaseAddress } from '#persistence'
import { freePort } from '../processes/ports.ts'

/** Where it is installed, or where `PGBOUNCER` says. */
const PROGRAM = [
  ...(process.env.PGBOUNCER ? [process.env.PGBOUNCER] : []),
  ...['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer', '/usr/local/bin/pgbouncer'],
].find((path) => existsSync(path))

/** Set by global-setup.ts for the processes that run tests: the address of the run's server through a pooler in transaction mode. */
export const POOLER_URL = 'ALMANAC_TESTS_POOLER_URL'

/** The way to a database of the run: directly, unless all go through a pooler. */
export function throughPooler(databaseUrl: string): string | DatabaseAddress {
  const pooler = process.env[POOLER_URL]
  if (pooler === undefined) return databaseUrl
  const { pathname } = new URL(databaseUrl)
  return { url: Object.assign(new URL(pooler), { pathname }).href, pooled: true, directUrl: databaseUrl }
}

/** Whether there is a PgBouncer on this machine to try things with. */
export const hasPgbouncer = PROGRAM !== undefined

/** A PgBouncer before a database, as it is installed: in transaction mode with a small pool, or in session mode. */
export interface Pgbouncer {
  /** The address of the database through it. */
  url: string
  /** Ends it, as `kill -9` does, and starts it again. */
  restart(): Promise<void>
  log(): string
  close(): Promise<void>
}

export async function startPgbouncer(
  databaseUrl: string,
  { poolSize = 4, mode = 'transaction' }: { poolSize?: number; mode?: 'transaction' | 'session' } = {},
): Promise<Pgbouncer> {
  if (PROGRAM === undefined) throw new Error('There is no PgBouncer here.')
  const dir = await mkdtemp(join(tmpdir(), 'almanac-pgbouncer-'))
  await chmod(dir, 0o755)
  const { hostname, port, username, password } = new URL(databaseUrl)
  const ownPort = await freePort()
  const path = join(dir, 'pgbouncer.ini')
  await writeFile(
    path,
    `[databases]
* = host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${ownPort}
unix_socket_dir =
auth_type = any
pool_mode = ${mode}
${mode === 'session' ? 'ignore_startup_parameters = options,statement_timeout,lock_timeout,idle_in_transaction_session_timeout' : ''}
default_pool_size = ${poolSize}
max_client_conn = 300
server_login_retry = 1
`,
  )
  // It refuses to run as root.
  const other = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {}
  let log = ''

  function start() {
    const child = spawn(PROGRAM ?? '', [path], { ...other, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      log += text
    })
    return { child, ended: new Promise((resolve) => child.once('close', resolve)) }
  }
  async function untilUp(): Promise<void> {
    const late = performance.now() + 10_000
    while (!(await takes(Number(ownPort)))) {
      if (performance.now() > late) throw new Error(`PgBouncer did not start: ${log}`)
      await pause(20)
    }
  }

  let running = start()
  await untilUp()
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${ownPort}`
  const end = async () => {
    running.child.kill('SIGKILL')
    await running.ended
  }
  return {
    url: url.href,
    async restart() {
      await end()
      running = start()
      await untilUp()
    },
    log: () => log,
    async close() {
      await end()
      await rm(dir, { recursive: true })
    },
  }
}

const idOf = (option: '-u' | '-g') => Number(execFileSync('id', [option, 'nobody'], { encoding: 'utf8' }))

function takes(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
