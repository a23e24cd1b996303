import { execFile } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { openEmbeddedDatabase } from '#persistence'
import { childrenOf } from '../processes/namespaces.ts'
import { overTcp } from './over-tcp.ts'
import { superuserUrl } from './superuser.ts'

const run = promisify(execFile)

/** A PostgreSQL server of a test's own, to which everything may happen. */
export interface DatabaseServer {
  /** An empty database, as the product's role reaches it. */
  url: string
  /** Whether the disk of that database can be filled here: only root may mount one. */
  canFillDisk: boolean
  /** Ends every connection of Almanac, those in use too. Answers how many there were. */
  killBackends(): Promise<number>
  /** Kills one of these processes outright: PostgreSQL then ends all sessions and repairs itself. */
  crash(): Promise<void>
  /**
   * Ends the server with all sessions, in order or (`immediate`) without a checkpoint, so that it repairs itself. Resolves when
   * it runs again.
   */
  restart(how?: 'fast' | 'immediate'): Promise<void>
  /** Ends the sessions with these process ids. */
  terminate(pids: readonly number[]): Promise<void>
  /** A statement in the database of the tests, as the superuser. */
  query(text: string): Promise<Record<string, unknown>[]>
  /** Every process of the server stands still: the kernel still takes connections for it. */
  freeze(): Promise<void>
  thaw(): void
  /** Fills the disk of the database; the server's own files are on another one. */
  fillDisk(): Promise<void>
  emptyDisk(): Promise<void>
  close(): Promise<void>
}

const DISK_BYTES = 96 * 1024 * 1024

export async function startDatabaseServer(): Promise<DatabaseServer> {
  const parent = await mkdtemp(join(tmpdir(), 'almanac-server-'))
  await chmod(parent, 0o711)
  const dataDir = join(parent, 'data')
  const disk = join(parent, 'disk')
  let restarted = Promise.withResolvers<void>()
  const server = await openEmbeddedDatabase({
    dataDir,
    projectDir: join(import.meta.dirname, '../../..'),
    log: () => {},
    mode: 'own',
    onRestart: () => restarted.resolve(),
  })
  const serverUrl = overTcp(server.url)
  const adminUrl = await superuserUrl(dataDir, serverUrl)
  const cluster = join(dataDir, 'postgres', 'cluster')
  const canFillDisk = await mountDisk(disk, cluster)
  const url = new URL(serverUrl)
  const place = canFillDisk ? ' tablespace disk' : ''
  if (canFillDisk) await query(adminUrl, `create tablespace disk location '${disk}/files'`)
  await query(adminUrl, `create database faults owner ${url.username} template template0${place}`)
  url.pathname = '/faults'
  const tested = new URL(adminUrl)
  tested.pathname = url.pathname
  const testedUrl = tested.href
  let frozen: number[] = []

  const postmaster = async () => Number((await readFile(join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0])
  const backends = async () =>
    (await query(adminUrl, `select pid from pg_stat_activity where datname = 'faults'`)).map(({ pid }) => Number(pid))
  /** Does something that ends the server, and waits until it has been started again. */
  async function restartBy(end: () => Promise<void>): Promise<void> {
    restarted = Promise.withResolvers<void>()
    await end()
    await restarted.promise
  }
  function thaw(): void {
    for (const pid of frozen.splice(0)) process.kill(pid, 'SIGCONT')
  }

  return {
    url: url.href,
    canFillDisk,
    async killBackends() {
      const rows = await query(
        adminUrl,
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = 'faults'`,
      )
      return rows.length
    },
    crash: () =>
      restartBy(async () => {
        const [pid] = await backends()
        if (pid === undefined) throw new Error('No client is connected.')
        process.kill(pid, 'SIGKILL')
      }),
    restart: (how = 'fast') =>
      restartBy(async () => void process.kill(await postmaster(), how === 'fast' ? 'SIGINT' : 'SIGQUIT')),
    async terminate(pids) {
      await query(adminUrl, `select pg_terminate_backend(pid) from unnest('{${pids.join(',')}}'::int[]) as pid`)
    },
    query: (text) => query(testedUrl, text),
    async freeze() {
      const pid = await postmaster()
      process.kill(pid, 'SIGSTOP')
      frozen = [pid]
      for (const child of await childrenOf(pid)) {
        process.kill(child, 'SIGSTOP')
        frozen.push(child)
      }
    },
    thaw,
    async fillDisk() {
      // Ends with the error that is wanted.
      await writeFile(join(disk, 'filler'), Buffer.alloc(DISK_BYTES)).then(
        () => Promise.reject(new Error('The disk took everything.')),
        () => {},
      )
    },
    emptyDisk: () => rm(join(disk, 'filler')),
    async close() {
      thaw()
      await server.stop()
      if (canFillDisk) await run('umount', [disk])
      await rm(parent, { recursive: true })
    },
  }
}

/** A small disk of its own for the files of a database, owned by the owner of the cluster. */
async function mountDisk(disk: string, cluster: string): Promise<boolean> {
  if (process.getuid?.() !== 0) return false
  await mkdir(disk)
  const size = `size=${DISK_BYTES},mode=711`
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', size, 'tmpfs', disk]).catch(() => null)
  if (!mounted) return false
  const { uid, gid } = await stat(cluster)
  await mkdir(join(disk, 'files'), { mode: 0o700 })
  await chown(join(disk, 'files'), uid, gid)
  return true
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query(text)).rows
  } finally {
    await client.end()
  }
}
