import { afterEach, expect, test, vi } from 'vitest'
import type { Attempt } from '#networks'
import type { PublisherSettings } from '#publishing'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { published, type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'

let engine: Engine
afterEach(() => engine.close())

/** Only the first look is made by the clock: all else has to come by itself. */
const NO_TICK = 3_600_000

async function prepare(settings: Partial<PublisherSettings> = {}, script: Script = {}) {
  const network = scriptedNetwork({ accountType: 'BLUESKY', ...script })
  const networks = [{ ...network, manifest: { ...network.manifest, name: 'bluesky' } }]
  const room = { slots: 100, slotsPerNetwork: 10, perConnection: 2 }
  engine = await createEngine({ networks, settings: { ...room, tickMs: NO_TICK, ...settings } })
}

const posted = () => engine.db.selectFrom('post_sets').select('id').where('status', '=', 'PUBLISHED').execute()
const untilPosted = (count: number) =>
  vi.waitFor(async () => expect(await posted()).toHaveLength(count), { timeout: 10_000, interval: 20 })

test('each is claimed at its time, with no query between one and the next', async () => {
  await prepare()
  const at = (ms: number) => new Date(Date.now() + ms).toISOString()
  for (const ms of [0, 300, 600, 700]) await engine.schedule({ at: at(ms) })
  engine.start()
  await untilPosted(4)
})

test('what found no room is taken when there is some', async () => {
  await prepare({ slots: 1, slotsPerNetwork: 1, perConnection: 5 })
  await engine.pileUp({ count: 5 })
  engine.start()
  await untilPosted(5)
})

test('what waits behind others of its connection is taken when they end', async () => {
  await prepare()
  await engine.pileUp({ count: 5 })
  engine.start()
  await untilPosted(5)
})

test('what a network works on is asked for at its time, before the call and behind it', async () => {
  const waits = ({ now }: Attempt) => ({ askAgainAt: new Date(now().getTime() + 150) })
  await prepare(
    {},
    {
      prepare: [
        (attempt) => ({ kind: 'waiting', ...waits(attempt) }),
        (attempt) => ({ kind: 'waiting', ...waits(attempt) }),
        { kind: 'ready' },
      ],
      publish: [(attempt) => ({ kind: 'accepted', ...waits(attempt) })],
      confirm: [(attempt) => ({ kind: 'accepted', ...waits(attempt) }), published],
    },
  )
  await engine.schedule()
  engine.start()
  await untilPosted(1)
})
