import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { patientFetch } from './patient-fetch.ts'

const answers = vi.fn<() => Response>()
const refused = (seconds: string | null) =>
  new Response('{}', { status: 429, headers: seconds === null ? {} : { 'retry-after': seconds } })

beforeEach(() => {
  vi.useFakeTimers()
  answers.mockReset()
  vi.stubGlobal('fetch', async () => answers())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a rate that is too high for a second is waited out', async () => {
  answers.mockReturnValueOnce(refused('1')).mockReturnValueOnce(refused('1')).mockReturnValueOnce(Response.json({}))
  const answer = patientFetch('/internal/session', {})
  await vi.advanceTimersByTimeAsync(900)
  expect(answers).toHaveBeenCalledTimes(1)
  await vi.advanceTimersByTimeAsync(4_000)
  expect((await answer).status).toBe(200)
  expect(answers).toHaveBeenCalledTimes(3)
})

test('a refusal that is waited out keeps no connection', async () => {
  const cancel = vi.fn()
  const unread = new Response(new ReadableStream({ cancel }), { status: 429, headers: { 'retry-after': '1' } })
  answers.mockReturnValueOnce(unread).mockReturnValueOnce(Response.json({}))
  const answer = patientFetch('/internal/session', {})
  await vi.advanceTimersByTimeAsync(2_000)
  expect((await answer).status).toBe(200)
  expect(cancel).toHaveBeenCalled()
})

test.each([['900'], ['Sun, 29 Nov 2026 08:00:00 GMT'], [null]])(
  'a refusal is final with Retry-After: %s',
  async (wait) => {
    answers.mockReturnValue(refused(wait))
    expect((await patientFetch('/internal/session', {})).status).toBe(429)
    expect(answers).toHaveBeenCalledTimes(1)
  },
)

test('the rate does not stay too high for ever, unnoticed', async () => {
  answers.mockImplementation(() => refused('1'))
  const answer = patientFetch('/internal/session', {})
  await vi.advanceTimersByTimeAsync(60_000)
  expect((await answer).status).toBe(429)
  expect(answers).toHaveBeenCalledTimes(4)
})

test('who cancels does not wait', async () => {
  answers.mockImplementation(() => refused('1'))
  const controller = new AbortController()
  const answer = patientFetch('/internal/session', { signal: controller.signal })
  const failed = expect(answer).rejects.toThrow('left the page')
  await vi.advanceTimersByTimeAsync(10)
  controller.abort(new Error('left the page'))
  await failed
})
