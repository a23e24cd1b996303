// npm test: installs everything, then checks types and style and runs the tests. With arguments: the tests alone, and
// the arguments are vitest's. The last line is `N passed, N failed`, with `, N skipped` when there are any.
import { command } from './platform.mjs'
import { runTests, tellTotals, testTools } from './run-tests.mjs'

await command(async () => {
  const tool = await testTools()
  const given = process.argv.slice(2)
  const totals = { passed: 0, failed: 0, skipped: 0 }

  if (given.length === 0) {
    for (const [name, ...line] of [
      ['Types', 'node_modules/typescript/bin/tsc', '--noEmit'],
      ['Types of the dashboard', 'node_modules/typescript/bin/tsc', '--noEmit', '-p', 'web'],
      ['Style', 'node_modules/@biomejs/biome/bin/biome', 'check'],
    ]) {
      const good = (await tool(...line)) === 0
      totals[good ? 'passed' : 'failed']++
      console.log(`${name}: ${good ? 'passed' : 'failed'}`)
    }
  }
  const tests = await runTests(tool, given)
  for (const name of Object.keys(totals)) totals[name] += tests[name]
  tellTotals(totals)
  return totals.failed > 0 || tests.passed === 0 ? 1 : 0
})
