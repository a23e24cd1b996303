import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { unreadHistory } from '../_util/api/unread-history.ts'
import { createEngine, type Engine } from '../_util/engine/engine.ts'
import { published, type Script, scriptedNetwork } from '../_util/engine/scripted-network.ts'
import { almanacJson, makeDataDir, runAlmanac, type Settings } from '../_util/processes/app.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let dataDir: { path: string; remove(): Promise<void> }
let engine: Engine
let settings: Settings
const begun: Promise<void>[] = []
const gates: (() => void)[] = []

beforeAll(async () => {
  dataDir = await makeDataDir()
})
afterAll(() => dataDir.remove())
afterEach(async () => {
  for (const open of gates.splice(0)) open()
  await Promise.all(begun.splice(0))
  expect(await unreadHistory(engine.db)).toEqual([])
  await engine.close()
})

/** What a network waits for; at the end of the test it goes on. */
function gate() {
  const goOn = Promise.withResolvers<void>()
  gates.push(goOn.resolve)
  return goOn
}

/** A post that is on its way through a network of this script, and the commands on its database. */
async function begin(script: Script) {
  const network = scriptedNetwork(script)
  // Commands take seconds on a busy machine: what waits for its next attempt still waits when they look at it.
  engine = await createEngine({ networks: [network], settings: { retryPausesMs: [600_000] } })
  settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    DATABASE_URL: engine.databaseUrl,
    ALMANAC_SECRET_KEY: randomBytes(32).toString('base64'),
  }
  const set = await engine.schedule()
  return { network, set }
}

const json = <T = Record<string, unknown>>(...args: string[]) => almanacJson<T>(['deliveries', ...args], { settings })
const run = (...args: string[]) => runAlmanac(['deliveries', ...args], { settings })
const refused = async (words: RegExp, ...args: string[]) => {
  const { code, stderr } = await run(...args)
  expect([code, stderr]).toEqual([expect.any(Number), expect.stringMatching(words)])
  expect(code).toBeGreaterThan(0)
}
const again = {
  kind: 'retry',
  notBefore: null,
  from: 'publish',
  countsAsAttempt: true,
  message: 'The door is shut.',
} as const
const alerts = () => engine.db.selectFrom('news').select(['kind', 'facts']).execute()

/** A preparation that goes on when it may: `inHand` when a worker has come to it. */
function inPreparation() {
  const goOn = gate()
  const inHand = Promise.withResolvers<void>()
  const prepare = async () => {
    inHand.resolve()
    await goOn.promise
    return { kind: 'ready' } as const
  }
  return { prepare, inHand, goOn }
}

test('what is open is listed, shown whole without secrets, and retried at once', async () => {
  const { network, set } = await begin({
    prepare: [
      async (attempt) => {
        await attempt.store({ uploadUrl: 'https://upload.example/?token=hidden-value' })
        return { kind: 'ready' }
      },
    ],
    publish: [again, published],
  })
  await engine.drain()
  const { id } = await engine.delivery(set)
  const [account] = await engine.db.selectFrom('accounts').select('id').execute()
  const listed = await json<{ total: number; deliveries: object[] }>('list')
  expect(listed).toMatchObject({
    total: 1,
    deliveries: [
      {
        id,
        accountId: account?.id,
        account: 'Test',
        postSetId: set,
        accountType: 'BLUESKY',
        state: 'READY',
        place: 'ASLEEP',
        attempts: 1,
        worker: false,
        held: false,
        pausedUntil: null,
        message: 'The door is shut.',
      },
    ],
  })
  expect((await run('list')).stdout).toMatch(
    new RegExp(`^${id} +Test +BLUESKY +READY +ASLEEP .*The door is shut\\.\n$`),
  )
  expect(await json('list', '--account', account?.id ?? '', '--state', 'SENDING')).toEqual({ total: 0, deliveries: [] })

  const shown = await run('show', id)
  expect(shown.stdout).toContain('uploadUrl')
  expect(shown.stdout + JSON.stringify(await json('show', id))).not.toContain('hidden-value')

  await refused(/There is no delivery/, 'retry', set)
  expect(await json('retry', id)).toMatchObject({ id, state: 'READY' })
  await engine.drain()
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'POSTED' })
  expect(network.calls).toEqual(['prepare', 'publish', 'publish'])

  await refused(/is done/, 'retry', id)
  await refused(/is done/, 'end', id, '--reason', 'Enough')
  expect(await json('show', id)).toMatchObject({ state: 'DONE', result: { status: 'POSTED' } })
})

test('what waits because the network has asked for it is listed so, with the rest of its account', async () => {
  const notBefore = new Date(Date.now() + 3_600_000)
  const limit = { ...again, notBefore, countsAsAttempt: false, scope: 'identity' } as const
  const { set } = await begin({ publish: [limit] })
  await engine.drain()
  const behind = await engine.schedule()
  await engine.look()
  const pausedUntil = notBefore.toISOString()
  for (const each of [set, behind]) {
    expect(await json('show', (await engine.delivery(each)).id)).toMatchObject({ attempts: 0, pausedUntil })
  }
  expect((await run('list')).stdout.match(/the network asks to wait/g)).toHaveLength(2)
})

test('what is due, or in the hands of a worker, needs no retry', async () => {
  const { prepare, inHand, goOn } = inPreparation()
  const { set } = await begin({ prepare: [prepare] })
  await engine.look()
  const { id } = await engine.delivery(set)
  await refused(/is due already/, 'retry', id)
  begun.push(...(await engine.take()))
  await inHand.promise
  await refused(/A worker has it in hand/, 'retry', id)
  expect(await json('list')).toMatchObject({ deliveries: [{ worker: true, place: 'UNDER_WAY' }] })
  goOn.resolve()
})

test('one that was not sent ends as failed, with history by the operator and an alert; a worker that has it stops', async () => {
  const { prepare, inHand, goOn } = inPreparation()
  const { network, set } = await begin({ prepare: [prepare] })
  await engine.look()
  begun.push(...(await engine.take()))
  await inHand.promise
  const { id } = await engine.delivery(set)
  await refused(/--reason is missing/, 'end', id)
  await refused(/Give a reason in one line/, 'end', id, '--reason', ' ')
  const message = 'The operator ended it before it was sent (Wrong brand). Try again what failed to make a draft of it.'
  const result = { status: 'FAILED', reason: 'UNKNOWN', message }
  expect(await json('end', id, '--reason', 'Wrong brand')).toEqual({ id, postSetId: set, result, setPublished: true })
  goOn.resolve()
  await Promise.all(begun)
  expect(network.calls).toEqual(['prepare'])
  expect(await engine.set(set)).toEqual({ status: 'PUBLISHED', results: [result] })
  expect(await engine.history(set)).toEqual(['publishing', 'post failed', 'published'])
  const { actor_type: actor } = await engine.db
    .selectFrom('history')
    .select('actor_type')
    .where('action', '=', 'post failed')
    .executeTakeFirstOrThrow()
  expect(actor).toBe('OPERATOR')
  expect(await alerts()).toEqual([{ kind: 'POST_FAILED', facts: { message, reason: 'UNKNOWN' } }])
})

test('one that may be live ends only when the operator says so, with words that say it', async () => {
  const goOn = gate()
  const sending = Promise.withResolvers<void>()
  const { set } = await begin({
    publish: [
      async () => {
        sending.resolve()
        await goOn.promise
        return published
      },
    ],
  })
  await engine.look()
  begun.push(...(await engine.take()))
  await sending.promise
  const { id } = await engine.delivery(set)
  await refused(/may be live: a worker is sending it right now.*--may-be-live/, 'end', id, '--reason', 'Stuck')
  expect(await engine.delivery(set)).toMatchObject({ state: 'SENDING' })
  expect(await json('end', id, '--reason', 'Stuck', '--may-be-live')).toMatchObject({
    result: { status: 'FAILED', message: expect.stringMatching(/\(Stuck\)\. It may be live: look at the account/) },
  })
  goOn.resolve()
  await Promise.all(begun)
  expect((await engine.set(set)).results[0]).toMatchObject({ status: 'FAILED' })
  expect(await alerts()).toMatchObject([{ kind: 'POST_UNKNOWN' }])
  expect(await engine.history(set)).toEqual(['publishing', 'post failed', 'published'])
})

test('one that is looked up may be live, too', async () => {
  const { set } = await begin({ publish: [{ kind: 'unknown', message: 'No answer.' }] })
  await engine.drain()
  const { id, state } = await engine.delivery(set)
  expect(state).toBe('LOOKING_UP')
  await refused(/may be live: the network did not report.*--may-be-live/, 'end', id, '--reason', 'Stuck')
  expect(await json('end', id, '--reason', 'Stuck', '--may-be-live')).toMatchObject({ result: { status: 'FAILED' } })
})

test('a post that is live and waits for its first comment ends as posted, with a warning', async () => {
  const { set } = await begin({ comment: [again] })
  await engine.drain()
  const { id, state } = await engine.delivery(set)
  expect(state).toBe('FOLLOW_UP')
  expect(await json('end', id, '--reason', 'No comment')).toMatchObject({
    result: {
      status: 'POSTED',
      providerId: expect.stringMatching(/^p\d+$/),
      permalink: 'https://example.test/p1',
      warnings: [{ code: 'post:follow_up_failed', message: expect.stringContaining('(No comment)') }],
    },
  })
  expect(await engine.history(set)).toEqual(['publishing', 'post published', 'published'])
  expect(await alerts()).toEqual([])
})

test('what is not there is said in a sentence', async () => {
  await begin({})
  await refused(/There is no delivery nonsense/, 'show', 'nonsense')
  await refused(/There is no delivery/, 'end', engine.socialSetId, '--reason', 'Stuck')
  await refused(/There is no account/, 'list', '--account', 'nonsense')
  await refused(/--state .*PREPARING.*not LATE/, 'list', '--state', 'LATE')
  await refused(/--limit .*1 to 1000, not many/, 'list', '--limit', 'many')
})
