import { afterEach, expect, test, vi } from 'vitest'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { scriptedNetwork } from '../_util/engine/scripted-network.ts'

/** The first post of a process waits for no code. */

let engine: Engine
afterEach(() => engine.close())

const load = vi.fn(async () => {})
const loadOther = vi.fn(async () => {})

async function start() {
  const network = scriptedNetwork({ accountType: 'BLUESKY', name: 'bluesky' })
  network.connector.load = load
  const other = scriptedNetwork({ accountType: 'THREADS', name: 'threads' })
  other.connector.load = loadOther
  engine = await createEngine({ networks: [network, other], settings: { tickMs: 20 } })
  await engine.db
    .updateTable('connections')
    .set({ closed_at: new Date() })
    .where('account_type', '=', 'THREADS')
    .execute()
}

test('it is loaded within the last minute before a post is due, of connected networks alone', async () => {
  await start()
  const looks = vi.spyOn(engine.db.getExecutor(), 'executeQuery')
  await engine.schedule({ at: new Date(Date.now() + 3_600_000).toISOString() })
  engine.start()
  await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(20), { interval: 5 })
  expect(load).not.toHaveBeenCalled()
  const set = await engine.schedule({ at: new Date(Date.now() + 40_000).toISOString() })
  await vi.waitFor(() => expect(load).toHaveBeenCalledOnce(), { interval: 5 })
  expect(loadOther).not.toHaveBeenCalled()
  expect((await engine.set(set)).status).toBe('SCHEDULED')
})
