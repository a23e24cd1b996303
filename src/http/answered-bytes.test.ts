import { expect, test } from 'vitest'
import { LIMITS } from '#contract'
import { createAnsweredBytes } from './answered-bytes.ts'

const { perSecond, atOnce, uncounted } = LIMITS.answersOfMember
let clock = 0
const answered = () => createAnsweredBytes({ now: () => clock })
const refused = (counter: ReturnType<typeof answered>, reader: string) => {
  try {
    counter.refuseOver(reader)
    return false
  } catch {
    return true
  }
}

test('who was answered very much waits until it is paid off, and no one else does', () => {
  const counter = answered()
  counter.add('one', atOnce)
  expect(refused(counter, 'one')).toBe(false)
  counter.add('one', perSecond)
  expect([refused(counter, 'one'), refused(counter, 'another')]).toEqual([true, false])
  clock += 999
  expect(refused(counter, 'one')).toBe(true)
  clock += 1
  expect(refused(counter, 'one')).toBe(false)
})

test('small answers are not counted, however many there are', () => {
  const counter = answered()
  for (let count = 0; count < (10 * atOnce) / uncounted; count++) counter.add('one', uncounted)
  expect([refused(counter, 'one'), counter.size()]).toEqual([false, 0])
})

test('readers are forgotten when they owe nothing, and the oldest when there are too many', () => {
  const counter = answered()
  counter.add('one', perSecond)
  clock += 1_000
  counter.add('two', perSecond)
  expect(counter.size()).toBe(1)
  for (let count = 0; count < 20_000; count++) counter.add(`reader ${count}`, perSecond)
  expect(counter.size()).toBe(10_000)
})
