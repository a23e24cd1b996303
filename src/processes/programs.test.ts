import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { globSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { canRun } from '../../test/_util/processes/namespaces.ts'
import type { Pried, Prying } from '../../test/_util/programs/prying-program.ts'
import type { SeenProgram } from '../../test/_util/programs/seen-programs.ts'
import { OTHER_USER } from './folders.ts'
import { endProgram, lendFile, restingProcesses, whoReads } from './index.ts'

const isRoot = process.getuid?.() === 0
const onLinux = process.platform === 'linux'
const run = promisify(execFile)
/** Everything that reads what others sent, and what writes for them. */
const PROGRAMS = globSync('*/*-program.ts', { cwd: new URL('..', import.meta.url) })
  .toSorted()
  .map((path) => new URL(`../${path}`, import.meta.url))
const prying = new URL('../../test/_util/programs/prying-program.ts', import.meta.url)

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-programs-'))
  await chmod(dir, 0o711)
})
afterAll(() => rm(dir, { recursive: true, force: true }))

test.runIf(onLinux)('every program has no environment, no open file of ours, and a folder of its own', async () => {
  const secret = join(dir, 'secret')
  await writeFile(secret, 'secret', { mode: 0o600 })
  const looker = fileURLToPath(new URL('../../test/_util/programs/seen-programs.ts', import.meta.url))
  // As a shell or a service leaves files open to what it starts.
  const script = 'exec 17<"$1" 200<"$1"; shift; exec "$@"'
  const command = ['-c', script, 'bash', secret, process.execPath, looker, secret, ...PROGRAMS.map(({ href }) => href)]
  const env = { PATH: process.env.PATH, ALMANAC_SECRET_KEY: 'secret', DATABASE_URL: 'postgres://secret@localhost/x' }
  const { stdout } = await run('bash', command, { env })
  const { seen } = JSON.parse(stdout) as { seen: SeenProgram[] }
  expect(seen).toHaveLength(8)
  for (const { folder, uid, gid, groups, ...rest } of seen) {
    const [folderHas, temporary] = isRoot ? [['passing'], './passing'] : [[], '.']
    expect(rest).toEqual({ environment: ['MALLOC_ARENA_MAX=2', `TMPDIR=${temporary}`], open: [], folderHas })
    expect(folder).toMatch(/\/almanac-program-\d+-\w+$/)
    if (isRoot) expect({ uid, gid, groups }).toEqual({ uid: OTHER_USER, gid: OTHER_USER, groups: '' })
  }
  const folders = seen.map(({ folder }) => folder)
  expect(new Set(folders).size).toBe(PROGRAMS.length)
  await vi.waitFor(async () => {
    for (const folder of folders) await expect(stat(folder)).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

test('a program that starts threads names what they load', () => {
  const programs = PROGRAMS.map((program) => readFileSync(program, 'utf8'))
  const withThreads = programs.filter((code) => code.includes('new Worker('))
  expect(withThreads.length).toBeGreaterThan(2)
  for (const code of withThreads) expect(code).toMatch(/serveParent\(\{ loads: THREAD \}\)[\s\S]*new Worker\(THREAD/)
})

/** What a program reports that looks for what it can reach. */
async function pry(paths: string[], socket: string): Promise<Pried> {
  const child = restingProcesses(prying, 1_000).wake()
  try {
    const answer = once(child, 'message')
    child.send({ paths, socket } satisfies Prying)
    return (await answer)[0] as Pried
  } finally {
    endProgram(child)
  }
}

test.runIf(isRoot && onLinux)(
  'where Almanac runs as root, a broken decoder reaches neither keys nor media nor database',
  async () => {
    const data = join(dir, 'data')
    // As the data directory of root is made: it may be crossed.
    await mkdir(join(data, 'media'), { recursive: true, mode: 0o711 })
    await writeFile(join(data, 'secret-key'), 'secret', { mode: 0o600 })
    const server = createServer().listen(join(data, 'socket'))
    await once(server, 'listening')
    await chmod(join(data, 'socket'), 0o700)
    await writeFile(join(dir, 'for-all'), 'words', { mode: 0o644 })
    const closed = [
      join(data, 'secret-key'),
      data,
      `/proc/${process.pid}/environ`,
      `/proc/${process.pid}/fd`,
      '/etc/shadow',
    ]
    try {
      const { reached, uid } = await pry([...closed, join(dir, 'for-all')], join(data, 'socket'))
      expect({ reached, uid }).toEqual({ reached: [join(dir, 'for-all')], uid: OTHER_USER })
    } finally {
      server.close()
    }
  },
)

test.runIf(isRoot && onLinux)(
  'a program that loads more of our code stays root where that user could not read it',
  async () => {
    const closed = join(dir, 'closed')
    await mkdir(closed, { mode: 0o700 })
    const room = JSON.stringify(new URL('./program.ts', import.meta.url).href)
    const program = (loads: string) => `import { serveParent } from ${room}
    serveParent(${loads})
    process.send({ uid: process.getuid() })`
    const uidOf = async (name: string, loads: string) => {
      await writeFile(join(closed, name), program(loads))
      const child = restingProcesses(new URL(`file://${join(closed, name)}`), 1_000).wake()
      const [message] = await once(child, 'message')
      endProgram(child)
      return (message as { uid: number }).uid
    }
    expect(await uidOf('all.mjs', '')).toBe(OTHER_USER)
    expect(await uidOf('later.mjs', '{ loads: new URL(import.meta.url) }')).toBe(0)
    expect(await uidOf('readable.mjs', `{ loads: new URL(${room}) }`)).toBe(OTHER_USER)
  },
)

test('a file is read in its place, or as a copy in the folder of the program, which goes', async () => {
  const path = join(dir, 'picture')
  await writeFile(path, 'bytes', { mode: 0o600 })
  const child = restingProcesses(prying, 1_000).wake()
  const stream = async () => (await open(path)).createReadStream()
  const read = async (given: string | null) => {
    await using lent = await lendFile(child, { path: given, open: stream })
    const answer = once(child, 'message')
    child.send({ paths: [lent.path], socket: '/nowhere' } satisfies Prying)
    expect(((await answer)[0] as Pried).reached).toEqual([lent.path])
    return lent.path
  }
  const copy = expect.stringMatching(/^\.\/[0-9a-f-]{36}$/)
  expect(await read(path)).toEqual(isRoot ? copy : path)
  const passed = await read(null)
  expect(passed).toEqual(copy)
  const answer = once(child, 'message')
  child.send({ paths: [passed], socket: '/nowhere' } satisfies Prying)
  expect(((await answer)[0] as Pried).reached).toEqual([])
  const failing = lendFile(child, { path: null, open: () => Promise.reject(new Error('gone')) })
  await expect(failing).rejects.toThrow('gone')
  endProgram(child)
  expect((await readFile(path)).toString()).toBe('bytes')
})

test.runIf(isRoot && onLinux)('a broken decoder leads root to no file with links', async () => {
  const key = join(dir, 'key-of-root')
  await writeFile(key, 'secret', { mode: 0o600 })
  const picture = join(dir, 'lent')
  await writeFile(picture, 'bytes', { mode: 0o600 })
  const own = join(dir, 'shared')
  await mkdir(own)
  await chmod(own, 0o1777)
  vi.stubEnv('TMPDIR', own)
  const child = restingProcesses(prying, 1_000).wake()
  vi.unstubAllEnvs()
  const answer = once(child, 'message')
  child.send({ paths: [], socket: '/nowhere', target: key } satisfies Prying)
  expect(((await answer)[0] as Pried).planted).toEqual(['passing'])
  for (const name of ['first', 'again']) {
    await using lent = await lendFile(child, {
      path: picture,
      open: async () => (await open(picture)).createReadStream(),
    })
    expect(lent.path, name).not.toBe('./file')
  }
  const ended = once(child, 'close')
  endProgram(child)
  await ended
  await vi.waitFor(async () => expect(await readdir(own)).toEqual([]))
  expect([await readFile(key, 'utf8'), (await stat(key)).mode & 0o777]).toEqual(['secret', 0o600])
})

test.runIf(isRoot && canRun(['setpriv', '--bounding-set=-kill']))(
  'root that may do little has decoders as another user too, and ends them',
  async () => {
    const script = `
    const { whoReads, restingProcesses, endProgram } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)})
    const { uid } = await whoReads()
    const child = restingProcesses(new URL(${JSON.stringify(prying.href)}), 60_000).wake()
    child.send({ paths: [], socket: '/nowhere' })
    child.once('message', () => endProgram(child))
    child.once('exit', (code, name) => console.log(JSON.stringify({ uid, name })))`
    const lesser = '-kill,-dac_override,-dac_read_search'
    const command = [
      `--bounding-set=${lesser}`,
      `--inh-caps=${lesser}`,
      process.execPath,
      '--input-type=module',
      '--eval',
      script,
    ]
    const { stdout } = await run('setpriv', command, { timeout: 15_000 })
    expect(JSON.parse(stdout)).toEqual({ uid: OTHER_USER, name: 'SIGKILL' })
  },
)

test('where no file can be lent, the words say which disk is full', async () => {
  const child = restingProcesses(prying, 1_000).wake()
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const failing = lendFile(child, { path: null, open: () => Promise.reject(full) })
  await expect(failing).rejects.toMatchObject({ code: 'ENOSPC', message: expect.stringContaining(`(${tmpdir()})`) })
  endProgram(child)
})

/** A process that starts programs with an own folder for temporary files, and then does that. */
const startIn = (own: string, then: string) => {
  const script = `
    const { restingProcesses, endProgram } = await import(${JSON.stringify(new URL('./index.ts', import.meta.url).href)})
    const child = restingProcesses(new URL(${JSON.stringify(prying.href)}), 60_000).wake()
    child.once('message', () => ${then})
    child.send({ paths: [], socket: '/nowhere' })`
  const env = { ...process.env, TMPDIR: own }
  return run(process.execPath, ['--input-type=module', '--eval', script], { env }).catch(() => {})
}

test('no folder is left when the process that started the program is killed', async () => {
  const own = join(dir, 'own')
  await mkdir(own)
  // As folders for temporary files are: everybody may make files, and remove their own.
  await chmod(own, 0o1777)
  await startIn(own, `process.kill(process.pid, 'SIGKILL')`)
  if (isRoot) {
    const [left = ''] = await readdir(own)
    expect(left).toMatch(/^almanac-program-\d+-\w+$/)
    const ours = `almanac-program-${process.pid}-lives`
    await mkdir(join(own, ours))
    await writeFile(join(own, left, 'lent'), 'bytes')
    const before = new Date(Date.now() - 2 * 3_600_000)
    for (const name of [left, ours]) await utimes(join(own, name), before, before)
    await startIn(own, 'endProgram(child)')
    await vi.waitFor(async () => expect(await readdir(own)).toEqual([ours]))
    await rm(join(own, ours), { recursive: true })
  }
  await vi.waitFor(async () => expect(await readdir(own)).toEqual([]), { timeout: 10_000 })
})

test('who reads the files of others can be asked', async () => {
  expect(await whoReads()).toEqual({
    uid: isRoot ? OTHER_USER : (process.getuid?.() ?? null),
    loads: expect.any(Boolean),
  })
})

test('a program that ends before it answers is heard of at once', async () => {
  const ends = join(dir, 'ends.mjs')
  await writeFile(ends, 'process.exit(3)')
  await expect(whoReads(new URL(`file://${ends}`))).rejects.toThrow('The process was ended (3).')
})
