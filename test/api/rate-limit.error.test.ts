import { request } from 'node:http'
import { sql } from 'kysely'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { LIMITS } from '#contract'
import { type Answer, type Api, type ApiOptions, type RequestOptions, startApi } from '../_util/api/api.ts'
import { byWindow, checkRate, standing, untilReset, windowOf } from '../_util/api/rate.ts'
import { newPerson, newVisitor } from '../_util/api/visitor.ts'
import { shutDatabase } from '../_util/database/database.ts'

const PATH = '/v1/social-sets'

let api: Api
const start = async (options: ApiOptions) => {
  api = await startApi(options)
}
afterEach(() => api.close())

const times = <T>(count: number, make: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => make(index)))
const codes = (answers: readonly Answer[]) => new Set(answers.map(({ body }) => body.code))

/** Uses up the second of the key; what comes within it is refused. */
async function exhaust(key = api.key): Promise<Answer> {
  for (const deadline = Date.now() + 10_000; Date.now() < deadline; ) {
    // At once, so that also on a slow machine they fall into one second.
    const answers = await times(4, () => api.request('GET', PATH, { key }))
    const refused = answers.findLast(({ status }) => status === 429)
    if (refused) return refused
  }
  throw new Error('The rate was never exceeded.')
}

/** The answer to a request that comes within a second that is used up. */
async function overRate(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
  for (let attempt = 0; attempt < 30; attempt += 1) {
    const { reset } = standing(await exhaust(options.key ?? api.key))
    const answer = await api.request(method, path, options)
    // Else the second has ended in between, and this request has begun a new one.
    if (standing(answer).reset === reset) return answer
  }
  throw new Error('No request came in time.')
}

describe('a request that is one too many', () => {
  test('errors-12, limits-03, problem-38, rate-05: is a problem that says when to come back', async () => {
    await start({ plans: { SCALE: { requestsPerSecond: 2 } } })
    const { status, headers, body } = await overRate('GET', PATH)
    expect(status).toBe(429)
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('content-type')).toContain('application/problem+json')
    expect(body).toMatchObject({ code: 'rate-limit:exceeded', status: 429, errors: [] })
    expect(body.message).toContain('2 requests')
    expect(headers.get('x-ratelimit-remaining')).toBe('0')
  })

  test('order-01, order-02: is refused before anything else is looked at', async () => {
    await start({ plans: { SCALE: { requestsPerSecond: 1 }, FREE: { requestsPerSecond: 1, apiAccess: false } } })
    const readOnly = await api.newKey({ scopes: [] })
    const shutOut = await api.newKey({ accountId: await api.newAccount({ plan: 'FREE' }) })
    for (const [method, path, options] of [
      ['GET', '/v1/nothing', {}],
      ['DELETE', PATH, {}],
      ['OPTIONS', PATH, {}],
      ['GET', '/v1/%zz', {}],
      ['GET', PATH, { headers: { accept: 'text/html' } }],
      ['GET', PATH, { key: shutOut }],
      ['POST', '/v1/post-sets', { key: readOnly, body: {} }],
      ['POST', '/v1/post-sets', { raw: '{' }],
      ['POST', '/v1/post-sets', { raw: 'x', headers: { 'content-type': 'text/plain' } }],
      ['POST', '/v1/post-sets', { raw: JSON.stringify('x'.repeat(1_048_577)) }],
      ['GET', '/v1/post-sets/nothing', {}],
    ] as const satisfies [string, string, RequestOptions][]) {
      const { status, body } = await overRate(method, path, options)
      expect([status, body.code], `${method} ${path}`).toEqual([429, 'rate-limit:exceeded'])
    }
  })

  test('writes nothing', async () => {
    await start({ plans: { SCALE: { requestsPerSecond: 3 } } })
    const answers = await times(12, () => api.request('POST', '/v1/post-sets', { body: api.draft() }))
    const created = answers.filter(({ status }) => status === 201)
    expect(answers.filter(({ status }) => status === 429).length).toBe(12 - created.length)
    expect(created.length).toBeLessThan(12)
    const { count } = await api.db
      .selectFrom('post_sets')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    expect(count).toBe(created.length)
  })

  test('rate-05: takes nothing from the next second', async () => {
    await start({ plans: { SCALE: { requestsPerSecond: 4 } } })
    const refused = await times(60, () => api.request('GET', PATH))
    await untilReset(...refused)
    const next = await times(12, () => api.request('GET', PATH))
    for (const window of byWindow([...refused, ...next])) {
      expect(window).toEqual(windowOf(4, window.passed + window.refused))
    }
    expect(next.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(4)
  })
})

describe('without a valid key', () => {
  test('order-02, rate-06: requests count for their address, and requests with one do not', async () => {
    await start({ addressLimit: 3, plans: { SCALE: { requestsPerSecond: 1_000 } } })
    const revoked = await api.newKey()
    await sql`update api_keys set revoked_at = now() where id <> (select min(id::text)::uuid from api_keys)`.execute(
      api.db,
    )
    const unknown = `alm_${'A'.repeat(43)}`
    const keys = [null, 'nonsense', unknown, revoked]
    const [without, withKey] = await Promise.all([
      times(24, (index) => api.request('GET', PATH, { key: keys[index % keys.length] ?? null })),
      times(24, () => api.request('GET', PATH)),
    ])
    // Which three of them came first is not known.
    const reported = codes(without)
    expect(reported.delete('rate-limit:exceeded')).toBe(true)
    expect(reported.size).toBeGreaterThan(0)
    expect(
      [...reported].filter((code) => !['auth:missing_credential', 'auth:invalid_credential'].includes(code)),
    ).toEqual([])
    for (const window of byWindow(without)) expect(window).toEqual(windowOf(3, window.passed + window.refused))
    expect(new Set(withKey.map(({ status, headers }) => `${status} of ${headers.get('x-ratelimit-limit')}`))).toEqual(
      new Set(['200 of 1000']),
    )
  })

  test('paths that are not there count as well', async () => {
    await start({ addressLimit: 2 })
    const paths = ['/v1', '/v1/nothing', '/v1/%zz', '/%76%31/nothing', `/v1/${'x'.repeat(12_000)}`, '/v1/post-sets?x=1']
    const answers = await times(24, (index) => api.request('GET', paths[index % paths.length] ?? '', { key: null }))
    expect(codes(answers)).toEqual(new Set(['auth:missing_credential', 'rate-limit:exceeded']))
    for (const window of byWindow(answers)) expect(window).toEqual(windowOf(2, window.passed + window.refused))
  })
})

test('limits-02, rate-04, rate-06: the headers are on every kind of answer', async () => {
  await start({ plans: { FREE: { apiAccess: false } } })
  const { id } = await api.create()
  const stale = { body: { approval: 'PENDING' }, headers: { 'if-match': '"999"' } }
  const readOnly = await api.newKey({ scopes: [] })
  const shutOut = await api.newKey({ accountId: await api.newAccount({ plan: 'FREE' }) })
  for (const [wanted, method, path, options] of [
    [200, 'GET', PATH, {}],
    [200, 'HEAD', PATH, {}],
    [201, 'POST', '/v1/post-sets', { body: api.draft() }],
    [204, 'OPTIONS', PATH, {}],
    [400, 'POST', '/v1/post-sets', { raw: '{' }],
    [400, 'GET', '/v1/post-sets?x=1', {}],
    [401, 'GET', PATH, { key: null }],
    [401, 'HEAD', '/v1/nothing', { key: 'nonsense' }],
    [403, 'POST', '/v1/post-sets', { key: readOnly, body: {} }],
    [403, 'GET', PATH, { key: shutOut }],
    [404, 'GET', '/v1/nothing', {}],
    [404, 'GET', '/v1', {}],
    [404, 'GET', '/v1/%zz', {}],
    [404, 'GET', `/v1/post-sets/${'x'.repeat(12_000)}`, {}],
    [405, 'DELETE', PATH, {}],
    [405, 'PROPFIND', PATH, {}],
    [406, 'GET', PATH, { headers: { accept: 'text/html' } }],
    [412, 'PATCH', `/v1/post-sets/${id}`, stale],
    [413, 'POST', '/v1/post-sets', { raw: JSON.stringify('x'.repeat(1_048_577)) }],
    [415, 'POST', '/v1/post-sets', { raw: 'x', headers: { 'content-type': 'text/plain' } }],
    [422, 'POST', '/v1/post-sets', { body: api.draft({ status: 'SCHEDULED', posts: [emptyPost] }) }],
  ] as const satisfies [number, string, string, RequestOptions][]) {
    const answer = await api.request(method, path, options)
    expect(answer.status, `${method} ${path.slice(0, 40)}: ${JSON.stringify(answer.body)}`).toBe(wanted)
    checkRate(`${method} ${path.slice(0, 40)}`, answer)
  }
})

const emptyPost = { accountType: 'BLUESKY', caption: '', media: [] }

test('also on answers to what no client of the web sends', async () => {
  await start({})
  const ask = (path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; headers: Headers }>((resolve, reject) => {
      const asked = request(
        api.url,
        { path, headers: { authorization: `Bearer ${api.key}`, ...headers } },
        (answer) => {
          answer.resume()
          resolve({ status: answer.statusCode ?? 0, headers: new Headers(answer.headers as Record<string, string>) })
        },
      )
      asked.on('error', reject).end()
    })
  for (const [wanted, path, headers] of [
    [200, PATH, { expect: 'something' }],
    [200, `${api.url}${PATH}`, {}],
    [404, `${api.url}/v1/nothing`, {}],
    [404, `${api.url}/v1/%zz`, {}],
  ] as const) {
    const answer = await ask(path, headers)
    expect(answer.status, path).toBe(wanted)
    checkRate(path, answer)
  }
})

describe('while the database does not answer', () => {
  const started = async () => {
    await start({ addressLimit: 3, plans: { SCALE: { requestsPerSecond: 2 } } })
    return shutDatabase(api.databaseUrl)
  }
  const countLines = (words: string) => api.logged().split(words).length - 1

  test('requests without a key are counted all the same, and by the database again when it is back', async () => {
    const open = await started()
    const answers = await times(24, () => api.request('GET', PATH, { key: null }))
    expect(codes(answers)).toEqual(new Set(['auth:missing_credential', 'rate-limit:exceeded']))
    for (const window of byWindow(answers)) expect(window).toEqual(windowOf(3, window.passed + window.refused))
    for (const answer of answers) checkRate(PATH, answer)
    expect(countLines('counted by this process alone')).toBe(1)

    await open()
    const counted = () => api.db.selectFrom('rate_windows').select('subject').execute()
    await vi.waitFor(async () => {
      await api.request('GET', PATH, { key: null })
      expect(await counted()).toEqual([{ subject: 'address:127.0.0.1' }])
    }, 10_000)
    expect(countLines('counts the requests again')).toBe(1)
  })

  test('requests with a key that cannot be looked up are counted for their address', async () => {
    const open = await started()
    const answers = await times(24, () => api.request('GET', PATH))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503, 429]))
    for (const window of byWindow(answers)) expect(window).toEqual(windowOf(3, window.passed + window.refused))
    await open()
  })

  test('requests of the dashboard are counted too, with a session that cannot be looked up and without one', async () => {
    const open = await started()
    const limit = LIMITS.requestsPerSecondPerMember
    const cookies = ['', '__Secure-almanac.session_token=x.y']
    for (const cookie of cookies) {
      const answers = await times(3 * limit, () =>
        api.request('GET', '/internal/session', { key: null, headers: { origin: 'https://almanac.test', cookie } }),
      )
      expect(codes(answers), cookie).toContain('rate-limit:exceeded')
    }
    await open()
  })
})

test('while nothing can be looked up, an address that asks too much is refused before anything is looked up', async () => {
  await start({ addressLimit: 3 })
  const visitor = newVisitor(api, {}, { waits: false })
  await visitor.signIn(await newPerson(api))
  const requests: [string, () => Promise<Answer>][] = [
    [PATH, () => api.request('GET', PATH)],
    ['/internal/session', () => visitor.request('GET', '/session')],
  ]
  const [locked, free] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holding = api.db.transaction().execute(async (trx) => {
    await sql`lock table rate_windows, api_keys, sessions in access exclusive mode`.execute(trx)
    locked.resolve()
    await free.promise
  })
  await locked.promise
  // From here on this process counts.
  expect((await api.request('GET', PATH, { key: null })).status).toBe(401)
  const waiting: Promise<Answer>[] = []
  try {
    for (const [path, ask] of requests) {
      const refused: Answer[] = []
      for (let n = 0; n < 3 * LIMITS.requestsPerSecondPerMember; n += 1) {
        const asked = ask()
        waiting.push(asked)
        void asked.then((answer) => void (answer.status === 429 && refused.push(answer)))
      }
      // The tables are still locked: nothing was looked up for these.
      await vi.waitFor(() => expect(refused.length, path).toBeGreaterThan(0), 8_000)
      expect(codes(refused)).toEqual(new Set(['rate-limit:exceeded']))
    }
  } finally {
    free.resolve()
    await holding
    await Promise.all(waiting)
  }
})

test('a database that has no place to count in lets no one through who asks too much', async () => {
  await start({ plans: { SCALE: { requestsPerSecond: 1 } } })
  await sql`drop table rate_windows`.execute(api.db)
  const answers = await times(12, () => api.request('GET', PATH))
  for (const window of byWindow(answers)) expect(window).toEqual(windowOf(1, window.passed + window.refused))
  expect(answers.some(({ status }) => status === 429)).toBe(true)
  expect(api.logged()).toContain('rate_windows')
})

test('when the key cannot be looked up, the answer has the headers too', async () => {
  await start({})
  await sql`alter table api_keys rename to gone`.execute(api.db)
  const answer = await api.request('GET', PATH)
  expect(answer.status).toBe(500)
  checkRate(PATH, answer)
})

test('an address that asks too much is refused before its body is read', async () => {
  await start({ addressLimit: 1 })
  // The body never comes: an answer shows that the server did not wait for it.
  const ask = (path: string) =>
    new Promise<number>((resolve, reject) => {
      const headers = { 'content-type': 'application/json', 'content-length': '100', origin: 'https://almanac.test' }
      const asked = request(`${api.url}${path}`, { method: 'POST', headers }, (answer) => {
        resolve(answer.statusCode ?? 0)
        asked.destroy()
      })
      asked.on('error', reject)
      asked.flushHeaders()
    })
  const below = await times(12, () => ask('/v1/post-sets'))
  expect(new Set(below)).toEqual(new Set([401, 429]))
  const many = await times(3 * LIMITS.requestsPerSecondPerMember, () => ask('/internal/notes'))
  expect(new Set(many)).toEqual(new Set([401, 429]))
})
