// npm start: installs what running needs, builds the dashboard, then runs Almanac.
import { join } from 'node:path'
import { buildDashboardWith } from './build-dashboard.mjs'
import { install } from './install.mjs'
import { command, projectDir } from './platform.mjs'
import { run } from './run.mjs'

await command(async () => {
  const node = await install('run')
  await buildDashboardWith(node)
  return run(node, [join(projectDir, 'src', 'main.ts'), 'up', ...process.argv.slice(2)])
})
