import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createReminders, type Reminders } from './reminders.ts'

let reminders: Reminders
let due: number[]
let onDue: () => Promise<void>
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  due = []
  onDue = async () => void due.push(performance.now())
  reminders = createReminders(() => onDue())
})
afterEach(async () => {
  await reminders.stop()
  vi.useRealTimers()
})

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

test('each time comes within 50 ms after it, and many at about the same time are one', async () => {
  for (const ms of [5_010, 300, 310, 320, 5_000]) reminders.remind(ms)
  await pass(60_000)
  expect(due).toHaveLength(2)
  const [first = 0, second = 0] = due
  expect(first).toBeGreaterThan(320)
  expect(first).toBeLessThanOrEqual(370)
  expect(second).toBeGreaterThan(5_010)
  expect(second).toBeLessThanOrEqual(5_060)
})

test('an earlier time that is named later comes first', async () => {
  reminders.remind(2_000)
  await pass(100)
  reminders.remind(100)
  await pass(200)
  expect(due).toHaveLength(1)
  await pass(2_000)
  expect(due).toHaveLength(2)
})

test('what is due while another is worked on comes right behind it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const fast = onDue
  onDue = () => promise
  reminders.remind(100)
  await pass(200)
  onDue = fast
  reminders.remind(100)
  await pass(1_000)
  expect(due).toEqual([])
  resolve()
  await pass(1)
  expect(due).toHaveLength(1)
})

test('none for what a look finds in time, and none after the end', async () => {
  reminders.remind(60_001)
  reminders.remind(Number.NaN)
  await pass(100_000)
  reminders.remind(1_000)
  await reminders.stop()
  await pass(100_000)
  expect(due).toEqual([])
})
