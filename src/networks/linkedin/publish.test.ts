import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Delivery, Exchange, Trouble } from '../conformance/delivery.ts'
import type { SampleMedia } from '../conformance/index.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, lost, type Stage } from '../kit/testing.ts'
import { bodiesOf, openStage, POST, sample, type Type } from './testing-posts.ts'

const LOOK = 'GET rest/posts/urn:li:share:{id}'
const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const PAGE = 'LINKEDIN_PAGE'
const PERSON = 'LINKEDIN_PERSONAL'
const text = (type: Type) => sample(type, { caption: 'Bread #daily (fresh)' })
const picture = (type: Type) => sample(type, { media: [{ file: 'transparent.png', altText: 'A disc' }] })

let stage: Stage
afterEach(() => stage.close())
const start = async (type: Type) => {
  stage = await openStage(type)
}
const bodies = () => bodiesOf(stage)
const always = { times: 999 }
let visibleCalls: number
let firstCallAt: number
type Instead = (exchange: Exchange) => HttpResult | Promise<HttpResult>
/** Answers of the visible calls, one after another; behind them the real ones. */
function answers(...instead: Instead[]) {
  visibleCalls = 0
  return stage.on(
    POST,
    (exchange) => {
      if (visibleCalls === 0) firstCallAt = stage.world.clock.now().getTime()
      return instead[visibleCalls++]?.(exchange) ?? null
    },
    always,
  )
}
const is = (result: HttpResult) => () => result
/** The post is made, and the answer is another one. */
const madeBut =
  (result: HttpResult) =>
  async ({ send }: Exchange) => {
    await send()
    return result
  }
/** The clock at noon UTC, far from midnight, when quotas end. */
const noon = () =>
  stage.world.clock.jumpTo(new Date(Math.ceil(stage.world.clock.now().getTime() / DAY + 0.5) * DAY - DAY / 2))

const refusal = (status: number, message: string, code?: string) => answer(status, { message, status, code })
const duplicate = (urn: string) => refusal(422, `Content is a duplicate of ${urn}`, 'DUPLICATE_POST')
const pausesIn = (log: Delivery['log']) => log.flatMap(({ outcome }) => (outcome.kind === 'retry' ? [outcome] : []))
const neverLeft: HttpResult = { kind: 'failed', sent: false, message: 'The connection failed (ECONNREFUSED).' }
/** An id of the given time, of a post that no one has. */
const urnAt = (time: number) => `urn:li:share:${(BigInt(time) << 22n) | 7n}`

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
  const { account } = stage.world.backend
  const disc = { file: 'transparent.png', altText: 'A disc' }
  const film = { file: 'linkedin-video.mp4', altText: 'Not sent' }
  const deliver = (...media: SampleMedia[]) => stage.deliver(sample(PERSON, { media }))
  stage.world.backend.account = { ...account, defaults: {} }
  const message = expect.stringContaining('publishing defaults')
  expect((await deliver(disc)).post).toMatchObject({ kind: 'failed', message })
  stage.world.backend.account = { ...account, defaults: { visibility: 'CONNECTIONS' } }
  for (const media of [[disc], [disc, { file: 'animated.gif' }], [film]]) await deliver(...media)
  const id = expect.stringMatching(/^urn:li:image:/)
  const images = [{ id, altText: 'A disc' }, { id }]
  expect(bodies().map((body) => JSON.parse(body))).toMatchObject([
    { visibility: 'CONNECTIONS', isReshareDisabledByAuthor: false, content: { media: { id, altText: 'A disc' } } },
    { content: { multiImage: { images } } },
    { content: { media: { id: expect.stringMatching(/^urn:li:video:/) } } },
  ])
  expect(bodies()[2]).not.toContain('Not sent')
})

describe('a person whose posts cannot be listed', () => {
  beforeEach(() => start(PERSON))
  test.each<[string, Instead, typeof text]>([
    ['no answer', madeBut(lost), text],
    ['no answer and no post', is(lost), picture],
    ['a success without an id', madeBut(answer(201)), text],
    ['"Unable to obtain activity"', madeBut(refusal(400, 'Unable to obtain activity')), picture],
  ])('%s: the same call once more, whose refusal names the post', async (_, instead, post) => {
    const { post: ending } = await stage.deliver(post(PERSON), answers(instead))
    const [made, ...others] = await stage.posts()
    expect(others).toEqual([])
    expect(ending).toMatchObject({ kind: 'made', providerId: made?.id })
    expect(visibleCalls).toBe(2)
    expect(new Set(bodies()).size).toBe(1)
    // Nor can it be read: its time is that of its id.
    for (const { result } of stage.calls(LOOK)) expect(result).toMatchObject({ status: 403 })
  })

  test('the second call comes after the first one is long over, and not late', async () => {
    const delivery = await stage.fenced(text(PERSON), answers(madeBut(lost)))
    expect((await delivery.call('publish')).kind).toBe('unknown')
    stage.pass(8 * MINUTE)
    expect((await delivery.call('find')).kind).toBe('absent')
    stage.pass(2 * MINUTE)
    const message = expect.stringContaining('Look at its profile')
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell', message })
    // The engine may have paused for long after a lookup that allowed it.
    expect((await delivery.call('publish')).kind).toBe('unknown')
    expect(bodies()).toHaveLength(1)
  })

  test('an older post with the same text is not taken for this one', async () => {
    await stage.deliver(text(PERSON))
    const [old] = await stage.posts()
    stage.pass(5 * MINUTE)
    const { post } = await stage.deliver(text(PERSON), answers(is(lost)))
    const message = expect.stringContaining(old?.id ?? 'An id')
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED', message })
    expect(await stage.posts()).toHaveLength(1)
  })

  test('what a first call repeats belongs to somebody else', async () => {
    const { post } = await stage.deliver(text(PERSON), answers(is(duplicate(urnAt(Date.now())))))
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED' })
  })

  const wordless = () => ({ ...picture(PERSON), caption: '' })
  const noLook = () => stage.on(LOOK, refusal(503, 'Service Unavailable'), always)
  /** Partners have refresh tokens for people, too. This one is good no more. */
  const spentRefresh = () => {
    const { backend } = stage.world
    backend.credentials = { ...backend.credentials, refreshToken: 'over' }
    return {}
  }
  test.each<[string, number, Instead[], typeof text, (() => Trouble)?]>([
    ['a second call without an answer', 2, [madeBut(lost)], text],
    // Until midnight, which is longer than LinkedIn is trusted to remember.
    ['a second call that has to wait', 2, [is(refusal(429, 'Throttle limit'))], text],
    ['a second call that is not let in', 2, [is(refusal(401, 'Revoked'))], text],
    ['a second call whose token cannot be refreshed', 2, [is(refusal(401, 'Revoked'))], text, spentRefresh],
    ['a second call that never leaves', 2, [is(neverLeft)], text],
    ['a second call that is refused', 2, [is(refusal(403, 'This member is restricted'))], text],
    ['a second call with useless media', 2, [is(refusal(400, 'No', 'MEDIA_ASSET_PROCESSING_FAILED'))], text],
    ['a post of the same moment', 2, [() => duplicate(urnAt(firstCallAt - 20_000))], text],
    ['a post that cannot be looked at for now', 2, [], text, noLook],
    ['a post without words, which is not repeated', 1, [], wordless],
  ])('%s leaves the first call unknown', async (_, calls, second, post, trouble = () => ({})) => {
    noon()
    const delivered = await stage.deliver(post(PERSON), both(answers(madeBut(lost), ...second), trouble()))
    expect(delivered.post.kind).toBe('unknown')
    expect(visibleCalls).toBe(calls)
    expect(await stage.posts()).toHaveLength(1)
  })
})

describe('a page', () => {
  beforeEach(() => start(PAGE))
  const WORDS = 'Bread #daily \\(fresh\\)'
  const entry = (commentary: string, at: number, more: object = {}) => ({
    id: urnAt(at),
    commentary,
    lifecycleState: 'PUBLISHED',
    publishedAt: at,
    lastModifiedAt: at,
    ...more,
  })
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
    const made = await stage.posts()
    expect(made).toHaveLength(1)
    expect(post).toMatchObject({ kind: 'made', providerId: made[0]?.id })
    expect(visibleCalls).toBe(2)
  })

  test('that may be out is made with no other media', async () => {
    const useless = refusal(400, 'No', 'MEDIA_ASSET_PROCESSING_FAILED')
    const { post } = await stage.deliver(picture(PAGE), answers(is(lost), is(useless)))
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(stage.sent.filter(({ method }) => method === 'PUT')).toHaveLength(1)
  })

  test('does not adopt a post that is gone', async () => {
    const gone = () => duplicate(urnAt(stage.world.clock.now().getTime()))
    const { post } = await stage.deliver(text(PAGE), answers(is(lost), gone))
    expect(post).toMatchObject({ reason: 'ACTION_BLOCKED', message: expect.stringContaining('deleted') })
    expect(await stage.posts()).toEqual([])
  })
})

describe('answers that ask for something', () => {
  test.each([
    [PAGE, refusal(401, 'Revoked'), { kind: 'reconnect', mayRefresh: true }],
    [PERSON, neverLeft, { kind: 'retry', from: 'publish' }],
  ] as const)('of %s prove that nothing was made: %j', async (type, instead, outcome) => {
    await start(type)
    const delivery = await stage.fenced(text(type), answers(is(instead)))
    expect(await delivery.call('publish')).toMatchObject(outcome)
    stage.pass(60 * MINUTE)
    expect((await delivery.call('find')).kind).toBe('absent')
  })

  test('too many requests: longer from time to time, and no attempt is lost', async () => {
    await start(PAGE)
    noon()
    const trouble = stage.on(POST, refusal(429, 'Throttle limit'), { times: 3 })
    const { log, post } = await stage.deliver(text(PAGE), trouble)
    const waits = pausesIn(log)
    expect(waits).toMatchObject(Array(3).fill({ countsAsAttempt: false }))
    const [first = 0, second = 0, third = 0] = waits.map(({ notBefore }) => (notBefore?.getTime() ?? 0) / MINUTE)
    expect([second - first, third - second].map(Math.round)).toEqual([30, 60])
    expect(post.kind).toBe('made')
  })
})
