import { spawn } from 'node:child_process'
import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SCOPES } from '#contract'
import { superuserUrl } from '../_util/database/superuser.ts'
import {
  almanacJson,
  type Finished,
  makeDataDir,
  runAlmanac,
  type Settings,
  spawnAlmanac,
  startAlmanac,
  withAnyRate,
} from '../_util/processes/app.ts'
import { canRun, commandOf, ELSEWHERE } from '../_util/processes/namespaces.ts'
import { freePort } from '../_util/processes/ports.ts'

/**
 * Processes of Almanac that share nothing but the data directory, as containers on one volume: there is one server ever, nothing
 * that was answered is lost, and each command works or is refused in one sentence.
 */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const elsewhere = test.runIf(canRun(ELSEWHERE))
/** A checkout of the version that gave its server no socket; without one its server is started as that did. */
const before = process.env.ALMANAC_VERSION_BEFORE

let settings: Settings
let account: { accountId: string; socialSetId: string }
let key: string
let cluster: string
let watch: Awaited<ReturnType<typeof watchServers>>
const answered = new Set<string>()
const left: (() => unknown)[] = []

beforeEach(async () => {
  await begin()
  answered.clear()
  watch = await watchServers()
})
afterEach(async () => {
  watch.end()
  for (const { pid } of await processes()) process.kill(pid, 'SIGQUIT')
  for (const close of left.splice(0).reverse()) await close()
})

/** A new data directory with an account and a key in it, by the version of that checkout; by this one unless another is named. */
async function begin(projectDir?: string): Promise<void> {
  const dataDir = await makeDataDir()
  left.push(dataDir.remove)
  settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    ALMANAC_PORT: await freePort(),
    ...(await withAnyRate(dataDir.path)),
  }
  const options = { settings, ...(projectDir === undefined ? {} : { projectDir }) }
  account = await almanacJson(['accounts', 'create', '--name', 'Acme', '--plan', 'SCALE'], options)
  const args = ['keys', 'create', '--account', account.accountId, '--name', 'all', '--scopes', SCOPES.join(',')]
  key = (await almanacJson<{ key: string }>(args, options)).key
  cluster = join(dataDir.path, 'postgres', 'cluster')
}

/** The processes that work in the cluster, in any namespace. */
async function processes() {
  const folder = await stat(cluster, { bigint: true })
  const found: { pid: number; parent: number; command: string }[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const cwd = await stat(`/proc/${name}/cwd`, { bigint: true }).catch(() => null)
    if (cwd?.ino !== folder.ino || cwd.dev !== folder.dev) continue
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    found.push({ pid: Number(name), parent: Number(text.split(') ')[1]?.split(' ')[1]), command })
  }
  return found
}

/** The servers of the cluster that run. For a moment a process that they start has their command line. */
async function servers(): Promise<number[]> {
  const all = await processes()
  const isServer = ({ command }: { command: string }) => /^\S*\/postgres\0-D\0/.test(command)
  return all.filter((each) => isServer(each) && !all.some(({ pid }) => pid === each.parent)).map(({ pid }) => pid)
}

/** Counts all the time how many servers run at once. */
async function watchServers() {
  let most = 0
  let open = true
  const watching = (async () => {
    while (open) {
      most = Math.max(most, (await servers()).length)
      await delay(20)
    }
  })()
  return {
    most: () => most,
    async end() {
      open = false
      await watching
    },
  }
}

/** Runs a command in namespaces of its own, to its end. */
function runElsewhere(...args: string[]): Promise<Finished> {
  const child = spawnAlmanac(args, settings, undefined, ELSEWHERE)
  child.process.stdin?.end()
  return child.ended
}

/** Starts `up` in namespaces of its own, which end with the test. */
async function startElsewhere() {
  const almanac = await startAlmanac({ settings, within: ELSEWHERE })
  left.push(() => almanac.signal('SIGKILL'))
  return almanac
}

/** Writes notes until it is ended; remembers those that were answered. */
function write(url: string, within: readonly string[] = []) {
  const script = join(import.meta.dirname, '../_util/faults/write-notes.ts')
  const [program = '', ...args] = [...within, process.execPath, script, url, key, account.socialSetId]
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = `${text}${chunk}`.split('\n')
    text = lines.pop() ?? ''
    for (const id of lines) answered.add(id)
  })
  return {
    async more() {
      const wanted = answered.size + 20
      await expect.poll(() => answered.size, { timeout: 60_000 }).toBeGreaterThan(wanted)
    },
    async end() {
      child.stdin.end()
      await ended
    },
  }
}

async function notesKept(url: string): Promise<Set<string>> {
  const dates = 'filters[startDate]=2030-06-01T00:00:00Z&filters[endDate]=2030-06-02T00:00:00Z'
  const answer = await fetch(`${url}/v1/notes?socialSetId=${account.socialSetId}&${dates}`, {
    headers: { authorization: `Bearer ${key}` },
  })
  return new Set(((await answer.json()) as { id: string }[]).map(({ id }) => id))
}

async function expectAllKept(url: string) {
  const kept = await notesKept(url)
  expect([...answered].filter((id) => !kept.has(id))).toEqual([])
}

const COMMANDS = () => [
  ['accounts', 'list'],
  ['doctor'],
  ['hold', account.socialSetId, '--reason', 'Wait'],
  ['release', account.socialSetId, '--late', 'park'],
]

async function expectCommandsToWork() {
  for (const args of COMMANDS()) {
    const { code, stdout, stderr } = await runElsewhere(...args)
    expect([args[0], code, stderr], stdout).toEqual([args[0], 0, ''])
  }
}

const ONE_SENTENCE = /^almanac: [^\n]+\.\n$/

async function expectRefusals(words: RegExp) {
  for (const args of [...COMMANDS(), ['up']]) {
    const { code, stdout, stderr } = await runElsewhere(...args)
    expect([args[0], code, stderr]).toEqual([args[0], 1, expect.anything()])
    if (args[0] === 'doctor') expect(stdout).toMatch(words)
    else expect(stderr).toMatch(words)
    if (args[0] !== 'doctor') expect(stderr).toMatch(ONE_SENTENCE)
  }
}

elsewhere('a second container works beside the first, and goes on where it was killed', async () => {
  const first = await startAlmanac({ settings })
  const writing = write(first.url)
  await writing.more()
  await expectCommandsToWork()
  const second = await runElsewhere('up')
  expect(second.code).toBe(1)
  expect(second.stderr).toMatch(
    /^almanac: Almanac already runs on the data in .* \(process \d+ on .+\)\. Stop it first.*\n$/,
  )
  await writing.more()
  first.signal('SIGKILL')
  await first.ended
  await writing.end()
  const [server] = await servers()
  const next = await startElsewhere()
  expect(await servers()).toEqual([server])
  const inside = await commandOf(next.process.pid ?? 0)
  const there = write(next.url, ['nsenter', '--net', '--target', String(inside)])
  await there.more()
  await expectCommandsToWork()
  const here = await runAlmanac(['up'], { settings })
  expect([here.code, here.stderr]).toEqual([1, expect.stringMatching(/Almanac already runs .* on elsewhere\)/)])
  await there.more()
  await there.end()
  // The server that it found runs out of the reach of its signals.
  process.kill(inside, 'SIGTERM')
  expect(await next.ended).toMatchObject({ code: 0 })
  expect(await servers()).toEqual([])

  const last = await startAlmanac({ settings })
  await expectAllKept(last.url)
  await last.stop()
  expect(watch.most()).toBe(1)
})

elsewhere('the server of a container whose Almanac was killed in it is used by all, and by the next one', async () => {
  const first = await startElsewhere()
  const inside = await commandOf(first.process.pid ?? 0)
  const writing = write(first.url, ['nsenter', '--net', '--target', String(inside)])
  await writing.more()
  process.kill(inside, 'SIGKILL')
  await writing.end()
  await expectCommandsToWork()
  const next = await startAlmanac({ settings })
  expect(await servers()).toHaveLength(1)
  await expectAllKept(next.url)
  // The first container ends, and its server with it, by a kill: nothing that was answered is lost.
  const more = write(next.url)
  await more.more()
  first.signal('SIGKILL')
  await first.ended
  await more.more()
  await more.end()
  await expectAllKept(next.url)
  await next.stop()
  expect(watch.most()).toBe(1)
})

elsewhere('a server that stands still is ended by no one who cannot see it', async () => {
  const first = await startAlmanac({ settings })
  const [server = 0] = await servers()
  process.kill(server, 'SIGSTOP')
  const { code, stderr } = await runElsewhere('accounts', 'list')
  process.kill(server, 'SIGCONT')
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/runs in another container or network and does not answer\./),
  ])
  expect(stderr).toMatch(ONE_SENTENCE)
  expect(await servers()).toEqual([server])
  await first.stop()
})

elsewhere('a session that outlives its server is waited for, and never beside another server', async () => {
  const first = await startAlmanac({ settings })
  const [server = 0] = await servers()
  const client = new pg.Client(await superuserUrl(settings.ALMANAC_DATA_DIR ?? '', await addressOf()))
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query('select pg_backend_pid() as pid')
  client.query('do $$ begin loop end loop; end $$').catch(() => {})
  first.signal('SIGKILL')
  await first.ended
  process.kill(server, 'SIGKILL')
  const those = async () => (await processes()).map(({ pid }) => pid)
  await expect.poll(those).toEqual([rows[0].pid])
  const refused = await runElsewhere('accounts', 'list')
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/runs in another container or network/)])
  const late = runElsewhere('accounts', 'list')
  await delay(7_000)
  expect(await those()).toEqual([rows[0].pid])
  process.kill(rows[0].pid, 'SIGKILL')
  expect(await late).toMatchObject({ code: 0 })
  expect(watch.most()).toBe(1)
})

/** Of the server, through its port. */
const addressOf = async () =>
  `postgres://127.0.0.1:${(await readFile(join(cluster, '../port'), 'utf8')).trim()}/almanac`

elsewhere('a server that the version before started is found where it can be seen, and never doubled', async () => {
  await startVersionBefore()
  const [server] = await servers()
  const note = await readFile(join(cluster, 'postmaster.pid'), 'utf8')
  await expectRefusals(
    /A PostgreSQL server may run on .* that cannot be seen from here \(process \d+ of another container\)/,
  )
  expect(await readFile(join(cluster, 'postmaster.pid'), 'utf8')).toBe(note)
  const next = await startAlmanac({ settings })
  expect(await servers()).toEqual([server])
  const writing = write(next.url)
  await writing.more()
  for (const args of COMMANDS()) {
    const { code, stdout, stderr } = await runElsewhere(...args)
    expect([args[0], code, stderr]).toEqual([args[0], 1, expect.anything()])
    expect(`${stdout}${stderr}`).toMatch(/running on this data elsewhere.*docker compose exec/)
  }
  await writing.more()
  await writing.end()
  await expectAllKept(next.url)
  await next.stop()
  // The next start gives it a socket.
  const last = await startAlmanac({ settings })
  await expectAllKept(last.url)
  await expectCommandsToWork()
  await last.stop()
  expect(watch.most()).toBe(1)
})

/** Leaves a server running as the version before did whose `up` was killed. */
async function startVersionBefore() {
  if (before) {
    await begin(before)
    const old = await startAlmanac({ settings, projectDir: before })
    old.signal('SIGKILL')
    await old.ended
    return
  }
  const first = await startAlmanac({ settings })
  await first.stop()
  const { openHome } = await import('../../src/persistence/embedded/home.ts')
  const { prepareBinaries } = await import('../../src/persistence/embedded/binaries.ts')
  const { startServer } = await import('../../src/persistence/embedded/server.ts')
  using opened = await openHome(settings.ALMANAC_DATA_DIR ?? '', () => {})
  const home = { ...opened, sockets: null }
  const log = () => {}
  const projectDir = join(import.meta.dirname, '../..')
  const binaries = await prepareBinaries({ projectDir, home: home.folder, user: home.user, log })
  await startServer({ home, binaries, port: undefined, log })
  for (const name of ['started-in', 'server.lock']) await rm(join(home.folder, name))
}
