import { expect, test } from 'vitest'
import { runStorm } from '../_util/faults/keyed-storm.ts'

/** The whole of it, ten thousand requests, is in idempotency-kill.long.test.ts. */

test('idempotency-02: a hundred requests with a key, each sent one to three times, make one row each, though the process is killed', async () => {
  const { sent, lost, replayed } = await runStorm({ keys: 100, kills: 1 })
  expect([sent > 200, lost > 0, replayed > 0]).toEqual([true, true, true])
}, 120_000)
