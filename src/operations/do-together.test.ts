import { expect, test } from 'vitest'
import { doTogether } from './do-together.ts'

/** Work that is done when a test says so. */
function held() {
  const runs: { thing: string; count: number; done: PromiseWithResolvers<string> }[] = []
  const begun = () => runs.map(({ thing, count }) => [thing, count])
  const together = doTogether((thing, count) => {
    const done = Promise.withResolvers<string>()
    runs.push({ thing, count, done })
    return done.promise
  })
  return { runs, begun, together }
}

/** Until everything that could go on has. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

test('who asks at once shares one run, each with a place of its own', async () => {
  const { runs, begun, together } = held()
  const asked = Promise.all([together('a'), together('a'), together('a')])
  await settled()
  expect(begun()).toEqual([['a', 3]])
  runs[0]?.done.resolve('first')
  expect(await asked).toEqual([1, 2, 3].map((place) => ({ outcome: 'first', place, count: 3 })))
})

test('who asks during a run waits for the next one: none is answered by what began before it asked', async () => {
  const { runs, begun, together } = held()
  const first = together('a')
  await settled()
  const later = [together('a'), together('a')]
  await settled()
  expect(begun()).toEqual([['a', 1]])
  runs[0]?.done.resolve('first')
  expect(await first).toEqual({ outcome: 'first', place: 1, count: 1 })
  await settled()
  expect(begun()).toEqual([
    ['a', 1],
    ['a', 2],
  ])
  runs[1]?.done.resolve('second')
  expect(await Promise.all(later)).toEqual([1, 2].map((place) => ({ outcome: 'second', place, count: 2 })))
})

test('other things are not waited for', async () => {
  const { begun, together } = held()
  void together('a')
  void together('b')
  await settled()
  expect(begun()).toEqual([
    ['a', 1],
    ['b', 1],
  ])
})

test('a run that fails fails for all that share it, and for none after them', async () => {
  const { runs, together } = held()
  const asked = [together('a'), together('a')]
  await settled()
  const later = together('a')
  runs[0]?.done.reject(new Error('gone'))
  const outcomes = await Promise.allSettled(asked)
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  await settled()
  runs[1]?.done.resolve('well')
  expect(await later).toEqual({ outcome: 'well', place: 1, count: 1 })
})
