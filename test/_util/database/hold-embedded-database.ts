// A process that holds an embedded database: tests kill it. Arguments: data directory, mode, project directory.
import { openEmbeddedDatabase } from '#persistence'

const [dataDir = '', mode = '', projectDir = ''] = process.argv.slice(2)
const say = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`)
try {
  const database = await openEmbeddedDatabase({
    dataDir,
    projectDir,
    mode: mode === 'join' ? 'join' : 'own',
    log: () => {},
  })
  say({ url: database.url, adopted: database.adopted })
  process.stdin.resume()
  process.stdin.on('end', () => database.stop())
} catch (error) {
  say({ error: String(error) })
}
