// npm start: installs what running needs, builds the dashboard and the server, then runs Almanac.
import { buildDashboardWith } from './build-dashboard.mjs'
import { programWith } from './build-server.mjs'
import { install } from './install.mjs'
import { command } from './platform.mjs'
import { run } from './run.mjs'

await command(async () => {
  const node = await install('run')
  await buildDashboardWith(node)
  return run(node, [await programWith(node), 'up', ...process.argv.slice(2)])
})
