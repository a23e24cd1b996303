import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'

interface Scripts {
  runTests(
    tool: (script: string, ...args: string[]) => Promise<number>,
    args: string[],
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

/** Runs with programs that end with these codes, of which vitest reports these files; answers what was printed, too. */
async function run(codes: { build?: number; vitest: number }, testResults: object[] | null) {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
  const totals = await scripts.runTests(async (script, ...args) => {
    if (script.includes('build')) return codes.build ?? 0
    const file = args.find((arg) => arg.startsWith('--outputFile.json='))?.split('=')[1] ?? ''
    const counts = { numPassedTests: 1, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0 }
    const numFailedTests = testResults?.includes(oneFailed) ? 1 : 0
    const named = testResults?.map((result) => ({ name: join(folder, 'a.test.ts'), ...result }))
    if (named) await writeFile(file, JSON.stringify({ ...counts, numFailedTests, testResults: named }))
    return codes.vitest
  }, [])
  log.mockRestore()
  return { failed: totals.failed, lines }
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

test.each([
  ['a test that failed', { vitest: 1 }, [oneFailed], [/^FAILED a\.test\.ts > one: Error: no$/]],
  [
    'a file that did not load',
    { vitest: 1 },
    [fileOf({ status: 'failed', message: 'Odd.' })],
    [/^FAILED a\.test\.ts: Odd\.$/],
  ],
  ['a file that is broken without a word', { vitest: 1 }, [fileOf({ status: 'failed' })], [/^FAILED a\.test\.ts: \S/]],
  ['an error outside of all tests', { vitest: 1 }, [fine], [/^FAILED vitest: .*\b1\b/]],
  ['no report at all', { vitest: 7 }, null, [/^FAILED vitest: .*\b7\b/]],
  ['a dashboard that was not built', { build: 1, vitest: 0 }, [fine], [/^FAILED dashboard: /]],
  ['both', { build: 1, vitest: 1 }, [oneFailed], [/^FAILED a\.test\.ts > one/, /^FAILED dashboard: /]],
  ['nothing', { vitest: 0 }, [fine], []],
])('%s: as many lines as are counted as failed', async (_, codes, testResults, expected) => {
  const { failed, lines } = await run(codes, testResults)
  expect(lines).toEqual(expected.map((line) => expect.stringMatching(line)))
  expect(failed).toBe(expected.length)
})
