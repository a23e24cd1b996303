import { afterAll, beforeAll, expect, test } from 'vitest'
import { loadNetworks } from '#networks'
import type { Delivered } from '../../src/networks/conformance/deliver.ts'
import { createClock, type Trouble } from '../../src/networks/conformance/delivery.ts'
import type { Sample } from '../../src/networks/conformance/index.ts'
import { lostOnce, once, untilSpared } from '../../src/networks/conformance/trouble.ts'
import { lost, openStage, type Stage, worldOf } from '../../src/networks/kit/testing.ts'
import { type Pds, type PdsAccount, startPds } from '../_util/pds.ts'

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
  const delivered = await stage.deliver(thread, trouble)
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
] as const)('when %s, it is there once and whole', async (_, trouble, calls) => {
  const { account, delivered, writes } = await send(trouble())
  await expectWhole(account, delivered)
  expect(writes).toHaveLength(calls)
})

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
