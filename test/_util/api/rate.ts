import { expect, vi } from 'vitest'
import type { RateLimiter } from '#http'

/** Pages and their files, in tests that are about something else. */
export const anyRateHere: RateLimiter['takeHere'] = (_, limit) => ({
  allowed: true,
  limit,
  remaining: limit,
  resetAt: new Date(),
})

/** What an answer says about the rate, and whether it was refused for it. */
export interface Standing {
  status: number
  limit: number
  remaining: number
  /** Epoch seconds. Every window of a subject has its own: they lie a second apart at least. */
  reset: number
}

export function standing({ status, headers }: { status: number; headers: Headers }): Standing {
  const reported = (name: string) => Number(headers.get(`x-ratelimit-${name}`) ?? Number.NaN)
  return { status, limit: reported('limit'), remaining: reported('remaining'), reset: reported('reset') }
}

/** Until the windows of answers are over, by what the answers reported. */
export function untilReset(...answers: readonly { status: number; headers: Headers }[]): Promise<void> {
  const reset = Math.max(...answers.map((answer) => standing(answer).reset)) * 1_000
  return vi.waitFor(
    () => {
      if (Date.now() <= reset) throw new Error('The window is not over.')
    },
    { timeout: 3_000, interval: 10 },
  )
}

/**
 * Answers by their windows, each with how many were let through, how many refused, and what was reported to remain, from
 * the most to the least. How many windows a burst takes depends on the machine; what holds in each does not.
 */
export function byWindow(answers: readonly { status: number; headers: Headers }[]) {
  const windows = Map.groupBy(answers.map(standing), ({ reset }) => reset)
  return [...windows.values()].map((window) => {
    const refused = window.filter(({ status }) => status === 429)
    const passed = window.filter(({ status }) => status !== 429)
    return {
      passed: passed.length,
      refused: refused.length,
      remaining: passed.map(({ remaining }) => remaining).sort((one, other) => other - one),
      remainingOfRefused: [...new Set(refused.map(({ remaining }) => remaining))],
    }
  })
}

/** What a window must look like in which so many requests came. */
export function windowOf(limit: number, requests: number) {
  const passed = Math.min(limit, requests)
  return {
    passed,
    refused: requests - passed,
    remaining: Array.from({ length: passed }, (_, index) => limit - 1 - index),
    remainingOfRefused: requests > limit ? [0] : [],
  }
}

/** Every answer below /v1/ says how the caller stands; one that refuses for the rate says when to come back. */
export function checkRate(asked: string, { status, headers }: { status: number; headers: Headers }): void {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) => {
    const value = headers.get(`x-ratelimit-${name}`)
    expect(value, `${asked}: x-ratelimit-${name}`).toMatch(/^\d+$/)
    return Number(value)
  }) as [number, number, number]
  expect(remaining, asked).toBeLessThanOrEqual(limit)
  // A second from the request at most, rounded up; and the answer may have taken its time.
  const ahead = reset - Date.now() / 1_000
  expect(ahead, asked).toBeLessThan(2)
  expect(ahead, asked).toBeGreaterThan(-30)
  if (status === 429) expect(headers.get('retry-after'), asked).toBe('1')
}
