import { afterAll, beforeAll, expect, test } from 'vitest'
import { MINUTE_MS } from '#contract/durations'
import { loadNetworks } from '#networks'
import type { Delivered } from '../../src/networks/conformance/deliver.ts'
import { createClock, type Trouble } from '../../src/networks/conformance/delivery.ts'
import type { Sample } from '../../src/networks/conformance/index.ts'
import { lostOnce, once, untilSpared } from '../../src/networks/conformance/trouble.ts'
import { answer, lost, openStage, type Stage, worldOf } from '../../src/networks/kit/testing.ts'
import { type Pds, type PdsAccount, startPds } from '../_util/networks/pds.ts'

/** A thread with pictures and with what says who may reply and quote, on a real server: one commit, whatever happens around it. */

let pds: Pds
let stage: Stage
beforeAll(async () => {
  pds = await startPds()
  const network = (await loadNetworks()).named('bluesky')
  if (!network) throw new Error('There is no Bluesky.')
  stage = await openStage(network, 'BLUESKY', { base: '' })
})
afterAll(async () => {
  await stage?.close()
  await pds?.stop()
})

const picture = [{ file: 'transparent.png', altText: 'A loaf' }]
const WORDS = ['One', 'Two', 'Three', 'Four', 'Five']
const thread: Sample = {
  ...{ title: 'thread', accountType: 'BLUESKY', caption: 'One', media: picture },
  fields: { options: { replyAudience: ['MENTIONED', 'FOLLOWING'], allowQuotes: false } },
  thread: WORDS.slice(1).map((caption) => ({ caption, media: picture })),
}
const WRITES = /com\.atproto\.repo\.(applyWrites|putRecord|createRecord)$/
const isWrite = ({ request }: { request: { url: string } }) => WRITES.test(request.url)

/** A new account, which the stage posts from. */
async function newcomer(): Promise<PdsAccount> {
  const { account, identity } = await pds.connect()
  const world = worldOf(stage, identity)
  const endpoints = { ...identity.endpoints, video: pds.videoUrl, web: 'https://bsky.app' }
  stage.world = { ...world, clock: createClock(), backend: { ...world.backend, endpoints } }
  return account
}

/** What the server has of an account. */
async function heldBy({ did }: PdsAccount) {
  const gates = ['app.bsky.feed.threadgate', 'app.bsky.feed.postgate'].map(async (collection) => {
    const query = { repo: did, collection }
    const { records } = await pds.call<{ records: { uri: string; value: { post: string } }[] }>(
      'com.atproto.repo.listRecords',
      { query },
    )
    return records
  })
  const { rev } = await pds.call<{ rev: string }>('com.atproto.sync.getLatestCommit', { query: { did } })
  return { posts: await pds.posts(did), gates: (await Promise.all(gates)).flat(), rev }
}

/** All five are there, each below the one before by key and cid, with both gates, and the result names them. */
async function expectWhole(account: PdsAccount, { result }: Pick<Delivered, 'result'>) {
  const { posts, gates, rev } = await heldBy(account)
  expect(posts.map(({ value }) => value.text)).toEqual(WORDS)
  const refs = posts.map(({ uri, cid }) => ({ uri, cid }))
  expect(posts.map(({ value }) => value.reply)).toEqual([
    undefined,
    ...refs.slice(0, -1).map((parent) => ({ root: refs[0], parent })),
  ])
  expect(posts.map(({ value }) => value.embed?.images?.length)).toEqual(WORDS.map(() => 1))
  const key = refs[0]?.uri.split('/').at(-1)
  expect(gates.map(({ uri, value }) => [uri.split('/').at(-1), value.post])).toEqual(
    [0, 1].map(() => [key, refs[0]?.uri]),
  )
  expect(result).toMatchObject({
    ...{ status: 'POSTED', providerId: refs[0]?.uri },
    thread: refs.slice(1).map(({ uri }) => ({ providerId: uri })),
  })
  expect(result).not.toHaveProperty('warnings')
  return { rev }
}

async function send(trouble?: Trouble) {
  const account = await newcomer()
  const from = stage.exchanged.length
  // What ends a call is the trouble that is tried, and never how slow this machine is.
  const delivered = await stage.deliver(thread, { callLimitMs: () => MINUTE_MS, ...trouble })
  return { account, delivered, writes: stage.exchanged.slice(from).filter(isWrite) }
}

test('all of it is one call and one commit', async () => {
  const { account, delivered, writes } = await send()
  const { rev } = await expectWhole(account, delivered)
  expect(writes.map(({ json }) => (json.writes as object[]).length)).toEqual([WORDS.length + 2])
  const [{ result } = expect.unreachable()] = writes
  expect(result.kind === 'answer' && result.json).toMatchObject({ commit: { rev } })
})

test('whichever request the process ends behind, it is there once and whole', async () => {
  const turns = await untilSpared(async (nth) => {
    const { account, delivered, writes } = await send({ dieAfterRequest: nth })
    await expectWhole(account, delivered)
    // What was made by the first call is found, and not written again.
    expect(writes).toHaveLength(1)
    return delivered.died
  })
  expect(turns).toBeGreaterThan(WORDS.length)
})

test.each([
  ['the call never arrives', () => once(isWrite, async () => ({ ...lost, sent: false })), 1],
  ['the call breaks off before it arrives, and no one knows', () => once(isWrite, async () => lost), 1],
  ['its answer is lost', () => lostOnce(isWrite), 1],
  // Of its points there are enough for all, or for none.
  ['the server asks to wait', () => once(isWrite, async () => answer(429, { error: 'RateLimitExceeded' })), 1],
] as const)('when %s, it is there once and whole', async (_, trouble, calls) => {
  const { account, delivered, writes } = await send(trouble())
  await expectWhole(account, delivered)
  expect(writes).toHaveLength(calls)
})

/** The first call is given up before the server has written, a look finds nothing, and then the server gets this and the second one. */
function outrun(first: 'first' | 'second', laterMs: number): Trouble {
  let outrunning: (() => Promise<unknown>) | null = null
  return {
    async intercept({ request, send: real }) {
      if (!isWrite({ request })) return real()
      if (outrunning === null) {
        outrunning = () => stage.world.http({ ...request, signal: AbortSignal.timeout(MINUTE_MS) })
        stage.pass(laterMs)
        return lost
      }
      if (first === 'first') await outrunning()
      const result = await real()
      if (first === 'second') await outrunning()
      return result
    },
  }
}

test.each([
  ['first', 0],
  ['first', 2 * MINUTE_MS],
  ['second', 0],
  ['second', 2 * MINUTE_MS],
] as const)(
  'of a call that was given up and the one behind it the server takes the one that comes first, the %s: %d ms later',
  async (first, laterMs) => {
    const { account, delivered, writes } = await send(outrun(first, laterMs))
    await expectWhole(account, delivered)
    // Never without a look, and the server takes the same keys once.
    expect(delivered.log.map(({ step, outcome }) => `${step} ${outcome.kind}`)).toEqual([
      ...['prepare ready', 'publish unknown', 'find absent', 'prepare ready', 'publish published'],
    ])
    expect(writes.map(({ result }) => result.kind === 'answer' && result.status)).toEqual([200, 500])
  },
)

test('until the call there is nothing of it', async () => {
  const account = await newcomer()
  const before = await heldBy(account)
  await stage.fenced(thread)
  const { posts, gates, rev } = await heldBy(account)
  expect({ posts, gates, rev }).toEqual({ posts: [], gates: [], rev: before.rev })
})

test('a second call is refused because its records are there, changes nothing, and finds all of them', async () => {
  const account = await newcomer()
  const delivery = await stage.fenced(thread)
  const first = await delivery.call('publish')
  const held = await heldBy(account)
  const from = stage.exchanged.length
  expect(await delivery.call('publish')).toEqual(first)
  expect(await heldBy(account)).toEqual(held)
  const [again] = stage.exchanged.slice(from).filter(isWrite)
  expect(again?.result).toMatchObject({ kind: 'answer', status: 500 })
  const { kind, ...live } = first as Extract<typeof first, { kind: 'published' }>
  expect(kind).toBe('published')
  await expectWhole(account, { result: { status: 'POSTED', ...(live as object) } })
})
