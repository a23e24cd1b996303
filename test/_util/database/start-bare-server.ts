import { prepareBinaries } from '../../../src/persistence/embedded/binaries.ts'
import { openHome } from '../../../src/persistence/embedded/home.ts'
import { startServer } from '../../../src/persistence/embedded/server.ts'

// Starts the server of a data directory as in a folder that takes no sockets, says so, and lives on beside it until it is killed.
const [dataDir = '', projectDir = ''] = process.argv.slice(2)
const log = () => {}
const home = { ...(await openHome(dataDir, log)), sockets: null }
const binaries = await prepareBinaries({ projectDir, home: home.folder, user: home.user, log })
await startServer({ home, binaries, port: undefined, log })
process.stdout.write('started\n')
setInterval(() => {}, 60_000)
