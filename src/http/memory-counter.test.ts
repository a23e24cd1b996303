import { expect, test } from 'vitest'
import { createMemoryCounter } from './memory-counter.ts'

let at = 0
const counter = (maxSubjects?: number) =>
  createMemoryCounter({ now: () => at, ...(maxSubjects === undefined ? {} : { maxSubjects }) })

test('a window is the second from its first request, and what is refused takes nothing from the next one', () => {
  const { count } = counter()
  expect([1, 2, 3, 4].map(() => count('a', 2))).toMatchObject([
    { limit: 2, remaining: 1, allowed: true },
    { remaining: 0, allowed: true },
    { remaining: 0, allowed: false },
    { remaining: 0, allowed: false },
  ])
  at += 999
  expect(count('a', 2).allowed).toBe(false)
  at += 1
  expect(count('a', 2)).toMatchObject({ remaining: 1, allowed: true })
})

test('each subject has a window of its own, and the answer says when it ends', () => {
  const { count } = counter()
  count('a', 1)
  at += 400
  expect(count('b', 1).allowed).toBe(true)
  const { allowed, resetAt } = count('a', 1)
  expect(allowed).toBe(false)
  expect(resetAt.getTime() - Date.now()).toBeLessThanOrEqual(600)
})

test('however many subjects come, it keeps no more than its bound, and forgets those that ended', () => {
  const { count, size } = counter(3)
  for (let n = 0; n < 100; n += 1) count(`subject ${n}`, 1)
  expect(size()).toBe(3)
  expect(count('subject 99', 1).allowed).toBe(false)
  at += 1_000
  count('another', 1)
  expect(size()).toBe(1)
})
