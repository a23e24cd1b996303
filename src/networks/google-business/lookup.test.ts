import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import { openDelivery, type Trouble } from '../conformance/delivery.ts'
import { answer, lost } from '../kit/testing.ts'
import { changing, isCreate, isList, MINUTE, openStage, type Stage, sample } from './testing-posts.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

/** The first create arrives and its answer does not. */
const lostOnce = (more: Trouble['intercept'] = (exchange) => exchange.send()): Trouble => {
  let struck = false
  return {
    async intercept(exchange) {
      if (struck || !isCreate(exchange)) return more(exchange)
      struck = true
      await exchange.send()
      return lost
    },
  }
}
/** The first create does not arrive. */
const never = (): Trouble => {
  let struck = false
  return changing((exchange) => {
    if (struck || !isCreate(exchange)) return null
    struck = true
    return lost
  })
}
const button = { ctaType: 'SHOP', ctaUrl: 'HTTPS://Example.com' }

test('the post is found by text, button and time, and its name is kept', async () => {
  const { post } = await stage.deliver(sample('Two  lines\n of bread ', button), lostOnce())
  expect(post.kind).toBe('made')
  expect(stage.created()).toHaveLength(1)
})

test.each<[string, object]>([
  ['another text', { summary: 'Cake', topicType: 'STANDARD' }],
  ['another button', { summary: 'Bread', topicType: 'STANDARD', callToAction: { actionType: 'CALL' } }],
])('a post with %s is not taken for it', async (_, other) => {
  const trouble = never()
  const intercept = trouble.intercept
  trouble.intercept = async (exchange) => {
    const result = await intercept?.(exchange)
    // Somebody else posts at the same time.
    if (isCreate(exchange) && result === lost) await stage.api(`POST ${stage.parent}/localPosts`, other)
    return result ?? exchange.send()
  }
  const { post } = await stage.deliver(sample('Bread'), trouble)
  expect(post.kind).toBe('made')
  expect(await stage.posts()).toHaveLength(2)
})

test('a post with another address is not taken for it', async () => {
  const body = {
    summary: 'Bread',
    topicType: 'STANDARD',
    callToAction: { actionType: 'SHOP', url: 'https://a.example' },
  }
  const delivery = await stage.open(sample('Bread', button))
  await delivery.call('prepare')
  delivery.fence()
  await stage.api(`POST ${stage.parent}/localPosts`, body)
  stage.pass(MINUTE)
  expect((await delivery.call('find')).kind).toBe('cannot-tell')
  expect((await delivery.call('find')).kind).toBe('absent')
})

describe('when the connection was renewed through another account of the location', () => {
  // The person of the sign-in reaches the bakery through two accounts.
  const through = (account: string) => {
    const { backend } = stage.world
    const person = backend.simulator?.tokens.write('access', { principal: { grant: 'g' } })
    const credentials = { accessToken: `ya29.sandbox-${person}`, account }
    const location = { ...backend.account, externalId: 'locations/2000001' }
    return { ...stage.world, backend: { ...backend, credentials, account: location } }
  }

  test('a post that was made before is found by its name', async () => {
    const before = await openDelivery(through('accounts/1000001'), sample('Bread'))
    await before.call('prepare')
    before.fence()
    await before.call('publish')
    stage.pass(MINUTE)
    await before.call('confirm')
    stage.pass(MINUTE)
    const after = await openDelivery(through('accounts/1000002'), sample('Bread'))
    after.keep(before.handles())
    after.fence()
    const { name } = before.handles()
    expect(await after.call('find')).toMatchObject({ kind: 'found', providerId: name })
    expect(await after.call('confirm')).toMatchObject({ kind: 'published', providerId: name })
  })

  test('a post that was there before is still not taken for it', async () => {
    await deliver(through('accounts/1000001'), sample('Bread'))
    stage.pass(MINUTE)
    const before = await openDelivery(through('accounts/1000001'), sample('Bread'))
    await before.call('prepare')
    expect(before.handles().known).toHaveLength(1)
    const after = await openDelivery(through('accounts/1000002'), sample('Bread'))
    after.keep(before.handles())
    after.fence()
    stage.pass(MINUTE)
    expect((await after.call('find')).kind).toBe('cannot-tell')
    expect((await after.call('find')).kind).toBe('absent')
  })
})

test('an old post that is alike is not taken for it, even when nothing was noted down', async () => {
  await stage.deliver(sample('Bread'))
  stage.pass(10 * MINUTE)
  const delivery = await stage.open(sample('Bread'))
  delivery.keep({ known: [] })
  delivery.fence()
  expect((await delivery.call('find')).kind).toBe('absent')
})

test('several new posts that are alike leave it open', async () => {
  const delivery = await stage.open(sample('Bread'))
  await delivery.call('prepare')
  delivery.fence()
  for (let nth = 0; nth < 2; nth++) {
    await stage.api(`POST ${stage.parent}/localPosts`, { summary: 'Bread', topicType: 'STANDARD' })
  }
  stage.pass(MINUTE)
  expect(await delivery.call('find')).toMatchObject({
    kind: 'cannot-tell',
    message: expect.stringContaining('several'),
  })
})

test('a listing that lags is looked at twice before its silence counts, after every try anew', async () => {
  const delivery = await stage.open(
    sample('Bread'),
    changing((exchange) => (isCreate(exchange) ? lost : null)),
  )
  await delivery.call('prepare')
  for (let nth = 0; nth < 2; nth++) {
    delivery.fence()
    expect((await delivery.call('publish')).kind).toBe('unknown')
    stage.pass(MINUTE)
    expect((await delivery.call('find')).kind).toBe('cannot-tell')
    expect((await delivery.call('find')).kind).toBe('absent')
  }
})

test('a post that was rejected meanwhile is told as such, and not sent again', async () => {
  const { post } = await stage.deliver(sample('Call us: +49 30 1234567'), lostOnce())
  expect(post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED' })
  expect(stage.created()).toHaveLength(1)
})

test('a post that is still looked at is waited for', async () => {
  const delivery = await stage.open(sample('Bread'), {
    async intercept(exchange) {
      const real = await exchange.send()
      if (isCreate(exchange)) return lost
      if (!isList(exchange) || real.kind !== 'answer') return real
      const body = real.json as { localPosts?: object[] }
      const localPosts = body.localPosts?.map((post) => ({ ...post, state: 'PROCESSING', searchUrl: undefined }))
      return answer(200, localPosts ? { localPosts } : {})
    },
  })
  await delivery.call('prepare')
  delivery.fence()
  await delivery.call('publish')
  stage.pass(MINUTE)
  expect(await delivery.call('find')).toMatchObject({
    kind: 'cannot-tell',
    message: expect.stringContaining('working'),
  })
  // Its name is known from now on.
  await delivery.call('find')
  stage.pass(MINUTE)
  expect((await delivery.call('find')).kind).toBe('found')
})

test.each<[string, object]>([
  ['with an entry that cannot be read', { localPosts: [{ name: 'newKind/1', summary: 'Bread' }] }],
  ['that names something else', { surprise: [] }],
])('a listing %s is no proof that the post is not there', async (_, listing) => {
  const delivery = await stage.open(
    sample('Bread'),
    changing((exchange) => (isList(exchange) ? answer(200, listing) : null)),
  )
  delivery.keep({ known: [], looked: true })
  delivery.fence()
  stage.pass(MINUTE)
  expect((await delivery.call('find')).kind).toBe('cannot-tell')
})

describe('in a long listing', () => {
  /** Pages of other posts, a minute apart, and which of them were asked for. */
  function listing(pages: number, order: 'newest first' | 'oldest first') {
    const asked: number[] = []
    const now = stage.world.clock.now().getTime()
    const entry = (page: number, index: number) => {
      const nth = page * 100 + index
      const age = order === 'newest first' ? nth : pages * 100 - nth
      const createTime = new Date(now - age * MINUTE).toISOString()
      return { name: `${stage.parent}/localPosts/9${nth}`, summary: `Old ${nth}`, state: 'LIVE', createTime }
    }
    const trouble = changing(({ request }) => {
      const url = new URL(request.url)
      if (request.method !== 'GET' || !url.pathname.endsWith('/localPosts')) return null
      const page = Number(url.searchParams.get('pageToken') ?? 0)
      asked.push(page)
      const localPosts = Array.from({ length: 100 }, (_, index) => entry(page, index))
      return answer(200, { localPosts, ...(page + 1 < pages ? { nextPageToken: String(page + 1) } : {}) })
    })
    return { trouble, asked }
  }
  const look = async (trouble: Trouble) => {
    const delivery = await stage.open(sample('Bread'), trouble)
    delivery.keep({ known: [] })
    delivery.fence()
    return delivery.call('find')
  }

  test('newest first: no further than needed', async () => {
    const { trouble, asked } = listing(5, 'newest first')
    expect((await look(trouble)).kind).toBe('absent')
    expect(asked).toEqual([0])
  })

  test('in another order: to its end', async () => {
    const { trouble, asked } = listing(5, 'oldest first')
    expect((await look(trouble)).kind).toBe('absent')
    expect(asked).toEqual([0, 1, 2, 3, 4])
  })

  test('without an end in sight: nothing is proven', async () => {
    const { trouble, asked } = listing(30, 'oldest first')
    expect((await look(trouble)).kind).toBe('cannot-tell')
    expect(asked).toHaveLength(20)
  })
})
