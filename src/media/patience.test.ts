import { expect, test } from 'vitest'
import { createPatience, SilentDiskError } from './patience.ts'

const never = () => new Promise<never>(() => {})

test('what is late is given up, and until it is back nothing else is begun', async () => {
  const patience = createPatience({ limitMs: 20 })
  const changes: boolean[] = []
  patience.onChange((silent) => changes.push(silent))
  const hung = Promise.withResolvers<string>()
  let begun = 0
  const asked = [1, 2, 3, 4, 5].map(() =>
    patience.ask(() => {
      begun++
      return hung.promise
    }),
  )
  for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected')
  // Not the threads of the whole process.
  expect(begun).toBe(2)
  expect(patience.silent()).toBe(true)
  await expect(patience.ask(async () => 'here')).rejects.toThrow(SilentDiskError)
  expect(changes).toEqual([true])
  hung.resolve('back')
  await expect.poll(() => patience.silent()).toBe(false)
  expect(changes).toEqual([true, false])
  expect(await patience.ask(async () => 'here')).toBe('here')
})

test('what fails, fails as it did, and is not late', async () => {
  const patience = createPatience({ limitMs: 1_000 })
  await expect(patience.ask(() => Promise.reject(new Error('ENOENT')))).rejects.toThrow('ENOENT')
  expect(patience.silent()).toBe(false)
})

test('a second disk that hangs keeps nothing of the first one waiting', async () => {
  const [one, other] = [createPatience({ limitMs: 5 }), createPatience({ limitMs: 5 })]
  await expect(one.ask(never)).rejects.toThrow(SilentDiskError)
  expect(await other.ask(async () => 1)).toBe(1)
})
