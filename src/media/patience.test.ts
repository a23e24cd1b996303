import { expect, test } from 'vitest'
import { SilentDiskError } from './disk.ts'
import { createPatience } from './patience.ts'

const never = () => new Promise<never>(() => {})

test('what is late is given up, and until it is back nothing else is begun', async () => {
  const patience = createPatience({ limitMs: 20, poolSize: 8 })
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

test('what reads does not wait for what writes, and neither has more than a quarter of the threads', async () => {
  const patience = createPatience({ limitMs: 20, writeLimitMs: 20, poolSize: 16 })
  const begun = { reads: 0, writes: 0 }
  const hang = (what: keyof typeof begun) => () => {
    begun[what]++
    return never()
  }
  const asked = [1, 2, 3, 4, 5, 6].flatMap(() => [
    patience.ask(hang('writes'), { writes: true }),
    patience.ask(hang('reads')),
  ])
  for (const { status } of await Promise.allSettled(asked)) expect(status).toBe('rejected')
  expect(begun).toEqual({ reads: 4, writes: 4 })
})

test('what may take as long as it likes is not late', async () => {
  const patience = createPatience({ limitMs: 5, writeLimitMs: 5 })
  const slow = Promise.withResolvers<string>()
  const asked = patience.ask(() => slow.promise, { writes: true, limitMs: Number.POSITIVE_INFINITY })
  await expect(patience.ask(never)).rejects.toThrow(SilentDiskError)
  slow.resolve('here')
  expect(await asked).toBe('here')
})

test('what comes too late is given to the one who closes it', async () => {
  const patience = createPatience({ limitMs: 5 })
  const hung = Promise.withResolvers<string>()
  const late: string[] = []
  const onLate = (result: string) => void late.push(result)
  await expect(patience.ask(() => hung.promise, { onLate })).rejects.toThrow(SilentDiskError)
  hung.resolve('open')
  await expect.poll(() => patience.silent()).toBe(false)
  expect(await patience.ask(async () => 'in time', { onLate })).toBe('in time')
  expect(late).toEqual(['open'])
})
