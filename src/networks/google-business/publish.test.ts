import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost } from '../kit/testing.ts'
import { changing, isCreate, isList, isRead, MINUTE, openStage, type Stage, sample } from './testing-posts.ts'

const photo = { media: [{ file: 'photo.jpg' }] }

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

describe('what is sent', () => {
  test('a text alone, with the language of the account', async () => {
    await stage.deliver(sample('Bread'))
    expect(stage.created()).toEqual([{ languageCode: 'en-US', summary: 'Bread', topicType: 'STANDARD' }])
  })

  test('without a language nothing is said about it', async () => {
    stage.world.backend.account.defaults = {}
    await stage.deliver(sample('Bread'))
    expect(stage.created()).toEqual([{ summary: 'Bread', topicType: 'STANDARD' }])
  })

  test('a photo and a button', async () => {
    const fields = { ctaType: 'BOOK', ctaUrl: ' https://example.com/table ' }
    await stage.deliver(sample('Bread', fields, photo))
    expect(stage.created()).toEqual([
      {
        languageCode: 'en-US',
        summary: 'Bread',
        topicType: 'STANDARD',
        callToAction: { actionType: 'BOOK', url: 'https://example.com/table' },
        media: [{ mediaFormat: 'PHOTO', sourceUrl: expect.stringMatching(/^http/) }],
      },
    ])
    expect(await stage.posts()).toMatchObject([{ text: 'Bread', media: 1 }])
  })

  test('a call has no address, even when one is written', async () => {
    await stage.deliver(sample('Bread', { ctaType: 'CALL', ctaUrl: 'https://example.com' }))
    expect(stage.created()).toMatchObject([{ callToAction: { actionType: 'CALL' } }])
    expect(JSON.stringify(stage.created())).not.toContain('example.com')
  })

  test('no button is no callToAction, even when an address is written', async () => {
    await stage.deliver(sample('Bread', { ctaUrl: 'https://example.com' }))
    expect(stage.created()[0]).not.toHaveProperty('callToAction')
  })

  test('the place where a photo was taken does not go out', async () => {
    await stage.deliver(sample('Bread', {}, photo))
    const [body] = stage.created() as { media: { sourceUrl: string }[] }[]
    const bytes = Buffer.from(await (await fetch(body?.media[0]?.sourceUrl ?? '')).arrayBuffer())
    expect(bytes.includes('Exif')).toBe(false)
    expect(bytes.length).toBeGreaterThan(10_240)
  })
})

describe('after Google took it', () => {
  test('the post is asked for until it is live and has its page', async () => {
    const delivery = await stage.open(sample('Bread'))
    await delivery.call('prepare')
    delivery.fence()
    const kinds: string[] = []
    let outcome = await delivery.call('publish')
    expect(delivery.handles().name).toMatch(/^locations\/\d+\/localPosts\/\d+$/)
    expect(await stage.posts()).toEqual([])
    for (let turn = 0; outcome.kind === 'accepted' && turn < 20; turn++) {
      kinds.push(outcome.kind)
      stage.world.clock.jumpTo(outcome.askAgainAt)
      outcome = await delivery.call('confirm')
    }
    expect(kinds.length).toBeGreaterThan(1)
    expect(outcome).toEqual({
      kind: 'published',
      providerId: delivery.handles().name,
      permalink: expect.stringContaining('/p/locations'),
    })
  })

  test('a page that never comes is no reason to fail: the list of the location is told instead', async () => {
    const { post } = await stage.deliver(
      sample('Bread'),
      changing(async (exchange) => {
        if (!isRead(exchange)) return null
        const real = await exchange.send()
        return real.kind === 'answer' ? answer(200, { ...(real.json as object), searchUrl: undefined }) : real
      }),
    )
    const location = stage.parent.split('/')[3]
    expect(post).toMatchObject({ kind: 'made', permalink: `https://business.google.com/posts/l/${location}` })
  })

  test('a rejected post has failed, with what can be done', async () => {
    const { post, log } = await stage.deliver(sample('Call us: +49 30 1234567'))
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED', message: expect.stringContaining('phone') })
    expect(log.map(({ outcome }) => outcome.kind)).toContain('accepted')
    expect(stage.created()).toHaveLength(1)
    expect(await stage.posts()).toEqual([])
  })

  test('a photo is fetched late: one that is not there any more has the post rejected', async () => {
    const trouble: Trouble = {
      intercept(exchange) {
        if (!isCreate(exchange)) return exchange.send()
        const body = exchange.request.json as { media: object[] }
        const json = { ...body, media: [{ mediaFormat: 'PHOTO', sourceUrl: 'http://127.0.0.1:1/gone.jpg' }] }
        return stage.http({ ...exchange.request, json })
      },
    }
    const { post } = await stage.deliver(sample('Bread', {}, photo), trouble)
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED' })
  })

  test.each<[string, HttpResult]>([
    ['a server error', answer(503, {})],
    ['a lost answer', lost],
    ['a limit', answer(429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED' } })],
    ['an answer of another shape', answer(200, { surprise: 1 })],
    ['a post that is not known yet', answer(404, { error: { code: 404, status: 'NOT_FOUND' } })],
    ['a refusal', answer(400, { error: { code: 400, status: 'INVALID_ARGUMENT' } })],
  ])('%s to the question how it went ends nothing', async (_, instead) => {
    let struck = false
    const trouble = changing((exchange) => {
      if (struck || !isRead(exchange)) return null
      struck = true
      return instead
    })
    const { post, log } = await stage.deliver(sample('Bread'), trouble)
    expect(struck).toBe(true)
    expect(post.kind).toBe('made')
    expect(log.map(({ outcome }) => outcome.kind)).not.toContain('unknown')
    expect(stage.created()).toHaveLength(1)
  })

  test('a post that Google took and shows no more is never sent again', async () => {
    const gone = answer(404, { error: { code: 404, status: 'NOT_FOUND' } })
    const { post, log } = await stage.deliver(
      sample('Bread'),
      changing((exchange) => (isRead(exchange) ? gone : null)),
    )
    expect(post.kind).toBe('unknown')
    expect(log.at(-1)?.outcome).toMatchObject({ message: expect.stringContaining('does not show it') })
    expect(stage.created()).toHaveLength(1)
  })

  test('an access token that ends meanwhile is refreshed, and the question put again', async () => {
    let struck = false
    const trouble = changing((exchange) => {
      if (struck || !isRead(exchange)) return null
      struck = true
      return answer(401, { error: { code: 401, status: 'UNAUTHENTICATED' } })
    })
    const { post, log } = await stage.deliver(sample('Bread'), trouble)
    expect(post.kind).toBe('made')
    expect(log.map(({ step, outcome }) => `${step} ${outcome.kind}`)).toContain('confirm reconnect')
  })

  test('people are not kept waiting at first, and Google is not asked too often later', async () => {
    const delivery = await stage.open(
      sample('Bread'),
      changing(async (exchange) => (isRead(exchange) ? lost : null)),
    )
    await delivery.call('prepare')
    delivery.fence()
    await delivery.call('publish')
    const pauses: number[] = []
    for (let turn = 0; turn < 60; turn++) {
      const before = stage.world.clock.now().getTime()
      const outcome = await delivery.call('confirm')
      if (outcome.kind !== 'accepted') throw new Error(outcome.kind)
      pauses.push(Math.round((outcome.askAgainAt.getTime() - before) / 1000))
      stage.world.clock.jumpTo(outcome.askAgainAt)
    }
    expect(pauses.slice(0, 3)).toEqual([3, 3, 3])
    expect(pauses.at(-1)).toBe(600)
  })
})

describe('when Google refuses', () => {
  const fetching = answer(400, {
    error: {
      code: 400,
      status: 'INVALID_ARGUMENT',
      details: [{ '@type': 'x.ValidationError', errorDetails: [{ code: 1000, message: 'Fetching image failed.' }] }],
    },
  })

  test('a photo that was not fetched is tried twice more', async () => {
    let creates = 0
    const trouble = (times: number) =>
      changing((exchange) => {
        if (!isCreate(exchange)) return null
        creates++
        return creates <= times ? fetching : null
      })
    expect((await stage.deliver(sample('Bread 1', {}, photo), trouble(2))).post.kind).toBe('made')
    expect(creates).toBe(3)
    creates = 0
    expect((await stage.deliver(sample('Bread 2', {}, photo), trouble(99))).post).toMatchObject({
      kind: 'failed',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: expect.stringContaining('public address'),
    })
    expect(creates).toBe(3)
  })

  test('a limit is waited out for a minute and does not count', async () => {
    const started = stage.world.clock.now().getTime()
    const { post, log } = await stage.deliver(sample('Bread [[fault:rate-limited]]'))
    expect(post.kind).toBe('made')
    expect(log.find(({ step }) => step === 'publish')?.outcome).toMatchObject({
      kind: 'retry',
      from: 'prepare',
      countsAsAttempt: false,
    })
    expect(stage.world.clock.now().getTime() - started).toBeGreaterThanOrEqual(MINUTE)
  })

  test('a limit on the listing is waited out as well', async () => {
    let struck = false
    const limit = answer(429, { error: { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'Quota exceeded.' } })
    const trouble = changing((exchange) => {
      if (struck || !isList(exchange)) return null
      struck = true
      return limit
    })
    const { post, log } = await stage.deliver(sample('Bread'), trouble)
    expect(post.kind).toBe('made')
    expect(log[0]).toMatchObject({ step: 'prepare', outcome: { kind: 'retry', countsAsAttempt: false } })
  })

  test('a listing without an end is no reason not to post', async () => {
    const { post } = await stage.deliver(
      sample('Bread'),
      changing((exchange) => (isList(exchange) ? answer(200, { nextPageToken: 'more' }) : null)),
    )
    expect(post.kind).toBe('made')
  })

  describe('to list posts', () => {
    const denied = answer(403, { error: { code: 403, status: 'PERMISSION_DENIED', message: 'No.' } })

    test('the post goes out all the same', async () => {
      const trouble = changing((exchange) => (isList(exchange) ? denied : null))
      const { post } = await stage.deliver(sample('Bread'), trouble)
      expect(post).toMatchObject({ kind: 'made' })
      expect(await stage.posts()).toHaveLength(1)
    })

    test('and to make them, the connection has ended and nothing is made', async () => {
      const { post } = await stage.deliver(
        sample('Bread'),
        changing(() => denied),
      )
      expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_CONNECTION_EXPIRED' })
      expect(await stage.posts()).toEqual([])
    })

    test('a post that was there before is not taken for one whose answer was lost', async () => {
      await stage.deliver(sample('Bread'))
      const { post } = await stage.deliver(sample('Bread'), {
        async intercept(exchange) {
          if (exchange.step === 'publish') return lost
          return exchange.step === 'prepare' && isList(exchange) ? denied : exchange.send()
        },
      })
      expect(post.kind).toBe('unknown')
      expect(await stage.posts()).toHaveLength(1)
    })
  })
})
