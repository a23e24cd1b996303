import { beforeEach, expect, test } from 'vitest'
import { ApiError, unreachable } from '../api/api-error.ts'
import { clearUndo, holdUndo, lastUndo, mayUndo, rememberUndo, takeBack, type Undoable } from './undo-stack.ts'

const entry = (message: string) => ({ message, undo: () => {} })

beforeEach(clearUndo)

test('the last thing done is undone first, each once', async () => {
  const [first, second] = [entry('first'), entry('second')]
  rememberUndo(first)
  rememberUndo(second)
  expect(await takeBack(lastUndo)).toEqual({ entry: second, undone: true })
  expect(await takeBack(() => second)).toBeUndefined()
  expect(lastUndo()).toBe(first)
})

test('twenty are remembered', async () => {
  const all = Array.from({ length: 21 }, (_, index) => entry(String(index)))
  for (const one of all) rememberUndo(one)
  const undone: (string | undefined)[] = []
  while (lastUndo()) undone.push((await takeBack(lastUndo))?.entry.message)
  expect(undone).toHaveLength(20)
  expect(undone.at(0)).toBe('20')
  expect(undone.at(-1)).toBe('1')
})

test('an undo waits for what is under way', async () => {
  let done: () => void = () => {}
  holdUndo(new Promise<void>((resolve) => (done = resolve)).then(() => rememberUndo(entry('late'))))
  holdUndo(Promise.reject(new Error('refused')))
  expect(mayUndo()).toBe(true)
  const undoing = takeBack(lastUndo)
  done()
  expect((await undoing)?.entry.message).toBe('late')
  expect(mayUndo()).toBe(false)
})

test('an undo waits for the one before it', async () => {
  const order: string[] = []
  const begun = Promise.withResolvers<void>()
  const held = Promise.withResolvers<void>()
  const slow = () => {
    begun.resolve()
    return held.promise.then(() => void order.push('second'))
  }
  rememberUndo({ message: 'first', undo: () => void order.push('first') })
  rememberUndo({ message: 'second', undo: slow })
  const both = [takeBack(lastUndo), takeBack(lastUndo)]
  await begun.promise
  held.resolve()
  await Promise.all(both)
  expect(order).toEqual(['second', 'first'])
})

const refusing = (error: unknown): Undoable => ({ message: 'moved', undo: () => Promise.reject(error) })
const answered = (status: number) => new ApiError({ status, code: 'any', message: 'No.' })

test.each([
  ['the server cannot be reached', unreachable()],
  ['the server is out of order', answered(503)],
  ['there were too many requests', answered(429)],
])('when %s, it can be tried again', async (_, error) => {
  const one = refusing(error)
  rememberUndo(one)
  expect(await takeBack(lastUndo)).toEqual({ entry: one, undone: false, error, kept: true })
  expect(lastUndo()).toBe(one)
})

test('what the server refuses to undo is forgotten', async () => {
  const one = refusing(answered(412))
  rememberUndo(one)
  expect(await takeBack(lastUndo)).toMatchObject({ undone: false, kept: false })
  expect(mayUndo()).toBe(false)
})
