import { beforeEach, expect, test } from 'vitest'
import { clearUndo, forgetUndo, holdUndo, lastUndo, mayUndo, rememberUndo, undoHeld } from './undo-stack.ts'

const entry = (message: string) => ({ message, undo: () => {} })

beforeEach(clearUndo)

test('the last thing done is undone first, each once', () => {
  const [first, second] = [entry('first'), entry('second')]
  rememberUndo(first)
  rememberUndo(second)
  expect(lastUndo()).toBe(second)
  expect(forgetUndo(second)).toBe(true)
  expect(forgetUndo(second)).toBe(false)
  expect(lastUndo()).toBe(first)
})

test('twenty are remembered', () => {
  const all = Array.from({ length: 21 }, (_, index) => entry(String(index)))
  for (const one of all) rememberUndo(one)
  const undone: string[] = []
  for (let last = lastUndo(); last; last = lastUndo()) {
    undone.push(last.message)
    forgetUndo(last)
  }
  expect(undone).toHaveLength(20)
  expect(undone.at(0)).toBe('20')
  expect(undone.at(-1)).toBe('1')
})

test('an undo waits for what is under way', async () => {
  let done: () => void = () => {}
  holdUndo(new Promise<void>((resolve) => (done = resolve)).then(() => rememberUndo(entry('late'))))
  holdUndo(Promise.reject(new Error('refused')))
  expect(mayUndo()).toBe(true)
  const held = undoHeld()
  done()
  await held
  expect(lastUndo()?.message).toBe('late')
  clearUndo()
  expect(mayUndo()).toBe(false)
})
