import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDelivery } from '../conformance/delivery.ts'
import { prepared, type Stage } from '../kit/testing.ts'
import { callsOf, instead, once, openStage, photoSample, refusal, success, worldWith } from './testing-posts.ts'

const LIST = '/v2/video/list/'

let stage: Stage
beforeAll(async () => {
  stage = await openStage({ listsPhotos: true })
})
afterAll(() => stage?.close())

let number = 0
const sample = (caption = `Fresh bread ${++number}`) => ({ ...photoSample, caption })

/** Makes the post and loses the answer. */
const lost = () =>
  once(async ({ send }: { send(): Promise<unknown> }) => {
    await send()
    return { kind: 'failed', sent: true, message: 'The connection broke.' } as const
  })

test('photos whose answer was lost are found where the network lists them', async () => {
  const caption = `Bread ${'and butter '.repeat(20)}`
  const intercept = instead({ '/content/init/': lost() })
  const { post, log } = await stage.deliver(sample(caption), { intercept })
  expect(post).toMatchObject({
    kind: 'made',
    providerId: expect.stringMatching(/^7\d{18}$/),
    permalink: expect.stringMatching(/\/@corner\.bakery\/photo\/7\d{18}$/),
  })
  expect(log.map(({ outcome }) => outcome.kind)).toContain('unknown')
  const posts = await stage.posts()
  expect(posts.map(({ id }) => id)).toEqual([post.kind === 'made' && post.providerId])
})

test.each([
  ['without the scope nobody is asked', { scope: 'user.info.basic,video.publish' }, 0],
  ['with it the listing is read', {}, 1],
])('%s', async (_, more, calls) => {
  stage.sent.length = 0
  const world = worldWith(stage, more)
  const delivery = await openDelivery(world, sample())
  await prepared(world, delivery)
  delivery.fence()
  expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  expect(callsOf(stage, LIST)).toHaveLength(calls)
})

const listed = (id: string, text: string, minutes = 0) => ({
  id,
  title: text,
  create_time: Math.floor(stage.world.clock.now().getTime() / 1000) + minutes * 60,
  share_url: 'https://www.tiktok.com/@x/photo/1?utm=1',
})
test.each([
  ['a listing that lacks it', () => success({ videos: [] }), 'cannot-tell'],
  ['two that look alike', () => success({ videos: [listed('71', 'Bread'), listed('72', ' Bread ')] }), 'cannot-tell'],
  ['one of an earlier time', () => success({ videos: [listed('71', 'Bread', -5)] }), 'cannot-tell'],
  ['one with another text', () => success({ videos: [listed('71', 'Bread and more')] }), 'cannot-tell'],
  ['one of its own', () => success({ videos: [listed('70', 'Cake'), listed('71', 'Bread')] }), 'found'],
  ['a permission that is missing', () => refusal(401, 'scope_not_authorized'), 'cannot-tell'],
  ['a token that has expired', () => refusal(401, 'access_token_invalid'), 'reconnect'],
  ['no answer', () => ({ kind: 'failed', sent: true, message: 'Broken.' }) as const, 'cannot-tell'],
])('%s leads to %s', async (_, given, kind) => {
  const delivery = await stage.fenced(sample('Bread'), { intercept: instead({ [LIST]: given }) })
  expect((await delivery.call('find')).kind).toBe(kind)
})

test('photos without a caption cannot be told apart', async () => {
  stage.sent.length = 0
  const delivery = await stage.fenced(sample(''))
  expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
  expect(callsOf(stage, LIST)).toEqual([])
})
