import { afterEach, expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import type { Exchange, Trouble, World } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/index.ts'
import type { HttpRequest, HttpResult } from '../kit/http.ts'
import { answer, lost, openStage, prepared, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import type { Network } from '../network.ts'
import { network } from './index.ts'
import { type World as Quirks, simulate } from './simulator.ts'

let stage: Stage
let world: World
afterEach(() => stage.close())

async function open(quirks: Partial<Quirks> = {}): Promise<void> {
  const behaving: Network = { ...network, simulate: (deps) => simulate(deps, quirks) }
  stage = await openStage(behaving, 'THREADS', { base: 'graph/v1.0' })
  ;({ world } = stage)
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

const posts = () => world.backend.posts()
const pathOf = ({ url }: Pick<HttpRequest, 'url'>) => new URL(url).pathname.replace(/^.*\/v1\.0\//, '')
const queryOf = ({ url }: Pick<HttpRequest, 'url'>) => Object.fromEntries(new URL(url).searchParams)
/** What stands in the body. */
const formOf = ({ body }: Pick<HttpRequest, 'body'>) => Object.fromEntries(new URLSearchParams(String(body)))
/** Requests that were made, as `POST me/threads`. */
const calls = (method: 'GET' | 'POST', path: string) => stage.calls(`${method} ${path}`).map(({ request }) => request)
const publishes = () => calls('POST', 'me/threads_publish').length
const containers = () => calls('POST', 'me/threads').length
const isPublish = ({ request }: Exchange) => pathOf(request) === 'me/threads_publish'
const isStatus = ({ request }: Exchange) => queryOf(request).fields === 'id,status,error_message'

const notFound = graphError(24, 4279009)

/** Answers the first calls of a kind with these in turn, without making them; then the network answers. */
function first(kind: (exchange: Exchange) => boolean, ...instead: HttpResult[]): Trouble {
  return { intercept: async (exchange) => (kind(exchange) ? instead.shift() : undefined) ?? exchange.send() }
}

test('a text is one container with the text alone, and is never published by being made', async () => {
  await open()
  expect((await stage.deliver(sample())).post).toMatchObject({ kind: 'made' })
  expect(calls('POST', 'me/threads').map(formOf)).toEqual([{ media_type: 'TEXT', text: 'Bread' }])
  expect(JSON.stringify(stage.sent)).not.toContain('auto_publish')
})

test('a text and an alternative text of any length are sent in the body', async () => {
  await open()
  // Each character is three bytes, and nine in an address.
  const media = [png, png].map(({ file }) => ({ file, altText: '语'.repeat(1000) }))
  expect((await stage.deliver(sample({ caption: '语'.repeat(500), media }))).post).toMatchObject({ kind: 'made' })
  expect(await posts()).toMatchObject([{ text: '语'.repeat(500) }])
  const addresses = [...calls('POST', 'me/threads'), ...calls('POST', 'me/threads_publish')].map(queryOf)
  expect(addresses.length).toBe(4)
  expect(new Set(addresses.flatMap(Object.keys))).toEqual(new Set(['appsecret_proof']))
})

test('an app that requires the proof of its secret publishes, looks up and renews', async () => {
  await open({ requireProof: true })
  const unheard = stage.on('POST me/threads_publish', lost, { reached: true })
  expect((await stage.deliver(sample({ media: [png] }), unheard)).post).toMatchObject({ kind: 'made' })
  expect((await stage.signIn.refresh(stage.world.backend.credentials)).kind).toBe('refreshed')
  expect(await stage.signIn.accounts()).toHaveLength(1)
  const bare = await stage.api('GET me?fields=id')
  expect([bare.status, JSON.stringify(bare.json)]).toEqual([400, expect.stringContaining('require an appsecret_proof')])
  expect((await stage.api(`GET me?fields=id&appsecret_proof=${'0'.repeat(64)}`)).status).toBe(400)
})

test('a carousel is made of finished items with their own descriptions, images and videos together', async () => {
  await open()
  expect((await stage.deliver(sample({ media: [png, video] }))).post).toMatchObject({ kind: 'made' })
  const [image, film, parent, ...more] = calls('POST', 'me/threads').map(formOf)
  expect(image).toMatchObject({ media_type: 'IMAGE', is_carousel_item: 'true', alt_text: 'A loaf' })
  expect(film).toMatchObject({ media_type: 'VIDEO', is_carousel_item: 'true', alt_text: 'Baking' })
  expect(image).not.toHaveProperty('text')
  expect(parent).toEqual({ media_type: 'CAROUSEL', children: expect.stringMatching(/^\d+,\d+$/), text: 'Bread' })
  expect(more).toEqual([])
})

test('an image that says where it was taken goes out anew, others go as they are', async () => {
  await open()
  const [told, plain] = await world.media.of([photo, png])
  await stage.deliver(sample({ media: [photo, png] }))
  const [first, second] = calls('POST', 'me/threads').map(formOf)
  expect(first?.image_url).not.toBe(await told?.source.url())
  expect(second?.image_url).toBe(await plain?.source.url())
})

test('a video that says where it was taken goes out as a fresh MP4', async () => {
  await open()
  const film = await writePhoneFilm()
  expect((await stage.deliver(sample({ media: [{ file: film.path }] }))).post).toMatchObject({ kind: 'made' })
  await film.remove()
  const url = calls('POST', 'me/threads').map(formOf)[0]?.video_url ?? ''
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
  expect(bytes.toString('latin1', 4, 12)).toBe('ftypisom')
  expect(bytes.includes(PLACE)).toBe(false)
})

test('a finished container that is not known is tried again in two seconds', async () => {
  await open({ races: 2 })
  const { post, log } = await stage.deliver(sample())
  expect(post).toMatchObject({ kind: 'made' })
  expect(await posts()).toHaveLength(1)
  expect([publishes(), containers()]).toEqual([3, 1])
  const retries = log.filter(({ step }) => step === 'publish').map(({ outcome }) => outcome)
  expect(retries.slice(0, 2)).toMatchObject([
    { kind: 'retry', from: 'prepare' },
    { kind: 'retry', from: 'prepare' },
  ])
  // The status is read before each try.
  const steps = log.map(({ step }) => step)
  expect(steps[steps.indexOf('publish') + 1]).toBe('prepare')
})

test('a container that stays unknown is given up when it is proven unpublished, and made anew', async () => {
  await open()
  const { post, log } = await stage.deliver(sample(), first(isPublish, notFound, notFound, notFound))
  expect(post).toMatchObject({ kind: 'made' })
  expect(await posts()).toHaveLength(1)
  expect(containers()).toBe(2)
  expect(log.map(({ outcome }) => outcome.kind)).toContain('absent')
})

test('three containers that stay unknown end the post', async () => {
  await open({ races: 100 })
  expect((await stage.deliver(sample())).post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
  expect([publishes(), containers()]).toEqual([9, 3])
  expect(await posts()).toEqual([])
})

test('an unknown container that was published after all is found, not made anew', async () => {
  await open()
  let nth = 0
  const { post } = await stage.deliver(sample(), {
    async intercept(exchange) {
      if (!isPublish(exchange)) return exchange.send()
      // The last of the three tries arrives.
      if (++nth === 3) await exchange.send()
      return notFound
    },
  })
  const made = await posts()
  expect(made).toHaveLength(1)
  expect(post).toMatchObject({ kind: 'made', providerId: made[0]?.id })
  expect(containers()).toBe(1)
})

test('a container whose status lags behind is not published again', async () => {
  await open()
  let lagging = true
  const { post, log } = await stage.deliver(sample(), {
    async intercept(exchange) {
      const real = await exchange.send()
      if (isPublish(exchange)) return lost
      // The lookup finds nothing, for longer than anybody waits.
      if (exchange.step === 'prepare' && publishes() > 0) lagging = false
      if (exchange.step !== 'find' || !lagging) return real
      return answer(200, isStatus(exchange) ? { id: '1', status: 'FINISHED' } : { data: [] })
    },
  })
  expect(log.map(({ step, outcome }) => `${step}: ${outcome.kind}`).slice(-6)).toEqual([
    'publish: unknown',
    'find: absent',
    'find: absent',
    'prepare: ready',
    'publish: unknown',
    'find: found',
  ])
  expect(post).toMatchObject({ kind: 'made', providerId: (await posts())[0]?.id })
  expect(await posts()).toHaveLength(1)
  expect(publishes()).toBe(1)
})

test('a spam warning on a post that is live all the same', async () => {
  await open()
  const { post } = await stage.deliver(sample(), {
    async intercept(exchange) {
      const real = await exchange.send()
      return isPublish(exchange) ? graphError(4, 2207051) : real
    },
  })
  expect(post).toMatchObject({ kind: 'made' })
  expect(await posts()).toHaveLength(1)
})

test('a spam warning ends the post when nothing is live', async () => {
  await open()
  const { post, log } = await stage.deliver(sample(), first(isPublish, graphError(4, 2207051)))
  expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_RESTRICTED_SPAM' })
  expect(log.filter(({ step }) => step === 'publish')).toHaveLength(1)
})

test.each([
  ['proves nothing, so the network is looked up before it is waited', 4, 'unknown'],
  ['is waited for', 17, 'retry'],
])('a limit %s', async (_, code, outcome) => {
  await open()
  const { post, log } = await stage.deliver(sample(), first(isPublish, graphError(code)))
  expect(post).toMatchObject({ kind: 'made' })
  expect(await posts()).toHaveLength(1)
  expect(log.find(({ step }) => step === 'publish')?.outcome.kind).toBe(outcome)
  const waits = log.filter(({ outcome: { kind } }) => kind === 'retry')
  expect(waits).toMatchObject([{ outcome: { countsAsAttempt: false, notBefore: expect.any(Date) } }])
})

test('the quota of the day is read before publishing and waited for', async () => {
  await open()
  const full = answer(200, { data: [{ quota_usage: 250, config: { quota_total: 250, quota_duration: 86_400 } }] })
  const { post, log } = await stage.deliver(
    sample(),
    first(({ request }) => pathOf(request) === 'me/threads_publishing_limit', full, full),
  )
  expect(post).toMatchObject({ kind: 'made' })
  const waits = log.filter(({ outcome }) => outcome.kind === 'retry')
  expect(waits).toMatchObject(
    Array(2).fill({
      step: 'prepare',
      outcome: { countsAsAttempt: false, message: expect.stringContaining('250 of 250') },
    }),
  )
})

test('a quota that stays used up for most of a day ends the post, also when only the visible call says so', async () => {
  await open({ quotaTotal: 0 })
  const blocked = { kind: 'failed', reason: 'ACTION_BLOCKED', message: expect.stringContaining('another day') }
  expect((await stage.deliver(sample())).post).toMatchObject(blocked)
  expect(publishes()).toBeGreaterThan(20)
  expect(await posts()).toEqual([])
})

test('a container that expired is made anew', async () => {
  await open()
  const delivery = await stage.open(sample())
  await prepared(world, delivery)
  world.clock.jumpTo(new Date(world.clock.now().getTime() + 25 * 3_600_000))
  await prepared(world, delivery)
  delivery.fence()
  expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
  expect(containers()).toBe(2)
})

const failedWith = (error_message: string) => answer(200, { id: '1', status: 'ERROR', error_message })

test('a file that could not be fetched is given a second container', async () => {
  await open()
  const { post } = await stage.deliver(
    sample({ media: [video] }),
    first(isStatus, failedWith('FAILED_DOWNLOADING_VIDEO')),
  )
  expect(post).toMatchObject({ kind: 'made' })
  expect(containers()).toBe(2)
})

test.each([
  ['that failed twice', [failedWith('UNKNOWN'), failedWith('UNKNOWN')], 2],
  ['that will fail again', [failedWith('INVALID_DURATION')], 1],
])('a container %s ends the post', async (_, statuses, made) => {
  await open()
  const { post } = await stage.deliver(sample({ media: [video] }), first(isStatus, ...statuses))
  expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
  expect(containers()).toBe(made)
})

test('an item of a carousel that failed is named', async () => {
  await open()
  const fine = answer(200, { id: '1', status: 'FINISHED' })
  const { post } = await stage.deliver(
    sample({ media: [png, video] }),
    first(isStatus, fine, failedWith('INVALID_FRAME_RATE')),
  )
  expect(post).toMatchObject({ kind: 'failed', message: expect.stringMatching(/^Item 2: .*INVALID_FRAME_RATE/) })
})

test('a container that is never finished is made anew once, then the post ends', async () => {
  await open()
  const working = answer(200, { id: '1', status: 'IN_PROGRESS' })
  const { post } = await stage.deliver(sample(), first(isStatus, ...Array<HttpResult>(150).fill(working)))
  expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
  expect(containers()).toBe(2)
  expect(publishes()).toBe(0)
})

test('an image that cannot be fetched is tried a few times', async () => {
  await open()
  const isContainer = ({ request }: Exchange) => request.method === 'POST' && pathOf(request) === 'me/threads'
  const unreachable = graphError(1, 2207052)
  const { post } = await stage.deliver(sample({ media: [png] }), first(isContainer, ...Array(9).fill(unreachable)))
  expect(post).toMatchObject({
    kind: 'failed',
    reason: 'UNKNOWN_MEDIA_ERROR',
    message: expect.stringContaining('reached'),
  })
  expect(containers()).toBe(0)
})

test('a container that the network does not show is found by the listing', async () => {
  await open()
  const { post } = await stage.deliver(sample(), {
    async intercept(exchange) {
      const real = await exchange.send()
      if (isPublish(exchange)) return lost
      return exchange.step === 'find' && isStatus(exchange) ? notFound : real
    },
  })
  expect(post).toMatchObject({ kind: 'made', providerId: (await posts())[0]?.id })
})

test('what cannot be told stays unknown, and nothing is sent again', async () => {
  await open()
  const { post, log } = await stage.deliver(sample(), {
    async intercept(exchange) {
      if (isPublish(exchange)) return lost
      const real = await exchange.send()
      return exchange.step === 'find' ? notFound : real
    },
  })
  expect(post).toMatchObject({ kind: 'unknown' })
  expect(log.filter(({ step }) => step === 'publish')).toHaveLength(1)
})

test('a post without a text is not taken for the one before, which the listing shows late', async () => {
  await open()
  const bare = sample({ caption: '', media: [png] })
  await stage.deliver(bare)
  const { post } = await stage.deliver(bare, {
    async intercept(exchange) {
      const real = await exchange.send()
      return isPublish(exchange) ? lost : real
    },
  })
  const made = await posts()
  expect(made).toHaveLength(2)
  expect(post).toMatchObject({ kind: 'made', providerId: made[1]?.id })
})

test('nor for the one before when the clock of the network is ahead of ours', async () => {
  await open()
  const bare = sample({ caption: '', media: [png] })
  await stage.deliver(bare)
  world.clock.jumpTo(new Date(world.clock.now().getTime() + 15_000))
  const { post } = await stage.deliver(bare, {
    async intercept(exchange) {
      const { request } = exchange
      if (pathOf(request) !== 'me/threads' || request.method !== 'GET') {
        const real = await exchange.send()
        return isPublish(exchange) ? lost : real
      }
      const url = new URL(request.url)
      url.searchParams.set('since', String(Number(url.searchParams.get('since')) - 30))
      const real = await stage.http({ ...request, url: url.href })
      const { data } = (real.kind === 'answer' ? real.json : {}) as { data: { timestamp: string }[] }
      const ahead = (at: string) => new Date(Date.parse(at.replace('+0000', 'Z')) + 30_000).toISOString()
      return answer(200, { data: data.map((entry) => ({ ...entry, timestamp: ahead(entry.timestamp) })) })
    },
  })
  expect(post).toMatchObject({ kind: 'made', providerId: (await posts())[1]?.id })
})

test('two posts that cannot be told apart: live, without an id', async () => {
  await open()
  let nth = 0
  const { post } = await stage.deliver(sample({ caption: '', media: [png] }), {
    async intercept(exchange) {
      const real = await exchange.send()
      if (!isPublish(exchange)) return real
      // Somebody else posts another one in the same second.
      if (nth++ === 0) await exchange.send()
      return lost
    },
  })
  expect(post).toEqual({ kind: 'made', providerId: null, permalink: null })
})

test('a token that is refused is renewed', async () => {
  await open()
  const { post, log } = await stage.deliver(sample(), first(isPublish, graphError(190)))
  expect(post).toMatchObject({ kind: 'made' })
  expect(log.map(({ outcome }) => outcome.kind)).toContain('reconnect')
  expect(stage.sent.filter(({ url }) => url.includes('refresh_access_token'))).toHaveLength(1)
})

test('a permission that is gone is not', async () => {
  await open()
  const { post } = await stage.deliver(sample(), first(isPublish, graphError(10)))
  expect(post).toMatchObject({ kind: 'failed', reason: 'ACCOUNT_CONNECTION_EXPIRED' })
  expect(stage.sent.filter(({ url }) => url.includes('refresh_access_token'))).toHaveLength(0)
})
