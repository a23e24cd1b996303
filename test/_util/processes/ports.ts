import { createServer } from 'node:net'

/**
 * Below the ports that systems give out by themselves (on Linux from 32768): a connection, or a server that asks for any port,
 * never takes one between the question and its use.
 */
const FIRST = 20_000
const FOR_EACH_PROCESS = 2_000

// Each process of a run has ports of its own, and begins anywhere among them, for the sake of other runs on the machine.
const first = FIRST + (Number(process.env.VITEST_POOL_ID ?? 0) % 6) * FOR_EACH_PROCESS
let next = Math.floor(Math.random() * FOR_EACH_PROCESS)

/** A port of this machine on which no server listens now. Two that are asked for one after the other differ. */
export async function freePort(): Promise<string> {
  for (let tried = 0; tried < FOR_EACH_PROCESS; tried++) {
    const port = first + next
    next = (next + 1) % FOR_EACH_PROCESS
    if (await isFree(port)) return String(port)
  }
  throw new Error('No port is free.')
}

function isFree(port: number): Promise<boolean> {
  const server = createServer()
  return new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)))
  })
}
