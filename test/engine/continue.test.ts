import { expect, onTestFinished, test } from 'vitest'
import { given, type PostsOfSet } from '#contract'
import type { Network, Part } from '#networks'
import { endDelivery, holdByOperator, releaseByOperator, retryPostSet } from '#operations'
import { callerOf } from '../_util/api/editor.ts'
import { MINUTE_MS, missing, partsOf, refused, resultOf, thread, titles, unknown } from '../_util/engine/chain.ts'
import type { Engine } from '../_util/engine/engine.ts'
import { scriptedEngines } from '../_util/engine/scripted-engine.ts'
import { newMark, openTwinStage } from '../_util/engine/twin-stage.ts'

/**
 * A thread that ended early goes on when a person asks for it: with its first part that is missing, once however many ask, and only
 * when that part is absent for certain and what it answers is still there.
 */

const start = scriptedEngines()
const OPERATOR = { type: 'OPERATOR', id: null, name: 'operator' } as const

const retry = async (engine: Engine, set: string, body: PostsOfSet = {}) =>
  retryPostSet(engine, await callerOf(engine), set, given(body))
const sendings = async ({ db }: Engine, set: string) =>
  (await db.selectFrom('deliveries').select('id').where('post_set_id', '=', set).execute()).length
const versionOf = async ({ db }: Engine) =>
  (await db.selectFrom('post_sets').select('version').executeTakeFirstOrThrow()).version

/** A thread of 25 of which these parts are refused at their first calls; what was asked of it first. */
function stopping(at: Readonly<Record<number, number>>, change: (number: number) => Partial<Part> = () => ({})) {
  const left = new Map(Object.entries(at).map(([number, times]) => [Number(number), times]))
  const looked: string[] = []
  const { parts, asked } = thread((number) => ({
    ofThread: true,
    async prepare({ continues }) {
      if (continues) looked.push(`part ${number}`)
      return { kind: 'ready' }
    },
    async send() {
      const times = left.get(number) ?? 0
      left.set(number, times - 1)
      return times > 0 ? refused : { kind: 'published', providerId: `id of part ${number}`, permalink: null }
    },
    ...change(number),
  }))
  return { parts, asked, looked }
}

async function stopped(script: ReturnType<typeof stopping>) {
  const { engine } = await start({ parts: script.parts })
  const set = await engine.schedule()
  await engine.drain()
  return { engine, set }
}
const waiting = async ({ db }: Engine) => (await db.selectFrom('post_failures').select('delivery_id').execute()).length
const idsOf = (upTo: number) => titles.slice(0, upTo - 1).map((title) => ({ providerId: `id of ${title}` }))

test('it goes on behind what is live, and its result grows', async () => {
  const seen: unknown[] = []
  let look = async () => {}
  const script = stopping({ 4: 1 }, (number) =>
    number === 7
      ? {
          async prepare() {
            await look()
            return { kind: 'ready' }
          },
        }
      : {},
  )
  const { engine, set } = await stopped(script)
  expect(await resultOf(engine, set)).toMatchObject({ ...missing('part 4', 'No more'), thread: idsOf(3) })
  expect(await waiting(engine)).toBe(1)
  expect(await engine.db.selectFrom('news').select(['kind', 'facts']).execute()).toMatchObject([
    { kind: 'POST_INCOMPLETE', facts: { message: expect.stringContaining('part 4') } },
  ])
  const before = await engine.set(set)
  // What came long ago has all its time again.
  await engine.advance(120 * MINUTE_MS)
  look = async () =>
    void seen.push(await resultOf(engine, set), (await engine.set(set)).status, await versionOf(engine))
  const version = await versionOf(engine)

  const answer = await retry(engine, set)
  expect(answer).toMatchObject({ id: set, version: version + 1, retried: [{ accountType: 'BLUESKY' }], left: [] })
  expect(await engine.set(set)).toEqual(before)
  expect(await waiting(engine)).toBe(0)
  await engine.drain()

  expect(seen).toMatchObject([{ status: 'POSTED', thread: idsOf(6) }, 'PUBLISHED', version + 4])
  expect(script.asked).toEqual([...titles.slice(0, 3), ...titles.slice(2)])
  expect(script.looked).toEqual(['part 4'])
  const result = await resultOf(engine, set)
  expect(result).toMatchObject({ status: 'POSTED', permalink: 'https://example.test/p1', thread: idsOf(25) })
  expect(result).not.toHaveProperty('warnings')
  expect(result?.providerId).toBe(before.results[0]?.providerId)
  expect((await engine.set(set)).status).toBe('PUBLISHED')
  expect((await engine.history(set)).slice(-3)).toEqual(['published', 'thread continued', 'post published'])
  await expect(retry(engine, set)).rejects.toThrow('Nothing in this post failed')
  expect(await waiting(engine)).toBe(0)
})

test('whichever of several people presses second, or at the same moment, gets the same one', async () => {
  const script = stopping({ 2: 1 })
  const { engine, set } = await stopped(script)
  const asked = await Promise.all(Array.from({ length: 8 }, () => retry(engine, set)))
  const again = await retry(engine, set, { postIds: asked[0]?.retried.map(({ postId }) => postId) ?? [] })
  for (const answer of [...asked, again]) expect(answer).toEqual(asked[0])
  expect(await sendings(engine, set)).toBe(2)
  expect((await engine.history(set)).filter((action) => action === 'thread continued')).toHaveLength(1)
  await engine.drain()
  expect(script.asked).toEqual(['part 2', ...titles])
})

test('one that ends early again goes on again, once when two people press at the same moment', async () => {
  const script = stopping({ 3: 1, 5: 1 })
  const { engine, set } = await stopped(script)
  await retry(engine, set)
  await engine.drain()
  expect(await resultOf(engine, set)).toMatchObject({ ...missing('part 5', 'No more'), thread: idsOf(4) })
  expect((await resultOf(engine, set))?.warnings).toHaveLength(1)
  const [first, second] = await Promise.all([retry(engine, set), retry(engine, set)])
  expect(second).toEqual(first)
  expect(await sendings(engine, set)).toBe(3)
  await engine.drain()
  expect(await resultOf(engine, set)).toMatchObject({ thread: idsOf(25) })
  expect(script.looked).toEqual(['part 3', 'part 5'])
  expect(script.asked).toEqual([...titles.slice(0, 2), ...titles.slice(1, 4), ...titles.slice(3)])
})

test('a part that is there after all is not sent, and the next one answers it', async () => {
  const script = stopping({ 4: 1 }, (number) =>
    number === 4
      ? {
          prepare: async ({ continues }) =>
            continues ? { kind: 'found', providerId: 'id of part 4', permalink: null } : { kind: 'ready' },
        }
      : {},
  )
  const { engine, set } = await stopped(script)
  await retry(engine, set)
  await engine.drain()
  expect(script.asked).toEqual(titles)
  expect(await resultOf(engine, set)).toMatchObject({ status: 'POSTED', thread: idsOf(25) })
})

test('when what it answers is gone, nothing is sent and the result says so', async () => {
  const gone = { kind: 'refused', reason: 'UNKNOWN', message: 'The part before is gone.' } as const
  const script = stopping({ 4: 1 }, (number) =>
    number === 4 ? { prepare: async ({ continues }) => (continues ? gone : { kind: 'ready' }) } : {},
  )
  const { engine, set } = await stopped(script)
  await retry(engine, set)
  await engine.drain()
  expect(script.asked).toEqual(titles.slice(0, 3))
  expect(await resultOf(engine, set)).toMatchObject({ ...missing('part 4', 'is gone'), thread: idsOf(3) })
  expect((await engine.set(set)).status).toBe('PUBLISHED')
})

test('one of which no one knows whether it is there stays as it is', async () => {
  const { parts } = stopping({}, (number) =>
    number === 3 ? { send: async () => unknown, find: async () => ({ kind: 'cannot-tell', message: 'No list.' }) } : {},
  )
  const { engine } = await start({ parts })
  const set = await engine.schedule()
  for (let round = 0; round < 14; round++) {
    await engine.drain()
    await engine.advance(5 * MINUTE_MS)
  }
  await engine.drain()
  expect(await partsOf(engine, set)).toContainEqual(['part 3', 'unsure'])
  await expect(retry(engine, set)).rejects.toThrow('It may be live')
})

test('a hold refuses it in words; one that comes later keeps it before its fence', async () => {
  const script = stopping({ 2: 1 })
  const { engine, set } = await stopped(script)
  const hold = () => holdByOperator(engine, { id: engine.socialSetId, reason: 'Wait' }, OPERATOR)
  const release = () => releaseByOperator(engine, { id: engine.socialSetId, late: 'publish' }, OPERATOR)
  await hold()
  await expect(retry(engine, set)).rejects.toThrow('Publishing is stopped (Wait)')
  await release()
  await retry(engine, set)
  await hold()
  await engine.drain()
  expect(script.asked).toEqual(['part 2'])
  await release()
  await engine.drain()
  expect(script.asked).toEqual(['part 2', ...titles])
})

test('a quota that asks to wait holds for it as for any part', async () => {
  let asks = true
  const script = stopping({ 3: 1 }, (number) =>
    number === 4
      ? {
          async send({ now }) {
            const notBefore = new Date(now().getTime() + 10 * MINUTE_MS)
            const wait = { kind: 'retry', from: 'publish', countsAsAttempt: false, message: 'Slow down.' } as const
            const made = { kind: 'published', providerId: 'id of part 4', permalink: null } as const
            const first = asks
            asks = false
            return first ? { ...wait, notBefore, scope: 'identity' } : made
          },
        }
      : {},
  )
  const { engine, set } = await stopped(script)
  await retry(engine, set)
  await engine.drain()
  expect(script.asked.at(-1)).toBe('part 4')
  await engine.advance(11 * MINUTE_MS)
  await engine.drain()
  expect(await resultOf(engine, set)).toMatchObject({ thread: idsOf(25) })
})

test('it goes on through the account that it is on alone, and needs the right to publish', async () => {
  const { engine, set } = await stopped(stopping({ 2: 1 }))
  const author = await callerOf(engine, 'author')
  await expect(retryPostSet(engine, author, set, given({}))).rejects.toMatchObject({ code: 'auth:insufficient_role' })
  await engine.db.updateTable('deliveries').set({ identity_id: set }).execute()
  await expect(retry(engine, set)).rejects.toThrow('on another account')
})

test('one that was ended by hand before its part was sent goes on', async () => {
  const script = stopping({}, (number) =>
    number === 3
      ? {
          prepare: async ({ continues, now }) =>
            continues ? { kind: 'ready' } : { kind: 'waiting', askAgainAt: new Date(now().getTime() + 5 * MINUTE_MS) },
        }
      : {},
  )
  const { engine, set } = await stopped(script)
  const { id } = await engine.delivery(set)
  await endDelivery(engine, { id, reason: 'Stuck', mayBeLive: false }, OPERATOR)
  expect(await resultOf(engine, set)).toMatchObject({ ...missing('part 3', 'Stuck'), thread: idsOf(2) })
  await retry(engine, set)
  await engine.drain()
  expect(await resultOf(engine, set)).toMatchObject({ thread: idsOf(25) })
})

/** What becomes of the first call of a part; once it is `mended`, it goes as ever. */
type Trouble = 'refused' | 'there after all' | 'parent gone'
const NETWORKS = ['THREADS', 'TWITTER'] as const

/** A thread of four on the simulator of a network, whose third part fails. */
async function openThread(accountType: (typeof NETWORKS)[number], trouble: Trouble) {
  let isMended = false
  const ofPart = (part: Part, nth: number): Part =>
    nth !== 1
      ? part
      : {
          ...part,
          async prepare(attempt) {
            const parent = attempt.before.at(-1)?.providerId ?? ''
            const isGone = isMended && trouble === 'parent gone'
            const http: typeof attempt.http = async (request) =>
              isGone && request.method === 'GET' && new URL(request.url).pathname.endsWith(`/${parent}`)
                ? attempt.http({ ...request, url: request.url.replace(parent, '1') })
                : attempt.http(request)
            const seen = Object.defineProperty({ ...attempt, http }, 'handles', { get: () => attempt.handles })
            return part.prepare ? part.prepare(seen) : { kind: 'ready' }
          },
          async send(attempt) {
            if (isMended) return part.send(attempt)
            if (trouble === 'there after all') await part.send(attempt)
            return refused
          },
        }
  const changed = (network: Network): Network => ({
    ...network,
    connector: {
      ...network.connector,
      parts: (post) => (network.connector.parts?.(post) ?? []).map(ofPart),
    },
  })
  const stage = await openTwinStage(accountType, changed)
  onTestFinished(() => stage.close())
  const mark = newMark()
  const set = await stage.engine.schedule({ accountTypes: [accountType], caption: `One ${mark}` })
  const parts = ['Two', 'Three', 'Four'].map((words, nth) => ({ id: `part ${nth}`, caption: `${words} ${mark}` }))
  const stored = { thread: JSON.stringify(parts) }
  await stage.engine.db.updateTable('posts').set(stored).where('post_set_id', '=', set).execute()
  await stage.engine.drain()
  await stage.settle()
  return {
    stage,
    set,
    held: () => stage.ledger(mark) as Promise<{ id: string; text: string; replyTo?: string }[]>,
    async goOn() {
      isMended = true
      await retry(stage.engine, set)
      await stage.engine.drain()
      await stage.settle()
      return resultOf(stage.engine, set)
    },
  }
}

const wordsOf = (held: readonly { text: string }[]) => held.map(({ text }) => text.split(' ')[0])

test.each(NETWORKS)('on %s it goes on below the last part that is live', async (accountType) => {
  const { goOn, held } = await openThread(accountType, 'refused')
  expect(wordsOf(await held())).toEqual(['One', 'Two'])
  const result = await goOn()
  const posts = await held()
  expect(wordsOf(posts)).toEqual(['One', 'Two', 'Three', 'Four'])
  expect(posts.slice(1).map(({ replyTo }) => replyTo)).toEqual(posts.slice(0, 3).map(({ id }) => id))
  expect(result).not.toHaveProperty('warnings')
  expect(result?.thread).toMatchObject(posts.slice(1).map(({ id }) => ({ providerId: id })))
})

test.each(NETWORKS)('on %s a part that is there after all is found, and not sent again', async (accountType) => {
  const { goOn, held, stage } = await openThread(accountType, 'there after all')
  await stage.pass(MINUTE_MS)
  const result = await goOn()
  const posts = await held()
  expect(wordsOf(posts)).toEqual(['One', 'Two', 'Three', 'Four'])
  expect(result?.thread).toMatchObject(posts.slice(1).map(({ id }) => ({ providerId: id })))
})

test.each(NETWORKS)('on %s nothing is sent below a part that was deleted', async (accountType) => {
  const { goOn, held } = await openThread(accountType, 'parent gone')
  expect(await goOn()).toMatchObject({
    ...{ status: 'POSTED', thread: [{ providerId: (await held())[1]?.id }] },
    warnings: [{ message: expect.stringContaining('does not show the part before any more') }],
  })
  expect(wordsOf(await held())).toEqual(['One', 'Two'])
})

test('on Bluesky one call makes the thread, so that there is no half of one to go on with', async () => {
  let refusals = 1
  const stage = await openTwinStage('BLUESKY', (network) => ({
    ...network,
    connector: {
      ...network.connector,
      publish: async (attempt) => (refusals-- > 0 ? refused : network.connector.publish(attempt)),
    },
  }))
  onTestFinished(() => stage.close())
  const { engine } = stage
  const mark = newMark()
  const set = await engine.schedule({ accountTypes: ['BLUESKY'], caption: `One ${mark}` })
  const stored = { thread: JSON.stringify([{ id: 'part 0', caption: `Two ${mark}` }]) }
  await engine.db.updateTable('posts').set(stored).where('post_set_id', '=', set).execute()
  await engine.drain()
  expect(await resultOf(engine, set)).toMatchObject({ status: 'FAILED' })
  expect(await stage.ledger(mark)).toEqual([])
  await retry(engine, set)
  await engine.drain()
  await stage.settle()
  expect(await stage.ledger(mark)).toMatchObject([{ text: `One ${mark}` }, { text: `Two ${mark}` }])
  expect(await resultOf(engine, set)).toMatchObject({ status: 'POSTED', thread: [{}] })
})
