import { afterAll, expect, test } from 'vitest'
import { listen } from '../conformance/listen.ts'
import { answerVisibleCall, FAULTS, faultIn, faultNames, strikingFault } from './faults.ts'
import type { SimulatorStore } from './simulation.ts'

/** What a fault does to one call. What becomes of the post is the conformance suite's. */

function emptyStore(): SimulatorStore {
  const kept = new Map<string, unknown>()
  return {
    get: (collection: string, id: string) => kept.get(`${collection}/${id}`),
    put: (collection: string, id: string, value: unknown) => void kept.set(`${collection}/${id}`, value),
  } as SimulatorStore
}

let accepted = 0
const store = emptyStore()
const { origin, close } = await listen((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://server')
  const refuses = pathname === '/refused'
  const accept = () => {
    accepted++
    return refuses ? { status: 400, body: 'refused' } : { status: 200, body: { id: 'a' } }
  }
  const answers = {
    '500-before': { status: 500, body: 'server' },
    'rate-limited': { status: 429, body: 'wait' },
    'media-rejected': { status: 400, body: 'media' },
  }
  void answerVisibleCall({ store, response, key: pathname, text: searchParams.get('text') ?? '', accept, answers })
})
afterAll(close)
async function call(path: string, fault: string): Promise<string> {
  const signal = AbortSignal.timeout(200)
  try {
    const answer = await fetch(`${origin}/${path}?text=[[fault:${fault}]]`, { signal })
    return `${answer.status} ${await answer.text()}`
  } catch {
    return signal.aborted ? 'silence' : 'a cut'
  }
}

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
  const kept = emptyStore()
  const strikes = (key: string, fault: string) => strikingFault(kept, key, `[[fault:${fault}]]`)
  expect(['1', '1', '2'].map((key) => strikes(key, 'garbled'))).toEqual(['garbled', null, 'garbled'])
  expect(['1', '1'].map((key) => strikes(key, 'media-rejected'))).toEqual(Array(2).fill('media-rejected'))
})

test.each([
  ['500-before', '500 server', 0],
  ['500-after-accept', '500 server', 1],
  ['rate-limited', '429 wait', 0],
  ['media-rejected', '400 media', 0],
  ['garbled', '200 {"id":', 1],
  ['reset-after-accept', 'a cut', 1],
  ['timeout-after-accept', 'silence', 1],
  ['slow-10s', 'silence', 1],
  ['hang-30s', 'silence', 0],
  // Not among the answers of this call, so that it does not strike.
  ['token-expired', '200 {"id":"a"}', 1],
])('%s: %s, and so often the post is made: %i', async (fault, answer, made) => {
  accepted = 0
  expect(await call(fault, fault)).toBe(answer)
  expect(accepted).toBe(made)
})

test('a post that the network refuses is refused, whatever fault it asks for', async () => {
  expect(await call('refused', 'reset-after-accept')).toBe('400 refused')
})

test('every fault says in a sentence what it does', () => {
  for (const name of faultNames) expect(FAULTS[name].does).toMatch(/^[A-Z].{20,}\.$/)
})
