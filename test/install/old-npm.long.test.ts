import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
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
  postgresProgram,
  type Toolbox,
  there,
  wrongVersions,
} from './clone.ts'

let workDir: string
let fetched: Fetched
beforeAll(async () => {
  workDir = await mkdtemp(join(tmpdir(), 'almanac-install-'))
  const node20 = process.platform === 'linux' ? [`node-linux-${process.arch}@20.11.0`] : []
  fetched = await fetchPackages(workDir, ['npm@10', ...node20])
}, 120_000)
afterAll(() => rm(workDir, { recursive: true, force: true }))

/** npm 10 on an old Node 20, where packages exist for it. */
function toolOf(context: TestContext): Toolbox {
  const [npm10 = '', node20] = needFetched(fetched, context)
  return { node: node20 ? join(node20, 'bin', 'node') : process.execPath, npmScript: join(npm10, 'bin', 'npm-cli.js') }
}

test('with npm 10 on an old Node 20: running installs what it needs, testing adds the rest, neither undoes the other', async (context) => {
  const old = toolOf(context)
  const clone = await makeClone(join(workDir, 'with-npm-10'))
  const offline = { ...environment(old), ...noRegistry(workDir) }
  const command = ['run', '--silent', 'almanac', '--', 'fail', '--json']
  // Settings of the user's that would change what is installed.
  const env = {
    ...environment(old),
    NODE_ENV: 'production',
    npm_config_omit: 'optional',
    npm_config_engine_strict: 'true',
  }

  const first = await npm(old, clone, command, env)
  expect(first.stderr).toBe("Installing Almanac's packages. This happens once and takes a minute or two.\n")
  expect(JSON.parse(first.stdout)).toMatchObject({ node: expect.stringMatching(/^v26\./), args: ['fail', '--json'] })
  expect(first.code).toBe(3)
  expect(await there(join(clone, postgresProgram))).toBe(true)
  expect(await there(join(clone, 'node_modules/typescript'))).toBe(false)
  expect(await wrongVersions(clone)).toEqual([])
  expect(await readdir(clone)).not.toContain('.almanac')

  const second = await npm(old, clone, command, offline)
  expect(second).toMatchObject({ code: 3, stderr: '' })

  // A failed addition for the tests leaves what runs.
  const failed = await npm(old, clone, ['test', '--', 'src/only.test.ts'], offline)
  expect(failed.stderr).toContain('npm could not install')
  expect(failed.code).not.toBe(0)
  expect(await npm(old, clone, command, offline)).toMatchObject({ code: 3, stderr: '' })

  const server = async () => {
    const { ino, mtimeMs } = await stat(join(clone, postgresProgram))
    return { ino, mtimeMs }
  }
  const before = await server()
  await writeFile(join(clone, 'src', 'only.test.ts'), "import { test } from 'vitest'\ntest('one', () => {})\n")
  const tests = await npm(old, clone, ['test', '--', 'src/only.test.ts'], env)
  expect(tests.stderr).toContain('Installing')
  expect(tests.lastLine).toBe('1 passed, 0 failed')
  expect(tests.code).toBe(0)
  expect(await wrongVersions(clone)).toEqual([])

  // The database's server was not installed again.
  expect(await server()).toEqual(before)

  const third = await npm(old, clone, command, offline)
  expect(third).toMatchObject({ code: 3, stderr: '' })
  expect(await there(join(clone, 'node_modules/typescript'))).toBe(true)
  // The lock file is the repository's; no npm may change it.
  expect(await readFile(join(clone, 'package-lock.json'))).toEqual(await readFile('package-lock.json'))
}, 600_000)
