// npm test: installs everything, then checks types and style and runs the tests. With arguments: the tests alone, and
// the arguments are vitest's. The last line is `N passed, N failed`, with `, N skipped` when there are any,
// and the processor time.
import { command } from './platform.mjs'
import { printTotals, runTests, secondTryOf, testTools } from './run-tests.mjs'

await command(async () => {
  const tool = await testTools()
  const given = process.argv.slice(2)
  const totals = { passed: 0, failed: 0, skipped: 0 }

  if (given.length === 0) {
    for (const [name, code] of Object.entries(await checkSources(tool))) {
      const good = code === 0
      totals[good ? 'passed' : 'failed']++
      console.log(good ? `${name}: passed` : `FAILED ${name}: the words of the check are at the top of this log`)
    }
  }
  const tests = await runTests(tool, given, { secondTryOf })
  for (const name of Object.keys(totals)) totals[name] += tests[name]
  printTotals(totals)
  return totals.failed > 0 || tests.passed === 0 ? 1 : 0
})

/**
 * Checks types, and beside that the dashboard's types and the style, which together take as long. Several threads of the
 * compiler would each work out what all of them need: on two cores that takes twice the processor time and no less of it.
 *
 * @returns the exit code of each check by its name
 */
async function checkSources(tool) {
  const types = (...more) => tool('node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded', ...more)
  const [own, [dashboard, style]] = await Promise.all([
    types(),
    (async () => [await types('-p', 'web'), await tool('node_modules/@biomejs/biome/bin/biome', 'check')])(),
  ])
  return { Types: own, 'Types of the dashboard': dashboard, Style: style }
}
