import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import { answer, both, lost, openStage, reported, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { checkPost } from './rules.ts'
import { problem, silent, textPost } from './testing-posts.ts'

/** Threads: a post, and answers to the part before. */

const [CREATE, LIST] = ['POST tweets', 'GET users/{me}/tweets']
const thread: Sample = {
  ...textPost('One'),
  thread: [{ caption: 'Two' }, { caption: 'Three https://example.com/a' }, { caption: 'Four' }],
}

let stage: Stage
beforeEach(async () => {
  stage = await openStage(network, 'TWITTER', { base: 'api/2' })
})
afterEach(() => stage.close())

const sent = () => stage.calls(CREATE).map(({ json }) => json)
const ids = async () => (await stage.posts()).map(({ id }) => id)
const answers = (id: string | undefined) => ({ reply: { in_reply_to_tweet_id: id } })
/** The second part is made, and its answer does not come. */
function lostSecond(): Trouble {
  let calls = 0
  return stage.on(
    CREATE,
    async ({ send }) => {
      if (++calls !== 2) return null
      await send()
      return lost
    },
    { times: 99 },
  )
}
const hidden = answer(403, {
  errors: [{ code: 385, message: 'You attempted to reply to a Tweet that is deleted or not visible to you.' }],
})

test('each part answers the one before, some seconds after it', async () => {
  const { result } = await stage.deliver(thread)
  const [one, two, three, four] = await ids()
  expect(sent()).toEqual([
    { text: 'One' },
    { text: 'Two', ...answers(one) },
    { text: 'Three https://example.com/a', ...answers(two) },
    { text: 'Four', ...answers(three) },
  ])
  expect(result).toMatchObject({
    ...{ status: 'POSTED', providerId: one },
    thread: [two, three, four].map((providerId) => ({
      providerId,
      permalink: expect.stringMatching(`/status/${providerId}$`),
    })),
  })
  // Ids carry the time.
  const times = (await ids()).map((id) => Number(BigInt(id) >> 22n))
  for (const [nth, time] of times.slice(1).entries()) expect(time - (times[nth] ?? 0)).toBeGreaterThanOrEqual(3_000)
})

test('an answer that is lost is looked for behind the part before, and among few posts', async () => {
  const { result } = await stage.deliver(thread, lostSecond())
  expect(result).not.toHaveProperty('warnings')
  expect(await ids()).toHaveLength(4)
  const [, ...looks] = stage.calls(LIST).map(({ query }) => Object.fromEntries(query))
  expect(looks.length).toBeGreaterThan(0)
  for (const look of looks) {
    expect(look).toMatchObject({ since_id: (await ids())[0], max_results: '10', expansions: 'referenced_posts' })
    expect(look).not.toHaveProperty('start_time')
  }
})

test('a listing that names fields as the older pages do is understood', async () => {
  /** Knows `tweet.fields` alone. */
  const older = stage.on(
    LIST,
    async ({ request }) => {
      const query = new URL(request.url).searchParams
      if (!query.has('since_id')) return null
      if (!query.has('tweet.fields')) return problem(400, 'One or more parameters to your request was invalid.')
      expect(query.get('tweet.fields')).toContain('referenced_tweets')
      const [one, two] = await ids()
      const referenced_tweets = [{ type: 'replied_to', id: one }]
      const reply = { id: two, text: 'Two', created_at: '2026-11-30T10:00:00Z', referenced_tweets }
      return answer(200, { data: [reply], meta: { result_count: 1 } })
    },
    { times: 99 },
  )
  const { result } = await stage.deliver(thread, both(lostSecond(), older))
  expect(result).not.toHaveProperty('warnings')
  expect(result.thread).toHaveLength(3)
})

test('a part that X does not show yet is answered a little later', async () => {
  let calls = 0
  const early = stage.on(CREATE, () => (++calls === 2 || calls === 3 ? hidden : null), { times: 99 })
  const { result } = await stage.deliver(thread, early)
  expect(result).not.toHaveProperty('warnings')
  expect(calls).toBe(6)
  expect(await ids()).toHaveLength(4)
})

test('one that is gone for two minutes ends the thread', async () => {
  let calls = 0
  const gone = stage.on(CREATE, () => (++calls > 2 ? hidden : null), { times: 999 })
  const { result } = await stage.deliver(thread, gone)
  expect(await ids()).toHaveLength(2)
  expect(result).toMatchObject({ status: 'POSTED', thread: [{ providerId: (await ids())[1] }] })
  expect(result.warnings?.[0]?.message).toMatch(/its part 3 could not be made\. X does not show the part before/)
})

test('an app that may not answer posts its first part alone, and the operator reads why', async () => {
  await stage.close()
  stage = await openStage(silent, 'TWITTER', { base: 'api/2' })
  const { result } = await stage.deliver(thread)
  expect(await ids()).toHaveLength(1)
  expect(result).toMatchObject({ status: 'POSTED' })
  expect(result).not.toHaveProperty('thread')
  expect(result.warnings?.[0]?.message).toMatch(/part 2 could not be made\. X does not let this app answer/)
})

test('a thread says what it may cost', () => {
  const media: [] = []
  const post = { accountType: 'TWITTER', caption: 'One', fields: {}, media } as const
  expect(reported(checkPost(post, {}))).toEqual([])
  const further = thread.thread?.map(({ caption }) => ({ caption, media })) ?? []
  const findings = checkPost({ ...post, thread: further }, {})
  expect(reported(findings)).toEqual(['thread thread_cost?'])
  expect(findings[0]?.message).toContain('4 parts')
  expect(findings[0]?.message).toMatch(/about \$0\.2[45]/)
})
