// Installs what running needs, builds the dashboard and the server, links PostgreSQL's libraries, and starts nothing: for images, whose files
// cannot be written to afterwards, and for machines that lose their network. An image installs before its source is there: then
// there is nothing to build yet.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildDashboardWith } from './build-dashboard.mjs'
import { programWith } from './build-server.mjs'
import { install } from './install.mjs'
import { command, projectDir } from './platform.mjs'
import { run } from './run.mjs'

await command(async () => {
  const node = await install('run')
  if (!existsSync(join(projectDir, 'web'))) return 0
  await buildDashboardWith(node)
  await programWith(node)
  return run(node, [join(projectDir, 'scripts', 'link-postgres.ts')])
})
