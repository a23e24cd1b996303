import { afterEach, describe, expect, test, vi } from 'vitest'
import {
  Almanac,
  AlmanacError,
  type AlmanacEvent,
  ApiError,
  ConnectionError,
  GoneError,
  handleEvent,
  NotFoundError,
  PreconditionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../../clients/typescript/src/index.ts'

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

type Answer = (request: Request) => Response | Promise<Response>

interface Asked {
  almanac: Almanac
  requests: Request[]
}

/** A client whose requests get these answers, one behind the other; the last one for all that follow. */
function answeredBy(...answers: Answer[]): Asked {
  const requests: Request[] = []
  const almanac = new Almanac({
    url: 'https://almanac.test/below/',
    key: 'alm_test',
    async fetch(address, init) {
      const request = new Request(address, init)
      requests.push(request)
      const answer = answers[Math.min(requests.length, answers.length) - 1]
      if (!answer) throw new Error('There is no answer.')
      return answer(request)
    },
  })
  return { almanac, requests }
}

const json =
  (body: unknown, init?: ResponseInit): Answer =>
  () =>
    Response.json(body, init)
const problem = (status: number, code: string, headers: Record<string, string> = {}): Answer =>
  json({ code, detail: `${code}.`, requestId: 'one', errors: [] }, { status, headers })
const cut: Answer = () => Promise.reject(new TypeError('fetch failed'))
const page = (data: unknown[], number: number, totalPages: number, totalIsExact = true) =>
  json({ data, pagination: { page: number, size: data.length, total: 9, totalPages, totalIsExact } })

/** Ends what is waited for, however long it would take, and says how long it was. */
async function inNoTime<T>(work: () => Promise<T>): Promise<{ value: T; ms: number }> {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] })
  const begun = Date.now()
  let ended = false
  const done = work().finally(() => {
    ended = true
  })
  done.catch(() => undefined)
  while (!ended) {
    // What is answered at once arrives before time goes on.
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
    if (!ended) await vi.advanceTimersToNextTimerAsync()
  }
  const ms = Date.now() - begun
  vi.useRealTimers()
  return { value: await done, ms }
}

describe('a request', () => {
  test('carries key, body and query below the address of the service', async () => {
    const { almanac, requests } = answeredBy(json({ id: 'one' }))
    await almanac.postSets.create({ scheduledAt: '2030-06-01' } as never)
    await almanac.events.list({ types: ['post.posted', 'post.failed'], after: 0 })
    const [created, listed] = requests
    expect(created?.url).toBe('https://almanac.test/below/v1/post-sets')
    expect(created?.headers.get('authorization')).toBe('Bearer alm_test')
    expect(created?.headers.get('content-type')).toBe('application/json')
    expect(await created?.json()).toEqual({ scheduledAt: '2030-06-01' })
    const query = 'types[]=post.posted&types[]=post.failed&after=0'
    expect(decodeURIComponent(new URL(listed?.url ?? '').search)).toBe(`?${query}`)
    expect(listed?.headers.get('idempotency-key')).toBeNull()
  })

  test('is tried again with the same idempotency key, which is made once', async () => {
    const { almanac, requests } = answeredBy(cut, problem(503, 'service:unavailable'), json({ id: 'one' }))
    const { value } = await inNoTime(() => almanac.notes.create({ content: 'x' } as never))
    expect(value).toEqual({ id: 'one' })
    const keys = requests.map(({ headers }) => headers.get('idempotency-key'))
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(keys).size).toBe(1)
    expect(keys).toHaveLength(3)
    expect(await Promise.all(requests.map((request) => request.text()))).toEqual(Array(3).fill('{"content":"x"}'))
    await almanac.notes.create({} as never, { idempotencyKey: 'mine' })
    expect(requests.at(-1)?.headers.get('idempotency-key')).toBe('mine')
  })

  test('is tried twice more and no oftener, with pauses that grow', async () => {
    const { almanac, requests } = answeredBy(cut)
    const begun = inNoTime(() => almanac.notes.get('one'))
    await expect(begun).rejects.toThrow(ConnectionError)
    expect(requests).toHaveLength(3)
    const single = answeredBy(cut)
    await expect(single.almanac.notes.get('one', { maxRetries: 0 })).rejects.toThrow(ConnectionError)
    expect(single.requests).toHaveLength(1)
  })

  test('waits as long as Retry-After says, up to a minute', async () => {
    const patient = answeredBy(problem(429, 'rate-limit:exceeded', { 'retry-after': '50' }), json([]))
    const { ms } = await inNoTime(() => patient.almanac.notes.list({} as never))
    expect(ms).toBeGreaterThanOrEqual(50_000)
    expect(ms).toBeLessThan(51_000)
    const asked = answeredBy(problem(429, 'rate-limit:exceeded', { 'retry-after': '61' }))
    await expect(asked.almanac.notes.list({} as never)).rejects.toThrow(RateLimitError)
    expect(asked.requests).toHaveLength(1)
    const date = new Date(Date.now() + 120_000).toUTCString()
    const dated = answeredBy(problem(503, 'service:unavailable', { 'retry-after': date }))
    await expect(dated.almanac.notes.list({} as never)).rejects.toThrow(ServerError)
    expect(dated.requests).toHaveLength(1)
  })

  test('is not tried again when it was refused, but when its first one still runs', async () => {
    for (const [status, code] of [
      [400, 'request:invalid_body'],
      [409, 'request:refused'],
      [422, 'post-set:invalid_posts'],
    ] as const) {
      const { almanac, requests } = answeredBy(problem(status, code))
      await expect(almanac.notes.create({} as never)).rejects.toMatchObject({ status, code, requestId: 'one' })
      expect(requests).toHaveLength(1)
    }
    const running = answeredBy(problem(409, 'request:in_progress', { 'retry-after': '1' }), json({ id: 'one' }))
    await inNoTime(() => running.almanac.notes.create({} as never))
    expect(running.requests).toHaveLength(2)
  })

  test('ends in time, and with its signal', async () => {
    const never: Answer = ({ signal }) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    const late = answeredBy(never)
    const waited = inNoTime(() => late.almanac.notes.get('one', { timeout: 1_000, maxRetries: 1 }))
    await expect(waited).rejects.toThrow(TimeoutError)
    expect(late.requests).toHaveLength(2)
    const stopped = answeredBy(never)
    const stop = new AbortController()
    const call = stopped.almanac.notes.get('one', { signal: stop.signal })
    stop.abort(new Error('Enough.'))
    await expect(call).rejects.toThrow('Enough.')
    expect(stopped.requests).toHaveLength(1)
    await expect(stopped.almanac.notes.get('one', { signal: AbortSignal.abort('before') })).rejects.toBe('before')
    expect(stopped.requests).toHaveLength(1)
  })

  test('that deletes is done when an attempt without an answer may have done it', async () => {
    const gone = problem(404, 'note:not_found')
    const lost = answeredBy(cut, gone)
    await inNoTime(() => lost.almanac.notes.delete('one'))
    expect(lost.requests).toHaveLength(2)
    await expect(answeredBy(gone).almanac.notes.delete('one')).rejects.toThrow(NotFoundError)
    const limited = answeredBy(problem(429, 'rate-limit:exceeded'), gone)
    await expect(inNoTime(() => limited.almanac.notes.delete('one'))).rejects.toThrow(NotFoundError)
    await expect(inNoTime(() => answeredBy(cut, gone).almanac.notes.get('one'))).rejects.toThrow(NotFoundError)
  })

  test('names the version that was read', async () => {
    const { almanac, requests } = answeredBy(problem(412, 'post-set:version_conflict'))
    await expect(almanac.postSets.update('one', {}, { version: 3 })).rejects.toThrow(PreconditionError)
    await expect(almanac.postSets.delete('a/b', { version: 4 })).rejects.toThrow(PreconditionError)
    expect(requests.map(({ headers }) => headers.get('if-match'))).toEqual(['"3"', '"4"'])
    expect(requests[1]?.url).toMatch(/\/post-sets\/a%2Fb$/)
  })
})

describe('an answer', () => {
  test('is kept as it came, with what the client does not know', async () => {
    const { almanac } = answeredBy(json({ id: 'one', status: 'DREAMT', later: { more: 1 } }))
    expect(await almanac.postSets.get('one')).toEqual({ id: 'one', status: 'DREAMT', later: { more: 1 } })
  })

  test('comes with what was around it', async () => {
    const headers = { 'x-request-id': 'two', 'almanac-version': '9.9.9' }
    const { almanac } = answeredBy(json({ id: 'one' }, { headers }))
    const answered = await almanac.postSets.get('one').withResponse()
    expect(answered).toMatchObject({ data: { id: 'one' }, requestId: 'two', serverVersion: '9.9.9' })
    expect(answered.response.status).toBe(200)
    await expect(answeredBy(problem(404, 'note:not_found')).almanac.notes.get('one').withResponse()).rejects.toThrow(
      NotFoundError,
    )
  })

  test('that is no problem of the service is an error all the same', async () => {
    const { almanac } = answeredBy(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))
    const failed = inNoTime(() => almanac.notes.get('one'))
    await expect(failed).rejects.toMatchObject({ name: 'ServerError', code: 'http:502', requestId: null, errors: [] })
    const page = answeredBy(() => new Response('<h1>Hello</h1>'))
    await expect(page.almanac.notes.get('one')).rejects.toThrow('not JSON')
  })

  test('that leads elsewhere is not followed: the key would go along', async () => {
    const { almanac, requests } = answeredBy(() => new Response(null, { status: 302, headers: { location: '/x' } }))
    await expect(almanac.notes.get('one')).rejects.toThrow('redirects')
    expect(requests).toHaveLength(1)
    expect(requests[0]?.redirect).toBe('manual')
  })
})

describe('a list', () => {
  test('is its first page, and all of it when it is iterated', async () => {
    const { almanac, requests } = answeredBy(page(['a', 'b'], 1, 2), page(['c'], 2, 2))
    expect((await almanac.labels.list()).data).toEqual(['a', 'b'])
    requests.length = 0
    expect(await Array.fromAsync(almanac.labels.list({ size: 2 }))).toEqual(['a', 'b', 'c'])
    expect(requests.map(({ url }) => new URL(url).search)).toEqual(['?size=2', '?size=2&page=2'])
  })

  test('that is longer than its pages says so at their end', async () => {
    const { almanac } = answeredBy(page(['a'], 1, 1, false))
    const seen: unknown[] = []
    const read = async () => {
      for await (const each of almanac.labels.list()) seen.push(each)
    }
    await expect(read()).rejects.toThrow('Narrow it')
    expect(seen).toEqual(['a'])
  })
})

describe('waiting', () => {
  const set = (status: string, version: number, dueIn: number): Answer => {
    return () => Response.json({ id: 'one', status, version, scheduledAt: new Date(Date.now() + dueIn).toISOString() })
  }

  test('for a set ends when it is published, and says what it saw', async () => {
    const { almanac, requests } = answeredBy(
      ...[set('SCHEDULED', 1, 3_600_000), set('SCHEDULED', 1, -1_000), set('PUBLISHING', 2, -2_000)],
      set('PUBLISHED', 3, -3_000),
    )
    const seen: string[] = []
    const onChange = ({ status }: { status: string }) => void seen.push(status)
    const { value, ms } = await inNoTime(() => almanac.postSets.waitUntilPublished('one', { onChange }))
    expect(value.status).toBe('PUBLISHED')
    expect(seen).toEqual(['SCHEDULED', 'PUBLISHING', 'PUBLISHED'])
    expect(requests).toHaveLength(4)
    expect(ms).toBe(62_000)
  })

  test('goes on when the service was away, but for the first time', async () => {
    const away = problem(503, 'service:unavailable', { 'retry-after': '90' })
    const { almanac, requests } = answeredBy(set('PUBLISHING', 1, -60_000), away, set('PUBLISHED', 2, -60_000))
    expect((await inNoTime(() => almanac.postSets.waitUntilPublished('one'))).value.status).toBe('PUBLISHED')
    expect(requests).toHaveLength(3)
    await expect(answeredBy(away).almanac.postSets.waitUntilPublished('one')).rejects.toThrow(ServerError)
    await expect(answeredBy(away).almanac.events.follow(1).next()).rejects.toThrow(ServerError)
  })

  test('for a draft would have no end, and waiting for a set ends in time', async () => {
    await expect(answeredBy(set('DRAFT', 1, 0)).almanac.postSets.waitUntilPublished('one')).rejects.toThrow('draft')
    const { almanac } = answeredBy(set('PUBLISHING', 1, -60_000))
    const waited = inNoTime(() => almanac.postSets.waitUntilPublished('one', { timeout: 12_000 }))
    await expect(waited).rejects.toThrow(TimeoutError)
  })
})

describe('events', () => {
  const event = (position: number, type = 'post.posted') => ({ id: `${position}`, position, type, data: {} })

  test('are followed behind a position, through times in which the service is away', async () => {
    const { almanac, requests } = answeredBy(
      json({ data: [event(8), event(9)], nextAfter: 9 }),
      ...[problem(503, 'service:unavailable', { 'retry-after': '90' }), json({ data: [], nextAfter: 12 })],
      json({ data: [event(13)], nextAfter: 13 }),
    )
    const { value } = await inNoTime(async () => {
      const seen: number[] = []
      for await (const { position } of almanac.events.follow(7, { types: ['post.posted'] })) {
        seen.push(position)
        if (position === 13) break
      }
      return seen
    })
    expect(value).toEqual([8, 9, 13])
    const asked = requests.map(({ url }) => new URL(url).searchParams)
    expect(asked.map((query) => query.get('after'))).toEqual(['7', '9', '9', '12'])
    expect(asked.every((query) => query.get('wait') === '20' && query.get('types[]') === 'post.posted')).toBe(true)
  })

  test('begin with now, and end where their position is gone', async () => {
    const { almanac, requests } = answeredBy(json({ data: [], nextAfter: 3 }), problem(410, 'event:position_gone'))
    await expect(almanac.events.follow().next()).rejects.toThrow(GoneError)
    expect(requests.map(({ url }) => new URL(url).searchParams.get('after'))).toEqual([null, '3'])
  })

  test('go to the handler of their type, and those that are not known to the default', () => {
    const known = event(1) as AlmanacEvent
    const other = event(2, 'cake.eaten') as AlmanacEvent
    const handlers = { 'post.posted': () => 'posted', default: ({ type }: AlmanacEvent) => `other: ${type}` }
    expect(handleEvent(known, handlers)).toBe('posted')
    expect(handleEvent(other, handlers)).toBe('other: cake.eaten')
    expect(handleEvent(event(3, 'toString') as AlmanacEvent, { 'post.posted': () => 'posted' })).toBeUndefined()
  })
})

describe('a client', () => {
  test('refuses browsers, unless that is meant so', () => {
    const options = { url: 'https://almanac.test', key: 'alm_test' }
    vi.stubGlobal('document', {})
    expect(() => new Almanac(options)).toThrow('allowInBrowser')
    expect(new Almanac({ ...options, allowInBrowser: true })).toBeInstanceOf(Almanac)
  })

  test('wants an address and a key', () => {
    expect(() => new Almanac({ url: 'almanac', key: 'alm_test' })).toThrow('address')
    expect(() => new Almanac({ url: 'ftp://almanac.test', key: 'alm_test' })).toThrow('https')
    expect(() => new Almanac({ url: 'https://almanac.test', key: '' })).toThrow('key')
    expect(() => new Almanac({ url: 'https://almanac.test', key: 'alm_\n' })).toThrow('key')
  })

  test('never shows its key', async () => {
    const { almanac } = answeredBy(cut)
    const error = await almanac.notes.get('one', { maxRetries: 0 }).catch((each: unknown) => each)
    const { inspect } = await import('node:util')
    expect(inspect([almanac, error], { depth: 9, showHidden: true })).not.toContain('alm_test')
    expect(error).toBeInstanceOf(AlmanacError)
    expect(error).not.toBeInstanceOf(ApiError)
  })
})
