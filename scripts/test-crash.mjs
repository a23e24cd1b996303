// npm run test:crash: installs everything, then stops, starves and breaks a whole installation at hundreds of points
// (test/crash/README.md). Arguments are those of test/crash/main.ts. The last line is `N passed, N failed`.
import { command } from './platform.mjs'
import { testTools } from './run-tests.mjs'

await command(async () => {
  const tool = await testTools()
  return tool('test/crash/main.ts', ...process.argv.slice(2))
})
