import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '#contract/durations'
import { deliver } from '../conformance/deliver.ts'
import { type Delivery, openDelivery, type Trouble } from '../conformance/delivery.ts'
import { stageFor } from '../conformance/stages.ts'
import { answer, lost } from '../kit/testing.ts'
import { CREATE, created, LIST, openStage, parentOf, personToken, sample } from './testing-posts.ts'

const stage = stageFor('each', openStage)

const bread = { summary: 'Bread', topicType: 'STANDARD' }
/** Somebody else posts. */
const postAlso = (more: object = {}) => stage.api(`POST ${parentOf(stage)}/localPosts`, { ...bread, ...more })
const button = { ctaType: 'SHOP', ctaUrl: 'HTTPS://Example.com' }
/** A delivery that is said to know these posts, and its fence. */
async function keeping(handles: Parameters<Delivery['keep']>[0], trouble?: Trouble): Promise<Delivery> {
  const delivery = await stage.open(sample('Bread'), trouble)
  delivery.keep(handles)
  delivery.fence()
  return delivery
}
const looks = async (delivery: Delivery) => [await delivery.call('find'), await delivery.call('find')]
const nowhere = [{ kind: 'cannot-tell' }, { kind: 'absent' }]

test.each([
  ['the post is found by text, button and time, and its name is kept', 'Two  lines\n of bread ', 'made'],
  ['a post that was rejected meanwhile is reported as such, and not sent again', 'Call +49 30 1234567', 'failed'],
])('%s', async (_, caption, kind) => {
  const { post } = await stage.deliver(sample(caption, button), stage.on(CREATE, lost, { reached: true }))
  expect(post.kind).toBe(kind)
  expect(created(stage)).toHaveLength(1)
})

test.each<[string, object, object]>([
  ['another text', {}, { summary: 'Cake' }],
  ['another button', {}, { callToAction: { actionType: 'CALL' } }],
  ['another address', button, { callToAction: { actionType: 'SHOP', url: 'https://a.example' } }],
])('a post with %s is not taken for it', async (_, fields, other) => {
  const delivery = await stage.fenced(sample('Bread', fields))
  await postAlso(other)
  stage.pass(MINUTE_MS)
  expect(await looks(delivery)).toMatchObject(nowhere)
})

test('a post that an earlier version sent with control characters is found', async () => {
  const odd = sample('Bread\u0001', { ctaType: 'SHOP', ctaUrl: 'https://a.example/br\u0001e\u0085ad\u0085' })
  const delivery = await stage.fenced(odd)
  delivery.keep({ words: { text: 'Bread\u0001' } })
  const url = 'https://a.example/br\u0001e\u0085ad\u0085'
  await postAlso({ summary: 'Bread\u0001', callToAction: { actionType: 'SHOP', url } })
  stage.pass(MINUTE_MS)
  await looks(delivery)
  expect(delivery.handles()).toMatchObject({ name: expect.stringContaining('/localPosts/') })
})

describe('when the connection was renewed through another account of the location', () => {
  const through = (account: string) => {
    const { backend } = stage.world
    const credentials = { accessToken: personToken(stage), account }
    const location = { ...backend.account, externalId: 'locations/2000001' }
    return { ...stage.world, backend: { ...backend, credentials, account: location } }
  }
  const begun = async () => {
    const before = await openDelivery(through('accounts/1000001'), sample('Bread'))
    await before.call('prepare')
    before.fence()
    return before
  }
  const goneOn = async (before: Delivery) => {
    const after = await openDelivery(through('accounts/1000002'), sample('Bread'))
    after.keep(before.handles())
    after.fence()
    stage.pass(MINUTE_MS)
    return after
  }

  test('a post that was made before is found by its name', async () => {
    const before = await begun()
    await before.call('publish')
    stage.pass(MINUTE_MS)
    await before.call('confirm')
    const after = await goneOn(before)
    const { name } = before.handles()
    expect(await after.call('find')).toMatchObject({ kind: 'found', providerId: name })
    expect(await after.call('confirm')).toMatchObject({ kind: 'published', providerId: name })
  })

  test('a post that was there before is still not taken for it', async () => {
    await deliver(through('accounts/1000001'), sample('Bread'))
    stage.pass(MINUTE_MS)
    const before = await begun()
    expect(before.handles().known).toHaveLength(1)
    expect(await looks(await goneOn(before))).toMatchObject(nowhere)
  })
})

test('a listing that lags is looked at twice before its silence counts, after every try again', async () => {
  const delivery = await stage.open(sample('Bread'), stage.on(CREATE, lost, { times: 2 }))
  await delivery.call('prepare')
  for (let nth = 0; nth < 2; nth++) {
    delivery.fence()
    expect((await delivery.call('publish')).kind).toBe('unknown')
    stage.pass(MINUTE_MS)
    expect(await looks(delivery)).toMatchObject(nowhere)
  }
})

test('a post that is still looked at is waited for', async () => {
  const delivery = await keeping(
    { known: [] },
    stage.on(LIST, async ({ send }) => {
      const real = await send()
      const { localPosts = [] } = (real.kind === 'answer' ? real.json : {}) as { localPosts?: object[] }
      const unready = { state: 'PROCESSING', searchUrl: undefined }
      return answer(200, { localPosts: localPosts.map((post) => ({ ...post, ...unready })) })
    }),
  )
  await postAlso()
  stage.pass(MINUTE_MS)
  const working = { kind: 'cannot-tell', message: expect.stringContaining('working') }
  expect(await delivery.call('find')).toMatchObject(working)
  // Its name is known from now on.
  await delivery.call('find')
  stage.pass(MINUTE_MS)
  expect((await delivery.call('find')).kind).toBe('found')
})

test.each<[string, object]>([
  ['with an entry that cannot be read', { localPosts: [{ name: 'newKind/1', summary: 'Bread' }] }],
  ['that names something else', { surprise: [] }],
])('a listing %s is no proof that the post is not there', async (_, listing) => {
  const delivery = await keeping({ known: [], looked: true }, stage.on(LIST, answer(200, listing)))
  stage.pass(MINUTE_MS)
  expect((await delivery.call('find')).kind).toBe('cannot-tell')
})

/** Pages of other posts, a minute apart. */
test.each([
  ['newest first: no further than needed', 5, 'newest first', 'absent', 1],
  ['in another order: to its end', 5, 'oldest first', 'absent', 5],
  ['without an end in sight: nothing is proven', 30, 'oldest first', 'cannot-tell', 20],
])('a long listing is read %s', async (_, pages, order, kind, asked) => {
  let read = 0
  const now = stage.world.clock.now().getTime()
  const listing = stage.on(
    LIST,
    ({ request }) => {
      read++
      const page = Number(new URL(request.url).searchParams.get('pageToken') ?? 0)
      const localPosts = Array.from({ length: 100 }, (_, index) => {
        const nth = page * 100 + index
        const age = order === 'newest first' ? nth : pages * 100 - nth
        const createTime = new Date(now - age * MINUTE_MS).toISOString()
        return { name: `${parentOf(stage)}/localPosts/9${nth}`, summary: `Old ${nth}`, state: 'LIVE', createTime }
      })
      return answer(200, { localPosts, ...(page + 1 < pages ? { nextPageToken: String(page + 1) } : {}) })
    },
    { times: 100 },
  )
  expect((await (await keeping({ known: [] }, listing)).call('find')).kind).toBe(kind)
  expect(read).toBe(asked)
})
