/**
 * Loaded into the server that is measured (`NODE_OPTIONS=--import=…`): answers, on a port of its own, how much processor
 * time the main thread has used, in microseconds.
 */
import { createServer } from 'node:http'

const port = Number(process.env.ALMANAC_BENCH_USAGE_PORT)
const server = createServer((_, response) => {
  const { user, system } = process.threadCpuUsage()
  response.end(String(user + system))
})
// A process that the server starts inherits the setting and finds the port taken.
server.on('error', () => {})
server.listen(port, '127.0.0.1').unref()
