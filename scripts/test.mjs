// npm test: installs everything, then checks types and style and runs the tests. With arguments: the tests alone, and
// the arguments are vitest's. The last line is `N passed, N failed`, with `, N skipped` when there are any.
import { readFileSync, rmSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { install } from './install.mjs'
import { command, modulesDir, projectDir, Stop } from './platform.mjs'
import { run } from './run.mjs'

await command(async () => {
  const node = await install('all')
  const env = { ...process.env, PATH: dirname(node) + delimiter + (process.env.PATH ?? '') }
  const tool = async (script, ...args) => {
    const code = await run(node, [join(modulesDir, script), ...args], { cwd: projectDir, env })
    if (code > 128) throw new Stop('The tests were interrupted.')
    return code
  }
  const given = process.argv.slice(2)
  const totals = { passed: 0, failed: 0, skipped: 0 }

  if (given.length === 0) {
    for (const [name, ...line] of [
      ['Types', 'typescript/bin/tsc', '--noEmit'],
      ['Style', '@biomejs/biome/bin/biome', 'check'],
    ]) {
      const good = (await tool(...line)) === 0
      totals[good ? 'passed' : 'failed']++
      console.log(`${name}: ${good ? 'passed' : 'failed'}`)
    }
  }
  const tests = await runTests(tool, given)
  for (const name of Object.keys(totals)) totals[name] += tests[name]
  const skipped = totals.skipped ? `, ${totals.skipped} skipped` : ''
  console.log(`${totals.passed} passed, ${totals.failed} failed${skipped}`)
  return totals.failed > 0 || tests.passed === 0 ? 1 : 0
})

/** Counts a file that did not load, and anything else that vitest calls a failure, as a failed test. */
async function runTests(tool, args) {
  const file = join(modulesDir, '.almanac-test-report.json')
  rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${file}`]
  const code = await tool('vitest/vitest.mjs', 'run', ...reporters, ...args)
  const report = readReport(file)
  const failed = report.numFailedTests + report.testResults.filter(isBroken).length
  return {
    passed: report.numPassedTests,
    failed: code !== 0 && failed === 0 ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
  }
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
