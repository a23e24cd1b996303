import { afterEach, describe, expect, test } from 'vitest'
import type { Attempt, RefreshOutcome } from '#networks'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { published, type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'

const engines: Engine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close()
})

async function start(script: Script) {
  const network = scriptedNetwork(script)
  const engine = await createEngine({ networks: [network] })
  engines.push(engine)
  return { engine, network }
}

const expired = { kind: 'reconnect', mayRefresh: true, message: 'The token has expired.' } as const
const refreshed: RefreshOutcome = { kind: 'refreshed', credentials: { token: 'two' }, expiresAt: null }
const connection = (engine: Engine) => engine.db.selectFrom('connections').selectAll().executeTakeFirstOrThrow()
const secret = async (engine: Engine) => {
  const row = await engine.db.selectFrom('network_identities').select('secret').executeTakeFirstOrThrow()
  return JSON.parse(String(row.secret))
}

test('an expired token is refreshed once, stored, and the same step is made again with it', async () => {
  const tokens: unknown[] = []
  const { engine, network } = await start({
    publish: [
      expired,
      (attempt) => {
        tokens.push(attempt.credentials)
        return published
      },
    ],
    refresh: [() => refreshed],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect(network.calls).toEqual(['prepare', 'publish', 'refresh', 'publish'])
  expect(tokens).toEqual([{ token: 'two' }])
  expect(await secret(engine)).toEqual({ token: 'two' })
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
})

describe('what the network reports for the account after a refresh', () => {
  const lapsed = async (engine: Engine) => {
    await engine.db
      .updateTable('connections')
      .set({ defaults: JSON.stringify({ longPosts: true, language: 'de' }) })
      .execute()
    const set = await engine.schedule()
    await engine.drain()
    expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
    expect(await secret(engine)).toEqual({ token: 'two' })
    return (await connection(engine)).defaults
  }
  const refreshOnce = { prepare: [expired, { kind: 'ready' } as const], refresh: [() => refreshed] }

  test('takes the place of what was chosen, is asked with the new token, and stays out of the rest', async () => {
    const asked: unknown[] = []
    const { engine } = await start({
      ...refreshOnce,
      facts: async (_, { externalId, credentials }) => {
        asked.push(credentials, await secret(engine))
        expect(externalId).toEqual(expect.any(String))
        return { longPosts: false }
      },
    })
    expect(await lapsed(engine)).toEqual({ longPosts: false, language: 'de' })
    // The token was stored before anything else was asked.
    expect(asked).toEqual([{ token: 'two' }, { token: 'two' }])
  })

  test.each<[string, NonNullable<Script['facts']>]>([
    ['is not known', async () => null],
    [
      'cannot be read for an error of ours',
      async () => {
        throw new Error('A bug.')
      },
    ],
  ])('stays as it was when it %s, and keeps no post back', async (_, facts) => {
    const { engine } = await start({ ...refreshOnce, facts })
    expect(await lapsed(engine)).toEqual({ longPosts: true, language: 'de' })
  })
})

test('resources-60: a dead token ends the connection, and says so', async () => {
  const { engine } = await start({
    prepare: [expired],
    refresh: [() => ({ kind: 'dead', message: 'The app password was removed.' })],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect((await engine.set(set)).results[0]).toEqual({
    status: 'FAILED',
    reason: 'ACCOUNT_CONNECTION_EXPIRED',
    message: 'The app password was removed.',
  })
  expect(await connection(engine)).toMatchObject({
    status: 'RECONNECT_REQUIRED',
    status_reason: 'The app password was removed.',
  })
})

test('a passing fault of the refresh does not end the connection', async () => {
  const { engine } = await start({
    prepare: [expired, { kind: 'ready' }],
    refresh: [() => ({ kind: 'failed', message: 'The network was away.' })],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect(await connection(engine)).toMatchObject({ status: 'CONNECTED' })
  await engine.advance(6_000)
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
})

test('a token that is not accepted even after a refresh ends the connection', async () => {
  const { engine, network } = await start({ prepare: [expired], refresh: [() => refreshed] })
  const set = await engine.schedule()
  await engine.drain()
  expect(network.calls).toEqual(['prepare', 'refresh', 'prepare'])
  expect((await engine.set(set)).results[0]).toMatchObject({ reason: 'ACCOUNT_CONNECTION_EXPIRED' })
  expect(await connection(engine)).toMatchObject({ status: 'RECONNECT_REQUIRED' })
})

test('publish-15: twenty posts that meet an expired token at once refresh it once', async () => {
  const { engine, network } = await start({
    prepare: [(attempt) => (attempt.credentials.token === 'two' ? { kind: 'ready' } : expired)],
    refresh: [
      async () => {
        await new Promise((resolve) => setImmediate(resolve))
        return refreshed
      },
    ],
  })
  const sets = await Promise.all(Array.from({ length: 20 }, () => engine.schedule()))
  await engine.drain()
  expect(network.calls.filter((call) => call === 'refresh')).toHaveLength(1)
  for (const set of sets) expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
})

test('a token that is about to expire is refreshed before it is used', async () => {
  const { engine, network } = await start({ refresh: [() => refreshed] })
  await engine.db
    .updateTable('network_identities')
    .set({ expires_at: new Date(Date.now() + 60_000) })
    .execute()
  await engine.schedule()
  await engine.drain()
  expect(network.calls).toEqual(['refresh', 'prepare', 'publish'])
})

test('a token that is refused while a post is looked up does not end the connection, and the post is asked for again', async () => {
  const { engine, network } = await start({
    publish: [{ kind: 'unknown', message: 'No answer.' }],
    find: [
      { kind: 'reconnect', mayRefresh: false, message: 'The token is dead.' },
      { ...published, kind: 'found' },
    ],
  })
  const set = await engine.schedule()
  await engine.drain()
  await engine.advance(6_000)
  await engine.drain()
  expect(await connection(engine)).toMatchObject({ status: 'CONNECTED', status_reason: null })
  await engine.advance(30_000)
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
})

test('a passing fault of a refresh ahead of time costs a try, not the connection', async () => {
  const { engine, network } = await start({
    prepare: [expired, { kind: 'ready' }],
    refresh: [
      () => ({ kind: 'failed', message: 'Busy.' }),
      () => ({ kind: 'failed', message: 'Busy.' }),
      () => refreshed,
    ],
  })
  await engine.db
    .updateTable('network_identities')
    .set({ expires_at: new Date(Date.now() - 1000) })
    .execute()
  const set = await engine.schedule()
  await engine.drain()
  expect(await connection(engine)).toMatchObject({ status: 'CONNECTED' })
  await engine.advance(60_000)
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  expect(network.calls).toEqual(['refresh', 'prepare', 'refresh', 'refresh', 'prepare', 'publish'])
  expect(await connection(engine)).toMatchObject({ status: 'CONNECTED', status_reason: null })
})

test('what is said of an old token does not touch an account that was connected again meanwhile', async () => {
  const seen: unknown[] = []
  const { engine } = await start({
    prepare: [
      async ({ credentials }) => {
        seen.push(credentials)
        const secret = Buffer.from(JSON.stringify({ token: 'new' }))
        await engine.db.updateTable('network_identities').set({ secret, refreshed_at: new Date() }).execute()
        return { kind: 'reconnect', mayRefresh: false, message: 'The old token is dead.' } as const
      },
      ({ credentials }) => {
        seen.push(credentials)
        return { kind: 'ready' } as const
      },
    ],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect(seen.at(-1)).toEqual({ token: 'new' })
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  expect(await connection(engine)).toMatchObject({ status: 'CONNECTED' })
})

describe('an error of a read', () => {
  const refused = { kind: 'reconnect', mayRefresh: false, message: 'Reading is not allowed.' } as const
  /** A step that ends with a request of this method, and is refused. Nothing is at the address. */
  const refusedAfter =
    (method: 'GET' | 'POST', more: { reads?: true } = {}) =>
    async ({ http, signal }: Attempt) => {
      await http({ method, url: 'http://127.0.0.1:1/', signal, ...more })
      return refused
    }

  test('in preparing is tried again, and ends nothing', async () => {
    const { engine } = await start({
      prepare: [refusedAfter('GET'), refusedAfter('POST', { reads: true }), { kind: 'ready' }],
    })
    const set = await engine.schedule()
    await engine.drain()
    expect(await connection(engine)).toMatchObject({ status: 'CONNECTED' })
    for (let minute = 0; minute < 2; minute++) {
      await engine.advance(60_000)
      await engine.drain()
    }
    expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
    expect(await connection(engine)).toMatchObject({ status: 'CONNECTED', status_reason: null })
  })

  test('that never stops fails the post in its words, and not the connection', async () => {
    const { engine } = await start({ prepare: [refusedAfter('GET')] })
    const set = await engine.schedule()
    for (let hour = 0; hour < 12; hour++) {
      await engine.drain()
      await engine.advance(3_600_000)
    }
    expect((await engine.set(set)).results[0]).toMatchObject({
      status: 'FAILED',
      reason: 'UNKNOWN',
      message: expect.stringContaining('Reading is not allowed.'),
    })
    expect(await connection(engine)).toMatchObject({ status: 'CONNECTED' })
  })

  test('in the visible step leads to a lookup, never to a second call without proof', async () => {
    const { engine, network } = await start({
      publish: [refusedAfter('GET')],
      find: [{ ...published, kind: 'found' }],
    })
    const set = await engine.schedule()
    await engine.drain()
    await engine.advance(60_000)
    await engine.drain()
    expect(network.calls).toEqual(['prepare', 'publish', 'find'])
    expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
    expect(await connection(engine)).toMatchObject({ status: 'CONNECTED' })
  })

  test.each(['prepare', 'publish'] as const)(
    'is distinguished from one of a write in %s, which ends the connection',
    async (step) => {
      const { engine } = await start({ [step]: [refusedAfter('POST')] })
      const set = await engine.schedule()
      await engine.drain()
      expect((await engine.set(set)).results[0]).toMatchObject({ reason: 'ACCOUNT_CONNECTION_EXPIRED' })
      expect(await connection(engine)).toMatchObject({ status: 'RECONNECT_REQUIRED' })
    },
  )

  test('about a comment is made again, and ends nothing', async () => {
    const { engine } = await start({
      comment: [{ kind: 'unknown', message: 'No answer.' }],
      findComment: [refused, { ...published, kind: 'found' }],
    })
    const set = await engine.schedule()
    for (let minute = 0; minute < 5; minute++) {
      await engine.drain()
      await engine.advance(60_000)
    }
    const [result] = (await engine.set(set)).results
    expect(result).toMatchObject({ status: 'POSTED' })
    expect(result).not.toHaveProperty('warnings')
    expect(await connection(engine)).toMatchObject({ status: 'CONNECTED' })
  })
})

describe('a token that fails when the network has taken the post already', () => {
  const accepted = { kind: 'accepted', askAgainAt: new Date(0) } as const

  test('is refreshed, and the network is asked on', async () => {
    const { engine, network } = await start({
      publish: [accepted],
      confirm: [expired, published],
      refresh: [() => refreshed],
    })
    const set = await engine.schedule()
    await engine.drain()
    expect(network.calls).toEqual(['prepare', 'publish', 'confirm', 'refresh', 'confirm'])
    expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  })

  test.each([
    ['a passing fault of the refresh', { kind: 'failed', message: 'Not now.' } as const],
    ['a dead token', { kind: 'dead', message: 'Withdrawn.' } as const],
  ])('never leads to a second post: %s', async (_, outcome) => {
    const { engine, network } = await start({
      publish: [accepted],
      confirm: [expired],
      find: [{ kind: 'cannot-tell', message: 'No token.' }],
      refresh: [() => outcome],
    })
    const set = await engine.schedule()
    await engine.drain()
    for (let hour = 0; hour < 26; hour++) {
      await engine.advance(3_600_000)
      await engine.drain()
    }
    expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
    expect(network.calls).toContain('find')
    const [result] = (await engine.set(set)).results
    expect(result).toMatchObject({ status: 'FAILED', message: expect.stringContaining('may be live') })
  })

  test('a refusal to say how it went does not end the connection, and the outcome of the post is still found', async () => {
    const { engine, network } = await start({
      publish: [accepted],
      confirm: [{ kind: 'reconnect', mayRefresh: false, message: 'Removed.' }],
      find: [{ kind: 'found', providerId: 'p1', permalink: null }],
    })
    const set = await engine.schedule()
    await engine.drain()
    await engine.advance(60_000)
    await engine.drain()
    expect(await connection(engine)).toMatchObject({ status: 'CONNECTED', status_reason: null })
    expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED', providerId: expect.any(String) })
    expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
  })
})
