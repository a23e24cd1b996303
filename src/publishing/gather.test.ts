import { expect, test } from 'vitest'
import { gather } from './gather.ts'

/** Work that is done when a test says so. */
function held(bounds: { atOnce: number; most: number }) {
  const runs: { items: readonly string[]; done: PromiseWithResolvers<readonly string[]> }[] = []
  const ask = gather<string, string>(
    (items) => {
      const done = Promise.withResolvers<readonly string[]>()
      runs.push({ items, done })
      return done.promise
    },
    { ...bounds, keyOf: (item) => item.toLowerCase() },
  )
  return { runs, ask, begun: () => runs.map(({ items }) => items.join('')) }
}

/** Until everything that could go on has. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('what is asked for in one turn of the loop goes together, and each gets its own answer', async () => {
  const { runs, ask, begun } = held({ atOnce: 1, most: 10 })
  const asked = Promise.all([ask('a'), Promise.resolve().then(() => ask('b')), ask('c')])
  await settled()
  expect(begun()).toEqual(['acb'])
  runs[0]?.done.resolve(['A', 'C', 'B'])
  expect(await asked).toEqual(['A', 'B', 'C'])
})

test('while as many are under way as may be, the others wait and then go together, so many at the most', async () => {
  const { runs, ask, begun } = held({ atOnce: 2, most: 3 })
  void ask('a')
  await settled()
  void ask('b')
  await settled()
  for (const item of 'cdefg') void ask(item)
  await settled()
  expect(begun()).toEqual(['a', 'b'])
  runs[1]?.done.resolve(['B'])
  await settled()
  expect(begun()).toEqual(['a', 'b', 'cde'])
  runs[0]?.done.resolve(['A'])
  await settled()
  expect(begun()).toEqual(['a', 'b', 'cde', 'fg'])
})

test('one that fails fails for those that went with it, and for none after them', async () => {
  const { runs, ask } = held({ atOnce: 1, most: 2 })
  const asked = Promise.allSettled([ask('a'), ask('b'), ask('c')])
  await settled()
  runs[0]?.done.reject(new Error('lost'))
  await settled()
  runs[1]?.done.resolve(['C'])
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
})

test('those with the same key never go together, and what is behind them does not wait for that', async () => {
  const { runs, ask, begun } = held({ atOnce: 1, most: 3 })
  const asked = Promise.all([...'aAbAc'].map((item) => ask(item)))
  await settled()
  expect(begun()).toEqual(['abc'])
  runs[0]?.done.resolve(['1', '3', '5'])
  await settled()
  runs[1]?.done.resolve(['2'])
  await settled()
  runs[2]?.done.resolve(['4'])
  expect(await asked).toEqual(['1', '2', '3', '4', '5'])
  expect(begun()).toEqual(['abc', 'A', 'A'])
})
