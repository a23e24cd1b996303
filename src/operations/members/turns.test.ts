import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

test('a turn that is now needs no waiting, and one that is far is not waited for', async () => {
  const waitForTurn = createTurns({ longestMs: 1_000, most: 0 })
  expect(await waitForTurn(0)).toBe(true)
  expect(await waitForTurn(-5)).toBe(true)
  expect(await createTurns({ longestMs: 1_000, most: 1 })(1_001)).toBe(false)
})

test('so many wait at once and no more', async () => {
  const waitForTurn = createTurns({ longestMs: 1_000, most: 2 })
  const waiting = [waitForTurn(5), waitForTurn(10)]
  expect(await waitForTurn(5)).toBe(false)
  expect(await Promise.all(waiting)).toEqual([true, true])
  expect(await waitForTurn(5)).toBe(true)
})
