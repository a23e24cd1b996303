import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { scriptedEngines } from '../../test/_util/engine/scripted-engine.ts'
import { createCalls } from './calls.ts'
import { machineClock } from './clock.ts'
import { createNoted } from './noted.ts'
import type { Run } from './turn.ts'
import { othersOf } from './twins.ts'

const start = scriptedEngines()
const unknown = { kind: 'unknown', message: 'No answer.' } as const
const TWINS = 5

test('a look at posts that have many twins costs two statements, however many there are', async () => {
  const { engine } = await start({ publish: [unknown], find: [{ kind: 'cannot-tell', message: 'No answer.' }] })
  const sets: string[] = []
  for (let set = 0; set <= TWINS; set += 1) sets.push(await engine.schedule({ caption: 'Bread' }))
  await engine.drain()
  await sql`delete from call_marks`.execute(engine.db)
  const row = await engine.delivery(sets[0] ?? '')
  let statements = 0
  const db = engine.db.withPlugin({
    transformQuery({ node }) {
      statements += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const clock = machineClock()
  const noted = createNoted({ worker: 'w', leaseMs: 60_000, now: clock.monotonic })
  const run = {
    deps: { db, clock, calls: createCalls({ db, bootId: 'b', clock, noted }) },
    row,
    content: { connection: { identityId: engine.identityId } },
    policy: { listingDelayMs: 60_000 },
    delivery: { ended: [] },
  } as unknown as Run
  const { twins } = await othersOf(run, row.words_key ?? '', clock.monotonic())
  const unsure = { state: 'unsure', isListed: false }
  expect(twins).toEqual(Array.from({ length: TWINS }, () => ({ ...unsure, isFirst: expect.any(Boolean) })))
  expect(statements).toBe(2)
  const { rows } = await sql`select from call_marks`.execute(engine.db)
  expect(rows).toHaveLength(TWINS)
})
