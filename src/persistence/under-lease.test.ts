import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { type KeptLease, LeaseLostError, underLease } from './under-lease.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A lease of 900 ms; each renewal is answered by the next of `answers`, and the last of them by all that follow. */
function leaseOf(...answers: (() => Promise<boolean>)[]) {
  const errors: unknown[] = []
  const renew = vi.fn(() => (answers.length > 1 ? answers.shift() : answers[0])?.() ?? Promise.resolve(true))
  const lease: KeptLease = { ms: 900, renew, onError: (error) => errors.push(error) }
  return { lease, renew, errors }
}

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

describe('a row that is worked on', () => {
  test('is renewed three times in the time of its lease, and not after the work', async () => {
    const { lease, renew } = leaseOf()
    const work = underLease(lease, async (lost) => {
      await wait(950)
      return lost.aborted
    })
    await vi.advanceTimersByTimeAsync(950)
    expect(await work).toBe(false)
    expect(renew).toHaveBeenCalledTimes(3)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(renew).toHaveBeenCalledTimes(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('is renewed more often where that is asked for, and never less', async () => {
    const often = leaseOf()
    const seldom = leaseOf()
    const both = [
      underLease({ ...often.lease, everyMs: 100 }, () => wait(950)),
      underLease({ ...seldom.lease, everyMs: 5_000 }, () => wait(950)),
    ]
    await vi.advanceTimersByTimeAsync(950)
    await Promise.all(both)
    expect(often.renew).toHaveBeenCalledTimes(9)
    expect(seldom.renew).toHaveBeenCalledTimes(3)
  })

  test('is lost when a renewal says so: the work hears of it, and decides what that means', async () => {
    const { lease } = leaseOf(async () => false)
    let reason: unknown
    const work = underLease(lease, async (lost) => {
      await wait(400)
      reason = lost.reason
      return 'done all the same'
    })
    await vi.advanceTimersByTimeAsync(400)
    expect(await work).toBe('done all the same')
    expect(reason).toBeInstanceOf(LeaseLostError)
  })

  test('is not lost because a renewal failed: the next one may go well', async () => {
    const broken = new Error('The database is away.')
    const { lease, renew, errors } = leaseOf(
      () => Promise.reject(broken),
      async () => true,
    )
    const work = underLease(lease, async (lost) => {
      await wait(700)
      return lost.aborted
    })
    await vi.advanceTimersByTimeAsync(700)
    expect(await work).toBe(false)
    expect(errors).toEqual([broken])
    expect(renew).toHaveBeenCalledTimes(2)
  })

  test('has one renewal at a time, which the end of the work waits for', async () => {
    const { promise, resolve } = Promise.withResolvers<boolean>()
    const { lease, renew } = leaseOf(() => promise)
    const ended = vi.fn()
    const work = underLease(lease, () => wait(950)).finally(ended)
    await vi.advanceTimersByTimeAsync(2_000)
    expect(renew).toHaveBeenCalledTimes(1)
    expect(ended).not.toHaveBeenCalled()
    resolve(true)
    await work
    expect(ended).toHaveBeenCalledTimes(1)
  })

  test('is no longer renewed when the work fails, and the failure is passed on', async () => {
    const { lease, renew } = leaseOf()
    const work = underLease(lease, async () => {
      await wait(400)
      throw new Error('It broke.')
    })
    const failed = expect(work).rejects.toThrow('It broke.')
    await vi.advanceTimersByTimeAsync(2_000)
    await failed
    expect(renew).toHaveBeenCalledTimes(1)
  })
})
