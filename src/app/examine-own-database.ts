import { describeEmbeddedDatabase } from '#persistence'
import type { Finding } from './finding.ts'

/** Where Almanac's own database is and who uses it: what several containers on one data directory need to be told apart. */
export async function examineOwnDatabase(dataDir: string): Promise<Finding> {
  const { folder, fileSystem, shared, namespace, server, owner } = await describeEmbeddedDatabase(dataDir)
  const here = namespace ? `this is ${namespace}` : 'this is the only namespace'
  const sentences = [`The database is in ${folder}${fileSystem ? ` (${fileSystem})` : ''}.`]
  if (shared) sentences.push('Other machines may have this folder too: a server on one of them would not be seen.')
  if (server === null) sentences.push(`No server runs; ${here}.`)
  else if (server === 'unseen') sentences.push(`Whether a server runs cannot be seen from here; ${here}.`)
  else {
    const elsewhere = server.namespace === namespace ? null : server.namespace
    const where =
      server.here || (namespace && server.namespace === namespace)
        ? 'of this namespace'
        : `of ${elsewhere ?? 'another namespace'}`
    sentences.push(`Its server is process ${server.pid} ${where}; ${here}.`)
    sentences.push(
      server.socket
        ? `Its socket is ${server.socket}.`
        : 'It has no socket, so containers beside this one cannot use it: run commands in its own (docker compose exec).',
    )
  }
  sentences.push(owner === null ? 'No Almanac holds its lock.' : `Almanac${owner} holds its lock.`)
  const well = server === null || (server !== 'unseen' && server.socket !== null)
  return { check: 'database', status: well ? 'ok' : 'warning', message: sentences.join(' ') }
}
