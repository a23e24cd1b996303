import { sql } from 'kysely'
import { afterEach, expect, test } from 'vitest'
import { createEngine, type Engine } from '../_util/engine.ts'
import { published, type Script, scriptedNetwork } from '../_util/scripted-network.ts'

/** A worker that is older than the database publishes nothing new, and ends what it has begun. */

const engines: Engine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
})

async function start(script: Script) {
  const network = scriptedNetwork(script)
  const engine = await createEngine({ networks: [network] })
  engines.push(engine)
  return { engine, network }
}

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
