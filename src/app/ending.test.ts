import { afterEach, expect, test, vi } from 'vitest'
import { timesOf, watchEnding } from './ending.ts'

afterEach(() => void vi.useRealTimers())

function watch(settings = { stopDelayMs: 0, graceMs: 8_000 }) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  const [graceful, now] = [new AbortController(), new AbortController()]
  const happened: string[] = []
  const log = { warn: (_: unknown, message?: string) => void happened.push(message?.split(':')[0] ?? '') }
  const stop = { graceful: graceful.signal, now: now.signal }
  const ending = watchEnding(stop, timesOf(settings), log, (code) => void happened.push(`exit ${code}`))
  ending.onCut(() => void happened.push('cut'))
  return { graceful, now, happened, ending }
}

test('a process ends within 25 seconds of being asked, even when something holds it up', async () => {
  for (const settings of [
    { stopDelayMs: 0, graceMs: 8_000 },
    { stopDelayMs: 5_000, graceMs: 8_000 },
  ]) {
    const { graceful, happened } = watch(settings)
    await vi.advanceTimersByTimeAsync(60_000)
    expect(happened).toEqual([])
    graceful.abort()
    // A token that is being renewed may take that long.
    await vi.advanceTimersByTimeAsync(20_500)
    expect(happened).toEqual([])
    await vi.advanceTimersByTimeAsync(4_400)
    expect(happened).toEqual([
      'The process has not ended in time',
      'cut',
      expect.stringContaining('ends now'),
      'exit 1',
    ])
  }
})

test('a longer grace moves the end by as much', async () => {
  const { graceful, happened } = watch({ stopDelayMs: 10_000, graceMs: 60_000 })
  graceful.abort()
  await vi.advanceTimersByTimeAsync(77_000)
  expect(happened).toEqual([])
  await vi.advanceTimersByTimeAsync(4_500)
  expect(happened).toContain('exit 1')
})

test('asked a second time, it ends within seconds', async () => {
  const { graceful, now, happened } = watch()
  graceful.abort()
  now.abort()
  await vi.advanceTimersByTimeAsync(4_500)
  expect(happened).toContain('exit 1')
})

test('a part has what is left of the grace, and none once the process is asked again', async () => {
  const { graceful, now, ending } = watch({ stopDelayMs: 30, graceMs: 8_000 })
  graceful.abort()
  const closing = ending.untilClosing()
  await vi.advanceTimersByTimeAsync(30)
  await closing
  const graces: number[] = []
  const over = Promise.withResolvers<void>()
  const part = ending.endPart(async ({ graceMs }) => {
    graces.push(Math.round(graceMs))
    await over.promise
  })
  now.abort()
  over.resolve()
  await part
  await ending.endPart(async ({ graceMs }) => void graces.push(graceMs))
  expect(graces).toEqual([8_000, 0, 0])
})

test('a part that cannot be ended at once is reported, and ends nothing else', async () => {
  const { graceful, now, happened, ending } = watch()
  graceful.abort()
  const over = Promise.withResolvers<void>()
  const part = ending.endPart(async ({ graceMs }) => {
    if (graceMs === 0) throw new Error('The socket is closed.')
    await over.promise
  })
  now.abort()
  await vi.advanceTimersByTimeAsync(1)
  over.resolve()
  await part
  expect(happened).toEqual(['A part of the process could not be ended at once'])
})
