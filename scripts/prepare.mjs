// Installs what running needs, builds the dashboard, and starts nothing: for images and for machines that lose their
// network afterwards. An image installs before its source is there: then there is nothing to build yet.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { buildDashboardWith } from './build-dashboard.mjs'
import { install } from './install.mjs'
import { command, projectDir } from './platform.mjs'

await command(async () => {
  const node = await install('run')
  if (existsSync(join(projectDir, 'web'))) await buildDashboardWith(node)
  return 0
})
