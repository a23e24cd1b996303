import { afterEach, describe, expect, test } from 'vitest'
import type { HttpResult } from '../kit/http.ts'
import { answer, lost, type Stage } from '../kit/testing.ts'
import { bodiesOf, duplicate, isVisible, openStage, POST, sample, type Type, urnAt } from './testing-posts.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const text = (type: Type) => sample(type, { caption: 'Bread #daily (fresh)' })
const picture = (type: Type) => sample(type, { media: [{ file: 'transparent.png', altText: 'A disc' }] })

let stage: Stage
afterEach(() => stage.close())
const start = async (type: Type) => {
  stage = await openStage(type)
  return stage
}
const posts = () => stage.posts()
const bodies = () => bodiesOf(stage)
const always = { times: 99 }
const reached = { reached: true }
/** The next one, UTC: far from midnight, when quotas end. */
const noon = () =>
  stage.world.clock.jumpTo(new Date(Math.ceil(stage.world.clock.now().getTime() / DAY + 0.5) * DAY - DAY / 2))

const waitingUpload = answer(400, {
  message: 'The media asset is waiting for its upload',
  errorDetails: { inputErrors: [{ description: 'Waiting', input: {}, code: 'MEDIA_ASSET_WAITING_UPLOAD' }] },
  status: 400,
})

describe('an image of a person that LinkedIn is still working on', () => {
  test.each([
    ['taking it in', waitingUpload],
    ['not knowing it', answer(403, { message: 'The resource is forbidden', status: 403 })],
  ])('is waited for without spending attempts (%s)', async (_, instead) => {
    await start('LINKEDIN_PERSONAL')
    const times = 15
    const { post, log } = await stage.deliver(picture('LINKEDIN_PERSONAL'), stage.on(POST, instead, { times }))
    expect(post.kind).toBe('made')
    expect(await posts()).toHaveLength(1)
    const tries = log.filter(({ step, outcome }) => step === 'publish' && outcome.kind === 'retry')
    expect(tries.map(({ outcome }) => outcome)).toMatchObject(
      Array(times).fill({ countsAsAttempt: false, notBefore: expect.any(Date) }),
    )
  })

  test('for more than an hour is uploaded once more, then refused', async () => {
    await start('LINKEDIN_PERSONAL')
    const trouble = stage.on(POST, waitingUpload, { times: 999 })
    const { post, log } = await stage.deliver(picture('LINKEDIN_PERSONAL'), trouble)
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(stage.sent.filter(({ method }) => method === 'PUT')).toHaveLength(2)
    expect(log.filter(({ step }) => step === 'publish').length).toBeLessThan(60)
  })
})

describe('what is sent', () => {
  test('a text of a page', async () => {
    await start('LINKEDIN_PAGE')
    await stage.deliver(text('LINKEDIN_PAGE'))
    const [request, ...others] = stage.sent.filter(isVisible)
    expect(others).toEqual([])
    expect(request?.headers).toMatchObject({
      'linkedin-version': '202609',
      'x-restli-protocol-version': '2.0.0',
      'content-type': 'application/json',
    })
    expect(JSON.parse(String(request?.body))).toEqual({
      author: stage.world.backend.account.externalId,
      commentary: 'Bread #daily \\(fresh\\)',
      visibility: 'PUBLIC',
      distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
      lifecycleState: 'PUBLISHED',
      isReshareDisabledByAuthor: false,
    })
  })

  test('media: one as media, several as images', async () => {
    await start('LINKEDIN_PERSONAL')
    await stage.deliver(picture('LINKEDIN_PERSONAL'))
    await stage.deliver(
      sample('LINKEDIN_PERSONAL', {
        media: [{ file: 'transparent.png', altText: 'A disc' }, { file: 'animated.gif' }],
      }),
    )
    await stage.deliver(sample('LINKEDIN_PERSONAL', { media: [{ file: 'linkedin-video.mp4', altText: 'Not sent' }] }))
    const image = expect.stringMatching(/^urn:li:image:/)
    expect(bodies().map((body) => JSON.parse(body).content)).toEqual([
      { media: { id: image, altText: 'A disc' } },
      { multiImage: { images: [{ id: image, altText: 'A disc' }, { id: image }] } },
      { media: { id: expect.stringMatching(/^urn:li:video:/) } },
    ])
  })

  test('what was chosen for the account', async () => {
    await start('LINKEDIN_PERSONAL')
    const { backend } = stage.world
    const choose = (visibility?: string) => {
      stage.world = {
        ...stage.world,
        backend: { ...backend, account: { ...backend.account, defaults: { visibility } } },
      }
    }
    choose('CONNECTIONS')
    await stage.deliver(text('LINKEDIN_PERSONAL'))
    expect(JSON.parse(bodies()[0] ?? '').visibility).toBe('CONNECTIONS')
    choose()
    const { post } = await stage.deliver(picture('LINKEDIN_PERSONAL'))
    expect(post).toMatchObject({ kind: 'failed', message: expect.stringContaining('publishing defaults') })
    expect(bodies()).toHaveLength(1)
  })
})

describe('a person whose posts cannot be listed', () => {
  const type = 'LINKEDIN_PERSONAL'

  const unclear: [string, HttpResult][] = [
    ['no answer', lost],
    ['a server error', answer(500, { message: 'Internal Server Error', status: 500 })],
    ['a success without an id', answer(201, undefined)],
    ['"Unable to obtain activity"', answer(400, { message: 'Unable to obtain activity', status: 400 })],
  ]
  test.each(
    unclear.flatMap(([name, instead]) => [text(type), picture(type)].map((post) => [name, post, instead] as const)),
  )('%s: the same call once more, whose refusal names the post', async (_, post, instead) => {
    await start(type)
    const { post: ending } = await stage.deliver(post, stage.on(POST, instead, reached))
    const [made, ...others] = await posts()
    expect(others).toEqual([])
    expect(ending).toMatchObject({ kind: 'made', providerId: made?.id })
    const [first, second, ...more] = bodies()
    expect(more).toEqual([])
    expect(second).toBe(first)
  })

  test('a call that did nothing is made up for', async () => {
    await start(type)
    const { post } = await stage.deliver(picture(type), stage.on(POST, lost))
    expect(post).toMatchObject({ kind: 'made' })
    expect(await posts()).toHaveLength(1)
  })

  test('two calls without an answer are the last ones', async () => {
    await start(type)
    let calls = 0
    const { post, log } = await stage.deliver(text(type), {
      async intercept({ request, send: real }) {
        if (!isVisible(request)) return real()
        calls++
        await real()
        return lost
      },
    })
    expect(post.kind).toBe('unknown')
    expect(log.at(-1)?.outcome).toMatchObject({ message: expect.stringContaining('Look at its profile') })
    expect(calls).toBe(2)
    expect(await posts()).toHaveLength(1)
  })

  test('the second call comes after the first one is long over, and not late', async () => {
    await start(type)
    const delivery = await stage.fenced(text(type), stage.on(POST, lost, reached))
    expect((await delivery.call('publish')).kind).toBe('unknown')
    stage.pass(8 * MINUTE)
    expect((await delivery.call('find')).kind).toBe('absent')
    stage.pass(2 * MINUTE)
    expect((await delivery.call('find')).kind).toBe('cannot-tell')
    // The engine may have paused for long after a lookup that allowed it.
    expect((await delivery.call('publish')).kind).toBe('unknown')
    expect(bodies()).toHaveLength(1)
  })

  test('a post without words is not repeated', async () => {
    await start(type)
    const { post } = await stage.deliver(
      { ...picture(type), caption: '' },
      stage.on(POST, lost, { ...reached, ...always }),
    )
    expect(post.kind).toBe('unknown')
    expect(bodies()).toHaveLength(1)
    expect(await posts()).toHaveLength(1)
  })

  test('an older post with the same text is not taken for this one', async () => {
    await start(type)
    const old = await stage.deliver(text(type))
    stage.pass(5 * MINUTE)
    const again = await stage.deliver(text(type), stage.on(POST, lost))
    expect(again.post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED' })
    expect(old.post.kind === 'made' && again.post.kind === 'failed' && again.post.message).toContain(
      old.post.kind === 'made' ? old.post.providerId : '',
    )
    expect(await posts()).toHaveLength(1)
  })

  test('one of the same moment may be either', async () => {
    await start(type)
    let first: Date | null = null
    const { post } = await stage.deliver(text(type), {
      async intercept({ request, send: real }) {
        if (!isVisible(request)) return real()
        if (first !== null) return duplicate(urnAt(new Date(first.getTime() - 20_000)))
        first = stage.world.clock.now()
        return lost
      },
    })
    expect(post.kind).toBe('unknown')
  })

  test('what a first call repeats belongs to somebody else', async () => {
    await start(type)
    const { post } = await stage.deliver(text(type), stage.on(POST, duplicate(urnAt(new Date())), always))
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED' })
  })

  test('a post that cannot be looked at for now is not adopted', async () => {
    await start(type)
    const fault = answer(503, { message: 'Service Unavailable', status: 503 })
    const lostOnce = stage.on(POST, lost, reached)
    const { post } = await stage.deliver(text(type), {
      async intercept(exchange) {
        const isLook = exchange.request.url.includes('rest/posts/')
        return isLook ? fault : (lostOnce.intercept?.(exchange) ?? exchange.send())
      },
    })
    expect(post.kind).toBe('unknown')
  })

  test('a call that never left is none', async () => {
    await start(type)
    const refused: HttpResult = { kind: 'failed', sent: false, message: 'The connection failed (ECONNREFUSED).' }
    const delivery = await stage.fenced(text(type), stage.on(POST, refused, always))
    expect((await delivery.call('publish')).kind).toBe('retry')
    stage.pass(60 * MINUTE)
    expect((await delivery.call('find')).kind).toBe('absent')
  })

  test.each<[string, HttpResult]>([
    // Until midnight, which is longer than LinkedIn is trusted to remember.
    ['a wait', answer(429, { message: 'Throttle limit', status: 429 })],
    ['a refusal', answer(403, { message: 'This member is restricted', status: 403 })],
    ['useless media', answer(400, { message: 'No', code: 'MEDIA_ASSET_PROCESSING_FAILED', status: 400 })],
  ])('%s as the answer of the second call leaves the first one unknown', async (_, second) => {
    await start(type)
    noon()
    let calls = 0
    const { post } = await stage.deliver(text(type), {
      async intercept({ request, send: real }) {
        if (!isVisible(request)) return real()
        if (++calls > 1) return calls === 2 ? second : real()
        await real()
        return lost
      },
    })
    expect(post.kind).toBe('unknown')
    expect(calls).toBe(2)
    expect(await posts()).toHaveLength(1)
  })
})

describe('a page', () => {
  const type = 'LINKEDIN_PAGE'
  /** Answers the listing. */
  const listing = (elements: unknown[]) => ({
    async intercept({ request, send: real }: { request: { url: string }; send(): Promise<HttpResult> }) {
      if (isVisible(request as never)) return lost
      return request.url.includes('q=author') ? answer(200, { elements }) : real()
    },
  })
  const entry = (commentary: string, at: number, more: object = {}) => ({
    id: urnAt(new Date(at)),
    commentary,
    lifecycleState: 'PUBLISHED',
    createdAt: at,
    lastModifiedAt: at,
    ...more,
  })
  async function found(elements: unknown[]) {
    const delivery = await stage.fenced(text(type), listing(elements))
    await delivery.call('publish')
    return delivery.call('find')
  }

  test('finds its text as LinkedIn writes it', async () => {
    await start(type)
    const now = Date.now()
    const ours = entry('Bread {hashtag|\\#|daily}  \\(fresh\\)', now)
    expect(await found([entry('Rolls', now), ours])).toMatchObject({ kind: 'found', providerId: ours.id })
  })

  test.each<[string, (now: number) => unknown[], string]>([
    ['nothing', () => [], 'absent'],
    ['an older one', (now) => [entry('Bread #daily \\(fresh\\)', now - 10 * MINUTE)], 'absent'],
    ['another text', (now) => [entry('Bread #daily', now)], 'absent'],
    ['a draft', (now) => [entry('Bread #daily \\(fresh\\)', now, { lifecycleState: 'DRAFT' })], 'absent'],
    ['two of them', (now) => [0, 1].map((each) => entry('Bread #daily \\(fresh\\)', now + each)), 'cannot-tell'],
    ['an entry that cannot be read', () => [{ id: 7 }], 'cannot-tell'],
    ['more new posts than are shown', (now) => Array.from({ length: 100 }, () => entry('x', now)), 'cannot-tell'],
  ])('in a listing of %s: %s', async (_, elements, kind) => {
    await start(type)
    expect((await found(elements(Date.now()))).kind).toBe(kind)
  })

  test('knows its media, whatever became of the text', async () => {
    await start(type)
    const delivery = await stage.fenced(picture(type), stage.on(POST, lost, always))
    await delivery.call('publish')
    const json = JSON.parse(String((delivery.handles() as { body: string }).body))
    const made = await stage.api(POST, { ...json, commentary: 'Edited since' })
    expect(made).toMatchObject({ status: 201 })
    stage.pass(MINUTE)
    expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: (await posts())[0]?.id })
  })

  test('is asked again when it may be found, and adopts what a late listing did not show', async () => {
    await start(type)
    let looks = 0
    const { post } = await stage.deliver(text(type), {
      async intercept({ request, send: real }) {
        if (request.url.includes('q=author')) return answer(200, { elements: [] })
        const result = await real()
        return isVisible(request) && ++looks === 1 ? lost : result
      },
    })
    const made = await posts()
    expect(made).toHaveLength(1)
    expect(post).toMatchObject({ kind: 'made', providerId: made[0]?.id })
    expect(bodies()).toHaveLength(2)
  })

  test('does not adopt a post that is gone', async () => {
    await start(type)
    let calls = 0
    const { post } = await stage.deliver(text(type), {
      async intercept({ request, send: real }) {
        if (!isVisible(request)) return real()
        return ++calls === 1 ? lost : duplicate(urnAt(stage.world.clock.now()))
      },
    })
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'ACTION_BLOCKED',
      message: expect.stringContaining('deleted'),
    })
    expect(await posts()).toEqual([])
  })
})

describe('answers that ask for something', () => {
  test.each([
    ['LINKEDIN_PAGE', true],
    ['LINKEDIN_PERSONAL', false],
  ] as const)('a dead token of %s may be refreshed: %s', async (type, mayRefresh) => {
    await start(type)
    const unauthorized = answer(401, { message: 'Revoked', code: 'REVOKED_ACCESS_TOKEN', status: 401 })
    const delivery = await stage.fenced(text(type), stage.on(POST, unauthorized, always))
    expect(await delivery.call('publish')).toMatchObject({ kind: 'reconnect', mayRefresh })
    // Nothing was made, and that is certain.
    expect((await delivery.call('find')).kind).toBe('absent')
  })

  test('too many requests: longer from time to time, and no attempt is lost', async () => {
    await start('LINKEDIN_PAGE')
    stage.world.clock.jumpTo(new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000 + MINUTE))
    const { log, post } = await stage.deliver(
      text('LINKEDIN_PAGE'),
      stage.on(POST, answer(429, { message: 'Throttle limit', status: 429 }), { times: 3 }),
    )
    const waits = log.flatMap(({ outcome }) => (outcome.kind === 'retry' ? [outcome] : []))
    expect(waits.map(({ countsAsAttempt }) => countsAsAttempt)).toEqual([false, false, false])
    const times = waits.map(({ notBefore }) => notBefore?.getTime() ?? 0)
    expect(Math.round(((times[1] ?? 0) - (times[0] ?? 0)) / MINUTE)).toBe(30)
    expect(Math.round(((times[2] ?? 0) - (times[1] ?? 0)) / MINUTE)).toBe(60)
    expect(post.kind).toBe('made')
  })

  test('a version that has ended is for the operator', async () => {
    await start('LINKEDIN_PAGE')
    stage.world.clock.jumpTo(new Date('2027-09-15T00:00:01Z'))
    const { backend } = stage.world
    const refreshed = await stage.signIn.refresh(backend.credentials)
    if (refreshed.kind !== 'refreshed') throw new Error('The token was not refreshed.')
    stage.world = { ...stage.world, backend: { ...backend, credentials: refreshed.credentials } }
    const { post } = await stage.deliver(text('LINKEDIN_PAGE'))
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'UNKNOWN',
      message: expect.stringContaining('ALMANAC_LINKEDIN_API_VERSION'),
    })
  })
})
