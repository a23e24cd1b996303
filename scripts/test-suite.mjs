// npm run test:e2e, test:matrix, test:long: installs everything, then runs the suite of that name, which vitest.<name>.config.ts
// describes. Further arguments are vitest's. The last line is the same as of npm test.
import { command } from './platform.mjs'
import { printTotals, runTests, secondTryOf, testTools } from './run-tests.mjs'

await command(async () => {
  const [name, ...given] = process.argv.slice(2)
  const tool = await testTools()
  const tests = await runTests(tool, ['--config', `vitest.${name}.config.ts`, ...given], { secondTryOf })
  printTotals(tests)
  return tests.failed > 0 || tests.passed === 0 ? 1 : 0
})
