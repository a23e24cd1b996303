import { connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { createDatabase } from '../../test/_util/database.ts'
import { openDatabase } from './database.ts'

/** A way to a server that can be cut, as when the server dies or the line breaks. */
async function cuttableWay(url: string) {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const other = connect(Number(port), hostname)
    for (const each of [socket, other]) sockets.add(each.on('error', () => {}))
    socket.pipe(other).pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const way = new URL(url)
  way.port = String(typeof address === 'object' && address?.port)
  const cut = () => sockets.forEach((socket) => void socket.destroy())
  return { url: way.href, cut, close: () => new Promise((resolve) => server.close(resolve)) }
}

test('a connection that dies under a query fails that query and nothing else', async () => {
  const database = await createDatabase()
  const way = await cuttableWay(database.url)
  const [db, beside] = [openDatabase(way.url), openDatabase(database.url)]
  const emitted: unknown[] = []
  const note = (error: unknown) => void emitted.push(error)
  process.on('uncaughtExceptionMonitor', note)
  try {
    const query = sql`select pg_sleep(60)`.execute(db)
    const outcome = expect(query).rejects.toThrow(/terminated|ECONNRESET/)
    await vi.waitFor(async () => {
      const { rows } = await sql`select from pg_stat_activity where query like '%pg_sleep%' and state = 'active'
        and datname = current_database() and pid <> pg_backend_pid()`.execute(beside)
      expect(rows).toHaveLength(1)
    }, 10_000)
    way.cut()
    await outcome
    expect((await sql<{ one: number }>`select 1 as one`.execute(db)).rows).toEqual([{ one: 1 }])
    expect(emitted).toEqual([])
  } finally {
    process.off('uncaughtExceptionMonitor', note)
    await Promise.all([db.destroy(), beside.destroy()])
    await way.close()
    await database.drop()
  }
})
