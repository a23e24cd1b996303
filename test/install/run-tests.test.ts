import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

interface Scripts {
  runTests(
    tool: (script: string, ...args: string[]) => Promise<number>,
    args: string[],
    options?: { secondTryOf?: number | undefined },
  ): Promise<{ passed: number; failed: number; skipped: number }>
}

let folder: string
let scripts: Scripts
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-run-tests-'))
  await cp('scripts', join(folder, 'scripts'), { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  scripts = (await import(pathToFileURL(join(folder, 'scripts/run-tests.mjs')).href)) as Scripts
})
afterAll(() => rm(folder, { recursive: true, force: true }))

interface Vitest {
  code: number
  /** Null where it writes none. */
  results: object[] | null
}

/** Runs with programs that end with these codes; each run of vitest reports the next of these. Answers what was printed, too. */
async function run(vitest: Vitest[], { build = 0, secondTryOf }: { build?: number; secondTryOf?: number } = {}) {
  const lines: string[] = []
  const files: string[][] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  const totals = await scripts.runTests(
    async (script, ...args) => {
      if (script.includes('build')) return build
      files.push(args.filter((arg) => arg.endsWith('.test.ts')))
      const { code, results } = vitest[files.length - 1] as Vitest
      const file = args.find((arg) => arg.startsWith('--outputFile.json='))?.split('=')[1] ?? ''
      const testResults = results?.map((result) => ({ name: join(folder, 'a.test.ts'), ...result }))
      if (testResults) await writeFile(file, JSON.stringify({ testResults }))
      return code
    },
    [],
    { secondTryOf },
  )
  log.mockRestore()
  return { totals, lines, files }
}

const fileOf = (more: object) => ({ message: '', assertionResults: [], ...more })
const fine = fileOf({
  status: 'passed',
  assertionResults: [{ status: 'passed', fullName: 'one', failureMessages: [] }],
})
const oneFailed = fileOf({
  status: 'failed',
  assertionResults: [{ status: 'failed', fullName: 'one', failureMessages: ['Error: no\n  at a place'] }],
})

const inB = (result: object) => ({ ...result, name: join(folder, 'b.test.ts') })

test.each([
  ['a test that failed', 1, 0, [oneFailed], [/^FAILED a\.test\.ts > one: Error: no$/]],
  ['a file that did not load', 1, 0, [fileOf({ status: 'failed', message: 'Odd.' })], [/^FAILED a\.test\.ts: Odd\.$/]],
  ['a file that is broken without a word', 1, 0, [fileOf({ status: 'failed' })], [/^FAILED a\.test\.ts: \S/]],
  ['an error outside of all tests', 1, 0, [fine], [/^FAILED vitest: .*\b1\b/]],
  ['no report at all', 7, 0, null, [/^FAILED vitest: .*\b7\b/]],
  ['a dashboard that was not built', 0, 1, [fine], [/^FAILED dashboard: /]],
  ['both', 1, 1, [oneFailed], [/^FAILED a\.test\.ts > one/, /^FAILED dashboard: /]],
  ['nothing', 0, 0, [fine], []],
])('%s: as many lines as are counted as failed', async (_, code, build, results, expected) => {
  const { totals, lines } = await run([{ code, results }], { build })
  expect(lines).toEqual(expected.map((line) => expect.stringMatching(line)))
  expect(totals.failed).toBe(expected.length)
})

test('what passed at its second try is named, and counts as passed; only its files are run again', async () => {
  const { totals, lines, files } = await run(
    [
      { code: 1, results: [oneFailed, inB(fine)] },
      { code: 0, results: [fine] },
    ],
    { secondTryOf: 1 },
  )
  expect(files).toEqual([[], ['a.test.ts']])
  expect(lines).toEqual(['SECOND TRY a.test.ts > one: Error: no'])
  expect(totals).toEqual({ passed: 2, failed: 0, skipped: 0 })
})

test.each([
  ['fails again', { code: 1, results: [oneFailed] }, /^FAILED a\.test\.ts > one/],
  ['was not run', { code: 1, results: [] }, /^FAILED a\.test\.ts > one/],
  ['ends in an error outside of all tests', { code: 1, results: [fine] }, /^FAILED vitest/],
])('what %s at its second try has failed', async (_, second, line) => {
  const { totals, lines } = await run([{ code: 1, results: [oneFailed] }, second], { secondTryOf: 1 })
  expect(lines).toEqual([expect.stringMatching(/^SECOND TRY/), expect.stringMatching(line)])
  expect(totals.failed).toBe(1)
})

test('nothing is run again where more files failed than that', async () => {
  const { totals, lines } = await run([{ code: 1, results: [oneFailed, inB(oneFailed)] }], { secondTryOf: 1 })
  expect(lines.filter((line) => line.startsWith('FAILED'))).toHaveLength(2)
  expect(totals.failed).toBe(2)
})
