import { expect, it } from 'vitest'
import { oneAtATime, oneAtATimeByKey, someAtATime } from './one-at-a-time.ts'

function held() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { work: () => promise, end: resolve }
}

it('runs one after the other, in order, even after one that failed', async () => {
  const inTurn = oneAtATime()
  const order: number[] = []
  const outcomes = await Promise.allSettled([
    inTurn(async () => void order.push(1)),
    inTurn(async () => {
      order.push(2)
      throw new Error('second')
    }),
    inTurn(async () => void order.push(3)),
  ])
  expect(order).toEqual([1, 2, 3])
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
})

it('an abort ends the wait for a turn at once, and the next one moves up', async () => {
  const inTurn = oneAtATime()
  const first = held()
  const running = inTurn(first.work)
  const stop = new AbortController()
  const waiting = inTurn(() => Promise.reject(new Error('it ran')), stop.signal)
  const next = inTurn(async () => 'next')
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  await expect(inTurn(async () => {}, stop.signal)).rejects.toThrow('stopped')
  first.end()
  await running
  expect(await next).toBe('next')
})

it('as many run at once as there are places', async () => {
  const inTurn = someAtATime(2)
  const [first, second] = [held(), held()]
  const begun: string[] = []
  const run = (name: string, work: () => Promise<void>) =>
    inTurn(() => {
      begun.push(name)
      return work()
    })
  const all = [run('first', first.work), run('second', second.work), run('third', async () => {})]
  await Promise.resolve()
  expect(begun).toEqual(['first', 'second'])
  second.end()
  await all[2]
  expect(begun).toEqual(['first', 'second', 'third'])
  first.end()
  await Promise.all(all)
})

it('by key: work of another key does not wait', async () => {
  const inTurn = oneAtATimeByKey()
  const first = held()
  const running = inTurn('a', first.work)
  const stop = new AbortController()
  const waiting = inTurn('a', async () => {}, stop.signal)
  expect(await inTurn('b', async () => 'other')).toBe('other')
  stop.abort(new Error('stopped'))
  await expect(waiting).rejects.toThrow('stopped')
  const next = inTurn('a', async () => 'next')
  first.end()
  await running
  expect(await next).toBe('next')
})
