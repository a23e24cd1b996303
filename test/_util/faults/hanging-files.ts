import { lookup } from 'node:dns/promises'
import { readFile } from 'node:fs/promises'
import { threadPoolSize, widenThreadPool } from '#config'
import { createDiskStore, createPatience, withPatience } from '#media'

/** Reads a file that hangs, often, in a process of its own. Prints when names of hosts and other files still answer. */
const [dir = '', key = ''] = process.argv.slice(2)
widenThreadPool()
const disk = createPatience({ poolSize: threadPoolSize() })
const store = withPatience(createDiskStore({ dir, disk }), disk)
const ignore = () => {}
for (let nth = 0; nth < 20; nth++) {
  void store.open(key).then((stream) => stream.on('error', ignore).resume(), ignore)
}
// The first reads of the streams have begun.
await new Promise((resolve) => setTimeout(resolve, 300))
await lookup('localhost')
await readFile(import.meta.filename)
process.stdout.write('answers')
process.kill(process.pid, 'SIGKILL')
