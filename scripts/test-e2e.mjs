// npm run test:e2e: installs everything, then tries every screen of the dashboard in a real browser, in every form that
// it has (`*.matrix.test.ts`). Arguments are vitest's. The last line is the same as of npm test, which runs one path per
// screen.
import { command } from './platform.mjs'
import { runTests, tellTotals, testTools } from './run-tests.mjs'

await command(async () => {
  const tool = await testTools()
  const tests = await runTests(tool, ['--config', 'vitest.e2e.config.ts', ...process.argv.slice(2)])
  tellTotals(tests)
  return tests.failed > 0 || tests.passed === 0 ? 1 : 0
})
