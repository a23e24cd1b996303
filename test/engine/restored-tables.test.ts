import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** A dump is restored into the database of a worker that stays connected. */

let engine: Engine
let network: ReturnType<typeof scriptedNetwork>
let prepares: PromiseWithResolvers<void>
let goesOn: PromiseWithResolvers<void>
beforeEach(async () => {
  prepares = Promise.withResolvers()
  goesOn = Promise.withResolvers()
  const prepare = async () => {
    prepares.resolve()
    await goesOn.promise
    return { kind: 'ready' } as const
  }
  network = scriptedNetwork({ prepare: [prepare] })
  engine = await createEngine({ networks: [network], settings: { perConnection: 2 } })
})
afterEach(() => engine.close())

/** As `pg_restore --clean` leaves the table: another one, with the rows of the dump. */
async function restore(): Promise<void> {
  await sql`alter table installation_identity rename to before`.execute(engine.db)
  await sql`create table installation_identity (like before including all)`.execute(engine.db)
  await sql`insert into installation_identity select * from before`.execute(engine.db)
  await sql`drop table before`.execute(engine.db)
}

test('it claims nothing, takes nothing and fences nothing, and goes on when a person has said what it is', async () => {
  const sets = [await engine.schedule(), await engine.schedule(), await engine.schedule()]
  expect(await engine.look()).toBe(3)
  const work = await engine.take()
  expect(work).toHaveLength(2)
  await prepares.promise
  await restore()
  goesOn.resolve()
  await Promise.all(work)
  sets.push(await engine.schedule())
  expect(await engine.look()).toBe(0)
  expect(await engine.take()).toEqual([])
  expect(network.calls).toEqual(['prepare', 'prepare'])

  await sql`update installation_identity set table_oid = tableoid`.execute(engine.db)
  await engine.advance(120_000)
  await engine.drain()
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(4)
  for (const id of sets) expect(await engine.set(id)).toMatchObject({ status: 'PUBLISHED' })
})
