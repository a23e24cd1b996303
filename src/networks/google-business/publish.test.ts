import { describe, expect, test } from 'vitest'
import { MINUTE_MS } from '#contract/durations'
import { stageFor } from '../conformance/stages.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, type Json, lost } from '../kit/testing.ts'
import { CREATE, created, googleError, LIST, openStage, parentOf, READ, sample } from './testing-posts.ts'

const photo = { media: [{ file: 'photo.jpg' }] }
const always = { times: 100 }

const stage = stageFor('each', openStage)

describe('what is sent', () => {
  const text = { languageCode: 'en-US', summary: 'Bread', topicType: 'STANDARD' }
  const url = 'https://example.com/table'
  test.each<[string, object, object]>([
    ['a text alone, with the language of the account', {}, text],
    ['a button', { ctaType: 'BOOK', ctaUrl: ` ${url} ` }, { ...text, callToAction: { actionType: 'BOOK', url } }],
    ['a call, without an address', { ctaType: 'CALL', ctaUrl: url }, { ...text, callToAction: { actionType: 'CALL' } }],
    ['no button, even when an address is written', { ctaUrl: url }, text],
  ])('%s', async (_, fields, body) => {
    await stage.deliver(sample('Bread', fields))
    expect(created(stage)).toEqual([body])
  })

  test('without a language nothing is said about it', async () => {
    stage.world.backend.account.defaults = {}
    await stage.deliver(sample('Bread'))
    expect(created(stage)).toEqual([{ summary: 'Bread', topicType: 'STANDARD' }])
  })

  test('a photo by its address, without the place where it was taken', async () => {
    await stage.deliver(sample('Bread', {}, photo))
    expect(await stage.posts()).toMatchObject([{ text: 'Bread', media: 1 }])
    const media = [{ mediaFormat: 'PHOTO', sourceUrl: expect.stringMatching(/^http/) }]
    expect(created(stage)).toEqual([{ ...text, media }])
    const [sent] = created(stage) as { media: { sourceUrl: string }[] }[]
    const bytes = Buffer.from(await (await fetch(sent?.media[0]?.sourceUrl ?? '')).arrayBuffer())
    expect(bytes.includes('Fixture')).toBe(false)
    expect(bytes.length).toBeGreaterThan(10_240)
  })
})

describe('after Google took it', () => {
  test('a page that never comes is no reason to fail: the list of the location is reported instead', async () => {
    const pageless = stage.on(
      READ,
      async ({ send }) => {
        const real = await send()
        return answer(200, { ...(real.kind === 'answer' ? (real.json as Json) : {}), searchUrl: undefined })
      },
      always,
    )
    const { post } = await stage.deliver(sample('Bread'), pageless)
    const location = parentOf(stage).split('/')[3]
    expect(post).toMatchObject({ kind: 'made', permalink: `https://business.google.com/posts/l/${location}` })
  })

  test('a rejected post has failed, with what can be done', async () => {
    const { post, log } = await stage.deliver(sample('Call us: +49 30 1234567'))
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED', message: expect.stringContaining('phone') })
    expect(log.map(({ outcome }) => outcome.kind)).toContain('accepted')
    expect(created(stage)).toHaveLength(1)
    expect(await stage.posts()).toEqual([])
  })

  test.each<[string, HttpResult]>([
    ['a server error', answer(503, {})],
    ['a limit', googleError(429, 'RESOURCE_EXHAUSTED')],
    ['a post that is not known yet', googleError(404, 'NOT_FOUND')],
    ['an access token that ends meanwhile', googleError(401, 'UNAUTHENTICATED')],
  ])('%s to the question how it went ends nothing', async (_, instead) => {
    const { post, log } = await stage.deliver(sample('Bread'), stage.on(READ, instead))
    expect(post.kind).toBe('made')
    expect(log.map(({ outcome }) => outcome.kind)).not.toContain('unknown')
    expect(created(stage)).toHaveLength(1)
  })

  test('a post that Google took and shows no more is never sent again', async () => {
    const gone = stage.on(READ, googleError(404, 'NOT_FOUND'), always)
    const { post, log } = await stage.deliver(sample('Bread'), gone)
    expect(post.kind).toBe('unknown')
    expect(log.at(-1)?.outcome).toMatchObject({ message: expect.stringContaining('does not show it') })
    expect(created(stage)).toHaveLength(1)
  })
})

describe('when Google refuses', () => {
  test('a photo that was not fetched is tried twice more', async () => {
    const details = [{ '@type': 'x', errorDetails: [{ code: 1000, message: 'Fetching image failed.' }] }]
    const fetching = googleError(400, 'INVALID_ARGUMENT', { details })
    const send = async (times: number) =>
      (await stage.deliver(sample('Bread', {}, photo), stage.on(CREATE, fetching, { times }))).post
    expect(await send(2)).toMatchObject({ kind: 'made' })
    const message = expect.stringContaining('public address')
    expect(await send(3)).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR', message })
  })

  test.each([
    ['on the listing', LIST, 'prepare'],
    ['on making posts', CREATE, 'publish'],
  ])('a limit %s is waited out for a minute and does not count', async (_, call, step) => {
    const started = stage.world.clock.now().getTime()
    const { post, log } = await stage.deliver(sample('Bread'), stage.on(call, googleError(429, 'RESOURCE_EXHAUSTED')))
    expect(post.kind).toBe('made')
    const retry = log.find(({ outcome }) => outcome.kind === 'retry')
    expect(retry).toMatchObject({ step, outcome: { from: 'prepare', countsAsAttempt: false } })
    expect(stage.world.clock.now().getTime() - started).toBeGreaterThanOrEqual(MINUTE_MS)
  })

  const denied = googleError(403, 'PERMISSION_DENIED', { message: 'No.' })
  test.each([
    ['without an end', answer(200, { nextPageToken: 'more' })],
    ['that may not be read', denied],
  ])('a listing %s is no reason not to post', async (_, listing) => {
    expect((await stage.deliver(sample('Bread'), stage.on(LIST, listing, always))).post.kind).toBe('made')
    expect(await stage.posts()).toHaveLength(1)
  })

  test('to list posts, one that was there before is not taken for one whose answer was lost', async () => {
    await stage.deliver(sample('Bread'))
    const trouble = both(stage.on(CREATE, lost, always), stage.on(LIST, denied, { ...always, step: 'prepare' }))
    expect((await stage.deliver(sample('Bread'), trouble)).post.kind).toBe('unknown')
    expect(await stage.posts()).toHaveLength(1)
  })
})
