import { readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { install } from './install.mjs'
import { modulesDir, projectDir, Stop } from './platform.mjs'
import { run } from './run.mjs'
import { printTimes, processorTime } from './run-times.mjs'

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

/** In CI alone: on a machine that others use, one test of thousands now and then waits too short a time. */
export const secondTryOf = process.env.CI === undefined ? 0 : 4

/**
 * Builds the dashboard and runs vitest. A dashboard that cannot be built, a file that did not load, and anything else that
 * vitest calls a failure count as a failed test.
 *
 * @param secondTryOf how many files with failures are run again, in a process of their own that starts from nothing. Where
 *   more fail, none is. What failed first and passed then counts as passed, and is named with `SECOND TRY`.
 */
export async function runTests(tool, args, { secondTryOf = 0 } = {}) {
  const built = (await tool('scripts/build-dashboard.mjs')) === 0
  const first = await runVitest(tool, args)
  const again = first.results.filter(isFailed)
  const { code, results } =
    again.length > 0 && again.length <= secondTryOf ? await tryAgain(tool, args, first, again) : first
  const tests = results.flatMap(({ assertionResults }) => assertionResults.map(({ status }) => status))
  const count = (wanted) => tests.filter(wanted).length
  const reported = count((status) => status === 'failed') + results.filter(isBroken).length
  const unreported = code !== 0 && reported === 0
  printTimes(first.results)
  printFailures(results)
  if (unreported) console.log(`FAILED vitest: it ended with ${code} although no test failed, its own output says why`)
  if (!built) console.log('FAILED dashboard: it could not be built, the output of the build says why')
  return {
    passed: count((status) => status === 'passed'),
    failed: reported + (unreported ? 1 : 0) + (built ? 0 : 1),
    skipped: count((status) => status !== 'passed' && status !== 'failed'),
  }
}

async function runVitest(tool, args) {
  const file = join(modulesDir, '.almanac-test-report.json')
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await tool('node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args)
  return { code, results: readReport(file).testResults }
}

/** Runs these files of a run again. Their results take the place of the first, and those that failed then are named. */
async function tryAgain(tool, args, { results }, files) {
  const second = await runVitest(tool, [...args, ...files.map(({ name }) => relative(projectDir, name))])
  for (const { name, message, assertionResults } of files) {
    const file = relative(projectDir, name)
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    if (failed.length === 0) console.log(`SECOND TRY ${file}: ${firstLine(message)}`)
    for (const { fullName, failureMessages } of failed)
      console.log(`SECOND TRY ${file} > ${fullName}: ${firstLines(failureMessages)}`)
  }
  const kept = results.filter((result) => !files.includes(result))
  // A file that the second run does not know stays as it was.
  const lost = files.filter(({ name }) => !second.results.some((result) => result.name === name))
  return { code: second.code, results: [...kept, ...lost, ...second.results] }
}

/** Prints each failed test, and each file that did not load, in one line, for readers who see only the end of a log. */
function printFailures(results) {
  for (const result of results) {
    const file = relative(projectDir, result.name)
    if (isBroken(result)) console.log(`FAILED ${file}: ${firstLine(result.message || 'no test of it failed')}`)
    for (const { status, fullName, failureMessages } of result.assertionResults)
      if (status === 'failed') console.log(`FAILED ${file} > ${fullName}: ${firstLines(failureMessages)}`)
  }
}

/** Of each failure of a test: the second one may be the cause of the first. */
const firstLines = (messages) => messages.map(firstLine).join(' | ')

function firstLine(text) {
  return stripVTControlCharacters(text).trim().split('\n')[0].slice(0, 600)
}

/**
 * Prints the last line of a run: `N passed, N failed`, with `, N skipped` when there are any, and in brackets the processor
 * time of the whole, where the system says it.
 */
export function printTotals({ passed, failed, skipped }) {
  const time = processorTime()
  console.log(
    `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}${time === null ? '' : ` (processor: ${time})`}`,
  )
}

const isFailed = ({ status }) => status === 'failed'

function isBroken({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some(isFailed)
}

/** Vitest writes none when it could not begin. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return { testResults: [] }
  }
}
