import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { published } from '../_util/engine/scripted-network.ts'

/** A worker that is older than the database publishes nothing new, and ends what it has begun. */

const start = scriptedEngines()

const upgrade = ({ db }: Engine) =>
  sql`insert into migrations (name, timestamp) values ('9999-later', '2099')`.execute(db)
const warnings = ({ logged }: Engine) => logged.filter(({ level }) => level === 'warn').map(({ message }) => message)

test('nothing is claimed once the database has a migration that is not known, and one line says so', async () => {
  const { engine, network } = await start({})
  expect(engine.problems()).toEqual([])
  await upgrade(engine)
  const set = await engine.schedule()
  await engine.drain()
  await engine.drain()
  expect((await engine.set(set)).status).toBe('SCHEDULED')
  expect(network.calls).toEqual([])
  const words = expect.stringMatching(/newer Almanac.*9999-later.*newer version/)
  expect(engine.problems()).toEqual([words])
  expect(warnings(engine)).toEqual([words])
})

test('what a network may have seen is confirmed', async () => {
  const { engine, network } = await start({
    publish: [{ kind: 'accepted', askAgainAt: new Date(Date.now() + 60_000) }],
    confirm: [published],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect((await engine.delivery(set)).state).toBe('CONFIRMING')
  await upgrade(engine)
  await engine.advance(3_600_000)
  await engine.drain()
  expect(network.calls.at(-1)).toBe('confirm')
  expect((await engine.set(set)).status).toBe('PUBLISHED')
})

test('a post that no network has seen is given back for a newer worker', async () => {
  const { engine, network } = await start({})
  const set = await engine.schedule()
  await engine.look()
  await upgrade(engine)
  await engine.look()
  expect(await engine.take()).toEqual([])
  expect(network.calls).toEqual([])
  expect(await engine.delivery(set)).toMatchObject({ state: 'PREPARING', lease_owner: null })
})

test('nor is it begun when the database changes between two steps', async () => {
  let made: Engine | null = null
  const { engine, network } = await start({
    prepare: [
      async () => {
        if (made) await upgrade(made)
        await made?.look()
        return { kind: 'ready' }
      },
    ],
  })
  made = engine
  const set = await engine.schedule()
  await engine.drain()
  expect(network.calls).toEqual(['prepare'])
  expect(await engine.delivery(set)).toMatchObject({ state: 'READY', lease_owner: null })
})

test('a column that a newer version adds interrupts a worker for a moment, and fails no attempt', async () => {
  const { engine } = await start({})
  const publish = async () => {
    const set = await engine.schedule()
    await engine.drain()
    await engine.advance(3_000)
    await engine.drain()
    return [(await engine.set(set)).status, (await engine.delivery(set)).attempts]
  }
  expect(await publish()).toEqual(['PUBLISHED', 0])
  await sql`alter table deliveries add column later text`.execute(engine.db)
  expect(await publish()).toEqual(['PUBLISHED', 0])
  expect(await publish()).toEqual(['PUBLISHED', 0])
})
