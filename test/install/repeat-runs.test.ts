import { execFileSync, spawn } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { outcome } from './clone.ts'

let folder: string
let temporary: string
let first: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-repeat-runs-test-'))
  temporary = await mkdtemp(join(tmpdir(), 'almanac-repeat-runs-clones-'))
  await cp('scripts', join(folder, 'scripts'), { recursive: true })
  git('init', '--quiet')
  first = await commit(['console.log("all of them")', 'console.log("3 passed, 0 failed (processor: some)")'])
  await commit([
    'console.log("SECOND TRY test/a.test.ts > one: no")',
    'console.log("FAILED test/b.test.ts > two: no")',
    'console.log("SECOND TRY test/a.test.ts > one: no")',
    'console.log("2 passed, 1 failed, 4 skipped")',
    'process.exitCode = 1',
  ])
})
afterAll(() => Promise.all([folder, temporary].map((each) => rm(each, { recursive: true, force: true }))))

function git(...args: string[]): string {
  const as = ['-c', 'user.name=Test', '-c', 'user.email=test@almanac.test']
  return execFileSync('git', ['-C', folder, ...as, ...args], { encoding: 'utf8' }).trim()
}

/** A commit whose checks are this program. */
async function commit(lines: string[]): Promise<string> {
  await writeFile(join(folder, 'checks.mjs'), lines.join('\n'))
  git('add', '.')
  git('commit', '--quiet', '-m', 'Checks')
  return git('rev-parse', '--short=12', 'HEAD')
}

const repeat = (...args: string[]) =>
  outcome(
    spawn(process.execPath, [join(folder, 'scripts/repeat-runs.mjs'), ...args], {
      cwd: folder,
      env: { ...process.env, TMPDIR: temporary },
    }),
  )

const written = (file: string) => readFile(join(folder, file), 'utf8')

test('each run of a commit is a line of a file, which the next runs are added to', async () => {
  const one = ['runs.txt', first, '--', process.execPath, 'checks.mjs']
  const { code, lastLine } = await repeat('2', ...one)
  expect([code, lastLine]).toEqual([0, '2 of 2 runs were clean.'])
  expect((await repeat('1', ...one)).code).toBe(0)
  const lines = (await written('runs.txt')).trimEnd().split('\n')
  expect(lines).toHaveLength(3)
  for (const line of lines) expect(line).toMatch(/^\w{12} {2}20\S+Z {2}\d+\.\d min {2}.*3 passed, 0 failed$/)
  expect(lines[0]).toContain(first)
  expect(await readdir(temporary)).toEqual([])
})

test('what failed or needed a second try is named once, below its run', async () => {
  const { code, lastLine } = await repeat('1', 'other.txt', '--', process.execPath, 'checks.mjs')
  expect([code, lastLine]).toEqual([1, '0 of 1 runs were clean.'])
  const [run, ...named] = (await written('other.txt')).trimEnd().split('\n')
  expect(run).toMatch(/2 passed, 1 failed, 4 skipped$/)
  expect(named).toEqual(['  SECOND TRY test/a.test.ts > one: no', '  FAILED test/b.test.ts > two: no'])
})

test('a run without totals says how it ended', async () => {
  expect((await repeat('1', 'none.txt', '--', process.execPath, '--eval', 'process.exit(7)')).code).toBe(1)
  expect(await written('none.txt')).toMatch(/ {2}no totals, it ended with 7\n$/)
})

test.each([
  ['no file', ['1'], /^Usage/],
  ['no number', ['many', 'runs.txt'], /^Usage/],
  ['a commit that there is not', ['1', 'runs.txt', 'nowhere'], /fatal/],
])('%s is said in a sentence', async (_, args, words) => {
  const { code, stderr } = await repeat(...args)
  expect(code).toBe(1)
  expect(stderr).toMatch(words)
})
