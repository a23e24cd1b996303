import { Readable } from 'node:stream'
import { beforeEach, describe, expect, test } from 'vitest'
import type { HttpRequest, HttpResult } from '../kit/http.ts'
import type { Attempt, Handles, PrepareOutcome } from '../network.ts'
import { connector } from './publish.ts'

const MINUTE = 60_000
const LOST: HttpResult = { kind: 'failed', sent: true, message: 'The network did not answer in time.' }

/** What is kept between two turns, and what the network is asked. */
let handles: Handles
let clock: number
let sent: { method: string; path: string; offset: number | null }[]
/** Answers everything but the start of an upload. */
let network: (request: HttpRequest, offset: number | null) => HttpResult

beforeEach(() => {
  handles = {}
  clock = Date.parse('2026-11-21T10:00:00Z')
  sent = []
})

const answer = (json: object, status = 200): HttpResult => ({
  kind: 'answer',
  status,
  headers: {},
  text: JSON.stringify(json),
  json,
})
const part = (start: number, end: number) => answer({ start_offset: String(start), end_offset: String(end) })
const wrongPlace = (data: object | null) =>
  answer({ error: { message: 'No.', code: 6001, error_subcode: 1363037, ...(data ? { error_data: data } : {}) } }, 400)
const uploading = (bytes: number | null) =>
  answer({
    status: { video_status: 'uploading', uploading_phase: bytes === null ? {} : { bytes_transfered: bytes } },
  })

/** One turn of `prepare` for a video of so many bytes. */
async function turn(type: 'VIDEO' | 'REEL', bytes: number, firstPart = 10): Promise<PrepareOutcome> {
  const upright = type === 'REEL'
  const facts = {
    type: 'VIDEO',
    mimeType: 'video/mp4',
    bytes,
    width: upright ? 720 : 1280,
    height: upright ? 1280 : 720,
    durationMs: 200_000,
  }
  const source = {
    facts,
    open: async ({ start, end } = { start: 0, end: bytes }) => Readable.from([Buffer.alloc(end - start)]),
  }
  const attempt = {
    post: { accountType: 'FACEBOOK', caption: '', fields: { type, richCaption: [] }, media: [{ facts, source }] },
    account: { externalId: '1', username: null, defaults: {} },
    credentials: { accessToken: 'token' },
    endpoint: (name: string) => `https://${name}.example`,
    setting: () => 'v25.0',
    get handles() {
      return handles
    },
    store: async (more: Handles) => {
      handles = { ...handles, ...JSON.parse(JSON.stringify(more)) }
    },
    http: async (request: HttpRequest) => {
      const body = Buffer.isBuffer(request.body) ? request.body.toString('latin1') : ''
      const given = /name="start_offset"\r\n\r\n(\d+)/.exec(body)?.[1] ?? request.headers?.offset
      const offset = given === undefined ? null : Number(given)
      const starts = (request.json as { upload_phase?: string } | undefined)?.upload_phase === 'start'
      sent.push({ method: request.method, path: starts ? 'start' : new URL(request.url).pathname, offset })
      if (!starts) return network(request, offset)
      return answer({ video_id: '7', upload_session_id: '8', start_offset: '0', end_offset: String(firstPart) })
    },
    signal: new AbortController().signal,
    now: () => new Date(clock),
    fencedAt: null,
  }
  return connector.prepare(attempt as unknown as Attempt)
}

const starts = () => sent.filter(({ path }) => path === 'start').length
const offsets = () => sent.filter(({ offset }) => offset !== null).map(({ offset }) => offset)
const pauseOf = (outcome: PrepareOutcome) => (outcome.kind === 'waiting' ? outcome.askAgainAt.getTime() - clock : null)

describe('an upload in parts', () => {
  test('takes several turns when there are many parts', async () => {
    network = (_, offset) => part(Number(offset) + 10, Math.min(1_000, Number(offset) + 20))
    const turns: number[] = []
    for (let outcome = await turn('VIDEO', 1_000); ; outcome = await turn('VIDEO', 1_000)) {
      turns.push(offsets().length)
      if (outcome.kind === 'ready') break
      expect(pauseOf(outcome)).toBe(0)
      if (turns.length > 10) throw new Error('There is no end.')
    }
    expect(turns).toEqual([32, 64, 96, 100])
    expect(starts()).toBe(1)
  })

  test('takes several turns on a slow line', async () => {
    network = (_, offset) => {
      clock += 3 * MINUTE
      return part(Number(offset) + 10, Math.min(50, Number(offset) + 20))
    }
    expect((await turn('VIDEO', 50)).kind).toBe('waiting')
    expect(offsets()).toEqual([0, 10])
    expect((await turn('VIDEO', 50)).kind).toBe('waiting')
    expect(await turn('VIDEO', 50)).toEqual({ kind: 'ready' })
    expect([starts(), offsets()]).toEqual([1, [0, 10, 20, 30, 40]])
  })

  test('keeps what has arrived when a request is broken off, and counts only a turn that brought nothing', async () => {
    network = (_, offset) => (offset === 20 ? LOST : part(Number(offset) + 10, Math.min(50, Number(offset) + 20)))
    expect(pauseOf(await turn('VIDEO', 50))).toBeGreaterThan(0)
    expect(await turn('VIDEO', 50)).toMatchObject({ kind: 'retry', countsAsAttempt: true })
    network = (_, offset) => part(Number(offset) + 10, Math.min(50, Number(offset) + 20))
    expect(await turn('VIDEO', 50)).toEqual({ kind: 'ready' })
    expect([starts(), offsets()]).toEqual([1, [0, 10, 20, 20, 20, 30, 40]])
  })

  test('goes on where the network says that it stands', async () => {
    network = (_, offset) => (offset === 0 ? wrongPlace({ start_offset: '30', end_offset: '50' }) : part(50, 50))
    expect(await turn('VIDEO', 50)).toEqual({ kind: 'ready' })
    expect([starts(), offsets()]).toEqual([1, [0, 30]])
  })

  test.each<[string, HttpResult]>([
    ['refuses a part and names no other', wrongPlace(null)],
    ['wants the same part for ever', wrongPlace({ start_offset: '0', end_offset: '10' })],
    ['takes a part and is no further', part(0, 10)],
    ['wants what is behind the end', part(60, 70)],
  ])('begins anew a few times when the network %s', async (_, always) => {
    network = () => always
    for (let nth = 1; nth <= 4; nth++) {
      expect(await turn('VIDEO', 50)).toMatchObject({ kind: 'retry' })
      expect([starts(), handles.video]).toEqual([nth, null])
    }
    expect(await turn('VIDEO', 50)).toMatchObject({ kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' })
  })
})

describe('an upload in one request', () => {
  const uploads = () => sent.filter(({ path }) => path.includes('video-upload')).length
  /** Turns until something else than waiting comes, or so much time is over. */
  async function wait(ms: number): Promise<{ outcome: PrepareOutcome; pauses: number[] }> {
    const pauses: number[] = []
    for (const end = clock + ms; ; ) {
      const outcome = await turn('REEL', 100)
      const pause = pauseOf(outcome)
      if (pause === null || clock >= end) return { outcome, pauses }
      pauses.push(pause)
      clock += pause
    }
  }
  const taking =
    (status: () => HttpResult) =>
    ({ method }: HttpRequest) =>
      method === 'GET' ? status() : answer({ success: true })

  test.each([
    ['nothing', null],
    ['all bytes', 100],
  ])('is waited for with growing pauses while the status tells %s, and begun anew in the end', async (_, bytes) => {
    network = taking(() => uploading(uploads() < starts() ? 0 : bytes))
    const { outcome, pauses } = await wait(24 * 60 * MINUTE)
    expect(outcome).toMatchObject({ kind: 'retry', countsAsAttempt: true })
    expect([uploads(), handles.video]).toEqual([1, null])
    expect(pauses.length).toBeLessThan(60)
    expect(pauses[0]).toBeLessThan(3_000)
    expect(pauses.at(-1)).toBe(60_000)
    for (let nth = 2; nth <= 4; nth++) expect((await wait(24 * 60 * MINUTE)).outcome.kind).toBe('retry')
    expect((await wait(24 * 60 * MINUTE)).outcome).toMatchObject({ kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(uploads()).toBe(5)
  })

  test('is not sent again while the status lags behind, and continued when bytes are missing for long', async () => {
    network = taking(() => uploading(uploads() === 0 ? 0 : 40))
    await wait(4 * MINUTE)
    expect(offsets()).toEqual([0])
    expect((await wait(3 * MINUTE)).outcome).toMatchObject({ kind: 'retry' })
    await wait(MINUTE)
    expect([starts(), offsets()]).toEqual([1, [0, 40]])
  })

  test('of a slow line goes on turn by turn, and turns that bring something are no attempts', async () => {
    let arrived = 0
    network = ({ method }) => {
      if (method === 'GET') return uploading(arrived)
      arrived += 10
      return LOST
    }
    const kinds: string[] = []
    for (let nth = 0; nth < 10; nth++) kinds.push((await turn('REEL', 100)).kind)
    expect(kinds).toEqual(['retry', ...Array.from({ length: 9 }, () => 'waiting')])
    expect([starts(), offsets()]).toEqual([1, [0, 10, 20, 30, 40, 50, 60, 70, 80, 90]])
    // All are there, though no answer said so.
    expect((await turn('REEL', 100)).kind).toBe('waiting')
    expect(uploads()).toBe(10)
  })
})
