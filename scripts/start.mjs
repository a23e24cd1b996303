// npm start: installs what running needs, then runs Almanac.
import { join } from 'node:path'
import { install } from './install.mjs'
import { command, projectDir } from './platform.mjs'
import { run } from './run.mjs'

await command(async () =>
  run(await install('run'), [join(projectDir, 'src', 'main.ts'), 'up', ...process.argv.slice(2)]),
)
