import { spawn } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, type TestContext, test } from 'vitest'
import {
  environment,
  type Fetched,
  fetchPackages,
  makeClone,
  needFetched,
  noRegistry,
  npm,
  outcome,
  postgresProgram,
  type Toolbox,
  there,
  wrongVersions,
} from './clone.ts'

const asRoot = process.getuid?.() === 0

let workDir: string
let fetched: Fetched
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'almanac-install-'))
  fetched = await fetchPackages(workDir, ['npm@12'])
}, 120_000)
afterAll(() => rm(workDir, { recursive: true, force: true }))

/** npm 12 on the Node that runs the tests. */
function toolOf(context: TestContext): Toolbox {
  const [npm12 = ''] = needFetched(fetched, context)
  return { node: process.execPath, npmScript: join(npm12, 'bin', 'npm-cli.js') }
}

test('with npm 12: an interrupted installation is repaired, two starts at once share one, signals and exit code pass', async (context) => {
  const current = toolOf(context)
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
  expect(await there(join(clone, postgresProgram))).toBe(true)
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
}, 600_000)

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
  const offline = await start({ ...noRegistry(workDir), ...path })
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
