import { describe, expect, test } from 'vitest'
import type { Delivery } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, fixture, lost } from '../kit/testing.ts'
import type { PrepareOutcome } from '../network.ts'
import { during, sample, stageOf } from './testing-posts.ts'

const MINUTE = 60_000

const stage = stageOf('all')
/** Bytes of the reel. */
const { length: size } = await fixture('video-h264-aac.mp4')
let delivery: Delivery
/** Uploads that were begun, and where the bytes of each request stand in the file. */
let starts: number
let offsets: number[]

const part = (start: number, end: number) => answer(200, { start_offset: String(start), end_offset: String(end) })
/** The next ten bytes of so many. */
const further = (offset: number, bytes = 50) => part(offset + 10, Math.min(bytes, offset + 20))
const wrongPlace = (error_data?: object) =>
  answer(400, { error: { message: 'No.', code: 6001, error_subcode: 1363037, error_data } })
const uploading = (bytes: number | null) =>
  answer(200, { status: { video_status: 'uploading', uploading_phase: { bytes_transfered: bytes } } })

/** A post of a video, and a network that answers everything but the start of its upload in this way. */
async function open(type: 'VIDEO' | 'REEL', answers: (offset: number, method: string) => HttpResult) {
  starts = 0
  offsets = []
  const network = during('prepare', ({ request: { json, body, headers, method } }) => {
    if ((json as { upload_phase?: string } | undefined)?.upload_phase === 'start') {
      starts++
      return answer(200, { video_id: '7', upload_session_id: '8', start_offset: '0', end_offset: '10' })
    }
    const offset = Number(/name="start_offset"\r\n\r\n(\d+)/.exec(String(body))?.[1] ?? headers?.offset)
    if (method === 'POST') offsets.push(offset)
    return answers(offset, method)
  })
  delivery = await stage().open(sample(type), network)
}
/** A network that takes all bytes of a reel, and tells so many of them. */
const openReel = (told: () => number | null, taken: HttpResult = answer(200, { success: true })) =>
  open('REEL', (_, method) => (method === 'GET' ? uploading(told()) : taken))

const turn = async () => (await delivery.call('prepare')) as PrepareOutcome
/** Seconds until the network is asked again. */
function pauseOf(outcome: PrepareOutcome): number | null {
  if (outcome.kind !== 'waiting') return null
  return Math.max(0, Math.round((outcome.askAgainAt.getTime() - stage().world.clock.now().getTime()) / 1000))
}
const ready = { kind: 'ready' }
const lostInTheEnd = { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' }

describe('an upload in parts', () => {
  test('takes several turns when there are many parts, and on a slow line', async () => {
    await open('VIDEO', (offset) => {
      if (offset >= 960) stage().pass(3 * MINUTE)
      return further(offset, 1_000)
    })
    for (const count of [32, 64, 96, 98]) expect([pauseOf(await turn()), offsets.length]).toEqual([0, count])
    expect(await turn()).toEqual(ready)
    expect([starts, offsets]).toEqual([1, Array.from({ length: 100 }, (_, n) => n * 10)])
  })

  test('keeps what has arrived when a request is broken off, and counts only a turn that brought nothing', async () => {
    let broken = true
    await open('VIDEO', (offset) => (broken && offset === 20 ? lost : further(offset)))
    expect(pauseOf(await turn())).toBeGreaterThan(0)
    expect(await turn()).toMatchObject({ kind: 'retry', countsAsAttempt: true })
    broken = false
    expect(await turn()).toEqual(ready)
    expect([starts, offsets]).toEqual([1, [0, 10, 20, 20, 20, 30, 40]])
  })

  test.each<[string, HttpResult]>([
    ['refuses a part and names no other', wrongPlace()],
    ['wants the same part for ever', wrongPlace({ start_offset: '0', end_offset: '10' })],
    ['takes a part and is no further', part(0, 10)],
    ['wants what is behind the end', part(20_000, 20_010)],
    ['wants less than nothing', part(10, 5)],
  ])('begins again a few times when the network %s', async (_, always) => {
    await open('VIDEO', () => always)
    for (let nth = 1; nth <= 4; nth++) {
      expect(await turn()).toMatchObject({ kind: 'retry' })
      expect([starts, delivery.handles().video]).toEqual([nth, null])
    }
    expect(await turn()).toMatchObject(lostInTheEnd)
  })
})

describe('an upload in one request', () => {
  /** Turns until something else than waiting comes, or so many minutes are over. */
  async function wait(minutes = 24 * 60) {
    const pauses: number[] = []
    for (let left = minutes * 60; ; left -= pauses.at(-1) ?? 0) {
      const outcome = await turn()
      const pause = pauseOf(outcome)
      if (pause === null || left <= 0) return { outcome, pauses }
      pauses.push(pause)
      stage().pass(pause * 1000)
    }
  }

  test.each([
    ['nothing', () => null],
    ['all bytes', () => size],
  ])('is waited for with growing pauses while the status tells %s, and begun again in the end', async (_, told) => {
    await openReel(() => (offsets.length < starts ? 0 : told()))
    const { outcome, pauses } = await wait()
    expect(outcome).toMatchObject({ kind: 'retry', countsAsAttempt: true })
    expect([offsets, delivery.handles().video]).toEqual([[0], null])
    expect([pauses[0], pauses.at(-1), pauses.length < 60]).toEqual([2, 60, true])
    for (let nth = 2; nth <= 4; nth++) expect((await wait()).outcome.kind).toBe('retry')
    expect((await wait()).outcome).toMatchObject(lostInTheEnd)
    expect(offsets).toHaveLength(5)
  })

  test('is not sent again while the status lags behind, and continued when bytes are missing for long', async () => {
    await openReel(() => (offsets.length === 0 ? 0 : 40))
    await wait(4)
    expect(offsets).toEqual([0])
    expect((await wait(3)).outcome).toMatchObject({ kind: 'retry' })
    await wait(1)
    expect([starts, offsets]).toEqual([1, [0, 40]])
  })

  test('of a slow line goes on turn by turn, and turns that bring something are no attempts', async () => {
    const sent = Array.from({ length: 10 }, (_, n) => n * Math.ceil(size / 10))
    await openReel(() => [...sent, size][offsets.length] ?? null, lost)
    for (const nth of sent.keys()) expect((await turn()).kind).toBe(nth === 0 ? 'retry' : 'waiting')
    // All are there, though no answer said so.
    expect((await turn()).kind).toBe('waiting')
    expect([starts, offsets]).toEqual([1, sent])
  })
})
