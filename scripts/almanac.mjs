// npm run --silent almanac -- …: the operator's command. Standard output is its own: nothing else is written there.
import { join } from 'node:path'
import { install } from './install.mjs'
import { command, projectDir } from './platform.mjs'
import { run } from './run.mjs'

await command(async () => run(await install('run'), [join(projectDir, 'src', 'main.ts'), ...process.argv.slice(2)]))
