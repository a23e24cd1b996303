// Installs what running needs and starts nothing: for images and for machines that lose their network afterwards.
import { install } from './install.mjs'
import { command } from './platform.mjs'

await command(async () => {
  await install('run')
  return 0
})
