import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ALERT_HEADERS, Alert, validatorOf } from '#contract'
import { purgeNews, readNewsFaults } from '#persistence'
import { ALERT_KEY, PUBLIC_URL, type StartedNewsroom, sendsOf, startNewsroom } from '../_util/api/newsroom.ts'
import { createEngine, type Engine, type EngineOptions } from '../_util/engine/engine.ts'
import { published, type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'
import { type AlertReceiver, startAlertReceiver } from '../_util/networks/alert-receiver.ts'

const refused = { kind: 'refused', reason: 'ACCOUNT_RESTRICTED', message: 'The account may not post.' } as const
const expired = { kind: 'reconnect', mayRefresh: false, message: 'The token was withdrawn.' } as const
const unknown = { kind: 'unknown', message: 'The connection was reset.' } as const
const MINUTE = 60_000
const HOUR = 60 * MINUTE

let receiver: AlertReceiver
const engines: Engine[] = []
const alerters: StartedNewsroom[] = []
beforeEach(async () => {
  receiver = await startAlertReceiver()
})
afterEach(async () => {
  for (const alerter of alerters.splice(0)) await alerter.stop({ graceMs: 0 })
  for (const engine of engines.splice(0)) await engine.close()
  await receiver.close()
})

async function start(script: Script, options: Partial<EngineOptions> = {}): Promise<Engine> {
  const engine = await createEngine({ networks: [scriptedNetwork(script)], ...options })
  engines.push(engine)
  return engine
}

function alert(engine: Engine, options: Parameters<typeof startNewsroom>[1] = { url: receiver.url }): StartedNewsroom {
  const alerter = startNewsroom(engine, options)
  alerters.push(alerter)
  return alerter
}

/** An engine with one post that the network has refused. */
async function withFailure(): Promise<{ engine: Engine; set: string }> {
  const engine = await start({ publish: [refused] })
  const set = await engine.schedule()
  await engine.drain()
  return { engine, set }
}

describe('what is reported', () => {
  test('a failed post is one POST of JSON: signed, with the id of the alert, and without content', async () => {
    const { engine, set } = await withFailure()
    await alert(engine).lookNow()
    expect(receiver.received).toHaveLength(1)
    const [{ body, raw, headers, path }] = receiver.received as [(typeof receiver.received)[0]]
    expect(validatorOf(Alert).Check(body)).toBe(true)
    const { post_id } = await engine.delivery(set)
    expect(body).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{14}7/),
      kind: 'POST_FAILED',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]{12}Z$/),
      account: { id: expect.any(String), name: 'Test' },
      socialSet: { id: engine.socialSetId, name: 'Brand' },
      accountType: 'BLUESKY',
      connection: { id: expect.any(String), name: 'Me' },
      postSet: { id: set, scheduledAt: expect.any(String) },
      postId: post_id,
      reason: 'ACCOUNT_RESTRICTED',
      message: 'The account may not post.',
      url: `${PUBLIC_URL}/dashboard/scheduling/calendar/month?set=${engine.socialSetId}&post=${set}`,
    })
    expect(raw).not.toContain('hello')
    expect(path).toBe('/hook/secret-path?token=secret')
    expect(headers).toMatchObject({ 'content-type': 'application/json', [ALERT_HEADERS.id]: body.id })
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers[ALERT_HEADERS.signature])) ?? []
    expect(v1).toBe(createHmac('sha256', ALERT_KEY).update(`${t}.${raw}`).digest('hex'))
    expect(await sendsOf(engine)).toMatchObject([{ state: 'SENT', attempts: 1, error: null, user_id: null }])
  })

  test('a post that may be live, one that was too late, and a dead connection are reported, a live one is not', async () => {
    const engine = await start(
      { publish: [published, unknown], find: [{ kind: 'cannot-tell', message: 'No answer.' }] },
      { settings: { lookupsMs: [1_000] } },
    )
    const alerter = alert(engine)
    await engine.schedule()
    await engine.drain()
    await alerter.lookNow()
    expect(receiver.received).toEqual([])

    await engine.schedule()
    await engine.drain()
    await engine.advance(2_000)
    await engine.drain()
    await alerter.lookNow()
    expect(receiver.received.map(({ body }) => [body.kind, body.reason])).toEqual([['POST_UNKNOWN', 'UNKNOWN']])

    const late = await engine.schedule({ accountTypes: ['BLUESKY', 'THREADS'] })
    await engine.advance(7 * HOUR)
    await engine.drain()
    await alerter.lookNow()
    const reported = receiver.received.slice(1).map(({ body }) => body)
    expect(reported.map(({ kind, postSet, accountType }) => [kind, postSet?.id, accountType]).toSorted()).toEqual([
      ['POST_FAILED', late, 'BLUESKY'],
      ['POST_FAILED', late, 'THREADS'],
    ])
    expect(reported.find(({ accountType }) => accountType === 'THREADS')).toMatchObject({
      connection: null,
      message: expect.stringContaining('not running'),
    })
  })

  test('a connection that dies is reported once, however many posts fail by it afterwards', async () => {
    // Three posts find it dead at the same moment, and one afterwards.
    const together = Promise.withResolvers<void>()
    let arrived = 0
    const find = async () => {
      if (++arrived === 3) together.resolve()
      await together.promise
      return expired
    }
    const engine = await start({ prepare: [find] })
    const alerter = alert(engine)
    for (let post = 0; post < 3; post++) await engine.schedule()
    await engine.drain()
    await engine.schedule()
    await engine.drain()
    await alerter.lookNow()
    const bodies = receiver.received.map(({ body }) => body)
    expect(bodies.map(({ kind }) => kind).toSorted()).toEqual([
      'CONNECTION_DEAD',
      'POST_FAILED',
      'POST_FAILED',
      'POST_FAILED',
      'POST_FAILED',
    ])
    const dead = bodies.find(({ kind }) => kind === 'CONNECTION_DEAD')
    expect(dead).toMatchObject({
      connection: { name: 'Me' },
      postSet: null,
      postId: null,
      reason: 'ACCOUNT_CONNECTION_EXPIRED',
      message: 'The token was withdrawn.',
      url: `${PUBLIC_URL}/dashboard/connections`,
    })
    expect(validatorOf(Alert).Check(dead)).toBe(true)
  })

  test('an alert is there exactly when the result is: both are one transaction', async () => {
    const { engine } = await withFailure()
    for (const table of ['news_sends', 'bell_items', 'news']) await engine.db.schema.dropTable(table).execute()
    const set = await engine.schedule()
    await engine.drain()
    expect(await engine.set(set)).toEqual({ status: 'PUBLISHING', results: [null] })
  })
})

describe('a receiver that does not take it', () => {
  test.each([
    [500, 'answered 500 Internal Server Error.'],
    [404, 'answered 404 Not Found.'],
    [302, 'answered 302 Found; redirects are not followed.'],
  ])('answers %i: it gets the same alert again later, until it takes it', async (status, words) => {
    const { engine } = await withFailure()
    const alerter = alert(engine)
    receiver.answer((response) => void response.writeHead(status, { location: `${receiver.url}2` }).end())
    await alerter.lookNow()
    await alerter.lookNow()
    expect(receiver.received).toHaveLength(1)
    expect(alerter.logged).toEqual([
      {
        level: 'warn',
        message: 'An alert could not be sent to ALMANAC_ALERT_URL and is tried again later',
        fields: { attempts: 1, error: `127.0.0.1:${receiver.port} ${words}` },
      },
    ])
    receiver.answer((response) => void response.writeHead(200).end('thanks'))
    await engine.advance(11_000)
    await alerter.lookNow()
    expect(receiver.received.map(({ body }) => body.id)).toEqual(Array(2).fill(receiver.received[0]?.body.id))
    expect(await sendsOf(engine)).toMatchObject([{ state: 'SENT', attempts: 2, error: null }])
  })

  test('nor ever does: it is given up after a day, and removed after a week', async () => {
    const { engine } = await withFailure()
    const alerter = alert(engine)
    receiver.answer((response) => void response.writeHead(503).end())
    let tries = 0
    for (let hours = 0; hours < 27; hours++) {
      await alerter.lookNow()
      await engine.advance(HOUR + 1_000)
      tries = receiver.received.length
      if (hours < 20) expect(tries).toBe(hours + 1)
    }
    expect(tries).toBeLessThan(26)
    expect(await sendsOf(engine)).toMatchObject([{ state: 'GIVEN_UP', error: expect.stringContaining('503') }])
    expect(alerter.logged.at(-1)).toMatchObject({ level: 'error', message: expect.stringContaining('given up') })

    expect(await purgeNews(engine.db)).toBe(0)
    expect(await sendsOf(engine)).toHaveLength(1)
    await engine.advance(8 * 24 * HOUR)
    expect(await purgeNews(engine.db)).toBe(0)
    expect(await sendsOf(engine)).toEqual([])
    await engine.advance(82 * 24 * HOUR)
    expect(await purgeNews(engine.db, { batch: 1 })).toBe(1)
  })

  test('and whose one alert is refused gets the others all the same', async () => {
    const engine = await start({ publish: [refused] })
    for (let post = 0; post < 9; post++) await engine.schedule()
    await engine.drain()
    const alerter = alert(engine)
    let first: string | null = null
    receiver.answer((response) => {
      first ??= receiver.received[0]?.body.id ?? null
      response.writeHead(receiver.received.at(-1)?.body.id === first ? 400 : 204).end()
    })
    await alerter.lookNow()
    const states = (await sendsOf(engine)).map(({ state }) => state)
    expect(states.toSorted()).toEqual([...Array(8).fill('SENT'), 'WAITING'])
  })

  test('is down: one try and not one for each alert before the channel pauses', async () => {
    const engine = await start({ publish: [refused] })
    for (let post = 0; post < 9; post++) await engine.schedule()
    await engine.drain()
    receiver.answer((response) => void response.destroy())
    const alerter = alert(engine, { url: receiver.url, settings: { concurrency: 1, channelPausesMs: [HOUR] } })
    void alerter.lookNow()
    await receiver.count(1)
    await alerter.stop({ graceMs: 1_000 })
    expect(receiver.received).toHaveLength(1)
  })

  test('hangs: publishing and mails go on, and the request is broken off', async () => {
    const engine = await start({ publish: [refused, refused, published] })
    const alerter = alert(engine, { url: receiver.url, settings: { receiverLimitMs: 300 } })
    receiver.answer(() => {})
    await engine.schedule()
    await engine.drain()
    const looking = alerter.lookNow()
    await receiver.count(1)
    // While the request is open: a failed post with its alert, and one that goes out.
    const sets = [await engine.schedule(), await engine.schedule()]
    await engine.drain()
    expect(await Promise.all(sets.map((set) => engine.set(set)))).toMatchObject([
      { status: 'PUBLISHED' },
      { status: 'PUBLISHED' },
    ])
    await looking
    expect(alerter.logged[0]?.fields).toMatchObject({ error: `127.0.0.1:${receiver.port} did not answer in time.` })
  })
})

describe('a process that ends', () => {
  test('between send and mark: another sends it again after the lease, with the same id', async () => {
    const { engine } = await withFailure()
    const reached = Promise.withResolvers<void>()
    const killed = alert(engine, {
      url: receiver.url,
      signals: () => {
        reached.resolve()
        return new Promise(() => {})
      },
    })
    void killed.lookNow()
    await reached.promise
    const other = alert(engine)
    await other.lookNow()
    expect(receiver.received).toHaveLength(1)
    expect(await sendsOf(engine)).toMatchObject([{ state: 'WAITING', attempts: 1 }])
    await engine.advance(MINUTE + 1_000)
    await other.lookNow()
    expect(receiver.received.map(({ headers }) => headers[ALERT_HEADERS.id])).toEqual(
      Array(2).fill(receiver.received[0]?.body.id),
    )
    expect(await sendsOf(engine)).toMatchObject([{ state: 'SENT', attempts: 2 }])
  })

  test('in order: what is on its way may end', async () => {
    const { engine } = await withFailure()
    const alerter = alert(engine)
    let finish = () => {}
    receiver.answer((response) => {
      finish = () => void response.writeHead(204).end()
    })
    alerter.start()
    await receiver.count(1)
    const stopped = alerter.stop({ graceMs: 10_000 })
    finish()
    await stopped
    expect(await sendsOf(engine)).toMatchObject([{ state: 'SENT' }])
  })

  test('two at once send each alert once', async () => {
    const engine = await start({ publish: [refused] })
    for (let post = 0; post < 30; post++) await engine.schedule()
    await engine.drain()
    await Promise.all([alert(engine), alert(engine)].map((alerter) => alerter.lookNow()))
    expect(new Set(receiver.received.map(({ body }) => body.id)).size).toBe(30)
    expect(receiver.received).toHaveLength(30)
  })

  test('for longer than a day: what is that old is not sent any more', async () => {
    const { engine } = await withFailure()
    receiver.answer((response) => void response.writeHead(500).end())
    await alert(engine).lookNow()
    await engine.schedule()
    await engine.drain()
    await engine.advance(25 * HOUR)
    const alerter = alert(engine)
    alerter.start()
    await vi.waitUntil(() => alerter.logged.length > 0)
    await alerter.lookNow()
    expect(alerter.logged).toMatchObject([{ level: 'error', fields: { givenUp: 1 } }])
    expect(receiver.received).toHaveLength(1)
    expect(await sendsOf(engine)).toMatchObject([{ state: 'GIVEN_UP', attempts: 1 }])
  })
})

describe('private addresses', () => {
  const toLoopback = (_: string, options: { all?: boolean }, callback: (...found: unknown[]) => void) =>
    options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4)

  test('a name that leads to one is refused in words that say what to do, without the rest of the address', async () => {
    const { engine } = await withFailure()
    const host = `alerts.example.com:${receiver.port}`
    const url = `http://${host}/hook/secret-path?token=secret`
    const alerter = alert(engine, { url, lookup: toLoopback as never })
    await alerter.lookNow()
    expect(receiver.received).toEqual([])
    const words = `${host} leads to a private address, which alerts do not reach unless it is named. If it is meant, add the host to ALMANAC_TRUSTED_FETCH_HOSTS, or set ALMANAC_ALERT_URL to the private address itself.`
    expect(alerter.logged[0]?.fields).toMatchObject({ error: words })
    expect(JSON.stringify(alerter.logged)).not.toContain('secret')
    expect(await readNewsFaults(engine.db)).toEqual({
      receiver: { waiting: 1, givenUp: 0, error: words },
      mail: { waiting: 0, givenUp: 0, error: null },
    })

    await engine.advance(MINUTE)
    await alert(engine, { url, lookup: toLoopback as never, trustedHosts: [host] }).lookNow()
    expect(receiver.received).toHaveLength(1)
  })

  test('a name that can only be private is reached', async () => {
    const { engine } = await withFailure()
    await alert(engine, { url: `http://receiver:${receiver.port}/`, lookup: toLoopback as never }).lookNow()
    expect(receiver.received).toHaveLength(1)
  })
})
