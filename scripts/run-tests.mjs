import { readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { install } from './install.mjs'
import { modulesDir, projectDir, Stop } from './platform.mjs'
import { run } from './run.mjs'

/**
 * Installs everything that tests need.
 *
 * @returns runs a program, by its path in the project, with arguments and answers its exit code
 */
export async function testTools() {
  const node = await install('all')
  const env = { ...process.env, PATH: dirname(node) + delimiter + (process.env.PATH ?? '') }
  return async (script, ...args) => {
    const code = await run(node, [join(projectDir, script), ...args], { cwd: projectDir, env })
    if (code > 128) throw new Stop('The tests were interrupted.')
    return code
  }
}

/**
 * Builds the dashboard and runs vitest. A dashboard that cannot be built, a file that did not load, and anything else that
 * vitest calls a failure count as a failed test.
 */
export async function runTests(tool, args) {
  const built = (await tool('scripts/build-dashboard.mjs')) === 0
  const file = join(modulesDir, '.almanac-test-report.json')
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await tool('node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args)
  const report = readReport(file)
  const told = report.numFailedTests + report.testResults.filter(isBroken).length
  const untold = code !== 0 && told === 0
  const failed = untold ? 1 : told
  tellFailures(report)
  if (untold) console.log(`FAILED vitest: it ended with ${code} although no test failed, its own words tell why`)
  if (!built) console.log('FAILED dashboard: it could not be built, the words of the build tell why')
  return {
    passed: report.numPassedTests,
    failed: built ? failed : failed + 1,
    skipped: report.numPendingTests + report.numTodoTests,
  }
}

/** Prints each failed test, and each file that did not load, in one line, for whoever sees only the end of a log. */
function tellFailures({ testResults }) {
  for (const result of testResults) {
    const file = relative(projectDir, result.name)
    if (isBroken(result)) console.log(`FAILED ${file}: ${firstLine(result.message || 'no test of it failed')}`)
    for (const { status, fullName, failureMessages } of result.assertionResults) {
      if (status !== 'failed') continue
      console.log(`FAILED ${file} > ${fullName}: ${firstLine(failureMessages.join(' '))}`)
    }
  }
}

function firstLine(text) {
  return stripVTControlCharacters(text).trim().split('\n')[0].slice(0, 300)
}

/** Prints the last line of a run, `N passed, N failed`, with `, N skipped` when there are any. */
export function tellTotals({ passed, failed, skipped }) {
  console.log(`${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
}

function isBroken({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some((result) => result.status === 'failed')
}

/** Vitest writes none when it could not begin. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numTodoTests: 0, testResults: [] }
  }
}
