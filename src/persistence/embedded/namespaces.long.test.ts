import { execFileSync, spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { holdEmbeddedDatabase } from '../../../test/_util/database/embedded-holder.ts'
import { canRun, ELSEWHERE, WITHOUT_PTRACE } from '../../../test/_util/processes/namespaces.ts'
import { prepareBinaries } from './binaries.ts'
import { describeEmbeddedDatabase } from './describe.ts'
import { openHome } from './home.ts'
import { openEmbeddedDatabase } from './index.ts'
import { startServer } from './server.ts'

/** Two processes that see nothing of each other but the files, as two containers on one volume; and one that sees little. */

const projectDir = join(import.meta.dirname, '..', '..', '..')
const log = () => {}
const elsewhere = test.runIf(canRun(ELSEWHERE))
const withoutPtrace = test.runIf(canRun(WITHOUT_PTRACE))

let workDir: string
let dataDir: string
let count = 0
const left: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'almanac-namespaces-'))
  await chmod(workDir, 0o711)
})
afterEach(async () => {
  for (const close of left.splice(0).reverse()) await close()
})
afterAll(() => rm(workDir, { recursive: true }))

const newDir = () => {
  dataDir = join(workDir, `data-${count++}`)
}
const inCluster = (name: string) => join(dataDir, 'postgres', 'cluster', name)
const note = () => readFile(inCluster('postmaster.pid'), 'utf8')
const serverPid = async () => Number((await note()).split('\n')[0])

async function open(mode: 'own' | 'join' = 'own') {
  const database = await openEmbeddedDatabase({ dataDir, projectDir, log, mode })
  left.push(() => database.stop())
  return database
}

async function hold(within: readonly string[], mode: 'own' | 'join') {
  const holder = holdEmbeddedDatabase(dataDir, mode, { within })
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

/** Starts a server as versions did that gave it no socket, and whose Almanac was killed. */
async function startOldServer(): Promise<number> {
  newDir()
  await (await open()).stop()
  const home = { ...(await openHome(dataDir, log)), sockets: null }
  const binaries = await prepareBinaries({ projectDir, home: home.folder, user: home.user, log })
  await startServer({ home, binaries, port: undefined, log })
  for (const name of ['started-in', 'server.lock']) await rm(join(home.folder, name))
  const pid = await serverPid()
  left.push(async () => {
    if (isAlive(pid)) process.kill(pid, 'SIGQUIT')
    await expect.poll(() => isAlive(pid), { interval: 10 }).toBe(false)
  })
  return pid
}

/** Starts the server of this test in another container, whose folder takes no sockets. */
async function startBareServer() {
  const script = join(projectDir, 'test/_util/database/start-bare-server.ts')
  const [program = '', ...args] = [...ELSEWHERE, process.execPath, script, dataDir, projectDir]
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  const kill = async () => {
    child.kill('SIGKILL')
    await ended
    await expect.poll(async () => (await readdir('/proc')).filter(isServer), { interval: 10 }).toEqual([])
  }
  left.push(kill)
  await new Promise((resolve) => child.stdout.once('data', resolve))
  return { kill }
}

/** A data directory on a file system that is not known to be this machine's alone. */
async function newSharedDir() {
  newDir()
  const place = dataDir
  await mkdir(place)
  execFileSync('mount', ['-t', 'ramfs', 'almanac-test', place])
  left.push(async () => execFileSync('umount', ['--lazy', place]))
  await chmod(place, 0o711)
  await (await open()).stop()
}

/** As if the server had been started by another machine. */
async function moveStartToAnotherMachine() {
  const path = join(dataDir, 'postgres', 'started-in')
  const lines = (await readFile(path, 'utf8')).split('\n')
  lines[2] = '00000000-0000-0000-0000-000000000000'
  await writeFile(path, lines.join('\n'))
}

/** Whether the process with this number is the server of this test, by its command line: at once, before it works in its cluster. */
function isServer(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`bin/postgres\0-D\0${inCluster('')}\0`)
  } catch {
    return false
  }
}

const isAlive = (pid: number) => existsSync(`/proc/${pid}/cwd`)

elsewhere('a command in another container joins the server that runs, and a second Almanac is refused', async () => {
  newDir()
  const owner = await open()
  const before = await note()
  const command = await hold(ELSEWHERE, 'join')
  expect(command).toMatchObject({ adopted: true })
  await command.release()
  const second = await hold(ELSEWHERE, 'own')
  expect(second.error).toMatch(/Almanac already runs on the data in .* \(process \d+ on .+\)\. Stop it first/)
  expect(await note()).toBe(before)
  expect(owner.healthy()).toBe(true)
  expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

elsewhere('a server whose Almanac was killed in another container is adopted, and ended when asked', async () => {
  newDir()
  const owner = await hold(ELSEWHERE, 'own')
  await owner.killInside()
  const before = await note()
  const command = await hold(ELSEWHERE, 'join')
  expect(command).toMatchObject({ adopted: true })
  expect(await note()).toBe(before)
  const next = await hold(ELSEWHERE, 'own')
  expect(next).toMatchObject({ adopted: true })
  await command.release()
  await next.release()
  await expect(note()).rejects.toThrow('ENOENT')
  expect(await open()).toMatchObject({ adopted: false })
})

elsewhere('a server whose Almanac is killed in the moment that it begins is seen before it has a note', async () => {
  newDir()
  await (await open()).stop()
  const starting = holdEmbeddedDatabase(dataDir, 'own')
  left.push(starting.release)
  const life = join(dataDir, 'postgres', 'server.life')
  while (!existsSync(life) || (await readdir('/proc')).every((pid) => !isServer(pid))) await delay(0)
  await starting.kill()
  const next = await hold(ELSEWHERE, 'own')
  expect(next).toMatchObject({ adopted: true })
  expect((await readdir('/proc')).filter(isServer)).toHaveLength(1)
})

elsewhere('when a container ends with its server, an Almanac that adopted it starts one of its own', async () => {
  newDir()
  const command = await hold(ELSEWHERE, 'join')
  let restarts = 0
  const owner = await openEmbeddedDatabase({ dataDir, projectDir, log, mode: 'own', onRestart: () => restarts++ })
  left.push(() => owner.stop())
  expect(owner).toMatchObject({ adopted: true })
  await query(owner.url, 'create table kept as select 42 as answer')
  await command.kill()
  await expect.poll(() => restarts, { interval: 10 }).toBe(1)
  expect(await query(owner.url, 'select answer from kept')).toEqual([{ answer: 42 }])
})

elsewhere('a server of an earlier version is found here, and never doubled from where it cannot be seen', async () => {
  const pid = await startOldServer()
  const before = await note()
  for (const mode of ['join', 'own'] as const) {
    const blind = await hold(ELSEWHERE, mode)
    expect(blind.error).toContain(`A PostgreSQL server may run on ${inCluster('')} `)
    expect(blind.error).toMatch(
      /\(process \d+ of another container\).* remove .*postmaster\.pid, wait two minutes and start again\.$/,
    )
    expect(blind.error).not.toContain('\n')
  }
  expect(await note()).toBe(before)
  const owner = await open()
  expect(owner).toMatchObject({ adopted: true })
  expect(new URL(owner.url).hostname).toBe('127.0.0.1')
  const command = await hold(ELSEWHERE, 'join')
  expect(command.error).toMatch(
    /Almanac is running on this data elsewhere \(process \d+ on .+\)\. Run the command there/,
  )
  expect(isAlive(pid)).toBe(true)
  expect(await query(owner.url, 'select 1 as one')).toEqual([{ one: 1 }])
})

elsewhere('a note of an earlier version that means nothing any more is known by its time', async () => {
  const pid = await startOldServer()
  const text = await note()
  process.kill(pid, 'SIGKILL')
  await expect.poll(() => isAlive(pid), { interval: 10 }).toBe(false)
  expect((await hold(ELSEWHERE, 'join')).error).toContain('may run on')
  // Here all processes are seen, and none is the server.
  await (await open('join')).stop()
  const lines = text.split('\n')
  lines[2] = '1700000000'
  await writeFile(inCluster('postmaster.pid'), lines.join('\n'))
  expect(await hold(ELSEWHERE, 'join')).toMatchObject({ adopted: false })
})

elsewhere('without sockets, the server of a container that was killed is told from one that lives', async () => {
  newDir()
  await (await open()).stop()
  const server = await startBareServer()
  const before = await note()
  for (const mode of ['join', 'own'] as const) {
    const second = await hold(ELSEWHERE, mode)
    expect(second.error).toMatch(
      /The database's server of .* runs in another container \(process \d+\), and no socket leads to it from here\./,
    )
  }
  expect(await note()).toBe(before)
  await server.kill()
  const next = await hold(ELSEWHERE, 'own')
  expect(next).toMatchObject({ adopted: false })
})

elsewhere('of two that start in the same moment in two containers one has the data, by one server', async () => {
  newDir()
  await (await open()).stop()
  const both = await Promise.all([hold(ELSEWHERE, 'own'), hold(ELSEWHERE, 'own')])
  const [winner, ...more] = both.filter(({ url }) => url)
  expect([winner?.adopted, more]).toEqual([false, []])
  expect(both.find(({ error }) => error)?.error).toMatch(/Almanac already runs on the data in /)
  const pids = (await readdir('/proc')).filter(isServer)
  expect(pids).toHaveLength(1)
})

elsewhere('what the doctor says of a server in another container', async () => {
  newDir()
  await (await open()).stop()
  await startBareServer()
  const namespace = expect.stringMatching(/^pid:\[\d+\]$/)
  const place = await describeEmbeddedDatabase(dataDir)
  expect(place).toMatchObject({ shared: false, namespace, owner: null, fileSystem: expect.stringMatching(/ on /) })
  // Of this place, from which all others are seen.
  expect(place.server).toMatchObject({ here: true, socket: null, namespace })
  const [program = '', ...args] = [...ELSEWHERE, process.execPath, '--input-type=module', '-e', DESCRIBE, dataDir]
  const told = JSON.parse(execFileSync(program, args, { cwd: import.meta.dirname, encoding: 'utf8' }))
  expect(told.server).toMatchObject({
    here: false,
    socket: null,
    namespace: (place.server as { namespace: string }).namespace,
  })
  expect(told.namespace).not.toBe(told.server.namespace)
})

const DESCRIBE = `const { describeEmbeddedDatabase } = await import('./describe.ts')
console.log(JSON.stringify(await describeEmbeddedDatabase(process.argv[1])))`

elsewhere('a lock that is free says nothing of a server which never took it', async () => {
  await startOldServer()
  await writeFile(join(dataDir, 'postgres', 'server.lock'), '')
  expect((await hold(ELSEWHERE, 'own')).error).toContain('may run on')
})

elsewhere('where other machines may have the folder, silence proves only that none of this one lives', async () => {
  await newSharedDir()
  const first = await hold(ELSEWHERE, 'own')
  await first.kill()
  // Of this machine, since it was started: what its kernel says of the socket and the lock holds.
  const second = await hold(ELSEWHERE, 'own')
  expect(second).toMatchObject({ adopted: false })
  await second.kill()
  await moveStartToAnotherMachine()
  const before = await note()
  for (const within of [[], ELSEWHERE]) {
    const third = await hold(within, 'own')
    expect(third.error).toMatch(/may run on .* \(process \d+ of another container or machine\)\. End it .*\.$/)
    expect(third.error).not.toContain('\n')
  }
  expect(await note()).toBe(before)
  // What the sentence tells to do.
  await rm(inCluster('postmaster.pid'))
  await (await open()).stop()
})

withoutPtrace('root who may not look into other processes starts, adopts and ends servers like anyone', async () => {
  newDir()
  const first = await hold(WITHOUT_PTRACE, 'own')
  expect(first).toMatchObject({ adopted: false })
  const pid = await serverPid()
  await first.kill()
  const second = await hold(WITHOUT_PTRACE, 'own')
  expect(second).toMatchObject({ adopted: true, url: first.url })
  expect(await serverPid()).toBe(pid)
  await second.release()
  expect(isAlive(pid)).toBe(false)
})

withoutPtrace('root who may not signal other users asks the server to end', async () => {
  newDir()
  const owner = await hold(['setpriv', '--bounding-set=-sys_ptrace,-kill', '--inh-caps=-sys_ptrace,-kill'], 'own')
  expect(owner).toMatchObject({ adopted: false })
  const pid = await serverPid()
  await owner.release()
  expect(isAlive(pid)).toBe(false)
})

withoutPtrace(
  'the server of an earlier version is known there by its start; another one of that number is not ended',
  async () => {
    const pid = await startOldServer()
    const text = await note()
    const lines = text.split('\n')
    lines[2] = String(Number(lines[2]) - 60)
    await writeFile(inCluster('postmaster.pid'), lines.join('\n'))
    const unsure = await hold(WITHOUT_PTRACE, 'own')
    expect(unsure.error).toContain('may run on')
    expect(await note()).toBe(lines.join('\n'))
    await writeFile(inCluster('postmaster.pid'), text)
    const owner = await hold(WITHOUT_PTRACE, 'own')
    expect(owner).toMatchObject({ adopted: true })
    await owner.release()
    expect(isAlive(pid)).toBe(false)
  },
)
