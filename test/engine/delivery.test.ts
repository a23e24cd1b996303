import Type from 'typebox'
import { afterEach, expect, test } from 'vitest'
import { MediaFailure } from '#media'
import { unreadHistory } from '../_util/api/unread-history.ts'
import { createEngine, type Engine, type EngineOptions } from '../_util/engine/engine.ts'
import { published, type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'

const engines: Engine[] = []
afterEach(async () => {
  for (const engine of engines.splice(0)) {
    expect(await unreadHistory(engine.db)).toEqual([])
    await engine.close()
  }
})

async function start(script: Script, options: Omit<EngineOptions, 'networks'> = {}) {
  const network = scriptedNetwork(script)
  const engine = await createEngine({ networks: [network], ...options })
  engines.push(engine)
  return { engine, network }
}

const again = {
  kind: 'retry',
  notBefore: null,
  from: 'publish',
  countsAsAttempt: true,
  message: 'Refused by the door.',
} as const
const unknown = { kind: 'unknown', message: 'No answer.' } as const

test('resources-12, resources-57, states-03, publish-22: a set that is due is claimed, sent and published, and history records it', async () => {
  const { engine, network } = await start({})
  const set = await engine.schedule()
  await engine.drain()
  expect(await engine.set(set)).toEqual({
    status: 'PUBLISHED',
    results: [{ status: 'POSTED', providerId: expect.stringMatching(/^p\d+$/), permalink: 'https://example.test/p1' }],
  })
  expect(network.calls).toEqual(['prepare', 'publish'])
  expect(await engine.history(set)).toEqual(['publishing', 'post published', 'published'])
})

test('options of a post win over the defaults of its account, as far as they are valid', async () => {
  const seen: unknown[] = []
  const scripted = scriptedNetwork({
    publish: [
      ({ account }) => {
        seen.push(account.defaults)
        return published
      },
    ],
  })
  const field = { title: 'Field', description: 'A field.', schema: Type.Enum(['A', 'B']), required: false }
  const defaults = ['first', 'second', 'third'].map((name) => ({ ...field, name }))
  const network = { ...scripted, manifest: { ...scripted.manifest, defaults } }
  const engine = await createEngine({ networks: [network] })
  engines.push(engine)
  await engine.db
    .updateTable('connections')
    .set({ defaults: JSON.stringify({ first: 'A', second: 'A' }) })
    .execute()
  const set = await engine.schedule()
  const options = JSON.stringify({ options: { second: 'B', third: 'B' } })
  await engine.db.updateTable('posts').set({ fields: options }).where('post_set_id', '=', set).execute()
  await engine.drain()
  expect(seen).toEqual([{ first: 'A', second: 'B', third: 'B' }])
})

test('resources-12, states-03: a set that is not due yet stays where it is', async () => {
  const { engine, network } = await start({})
  const set = await engine.schedule({ at: '2090-01-01T00:00:00Z' })
  await engine.drain()
  expect((await engine.set(set)).status).toBe('SCHEDULED')
  expect(network.calls).toEqual([])
})

test('publish-23: what certainly did not happen is tried again after a pause, what the network asks to wait for costs no attempt', async () => {
  const { engine, network } = await start({
    publish: [
      again,
      (attempt) => ({ ...again, countsAsAttempt: false, notBefore: new Date(attempt.now().getTime() + 60_000) }),
      published,
    ],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'READY', attempts: 1, lease_owner: null })
  await engine.advance(5_000)
  await engine.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'READY', attempts: 1 })
  await engine.advance(59_000)
  await engine.drain()
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(2)
  await engine.advance(2_000)
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  expect(network.calls).toEqual(['prepare', 'publish', 'publish', 'publish'])
})

test('resources-59, resources-67: attempts end, and the last words are reported', async () => {
  const { engine, network } = await start({ publish: [again] }, { settings: { maxAttempts: 3, retryPausesMs: [0] } })
  const set = await engine.schedule()
  await engine.drain()
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(3)
  expect((await engine.set(set)).results[0]).toMatchObject({
    status: 'FAILED',
    reason: 'UNKNOWN',
    message: expect.stringContaining('Refused by the door.'),
  })
})

test('publish-04: waits end 24 hours after the time of the post', async () => {
  const { engine } = await start({
    prepare: [(attempt) => ({ kind: 'waiting', askAgainAt: new Date(attempt.now().getTime() + 25 * 3_600_000) })],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'FAILED', reason: 'UNKNOWN' })
})

test('resources-58, resources-59, resources-63, publish-12: a refusal is the result', async () => {
  const { engine } = await start({ publish: [{ kind: 'refused', reason: 'ACCOUNT_SUSPENDED', message: 'Suspended.' }] })
  const set = await engine.schedule()
  await engine.drain()
  expect(await engine.set(set)).toEqual({
    status: 'PUBLISHED',
    results: [{ status: 'FAILED', reason: 'ACCOUNT_SUSPENDED', message: 'Suspended.' }],
  })
  expect(await engine.history(set)).toContain('post failed')
})

test('an unknown outcome that is found counts as posted and is sent once', async () => {
  const { engine, network } = await start({ publish: [unknown], find: [{ ...published, kind: 'found' }] })
  const set = await engine.schedule()
  await engine.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP', lookups: 0 })
  expect(network.calls).toEqual(['prepare', 'publish'])
  await engine.advance(5_000)
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED', providerId: expect.any(String) })
  expect(network.calls).toEqual(['prepare', 'publish', 'find'])
})

test('absent is proof only after the listing delay; then it is sent again', async () => {
  const { engine, network } = await start({ publish: [unknown, published], listingDelayMs: 60_000 })
  const set = await engine.schedule()
  await engine.drain()
  await engine.advance(5_000)
  await engine.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP' })
  await engine.advance(50_000)
  await engine.drain()
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
  await engine.advance(6_000)
  await engine.drain()
  await engine.advance(5_000)
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(2)
})

test('publish-05: what no look can decide is looked up nine times and ends as perhaps live', async () => {
  const { engine, network } = await start({ publish: [unknown], find: [{ kind: 'cannot-tell', message: 'No list.' }] })
  const set = await engine.schedule()
  await engine.drain()
  for (const pause of [1, 4, 10, 15, 30, 240, 600, 2_700, 18_000]) {
    expect((await engine.set(set)).status).toBe('PUBLISHING')
    await engine.advance(pause * 1_000 + 50)
    await engine.drain()
  }
  expect((await engine.set(set)).results[0]).toMatchObject({
    status: 'FAILED',
    reason: 'UNKNOWN',
    message: expect.stringContaining('may be live'),
  })
  expect(network.calls.filter((call) => call === 'find')).toHaveLength(9)
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
})

test('an accepted post is confirmed at the time the network names', async () => {
  const { engine, network } = await start({
    publish: [(attempt) => ({ kind: 'accepted', askAgainAt: new Date(attempt.now().getTime() + 30_000) })],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'CONFIRMING', lease_owner: null })
  await engine.advance(31_000)
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  expect(network.calls).toEqual(['prepare', 'publish', 'confirm'])
})

test('a fence that somebody left is looked up before anything is sent', async () => {
  const { engine, network } = await start({ find: [{ kind: 'absent' }], prepare: [{ kind: 'ready' }] })
  const set = await engine.schedule()
  await engine.look()
  const id = (await engine.delivery(set)).id
  await engine.db
    .updateTable('deliveries')
    .set({
      state: 'SENDING',
      place: 'UNDER_WAY',
      lease_owner: 'gone',
      lease_until: new Date(0),
      fenced_at: new Date(0),
      first_fenced_at: new Date(0),
    })
    .where('id', '=', id)
    .execute()
  await engine.advance(44_000)
  await engine.work()
  expect(network.calls).toEqual(['find'])
  await engine.advance(6_000)
  await engine.drain()
  expect(network.calls).toEqual(['find', 'prepare', 'publish'])
})

test('no worker touches a delivery whose lease is held', async () => {
  const { engine, network } = await start({})
  await engine.schedule()
  await engine.look()
  await Promise.all(Array.from({ length: 20 }, () => engine.work()))
  expect(network.calls).toEqual(['prepare', 'publish'])
})

test('a worker whose lease went to another one before the fence sends nothing', async () => {
  let made: Engine | null = null
  const { engine, network } = await start(
    {},
    {
      signals: async (step) => {
        if (step !== 'before-fence') return
        await made?.db
          .updateTable('deliveries')
          .set({ lease_owner: 'another', lease_until: new Date(Date.now() + 60_000) })
          .execute()
      },
    },
  )
  made = engine
  const set = await engine.schedule()
  await engine.drain()
  expect(network.calls).toEqual(['prepare'])
  expect(await engine.delivery(set)).toMatchObject({ state: 'PREPARING', lease_owner: 'another', fenced_at: null })
})

test('a worker whose lease went to another one during a step writes nothing', async () => {
  const { engine, network } = await start({
    prepare: [
      async () => {
        await engine.db
          .updateTable('deliveries')
          .set({ lease_owner: 'another', lease_until: new Date(Date.now() + 60_000) })
          .execute()
        return { kind: 'ready' }
      },
    ],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect(network.calls).toEqual(['prepare'])
  expect(await engine.delivery(set)).toMatchObject({ state: 'PREPARING', lease_owner: 'another' })
})

test('a set that changed under the fence is not sent', async () => {
  const { engine, network } = await start({
    prepare: [
      async () => {
        await engine.db.updateTable('post_sets').set({ content_version: 2 }).execute()
        return { kind: 'ready' }
      },
    ],
  })
  await engine.schedule()
  await engine.look()
  await engine.work()
  expect(network.calls).toEqual(['prepare'])
})

test('handles are kept from step to step and over turns', async () => {
  const seen: unknown[] = []
  const { engine } = await start({
    prepare: [
      async (attempt) => {
        await attempt.store({ container: 'c1' })
        return { kind: 'waiting', askAgainAt: new Date(attempt.now().getTime() + 1_000) }
      },
      (attempt) => {
        seen.push(attempt.handles)
        return { kind: 'ready' }
      },
    ],
    publish: [
      (attempt) => {
        seen.push(attempt.handles, attempt.fencedAt instanceof Date)
        return published
      },
    ],
  })
  await engine.schedule()
  await engine.drain()
  await engine.advance(1_100)
  await engine.drain()
  expect(seen).toEqual([{ container: 'c1' }, { container: 'c1', words: { text: 'hello' } }, true])
})

test('an error of ours before the visible call is a retry, in the visible call it is unknown', async () => {
  const { engine, network } = await start({
    prepare: [() => Promise.reject(new Error('bug')), { kind: 'ready' }],
    publish: [() => Promise.reject(new Error('bug')), published],
    find: [{ ...published, kind: 'found' }],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'PREPARING', attempts: 1 })
  await engine.advance(6_000)
  await engine.drain()
  expect(await engine.delivery(set)).toMatchObject({ state: 'LOOKING_UP' })
  await engine.advance(6_000)
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  expect(network.calls.filter((call) => call === 'publish')).toHaveLength(1)
  expect(engine.logged.filter((line) => line.level === 'error')).toHaveLength(2)
})

test('a picture that cannot have the form that a network takes ends its post at once, in words', async () => {
  const message = 'The image has 10900 x 10900 pixels. Make it smaller.'
  const { engine, network } = await start({
    prepare: [() => Promise.reject(new MediaFailure('media-upload:too_large', message))],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect((await engine.set(set)).results).toEqual([{ status: 'FAILED', reason: 'UNKNOWN_MEDIA_ERROR', message }])
  expect(network.calls).toEqual(['prepare'])
  expect(engine.logged.filter((line) => line.level === 'error')).toEqual([])
})

test('a picture that fails because its step is stopped does not end its post: it is tried again', async () => {
  const { engine, network } = await start(
    {
      prepare: [
        ({ signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(new MediaFailure('media-upload:corrupt', 'It broke.')))
          }),
        { kind: 'ready' },
      ],
    },
    { settings: { stepLimitMs: 1_000 } },
  )
  const set = await engine.schedule()
  await engine.drain()
  await engine.advance(60_000)
  await engine.drain()
  expect((await engine.set(set)).results).toMatchObject([{ status: 'POSTED' }])
  expect(network.calls).toEqual(['prepare', 'prepare', 'publish'])
})

test('resources-65, publish-07: rules are run again: what became wrong meanwhile is not sent', async () => {
  const { engine, network } = await start({
    findings: [{ code: 'post:caption_too_long', steps: ['caption'], message: 'Shorten it.' }],
  })
  const set = await engine.schedule()
  await engine.drain()
  expect((await engine.set(set)).results).toEqual([
    { status: 'FAILED', reason: 'CAPTION_TOO_LONG', message: 'Shorten it.' },
  ])
  expect(network.calls).toEqual([])
})

test('rules hear by which way the connection was signed in when the post is sent', async () => {
  const { engine, network } = await start({})
  network.checkPost = ({ signIn }) =>
    signIn === 'other' ? [{ code: 'post:field_invalid', steps: ['caption'], message: 'Not by this way.' }] : []
  const set = await engine.schedule()
  await engine.db.updateTable('connections').set({ sign_in: 'other' }).execute()
  await engine.drain()
  expect((await engine.set(set)).results).toMatchObject([{ status: 'FAILED', message: 'Not by this way.' }])
  expect(network.calls).toEqual([])
})

test('publish-16: a connection that was closed fails its posts visibly', async () => {
  const { engine } = await start({})
  const set = await engine.schedule()
  await engine.db.updateTable('connections').set({ closed_at: new Date() }).execute()
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'FAILED', reason: 'ACCOUNT_CONNECTION_EXPIRED' })
})
