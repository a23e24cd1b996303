import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openWorkers } from '../../src/app/workers.ts'
import { createEngine, type Engine, type EngineOptions } from '../_util/engine/engine.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** A refresh whose worker is killed is known by its lock, and nothing but that lets another one begin before the lease is over. */

const engines: Engine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0).reverse()) await engine.close()
})
async function start(options: EngineOptions): Promise<Engine> {
  const engine = await createEngine(options)
  engines.push(engine)
  return engine
}
/** Begins to work on what is due. */
async function begin(engine: Engine): Promise<Promise<void>[]> {
  await engine.look()
  return engine.take()
}

test('a refresh whose worker lives is waited for, and one whose worker is gone is not', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'almanac-refresh-'))
  const log = { info: () => {} }
  const [living, other] = [await openWorkers({ dataDir, log }), await openWorkers({ dataDir, log })]
  const [begun, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  try {
    const network = scriptedNetwork({
      prepare: [{ kind: 'reconnect', mayRefresh: true, message: 'Expired.' }],
      refresh: [
        async () => {
          begun.resolve()
          await gate.promise
          return { kind: 'failed', message: 'Busy.' }
        },
        () => ({ kind: 'dead', message: 'It is over.' }),
      ],
    })
    const tokens = { refreshTimes: { waitMs: 500 } }
    const one = await start({ networks: [network], workers: living, tokens })
    const two = await start({ networks: [network], on: one, workers: other, tokens })
    await one.schedule()
    const ends = await begin(one)
    await begun.promise
    const set = await two.schedule()
    await Promise.all(await begin(two))
    expect(await two.delivery(set)).toMatchObject({ last_message: expect.stringContaining('is being renewed') })
    expect(network.calls.filter((call) => call === 'refresh')).toHaveLength(1)
    // As when its process is killed.
    living.close()
    await two.advance(5_000)
    await two.work()
    expect(network.calls.filter((call) => call === 'refresh')).toHaveLength(2)
    expect(await two.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow()).toMatchObject({
      status: 'RECONNECT_REQUIRED',
      status_reason: 'It is over. An earlier renewal was interrupted before it was stored.',
    })
    gate.resolve()
    await Promise.all(ends)
  } finally {
    gate.resolve()
    for (const worker of [living, other]) worker.close()
    await rm(dataDir, { recursive: true })
  }
})
