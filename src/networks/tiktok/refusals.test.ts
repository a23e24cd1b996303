import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { deliver } from '../conformance/deliver.ts'
import type { Stage } from '../kit/testing.ts'
import { instead, once, openStage, photoSample, refusal, videoSample, worldWith } from './testing-posts.ts'

/* What TikTok refuses an app, and a token in ways that no page names. */

describe('where the app is not audited', () => {
  let stage: Stage
  beforeAll(async () => {
    stage = await openStage({ isAudited: false })
  })
  afterAll(() => stage?.close())

  test.each([videoSample, photoSample])('a $title for everyone is refused, with what to choose', async (sample) => {
    expect((await stage.deliver(sample)).post).toMatchObject({
      kind: 'failed',
      reason: 'ACTION_BLOCKED',
      message: expect.stringMatching(
        /"Only the account itself" among its publishing defaults, or have the app audited/,
      ),
    })
    expect(await stage.posts()).toEqual([])
  })

  test.each([videoSample, photoSample])('a $title goes out by the default of the connection', async (sample) => {
    const before = (await stage.posts()).length
    const world = worldWith(stage, { defaults: { privacy: 'SELF_ONLY' } })
    expect((await deliver(world, sample)).post).toEqual({ kind: 'made', providerId: null, permalink: null })
    expect(await stage.posts()).toHaveLength(before + 1)
  })
})

test('photos at an address that the app has not verified are refused, with what to do', async () => {
  const stage = await openStage()
  const [photo] = await stage.world.media.of(photoSample.media ?? [])
  if (!photo) throw new Error('The fixture is gone.')
  const rendition = await photo.source.rendition({ format: 'jpeg' })
  const url = async () => (await rendition.url()).replace('127.0.0.1', 'localhost')
  const elsewhere = { ...photo, source: { ...photo.source, rendition: async () => ({ ...rendition, url }) } }
  const { post } = await deliver(worldWith(stage, { media: [elsewhere] }), photoSample)
  const message = expect.stringMatching(/URL properties.*ALMANAC_PUBLIC_URL/)
  expect(post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED', message })
  expect(await stage.posts()).toEqual([])
  await stage.close()
})

test.each([
  ['before an upload', '/creator_info/query/', videoSample],
  ['when an upload begins', '/video/init/', videoSample],
  ['when photos are published', '/content/init/', photoSample],
])('a token that is refused by a number %s is refreshed', async (_, path, sample) => {
  const stage = await openStage()
  const { post, log } = await stage.deliver(sample, { intercept: instead({ [path]: once(() => refusal(200, 10002)) }) })
  expect(log.map(({ outcome }) => outcome.kind)).toContain('reconnect')
  expect(post.kind).toBe('made')
  expect(await stage.posts()).toHaveLength(1)
  await stage.close()
})
