import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { answerVisibleCall, FAULTS, faultIn, faultNames, type SimulatedAnswer, strikingFault } from './faults.ts'
import type { SimulatorStore } from './simulation.ts'

const kept = new Map<string, unknown>()
/** As much of a store as faults need. */
const store = {
  get: (collection: string, id: string) => kept.get(`${collection}/${id}`),
  put: (collection: string, id: string, value: unknown) => void kept.set(`${collection}/${id}`, value),
} as SimulatorStore

let accepted = 0
let accept: () => SimulatedAnswer
let origin: string
const server = createServer((request, response) => {
  const url = new URL(request.url ?? '', 'http://server')
  void answerVisibleCall({
    store,
    response,
    key: url.pathname,
    text: url.searchParams.get('text') ?? '',
    accept,
    answers: {
      '500-before': { status: 500, body: { error: 'server' } },
      'rate-limited': { status: 429, headers: { 'retry-after': '5' }, body: { error: 'wait' } },
      'media-rejected': { status: 400, body: { error: 'media' } },
    },
  })
})
const call = (key: string, text: string, signal?: AbortSignal) =>
  fetch(`${origin}/${key}?${new URLSearchParams({ text })}`, signal ? { signal } : {})

beforeEach(async () => {
  kept.clear()
  accepted = 0
  accept = () => {
    accepted++
    return { status: 200, body: { id: 'a' } }
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterEach(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test.each([
  ['Fresh bread', null],
  ['Fresh [[fault:500-before]] bread', '500-before'],
  ['[[fault:nonsense]] [[fault:garbled]]', 'garbled'],
  ['[[fault:toString]]', null],
  ['[fault:garbled]', null],
])('%j asks for %j', (text, fault) => {
  expect(faultIn(text)).toBe(fault)
})

test('a passing fault strikes once for each post, also for a simulator that was started again; a lasting one always', () => {
  const strikes = (key: string, text: string) => strikingFault(store, key, text)
  expect(strikes('1', '[[fault:garbled]]')).toBe('garbled')
  expect(strikes('1', '[[fault:garbled]]')).toBe(null)
  expect(strikes('2', '[[fault:garbled]]')).toBe('garbled')
  expect(strikes('3', '[[fault:media-rejected]]')).toBe('media-rejected')
  expect(strikes('3', '[[fault:media-rejected]]')).toBe('media-rejected')
})

test.each([
  ['500-before', 500, { error: 'server' }, 0],
  ['500-after-accept', 500, { error: 'server' }, 1],
  ['rate-limited', 429, { error: 'wait' }, 0],
  ['media-rejected', 400, { error: 'media' }, 0],
  // Not among the answers of this call, so that it does not strike.
  ['token-expired', 200, { id: 'a' }, 1],
])('%s: status %i, and what was made', async (fault, status, body, made) => {
  const answer = await call('a', `[[fault:${fault}]]`)
  expect(answer.status).toBe(status)
  expect(await answer.json()).toEqual(body)
  expect(accepted).toBe(made)
})

test('garbled: a success whose body breaks off', async () => {
  const answer = await call('a', '[[fault:garbled]]')
  expect(answer.status).toBe(200)
  const text = await answer.text()
  expect(text).toBe('{"id":')
  expect(accepted).toBe(1)
})

test('reset-after-accept: the connection is cut', async () => {
  await expect(call('a', '[[fault:reset-after-accept]]')).rejects.toThrow()
  expect(accepted).toBe(1)
})

test.each([
  ['timeout-after-accept', 1],
  ['slow-10s', 1],
  ['hang-30s', 0],
])('%s: no answer for now, and what was made', async (fault, made) => {
  await expect(call('a', `[[fault:${fault}]]`, AbortSignal.timeout(200))).rejects.toThrow()
  expect(accepted).toBe(made)
  expect((await call('a', `[[fault:${fault}]]`)).status).toBe(200)
})

test('a post that the network refuses is refused, whatever fault it asks for', async () => {
  accept = () => ({ status: 400, body: { error: 'refused' } })
  const answer = await call('a', '[[fault:reset-after-accept]]')
  expect(await answer.json()).toEqual({ error: 'refused' })
})

test('every fault says in a sentence what it does', () => {
  for (const name of faultNames) expect(FAULTS[name].does).toMatch(/^[A-Z].{20,}\.$/)
})
