import { expect, test } from 'vitest'
import { createLanes } from './lanes.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

function stage(width: number) {
  const begun: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  const errors: unknown[] = []
  const lanes = createLanes(width, (error) => errors.push(error))
  const enter = (lane: string, id: string) =>
    lanes.enter(lane, id, () => {
      begun.push(id)
      return new Promise<void>((resolve, reject) => ends.set(id, (error) => (error ? reject(error) : resolve())))
    })
  return { begun, errors, lanes, enter, end: (id: string, error?: Error) => ends.get(id)?.(error) }
}

test('a lane that is full keeps only its own waiting', async () => {
  const { begun, enter } = stage(2)
  void enter('slow', 'a')
  void enter('slow', 'b')
  await enter('slow', 'c')
  void enter('other', 'd')
  expect(begun).toEqual(['a', 'b', 'd'])
})

test('what waits begins in its order as room is made, each once', async () => {
  const { begun, enter, end } = stage(1)
  void enter('slow', 'a')
  await enter('slow', 'b')
  await enter('slow', 'c')
  await enter('slow', 'b')
  end('a')
  await settled()
  expect(begun).toEqual(['a', 'b'])
  end('b')
  await settled()
  end('c')
  await settled()
  expect(begun).toEqual(['a', 'b', 'c'])
})

test('work that throws makes room too', async () => {
  const { begun, errors, enter, end } = stage(1)
  const first = enter('slow', 'a')
  await enter('slow', 'b')
  await enter('slow', 'c')
  end('a', new Error('first'))
  await expect(first).rejects.toThrow('first')
  await settled()
  end('b', new Error('second'))
  await settled()
  expect(begun).toEqual(['a', 'b', 'c'])
  expect(errors).toMatchObject([{ message: 'second' }])
})

test('what waits is forgotten when all is to end', async () => {
  const { begun, lanes, enter, end } = stage(1)
  void enter('slow', 'a')
  await enter('slow', 'b')
  lanes.clear()
  end('a')
  await settled()
  expect(begun).toEqual(['a'])
})
