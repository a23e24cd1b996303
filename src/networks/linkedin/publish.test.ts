import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery, Exchange, Trouble } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, lost, type Stage } from '../kit/testing.ts'
import { bodiesOf, openStage, POST, sample, type Type } from './testing-posts.ts'

const LOOK = 'GET rest/posts/urn:li:share:{id}'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const PAGE = 'LINKEDIN_PAGE'
const PERSON = 'LINKEDIN_PERSONAL'
const disc = { file: 'transparent.png', altText: 'A disc' }
const text = (type: Type) => sample(type, { caption: 'Bread #daily (fresh)' })
const picture = (type: Type) => sample(type, { media: [disc] })
const wordless = (type: Type) => ({ ...picture(type), caption: '' })

let stage: Stage
afterEach(() => stage.close())
const start = async (type: Type) => {
  stage = await openStage(type)
}
const now = () => stage.world.clock.now().getTime()
const always = { times: 999 }
type Instead = (exchange: Exchange) => HttpResult | Promise<HttpResult>
/** When each visible call was made. */
let calls: number[]
/** Answers of the visible calls, one after another; behind them the real ones. */
function answers(...instead: Instead[]) {
  calls = []
  return stage.on(POST, (exchange) => instead[calls.push(now()) - 1]?.(exchange) ?? null, always)
}
const is = (result: HttpResult) => () => result
/** The post is made, and the answer is another one. */
const madeBut = (result: HttpResult): Instead => {
  return ({ send }) => send().then(() => result)
}
const neverLeft: HttpResult = { kind: 'failed', sent: false, message: 'The connection failed (ECONNREFUSED).' }
const refusal = (status: number, message: string, code?: string) => answer(status, { message, status, code })
const useless = refusal(400, 'No', 'MEDIA_ASSET_PROCESSING_FAILED')
/** An id of the given time, of a post that no one has. */
const urnAt = (time: number) => `urn:li:share:${(BigInt(time) << 22n) | 7n}`
const duplicate = (time: number) => refusal(422, `Content is a duplicate of ${urnAt(time)}`, 'DUPLICATE_POST')
const pausesIn = (log: Delivery['log']) => log.flatMap(({ outcome }) => (outcome.kind === 'retry' ? [outcome] : []))
const saying = (words: string) => expect.stringContaining(words)

describe('an image of a person that LinkedIn is still working on', () => {
  beforeEach(() => start(PERSON))
  const waiting = refusal(400, 'The media asset is waiting for its upload', 'MEDIA_ASSET_WAITING_UPLOAD')

  test.each([
    ['taking it in', waiting],
    ['not knowing it', refusal(403, 'The resource is forbidden')],
  ])('is waited for without spending attempts (%s)', async (_, instead) => {
    const { post, log } = await stage.deliver(picture(PERSON), stage.on(POST, instead, { times: 15 }))
    expect(post.kind).toBe('made')
    expect(await stage.posts()).toHaveLength(1)
    expect(pausesIn(log)).toMatchObject(Array(15).fill({ from: 'publish', countsAsAttempt: false }))
  })

  test('for more than an hour is uploaded once more, then refused', async () => {
    const { post, log } = await stage.deliver(picture(PERSON), stage.on(POST, waiting, always))
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(stage.sent.filter(({ method }) => method === 'PUT')).toHaveLength(2)
    expect(log.filter(({ step }) => step === 'publish').length).toBeLessThan(60)
  })
})

test('what is sent: one item as media, several as images, for those who were chosen', async () => {
  await start(PERSON)
  const { backend } = stage.world
  backend.account = { ...backend.account, defaults: { visibility: 'CONNECTIONS' } }
  const film = { file: 'linkedin-video.mp4', altText: 'Not sent' }
  for (const media of [[disc], [disc, { file: 'animated.gif' }], [film]]) await stage.deliver(sample(PERSON, { media }))
  const id = expect.stringMatching(/^urn:li:image:/)
  const bodies = bodiesOf(stage)
  expect(bodies.map((body) => JSON.parse(body))).toMatchObject([
    { visibility: 'CONNECTIONS', isReshareDisabledByAuthor: false, content: { media: { id, altText: 'A disc' } } },
    { content: { multiImage: { images: [{ id, altText: 'A disc' }, { id }] } } },
    { content: { media: { id: expect.stringMatching(/^urn:li:video:/) } } },
  ])
  expect(bodies[2]).not.toContain('Not sent')
})

describe('a person whose posts cannot be listed', () => {
  beforeEach(() => start(PERSON))
  test.each<[string, Instead, typeof text]>([
    ['no answer', madeBut(lost), text],
    ['no answer and no post', is(lost), picture],
    ['a success without an id', madeBut(answer(201)), text],
    ['"Unable to obtain activity"', madeBut(refusal(400, 'Unable to obtain activity')), picture],
  ])('%s: the same call once more, whose refusal names the post', async (_, instead, post) => {
    const { backend } = stage.world
    const first: Instead = (exchange) => {
      backend.account = { ...backend.account, defaults: { visibility: 'CONNECTIONS' } }
      return instead(exchange)
    }
    const { post: ending } = await stage.deliver(post(PERSON), answers(first))
    const [made, ...others] = await stage.posts()
    expect(others).toEqual([])
    expect(ending).toMatchObject({ kind: 'made', providerId: made?.id })
    expect(calls).toHaveLength(2)
    expect(new Set(bodiesOf(stage)).size).toBe(1)
    // Nor can it be read: its time is that of its id.
    for (const { result } of stage.calls(LOOK)) expect(result).toMatchObject({ status: 403 })
  })

  test('the second call comes after the first one is long over, and not late', async () => {
    const delivery = await stage.fenced(text(PERSON), answers(madeBut(lost)))
    expect((await delivery.call('publish')).kind).toBe('unknown')
    stage.pass(8 * MINUTE)
    expect((await delivery.call('find')).kind).toBe('repeatable')
    stage.pass(2 * MINUTE)
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell', message: saying('Look at its profile') })
    // The engine may have paused for long after a lookup that allowed it.
    expect((await delivery.call('publish')).kind).toBe('unknown')
    expect(calls).toHaveLength(1)
  })

  const noLook = () => stage.on(LOOK, refusal(503, 'Service Unavailable'), always)
  /** Partners have refresh tokens for people, too. This one is good no more. */
  const spentRefresh = () => {
    const { backend } = stage.world
    backend.credentials = { ...backend.credentials, refreshToken: 'over' }
    return {}
  }
  test.each<[string, number, Instead[], typeof text, (() => Trouble)?]>([
    ['a second call without an answer', 2, [madeBut(lost)], text],
    ['a second call that has to wait', 2, [is(refusal(429, 'Throttle limit'))], text],
    ['a second call that is not let in', 2, [is(refusal(401, 'Revoked'))], text],
    ['a second call whose token cannot be refreshed', 2, [is(refusal(401, 'Revoked'))], text, spentRefresh],
    ['a second call that is refused', 2, [is(refusal(403, 'This member is restricted'))], text],
    ['a second call with useless media', 2, [is(useless)], text],
    ['a post of the same moment', 2, [() => duplicate((calls[0] ?? 0) - 20_000)], text],
    ['a post that cannot be looked at for now', 2, [], text, noLook],
    ['a post without words, which is not repeated', 1, [], wordless],
  ])('%s leaves the first call unknown', async (_, most, second, post, trouble = () => ({})) => {
    const delivered = await stage.deliver(post(PERSON), both(answers(madeBut(lost), ...second), trouble()))
    expect(delivered.post.kind).toBe('unknown')
    expect(calls).toHaveLength(most)
    expect(await stage.posts()).toHaveLength(1)
  })

  test.each([
    ['is made again', 1, 'made'],
    ['as often as there are attempts leaves the first call unknown', 20, 'unknown'],
  ])('a second call that never leaves %s', async (_, times, kind) => {
    const second = Array<Instead>(times).fill(is(neverLeft))
    const { post: ending } = await stage.deliver(text(PERSON), answers(madeBut(lost), ...second))
    expect([ending.kind, calls.length > 2, await stage.posts()]).toMatchObject([kind, true, [{}]])
  })
})

test.each<[string, Type, Instead[], string]>([
  ['somebody else has made before', PERSON, [() => duplicate(now())], 'the same text already'],
  ['is older than the first call', PERSON, [is(lost), () => duplicate(now() - 5 * MINUTE)], '/urn:li:share:'],
  ['is gone', PAGE, [is(lost), () => duplicate(now())], 'deleted'],
])('a post that %s is not adopted', async (_, type, instead, words) => {
  await start(type)
  const { post } = await stage.deliver(text(type), answers(...instead))
  expect(post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED', message: saying(words) })
  expect(await stage.posts()).toEqual([])
})

describe('a page', () => {
  beforeEach(() => start(PAGE))
  const WORDS = 'Bread #daily \\(fresh\\)'
  const entry = (commentary: string, publishedAt: number, more: object = {}) => {
    return { id: urnAt(publishedAt), commentary, publishedAt, lastModifiedAt: publishedAt, ...more }
  }
  test.each<[string, string, (now: number) => unknown[]]>([
    ['its text as LinkedIn writes it', 'found', (now) => [entry('Bread {hashtag|\\#|daily}  \\(fresh\\)', now)]],
    ['an older one', 'absent', (now) => [entry(WORDS, now - 10 * MINUTE, { id: 'urn:li:share:1' })]],
    ['another text', 'absent', (now) => [entry('Bread #daily', now)]],
    ['its text with an image', 'absent', (now) => [entry(WORDS, now, { content: { media: { id: 'urn' } } })]],
    ['a draft', 'absent', (now) => [entry(WORDS, now, { lifecycleState: 'DRAFT' })]],
    ['an entry that cannot be read', 'cannot-tell', () => [{ id: 7 }]],
    ['more new posts than are shown', 'cannot-tell', (now) => Array(100).fill(entry('x', now))],
    ['so many that go back behind it', 'absent', (now) => [...Array(99).fill(entry('x', now)), entry('x', now - DAY)]],
  ])('in a listing of %s: %s', async (_, kind, elements) => {
    const listing = stage.on('GET rest/posts', answer(200, { elements: elements(Date.now()) }))
    const delivery = await stage.fenced(text(PAGE), both(answers(is(lost)), listing))
    await delivery.call('publish')
    expect((await delivery.call('find')).kind).toBe(kind)
  })

  test('knows its media, even when the text was edited', async () => {
    const delivery = await stage.fenced(picture(PAGE), answers(is(lost)))
    await delivery.call('publish')
    const json = JSON.parse(String(delivery.handles().body))
    expect(await stage.api(POST, { ...json, commentary: 'Edited since' })).toMatchObject({ status: 201 })
    stage.pass(MINUTE)
    expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: (await stage.posts())[0]?.id })
  })

  test('adopts what a late listing did not show', async () => {
    const empty = stage.on('GET rest/posts', answer(200, { elements: [] }), always)
    const { post } = await stage.deliver(text(PAGE), both(answers(madeBut(lost)), empty))
    const [made, ...others] = await stage.posts()
    expect(others).toEqual([])
    expect(post).toMatchObject({ kind: 'made', providerId: made?.id })
    expect(calls).toHaveLength(2)
  })

  test('that may be out is made with no other media', async () => {
    const { post } = await stage.deliver(picture(PAGE), answers(is(lost), is(useless)))
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(stage.sent.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })
})

test('a call that never leaves is made again, as the first one', async () => {
  await start(PERSON)
  const { post } = await stage.deliver(text(PERSON), answers(is(neverLeft), is(neverLeft)))
  expect([post.kind, calls.length]).toEqual(['made', 3])
})

test('a call that has to wait does so longer from time to time, and no attempt is lost', async () => {
  await start(PERSON)
  // Far from midnight, when quotas end.
  stage.world.clock.jumpTo(new Date(Math.ceil(now() / DAY + 0.5) * DAY - DAY / 2))
  const { log, post } = await stage.deliver(text(PERSON), stage.on(POST, refusal(429, 'Throttle limit'), { times: 3 }))
  const waits = pausesIn(log)
  expect(waits).toMatchObject(Array(3).fill({ countsAsAttempt: false }))
  const [first = 0, second = 0, third = 0] = waits.map(({ notBefore }) => (notBefore?.getTime() ?? 0) / MINUTE)
  expect([second - first, third - second].map(Math.round)).toEqual([30, 60])
  expect(post.kind).toBe('made')
})
