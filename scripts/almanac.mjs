// npm run --silent almanac -- …: the operator's command. Standard output is its own: nothing else is written there.
import { programWith } from './build-server.mjs'
import { install } from './install.mjs'
import { command } from './platform.mjs'
import { become } from './run.mjs'

await command(async () => {
  const node = await install('run')
  return become(node, [await programWith(node), ...process.argv.slice(2)])
})
