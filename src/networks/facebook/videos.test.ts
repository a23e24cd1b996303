import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import { type Delivery, openDelivery, type World } from '../conformance/delivery.ts'
import type { HttpRequest, HttpResult } from '../kit/http.ts'
import { answer, checked, lost } from '../kit/testing.ts'
import type { PrepareOutcome } from '../network.ts'
import { network } from './index.ts'
import { sample } from './testing-posts.ts'

const MINUTE = 60_000

let delivery: Delivery | null
let clock: number
/** Uploads that were begun, and where the bytes of each request stand in the file. */
let starts: number
let offsets: number[]
/** Answers everything but the start of an upload. */
let answers: (request: HttpRequest, offset: number) => HttpResult

beforeEach(() => {
  delivery = null
  clock = Date.parse('2026-11-21T10:00:00Z')
  starts = 0
  offsets = []
})

const part = (start: number, end: number) => answer(200, { start_offset: String(start), end_offset: String(end) })
/** The next ten bytes of so many. */
const further = (offset: number, bytes = 50) => part(offset + 10, Math.min(bytes, offset + 20))
const wrongPlace = (error_data?: object) =>
  answer(400, { error: { message: 'No.', code: 6001, error_subcode: 1363037, error_data } })
const uploading = (bytes: number | null) =>
  answer(200, { status: { video_status: 'uploading', uploading_phase: { bytes_transfered: bytes } } })

async function http(request: HttpRequest): Promise<HttpResult> {
  if ((request.json as { upload_phase?: string } | undefined)?.upload_phase === 'start') {
    starts++
    return answer(200, { video_id: '7', upload_session_id: '8', start_offset: '0', end_offset: '10' })
  }
  const offset = /name="start_offset"\r\n\r\n(\d+)/.exec(String(request.body))?.[1] ?? request.headers?.offset
  if (offset !== undefined) offsets.push(Number(offset))
  return answers(request, Number(offset))
}

/** One turn of `prepare` for a video of so many bytes. */
async function turn(type: 'VIDEO' | 'REEL', bytes = 50): Promise<PrepareOutcome> {
  const size = type === 'REEL' ? { width: 720, height: 1280 } : { width: 1280, height: 720 }
  const item = checked({ type: 'VIDEO', bytes, durationMs: 200_000, ...size })
  const open = async ({ start, end } = { start: 0, end: bytes }) => Readable.from([Buffer.alloc(end - start)])
  const world = {
    network,
    http,
    clock: { now: () => new Date(clock) },
    media: { of: async () => [{ ...item, source: { facts: item.facts, open } }] },
    backend: {
      account: { externalId: '1', username: null, defaults: {} },
      credentials: { accessToken: 'token' },
      endpoints: { graph: 'https://graph.example', rupload: 'https://rupload.example' },
    },
  }
  delivery ??= await openDelivery(world as unknown as World, sample(type))
  return (await delivery.call('prepare')) as PrepareOutcome
}

const pauseOf = (outcome: PrepareOutcome) => (outcome.kind === 'waiting' ? outcome.askAgainAt.getTime() - clock : null)
const lostInTheEnd = { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' }

describe('an upload in parts', () => {
  test('takes several turns when there are many parts, and on a slow line', async () => {
    answers = (_, offset) => {
      if (offset >= 960) clock += 3 * MINUTE
      return further(offset, 1_000)
    }
    for (const count of [32, 64, 96, 98]) {
      expect(pauseOf(await turn('VIDEO', 1_000))).toBe(0)
      expect(offsets).toHaveLength(count)
    }
    expect(await turn('VIDEO', 1_000)).toEqual({ kind: 'ready' })
    expect([starts, offsets]).toEqual([1, Array.from({ length: 100 }, (_, n) => n * 10)])
  })

  test('keeps what has arrived when a request is broken off, and counts only a turn that brought nothing', async () => {
    answers = (_, offset) => (offset === 20 ? lost : further(offset))
    expect(pauseOf(await turn('VIDEO'))).toBeGreaterThan(0)
    expect(await turn('VIDEO')).toMatchObject({ kind: 'retry', countsAsAttempt: true })
    answers = (_, offset) => further(offset)
    expect(await turn('VIDEO')).toEqual({ kind: 'ready' })
    expect([starts, offsets]).toEqual([1, [0, 10, 20, 20, 20, 30, 40]])
  })

  test('goes on where the network says that it stands', async () => {
    answers = (_, offset) => (offset === 0 ? wrongPlace({ start_offset: '30', end_offset: '50' }) : part(50, 50))
    expect(await turn('VIDEO')).toEqual({ kind: 'ready' })
    expect([starts, offsets]).toEqual([1, [0, 30]])
  })

  test.each<[string, HttpResult]>([
    ['refuses a part and names no other', wrongPlace()],
    ['wants the same part for ever', wrongPlace({ start_offset: '0', end_offset: '10' })],
    ['takes a part and is no further', part(0, 10)],
    ['wants what is behind the end', part(60, 70)],
  ])('begins again a few times when the network %s', async (_, always) => {
    answers = () => always
    for (let nth = 1; nth <= 4; nth++) {
      expect(await turn('VIDEO')).toMatchObject({ kind: 'retry' })
      expect([starts, delivery?.handles().video]).toEqual([nth, null])
    }
    expect(await turn('VIDEO')).toMatchObject(lostInTheEnd)
  })
})

describe('an upload in one request', () => {
  /** Turns until something else than waiting comes, or so much time is over. */
  async function wait(ms = 24 * 60 * MINUTE) {
    const pauses: number[] = []
    for (const end = clock + ms; ; ) {
      const outcome = await turn('REEL', 100)
      const pause = pauseOf(outcome)
      if (pause === null || clock >= end) return { outcome, pauses }
      pauses.push(pause)
      clock += pause
    }
  }
  /** A network that takes all that is sent, and tells so many bytes of it. */
  const taking = (status: () => number | null) => {
    answers = ({ method }) => (method === 'GET' ? uploading(status()) : answer(200, { success: true }))
  }

  test.each([
    ['nothing', null],
    ['all bytes', 100],
  ])('is waited for with growing pauses while the status tells %s, and begun again in the end', async (_, bytes) => {
    taking(() => (offsets.length < starts ? 0 : bytes))
    const { outcome, pauses } = await wait()
    expect(outcome).toMatchObject({ kind: 'retry', countsAsAttempt: true })
    expect([offsets, delivery?.handles().video]).toEqual([[0], null])
    expect(pauses.length).toBeLessThan(60)
    expect([pauses[0], pauses.at(-1)]).toEqual([2_000, 60_000])
    for (let nth = 2; nth <= 4; nth++) expect((await wait()).outcome.kind).toBe('retry')
    expect((await wait()).outcome).toMatchObject(lostInTheEnd)
    expect(offsets).toHaveLength(5)
  })

  test('is not sent again while the status lags behind, and continued when bytes are missing for long', async () => {
    taking(() => (offsets.length === 0 ? 0 : 40))
    await wait(4 * MINUTE)
    expect(offsets).toEqual([0])
    expect((await wait(3 * MINUTE)).outcome).toMatchObject({ kind: 'retry' })
    await wait(MINUTE)
    expect([starts, offsets]).toEqual([1, [0, 40]])
  })

  test('of a slow line goes on turn by turn, and turns that bring something are no attempts', async () => {
    let arrived = 0
    answers = ({ method }) => {
      if (method === 'GET') return uploading(arrived)
      arrived += 10
      return lost
    }
    for (let nth = 0; nth < 10; nth++) expect((await turn('REEL', 100)).kind).toBe(nth === 0 ? 'retry' : 'waiting')
    const sent = [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]
    expect([starts, offsets]).toEqual([1, sent])
    // All are there, though no answer said so.
    expect((await turn('REEL', 100)).kind).toBe('waiting')
    expect(offsets).toEqual(sent)
  })
})
