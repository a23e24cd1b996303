import { enableCompileCache, setSourceMapsSupport } from 'node:module'
import { join } from 'node:path'

// Compiled modules are kept from one start to the next; where that folder cannot be written, they are not. Only what is
// imported after this line is cached.
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/almanac'))

// Where something is in the server as it was built, errors name the line of the source.
setSourceMapsSupport(true)

const { widenThreadPool } = await import('#config')
widenThreadPool()
const { main } = await import('./main/main.ts')
await main(process.argv.slice(2))
