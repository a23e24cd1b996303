// npm start: installs what running needs, builds the dashboard and the server, then runs Almanac.
// With `--into 3` it writes what is to be run to that descriptor instead, for a shell that becomes it: npm's Node may be one that cannot.
import { writeSync } from 'node:fs'
import { buildDashboardWith } from './build-dashboard.mjs'
import { programWith } from './build-server.mjs'
import { install } from './install.mjs'
import { command } from './platform.mjs'
import { become } from './run.mjs'

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`

await command(async () => {
  const node = await install('run')
  await buildDashboardWith(node)
  // It is none of Almanac's own settings, and is gone behind the next line.
  const without = process.env.ALMANAC_FROM_SOURCE ? 'env -u ALMANAC_FROM_SOURCE ' : ''
  const program = await programWith(node)
  const args = process.argv.slice(2)
  if (args[0] !== '--into') return become(node, [program, 'up', ...args])
  writeSync(Number(args[1]), `${without}${quoted(node)} ${quoted(program)}`)
  return 0
})
