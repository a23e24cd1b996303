import { join } from 'node:path'
import Fastify from 'fastify'
import pg from 'pg'
import { openEmbeddedDatabase } from '../../src/persistence/embedded/index.ts'

/**
 * The floor of a start and of an idle Almanac: a bare Fastify with one route, on the same PostgreSQL. A process of its own; prints its
 * address.
 */
const database = await openEmbeddedDatabase({
  ...{ dataDir: process.env.DATA_DIR ?? '', projectDir: join(import.meta.dirname, '../..'), mode: 'own' as const },
  log: () => {},
})
const pool = new pg.Pool({ connectionString: database.url })
await pool.query('select 1')
const server = Fastify()
server.get('/', async () => (await pool.query('select 1 as one')).rows)
console.log(`The floor is ready at ${await server.listen({ host: '127.0.0.1', port: 0 })}`)

process.once('SIGTERM', async () => {
  await server.close()
  await pool.end()
  await database.stop()
})
