import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import { answer, lost, openStage, reported, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'
import type { World } from './simulator-asked.ts'

/** Threads: a post, and replies to the part before. */

const [MAKE, PUBLISH] = ['POST me/threads', 'POST me/threads_publish']
const text = (caption: string) => ({ caption, media: [] })
const thread: Sample = {
  ...{ title: 'a thread', accountType: 'THREADS', caption: 'One' },
  thread: [text('Two'), text('Three')],
}
const filmed: Sample = { ...thread, thread: [{ caption: 'Two', media: [{ file: 'video-short.mp4' }] }, text('Three')] }

let stage: Stage
beforeEach(() => open())
afterEach(() => stage.close())

async function open(world: Partial<World> = {}): Promise<void> {
  stage = await openStage({ ...network, simulate: (deps) => simulate(deps, world) }, 'THREADS', { base: 'graph/v1.0' })
}
/** Another network in place of the usual one. */
async function reopen(world: Partial<World>): Promise<void> {
  await stage.close()
  await open(world)
}
const ids = async () => (await stage.posts()).map(({ id }) => id)
const made = () => stage.calls(MAKE).map(({ request }) => Object.fromEntries(new URLSearchParams(String(request.body))))

/** The second part is published, and its answer does not come. */
function lostSecond(): Trouble {
  let calls = 0
  return stage.on(
    PUBLISH,
    async ({ send }) => {
      if (++calls !== 2) return null
      await send()
      return lost
    },
    { times: 99 },
  )
}

test('each part replies to the one before', async () => {
  const { result } = await stage.deliver(thread)
  const [one, two, three] = await ids()
  expect(made()).toEqual([
    { media_type: 'TEXT', text: 'One' },
    { media_type: 'TEXT', text: 'Two', reply_to_id: one },
    { media_type: 'TEXT', text: 'Three', reply_to_id: two },
  ])
  expect(result).toMatchObject({
    ...{ status: 'POSTED', providerId: one },
    thread: [two, three].map((providerId) => ({ providerId, permalink: expect.stringContaining(String(providerId)) })),
  })
})

test('a reply with a video rests before it is published, so that it is a reply', async () => {
  const { result } = await stage.deliver(filmed)
  expect(result).not.toHaveProperty('warnings')
  const [one, two, three] = await stage.posts()
  expect([two?.replyTo, three?.replyTo]).toEqual([one?.id, two?.id])
})

test('one that became a post of its own ends the thread and is named', async () => {
  const alone = stage.on(
    'GET {id}',
    async ({ request, send }) => {
      const real = await send()
      if (!request.url.includes('is_reply') || real.kind !== 'answer') return real
      return answer(200, { ...(real.json as object), is_reply: false, replied_to: undefined })
    },
    { times: 99 },
  )
  const { result } = await stage.deliver(thread, alone)
  expect(await ids()).toHaveLength(2)
  expect(result.status).toBe('POSTED')
  const [first, second] = result.warnings ?? []
  expect(first?.message).toContain(`as a post of its own: `)
  expect(second?.message).toContain('part 3')
})

test('an answer that is lost is looked for among the replies of the account', async () => {
  const { result } = await stage.deliver(thread, lostSecond())
  expect(result).not.toHaveProperty('warnings')
  expect(result.thread).toHaveLength(2)
  const [look] = stage.calls('GET me/replies')
  expect(look?.query.get('fields')).toContain('replied_to')
})

test('without the permission to read replies a part whose answer is lost ends the thread, and is not sent again', async () => {
  await reopen({ replies: 'unlisted' })
  const { result } = await stage.deliver(thread, lostSecond())
  expect(await ids()).toHaveLength(2)
  expect(result.status).toBe('POSTED')
  expect(result.warnings?.[0]?.message).toMatch(
    /part 2 could not be made\. It may be there all the same: The post is live/,
  )
})

test('an account that may not reply keeps its connection', async () => {
  await reopen({ replies: 'refused' })
  const { result, log } = await stage.deliver(thread)
  expect(await ids()).toHaveLength(1)
  expect(log.map(({ outcome }) => outcome.kind)).not.toContain('reconnect')
  expect(result.warnings?.[0]?.message).toContain('threads_manage_replies')
})

describe('the first comment', () => {
  const commented: Sample = { ...thread, fields: { options: { firstComment: 'More at https://example.com' } } }

  test('is a reply to the post, behind the last part', async () => {
    const { result } = await stage.deliver(commented)
    const [one, two] = await ids()
    expect(made().slice(-2)).toEqual([
      { media_type: 'TEXT', text: 'Three', reply_to_id: two },
      { media_type: 'TEXT', text: 'More at https://example.com', reply_to_id: one },
    ])
    expect(result.thread).toHaveLength(2)
    expect(result).not.toHaveProperty('warnings')
  })

  test('is not sent when the thread ended early', async () => {
    const refused = stage.on(
      MAKE,
      async ({ request }) =>
        String(request.body).includes('Three') ? answer(400, { error: { code: 10, message: 'No' } }) : null,
      { times: 99 },
    )
    const { result } = await stage.deliver(commented, refused)
    expect(await ids()).toHaveLength(2)
    expect(result.warnings).toHaveLength(1)
    expect(made().map(({ text: words }) => words)).not.toContain('More at https://example.com')
  })

  test('that cannot be made leaves the thread as it is', async () => {
    const refused = stage.on(
      MAKE,
      async ({ request }) =>
        String(request.body).includes('More') ? answer(400, { error: { code: 10, message: 'No' } }) : null,
      { times: 99 },
    )
    const { result } = await stage.deliver(commented, refused)
    expect(result).toMatchObject({ status: 'POSTED', thread: [{}, {}] })
    expect(result.warnings).toMatchObject([{ message: expect.stringContaining('first comment') }])
  })

  test('is sent once when its answer is lost', async () => {
    let calls = 0
    const { result } = await stage.deliver(
      commented,
      stage.on(
        PUBLISH,
        async ({ send }) => {
          if (++calls !== 4) return null
          await send()
          return lost
        },
        { times: 99 },
      ),
    )
    expect(result).not.toHaveProperty('warnings')
    expect(await ids()).toHaveLength(4)
  })

  test('has words of its own, as many as a post', () => {
    const check = (firstComment: string) =>
      reported(
        network.checkPost(
          {
            ...{ accountType: 'THREADS', caption: 'One', fields: { options: { firstComment } }, media: [] },
            thread: [{ caption: 'Two', media: [] }],
          },
          {},
        ),
      )
    expect(check('Three')).toEqual([])
    expect(check(' two')).toEqual([])
    expect(check(' Two ')).toEqual(['options.firstComment field_invalid'])
    expect(check('x'.repeat(501))).toEqual(['options.firstComment field_too_long'])
  })
})
