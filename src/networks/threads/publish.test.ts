import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Exchange, Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, openStage, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import type { Network } from '../network.ts'
import { network } from './index.ts'
import { simulate } from './simulator.ts'
import type { World } from './simulator-asked.ts'

let stage: Stage
beforeEach(() => open())
afterEach(() => stage.close())

async function open(world: Partial<World> = {}): Promise<void> {
  const behaving: Network = { ...network, simulate: (deps) => simulate(deps, world) }
  stage = await openStage(behaving, 'THREADS', { base: 'graph/v1.0' })
}
/** Another network in place of the usual one. */
async function reopen(world: Partial<World>): Promise<void> {
  await stage.close()
  await open(world)
}

const sample = (more: Partial<Sample> = {}): Sample => ({
  title: 'text',
  accountType: 'THREADS',
  caption: 'Bread',
  ...more,
})
const photo = { file: 'photo.jpg' }
const png = { file: 'transparent.png', altText: 'A loaf' }
const video = { file: 'video-h264-aac.mp4', altText: 'Baking' }
/** Without a text that would identify it. */
const bare = sample({ caption: '', media: [png] })

const [MAKE, PUBLISH] = ['POST me/threads', 'POST me/threads_publish']
/** What was in the bodies of the calls that made containers. */
const made = () => stage.calls(MAKE).map(({ request }) => Object.fromEntries(new URLSearchParams(String(request.body))))
const counted = () => [stage.calls(PUBLISH).length, stage.calls(MAKE).length]
const isPublish = ({ request }: Exchange) => request.url.includes('/me/threads_publish?')
const isStatus = ({ request }: Exchange) => request.url.includes('error_message')

const notFound = graphError(24, 4279009)
const status = (state: string, error_message?: string) => answer(200, { id: '1', status: state, error_message })

/** What becomes of the real answer to each call. */
const rewriting = (change: (exchange: Exchange, real: HttpResult) => HttpResult): Trouble => ({
  intercept: async (exchange) => change(exchange, await exchange.send()),
})
/** Every visible call is heard, and its answer lost. */
const unheard = rewriting((exchange, real) => (isPublish(exchange) ? lost : real))

describe('what is sent', () => {
  test('a text is one container with the text alone, and is never published by being made', async () => {
    expect((await stage.deliver(sample())).post).toMatchObject({ kind: 'made' })
    expect(made()).toEqual([{ media_type: 'TEXT', text: 'Bread' }])
    expect(JSON.stringify(stage.sent)).not.toContain('auto_publish')
  })

  test('a text and an alternative text of any length are sent in the body', async () => {
    // Each character is three bytes, and nine in an address.
    const media = [png, png].map(({ file }) => ({ file, altText: '语'.repeat(1000) }))
    expect((await stage.deliver(sample({ caption: '语'.repeat(500), media }))).post).toMatchObject({ kind: 'made' })
    expect(await stage.posts()).toMatchObject([{ text: '语'.repeat(500) }])
    const calls = [...stage.calls(MAKE), ...stage.calls(PUBLISH)]
    expect(calls.map(({ query }) => [...query.keys()])).toEqual(Array(4).fill(['appsecret_proof']))
  })

  test('a carousel is made of items with their own descriptions, images and videos together', async () => {
    expect((await stage.deliver(sample({ media: [png, video] }))).post).toMatchObject({ kind: 'made' })
    const [image_url, video_url] = [expect.stringMatching(/^http:/), expect.stringMatching(/^http:/)]
    const item = { is_carousel_item: 'true' }
    expect(made()).toEqual([
      { media_type: 'IMAGE', image_url, alt_text: 'A loaf', ...item },
      { media_type: 'VIDEO', video_url, alt_text: 'Baking', ...item },
      { media_type: 'CAROUSEL', children: expect.stringMatching(/^\d+,\d+$/), text: 'Bread' },
    ])
  })

  test('a photo that says where it was taken goes out without it, one that does not as it is', async () => {
    const [reported, plain] = await stage.world.media.of([photo, png])
    await stage.deliver(sample({ media: [photo, png] }))
    const [first, second] = made()
    expect(first?.image_url).not.toBe(await reported?.source.url())
    expect(second?.image_url).toBe(await plain?.source.url())
  })

  test('an app that requires the proof of its secret publishes, looks up and renews', async () => {
    await reopen({ requireProof: true })
    expect((await stage.deliver(bare, unheard)).post).toMatchObject({ kind: 'made' })
    expect((await stage.signIn.refresh(stage.world.backend.credentials)).kind).toBe('refreshed')
    expect(await stage.signIn.accounts()).toHaveLength(1)
    const refused = await stage.api('GET me?fields=id')
    expect([refused.status, JSON.stringify(refused.json)]).toEqual([
      400,
      expect.stringContaining('require an appsecret'),
    ])
    expect((await stage.api(`GET me?fields=id&appsecret_proof=${'0'.repeat(64)}`)).status).toBe(400)
  })
})

describe('a finished container that the network does not know', () => {
  test('is tried again, after its status was read once more', async () => {
    await reopen({ races: 2 })
    const { post, log } = await stage.deliver(sample())
    expect(post).toMatchObject({ kind: 'made' })
    expect(await stage.posts()).toHaveLength(1)
    expect(counted()).toEqual([3, 1])
    const first = log.findIndex(({ step }) => step === 'publish')
    expect(log.slice(first, first + 2)).toMatchObject([
      { step: 'publish', outcome: { kind: 'retry', from: 'prepare', notBefore: expect.any(Date) } },
      { step: 'prepare' },
    ])
  })

  test('is made again after two looks in vain, while nothing of it can be visible', async () => {
    const unknown = stage.on('GET {id}', notFound, { times: 2, step: 'prepare' })
    expect((await stage.deliver(sample(), unknown)).post).toMatchObject({ kind: 'made' })
    expect(counted()).toEqual([1, 2])
  })

  test('is given up when it is proven unpublished, and made again', async () => {
    const { post, log } = await stage.deliver(sample(), stage.on(PUBLISH, notFound, { times: 3 }))
    expect(post).toMatchObject({ kind: 'made' })
    expect(await stage.posts()).toHaveLength(1)
    expect(counted()[1]).toBe(2)
    expect(log.map(({ outcome }) => outcome.kind)).toContain('absent')
  })

  test('ends the post when there were three', async () => {
    await reopen({ races: 100 })
    expect((await stage.deliver(sample())).post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect([...counted(), await stage.posts()]).toEqual([9, 3, []])
  })

  test('and was published after all is found, not made again', async () => {
    let nth = 0
    const third = async ({ send }: Exchange) => {
      // The last of the three tries arrives.
      if (++nth === 3) await send()
      return notFound
    }
    const { post } = await stage.deliver(sample(), stage.on(PUBLISH, third, { times: 3 }))
    const [only, ...others] = await stage.posts()
    expect([post, others]).toMatchObject([{ kind: 'made', providerId: only?.id }, []])
    expect(counted()[1]).toBe(1)
  })
})

describe('a lost answer', () => {
  test('to a container whose status lags behind does not publish it again', async () => {
    let lagging = true
    const late = rewriting((exchange, real) => {
      if (isPublish(exchange)) return lost
      // The lookup finds nothing, for longer than anybody waits.
      if (exchange.step === 'prepare' && counted()[0] !== 0) lagging = false
      if (exchange.step !== 'find' || !lagging) return real
      return isStatus(exchange) ? status('FINISHED') : answer(200, { data: [] })
    })
    const { post, log } = await stage.deliver(sample(), late)
    expect(log.map(({ step, outcome }) => `${step}: ${outcome.kind}`).slice(-6)).toEqual([
      'publish: unknown',
      'find: absent',
      'find: absent',
      'prepare: ready',
      'publish: unknown',
      'find: found',
    ])
    const [only, ...others] = await stage.posts()
    expect([post, others]).toMatchObject([{ kind: 'made', providerId: only?.id }, []])
    expect(counted()[0]).toBe(1)
  })

  test.each([
    ['is found by the listing', isStatus, 'made'],
    ['stays unknown when nothing can be read, and nothing is sent again', () => true, 'unknown'],
  ])('to a container that is not shown %s', async (_, isHidden, kind) => {
    const hiding = rewriting((exchange, real) => {
      if (isPublish(exchange)) return lost
      return exchange.step === 'find' && isHidden(exchange) ? notFound : real
    })
    expect((await stage.deliver(sample(), hiding)).post.kind).toBe(kind)
    expect([counted()[0], await stage.posts()]).toMatchObject([1, [{ text: 'Bread' }]])
  })

  test('proves nothing while the listing has a post of the same kind and text, in which a topic has no sign', async () => {
    const one = await stage.fenced(sample({ caption: 'Fresh #bread' }))
    await stage.deliver(sample({ caption: 'Fresh bread', media: [png] }))
    stage.pass(10_000)
    expect(await one.call('find')).toEqual({ kind: 'absent' })
    await stage.deliver(sample({ caption: 'Fresh bread' }))
    stage.pass(10_000)
    expect(await one.call('find')).toMatchObject({ kind: 'cannot-tell' })
  })

  test('of a post without a text does not take it for the one before, which the listing shows late', async () => {
    await stage.deliver(bare)
    const { post } = await stage.deliver(bare, unheard)
    const [, second, ...others] = await stage.posts()
    expect([post, others]).toMatchObject([{ kind: 'made', providerId: second?.id }, []])
  })

  test('nor does it when the clock of the network is ahead of ours', async () => {
    await stage.deliver(bare)
    stage.pass(15_000)
    const { post } = await stage.deliver(bare, {
      async intercept(exchange) {
        const url = new URL(exchange.request.url)
        if (!url.pathname.endsWith('/me/threads') || exchange.request.method !== 'GET') {
          return unheard.intercept?.(exchange) ?? lost
        }
        url.searchParams.set('since', String(Number(url.searchParams.get('since')) - 30))
        const real = await stage.http({ ...exchange.request, url: url.href })
        const { data } = (real.kind === 'answer' ? real.json : {}) as { data: { timestamp: string }[] }
        const ahead = (at: string) => new Date(Date.parse(at.replace('+0000', 'Z')) + 30_000).toISOString()
        return answer(200, { data: data.map((entry) => ({ ...entry, timestamp: ahead(entry.timestamp) })) })
      },
    })
    expect(post).toMatchObject({ kind: 'made', providerId: (await stage.posts())[1]?.id })
  })

  test('of two posts that cannot be distinguished leaves the post without an id', async () => {
    let nth = 0
    const twice = async (exchange: Exchange) => {
      const real = await exchange.send()
      if (!isPublish(exchange)) return real
      // Somebody else posts another one in the same second.
      if (nth++ === 0) await exchange.send()
      return lost
    }
    const { post } = await stage.deliver(bare, { intercept: twice })
    expect(post).toEqual({ kind: 'made', providerId: null, permalink: null })
  })
})

test.each([
  ['is live all the same', true, { kind: 'made' }],
  ['is not live', false, { kind: 'failed', reason: 'ACCOUNT_RESTRICTED_SPAM' }],
])('a spam warning on a post that %s', async (_, reached, ending) => {
  const { post, log } = await stage.deliver(sample(), stage.on(PUBLISH, graphError(4, 2207051), { reached }))
  expect(post).toMatchObject(ending)
  expect(await stage.posts()).toHaveLength(reached ? 1 : 0)
  expect(log.filter(({ step }) => step === 'publish')).toHaveLength(1)
})

test('the quota of the day is read before publishing and waited for', async () => {
  const full = answer(200, { data: [{ quota_usage: 250, config: { quota_total: 250, quota_duration: 86_400 } }] })
  const { post, log } = await stage.deliver(sample(), stage.on('GET me/threads_publishing_limit', full, { times: 2 }))
  expect(post).toMatchObject({ kind: 'made' })
  const outcome = { kind: 'retry', countsAsAttempt: false, message: expect.stringContaining('250 of 250') }
  expect(log.filter(({ outcome: { kind } }) => kind === 'retry')).toMatchObject(
    Array(2).fill({ step: 'prepare', outcome }),
  )
})

test('a quota that stays used up for most of a day ends the post, also when only the visible call says so', async () => {
  await reopen({ quotaTotal: 0 })
  const blocked = { kind: 'failed', reason: 'ACTION_BLOCKED', message: expect.stringContaining('another day') }
  expect((await stage.deliver(sample())).post).toMatchObject(blocked)
  expect(counted()[0]).toBeGreaterThan(20)
  expect(await stage.posts()).toEqual([])
})

test.each([
  ['FAILED_DOWNLOADING_VIDEO', 1, { kind: 'made' }, 2],
  ['UNKNOWN', 99, { kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' }, 2],
  ['INVALID_DURATION', 99, { kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' }, 1],
])('a container that fails with %s for %i times', async (word, times, ending, containers) => {
  const failing = stage.on('GET {id}', status('ERROR', word), { times, step: 'prepare' })
  expect((await stage.deliver(sample({ media: [video] }), failing)).post).toMatchObject(ending)
  expect(counted()[1]).toBe(containers)
})

test('an image that cannot be fetched is tried a few times', async () => {
  const unreachable = stage.on(MAKE, graphError(1, 2207052), { times: 99 })
  const { post, log } = await stage.deliver(bare, unreachable)
  const message = expect.stringContaining('reached')
  expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR', message })
  expect(log).toHaveLength(5)
})

describe('a text of fewer than 500 characters and more than 500 bytes', () => {
  const caption = 'Öffnungszeiten über Ostern. '.repeat(17)

  test('is sent where characters are counted', async () => {
    expect((await stage.deliver(sample({ caption }))).post).toMatchObject({ kind: 'made' })
  })

  test('ends as too long where bytes are counted, and one of 500 bytes is sent', async () => {
    await reopen({ counts: 'bytes' })
    expect((await stage.deliver(sample({ caption }))).post).toMatchObject({
      kind: 'failed',
      reason: 'CAPTION_TOO_LONG',
    })
    expect((await stage.deliver(sample({ caption: `${'パ'.repeat(166)}ä` }))).post).toMatchObject({ kind: 'made' })
  })
})
