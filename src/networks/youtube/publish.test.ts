import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import { type Delivered, deliver } from '../conformance/deliver.ts'
import { openDelivery, type Trouble, type World } from '../conformance/delivery.ts'
import { answer, both, lost, prepared, type Stage } from '../kit/testing.ts'
import type { MediaToSend } from '../network.ts'
import { QUANTUM } from './session.ts'
import type { Behaviour } from './simulator-videos.ts'
import { makeLongFile } from './testing-files.ts'
import { answers, apiError, gone, kindOf, openStage, sample } from './testing-posts.ts'

const HOUR = 3_600_000
const LISTING = 120_000

let long: Awaited<ReturnType<typeof makeLongFile>>
let stage: Stage
let world: World

beforeAll(async () => {
  long = await makeLongFile()
})
afterAll(() => long.remove())
beforeEach(() => start())
afterEach(() => stage.close())

async function start(behaviour: Behaviour = {}): Promise<void> {
  stage = await openStage(behaviour)
  ;({ world } = stage)
}
async function restart(behaviour: Behaviour): Promise<void> {
  await stage.close()
  await start(behaviour)
}
const posts = () => world.backend.posts()
/** Outcomes of the post, without its thumbnail. */
const steps = (log: Delivered['log']) => log.flatMap(({ step, outcome }) => (step === 'send' ? [] : outcome.kind))
const kinds = () => stage.sent.map(kindOf)
const ranges = () => stage.sent.flatMap(({ headers }) => headers?.['content-range'] ?? [])
const inPieces = () => sample({ media: [{ file: long.file }] })

describe('an upload', () => {
  test('says what the post says, and what was chosen for the channel', async () => {
    const { account } = world.backend
    const defaults = { category: '26', madeForKids: true, notifySubscribers: false }
    world = { ...world, backend: { ...world.backend, account: { ...account, defaults } } }
    await deliver(world, sample({ fields: { privacy: 'UNLISTED' } }))
    const [begin] = stage.sent
    expect(Object.fromEntries(new URL(begin?.url ?? '').searchParams)).toEqual({
      uploadType: 'resumable',
      part: 'snippet,status',
      notifySubscribers: 'false',
    })
    expect(begin?.json).toEqual({
      snippet: { title: 'Bread', description: 'How we bake', categoryId: '26' },
      status: { privacyStatus: 'unlisted', selfDeclaredMadeForKids: true },
    })
    expect(begin?.headers).toMatchObject({ 'x-upload-content-type': 'video/mp4', 'x-upload-content-length': '46617' })
  })

  test('sends a video without the place where it was taken, the same file at every step', async () => {
    const film = await writePhoneFilm('video-h264-aac.mp4')
    const pieces: Buffer[] = []
    const delivery = await stage.fenced(sample({ media: [{ file: film.path }] }), {
      async intercept({ request, send }) {
        if (kindOf(request) !== 'piece') return send()
        const bytes = await buffer(request.body as Readable)
        pieces.push(bytes)
        return world.http({ ...request, body: Readable.from([bytes]) })
      },
    })
    expect(await delivery.call('find')).toMatchObject({ kind: 'absent' })
    await delivery.call('publish')
    await film.remove()
    const bytes = Buffer.concat(pieces)
    expect(stage.sent[0]?.headers).toMatchObject({ 'x-upload-content-length': String(bytes.length) })
    expect(bytes.toString('latin1', 4, 12)).toBe('ftypisom')
    expect(bytes.includes(PLACE)).toBe(false)
    expect(await posts()).toHaveLength(1)
  })

  test('sends all but the last piece before the fence, and goes on where the network has taken a part', async () => {
    const delivery = await openDelivery(world, inPieces())
    await prepared(world, delivery)
    const total = long.bytes
    expect(ranges()).toEqual([
      `bytes 0-${3 * QUANTUM - 1}/${total}`,
      `bytes ${2 * QUANTUM}-${3 * QUANTUM - 1}/${total}`,
    ])
    expect(await posts()).toEqual([])
    delivery.fence()
    expect((await delivery.call('publish')).kind).toBe('accepted')
    expect(ranges().at(-1)).toBe(`bytes ${3 * QUANTUM}-${total - 1}/${total}`)
    expect(await posts()).toHaveLength(1)
  })

  test('goes on behind what had arrived when a piece breaks off', async () => {
    await restart({ firstPiece: 'broken' })
    const { post, log } = await deliver(world, inPieces())
    expect(log[0]?.outcome).toMatchObject({ kind: 'retry', from: 'prepare' })
    expect(kinds().slice(0, 4)).toEqual(['begin', 'piece', 'probe', 'piece'])
    expect(ranges()[2]).toMatch(new RegExp(`^bytes ${2 * QUANTUM}-`))
    expect(post.kind).toBe('made')
    expect(await posts()).toHaveLength(1)
  })

  test('a process that takes over sends nothing twice', async () => {
    const { post, died } = await deliver(world, inPieces(), { dieAfterRequest: 3 })
    expect({ died, kind: post.kind }).toEqual({ died: true, kind: 'made' })
    expect(kinds().filter((kind) => kind === 'begin')).toHaveLength(1)
    expect(kinds().filter((kind) => kind === 'piece')).toHaveLength(3)
  })

  test('keeps the address of the session before the first byte', async () => {
    const delivery = await openDelivery(world, inPieces(), { dieAfterStore: 1 })
    await expect(delivery.call('prepare')).rejects.toThrow()
    expect(kinds()).toEqual(['begin'])
    expect(delivery.handles().session).toContain('upload_id=')
    expect(JSON.stringify(delivery.handles())).not.toContain('ya29')
  })

  test.each([
    ['another host', 'https://example.com/?upload_id=1'],
    ['no host', '/upload?upload_id=1'],
  ])('sends the token to no address of %s', async (_, location) => {
    const delivery = await openDelivery(world, sample(), answers('prepare', 'begin', answer(200, '', { location })))
    expect((await delivery.call('prepare')).kind).toBe('retry')
    expect(delivery.handles()).toEqual({})
    await prepared(world, delivery)
  })

  test('keeps no address that repeats the token', async () => {
    const location = (token: string) => `https://www.googleapis.com/upload?a=${token}&access_token=x&upload_id=1`
    const { accessToken = '' } = world.backend.credentials
    const bad = await openDelivery(
      world,
      sample(),
      answers('prepare', 'begin', answer(200, '', { location: location(encodeURIComponent(accessToken)) })),
    )
    expect((await bad.call('prepare')).kind).toBe('retry')
    const good = await openDelivery(
      world,
      sample(),
      answers('prepare', 'begin', answer(200, '', { location: location('b') })),
    )
    await prepared(world, good)
    expect(good.handles().session).toBe('https://www.googleapis.com/upload?a=b&upload_id=1')
  })

  test('begins anew when the session is over before it could make a video', async () => {
    const delivery = await openDelivery(world, inPieces(), gone(1))
    await prepared(world, delivery)
    const first = delivery.handles().session
    await prepared(world, delivery)
    expect(delivery.handles().session).not.toBe(first)
    expect(kinds()).not.toContain('playlistItems')
  })

  test('does not go on with a session of yesterday, unless it may have made the video', async () => {
    await restart({ sessionMs: 100 * HOUR })
    const young = await openDelivery(world, sample())
    const old = await openDelivery(world, sample())
    await prepared(world, young)
    await prepared(world, old)
    old.fence()
    const [first, second] = [young.handles().session, old.handles().session]
    stage.pass(25 * HOUR)
    await prepared(world, young)
    await prepared(world, old)
    expect(young.handles().session).not.toBe(first)
    expect(old.handles().session).toBe(second)
  })

  test('waits for the next day of the quota, which costs no attempt', async () => {
    await restart({ quota: 0 })
    const delivery = await openDelivery(world, sample())
    const outcome = await delivery.call('prepare')
    if (outcome.kind !== 'retry' || !outcome.notBefore) throw new Error(JSON.stringify(outcome))
    expect(outcome).toMatchObject({ countsAsAttempt: false, message: expect.stringContaining('quota') })
    expect(outcome.message).not.toContain('<a')
    const time = { timeZone: 'America/Los_Angeles', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
    expect(new Intl.DateTimeFormat('en', time).format(outcome.notBefore)).toBe('00:01')
    const hours = (outcome.notBefore.getTime() - world.clock.now().getTime()) / HOUR
    expect(hours).toBeGreaterThan(0)
    expect(hours).toBeLessThan(25.1)
  })
})

describe('a video of more than 15 minutes', () => {
  const lasting = (durationMs: number): World => ({
    ...world,
    media: {
      ...world.media,
      of: async (media) =>
        (await world.media.of(media)).map((item): MediaToSend => ({ ...item, facts: { ...item.facts, durationMs } })),
    },
  })

  test('is refused before the upload when the channel is not verified', async () => {
    await restart({ unverified: true })
    const { post } = await deliver(lasting(901_000), sample())
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(post.kind === 'failed' && post.message).toContain('youtube.com/verify')
    expect(kinds()).toEqual(['channels'])
  })

  test('goes out when it is', async () => {
    expect((await deliver(lasting(901_000), sample())).post.kind).toBe('made')
  })

  test('others are not asked about', async () => {
    await restart({ unverified: true })
    expect((await deliver(lasting(900_000), sample())).post.kind).toBe('made')
    expect(kinds()).not.toContain('channels')
  })
})

describe('an answer to the last piece that is not clear', () => {
  test('lost, and the session has the video: it is adopted', async () => {
    const { post, log } = await deliver(world, sample(), answers('publish', 'piece', lost, { reached: true }))
    expect(steps(log)).toEqual(['ready', 'unknown', 'accepted', 'published'])
    expect(kinds()).toEqual(['begin', 'piece', 'probe', 'videos', 'videos'])
    expect(await posts()).toMatchObject([{ id: post.kind === 'made' && post.providerId }])
  })

  test('lost, and the session is over: the uploads of the channel have the video', async () => {
    const trouble = both(answers('publish', 'piece', lost, { reached: true }), gone())
    const { post, log } = await deliver(world, sample(), trouble)
    expect(steps(log)).toEqual(['ready', 'unknown', 'absent', 'accepted', 'published'])
    expect(await posts()).toMatchObject([{ id: post.kind === 'made' && post.providerId }])
  })

  test('lost, the session is over, and the channel has no such video: it begins anew', async () => {
    const { post, log } = await deliver(world, sample(), both(answers('publish', 'piece', lost), gone(3)))
    expect(steps(log)).toContain('absent')
    expect(post.kind).toBe('made')
    expect(kinds().filter((kind) => kind === 'begin')).toHaveLength(2)
    expect(await posts()).toHaveLength(1)
  })

  test('the session is over at the last piece', async () => {
    const { log } = await deliver(world, sample(), answers('publish', 'piece', answer(404), { reached: true }))
    expect(steps(log)).toEqual(['ready', 'unknown', 'accepted', 'published'])
  })

  test('a listing that comes late: found when the next try begins', async () => {
    const trouble = both(answers('publish', 'piece', lost, { reached: true }), gone())
    const delivery = await stage.fenced(sample(), trouble)
    await delivery.call('publish')
    expect((await delivery.call('find')).kind).toBe('absent')
    stage.pass(LISTING)
    expect((await delivery.call('prepare')).kind).toBe('ready')
    expect((await delivery.call('publish')).kind).toBe('accepted')
    expect(await posts()).toHaveLength(1)
  })

  test('a refusal that is not known is looked into', async () => {
    const { post, log } = await deliver(
      world,
      sample(),
      answers('publish', 'piece', apiError(400, 'badRequest'), { reached: true }),
    )
    expect(steps(log)).toEqual(['ready', 'unknown', 'accepted', 'published'])
    expect(post.kind).toBe('made')
  })

  test('a last piece that was taken in part is sent again', async () => {
    const { post, log } = await deliver(world, sample(), answers('publish', 'piece', answer(308)))
    expect(log[1]?.outcome).toMatchObject({ kind: 'retry', from: 'prepare' })
    expect(post.kind).toBe('made')
  })

  test('a playlist with a video of the same title and other words tells nothing', async () => {
    await restart({ listingMs: 0 })
    const delivery = await openDelivery(world, sample(), gone())
    await prepared(world, delivery)
    await deliver(world, sample({ caption: 'Other words' }))
    delivery.fence()
    expect((await delivery.call('find')).kind).toBe('cannot-tell')
    expect((await delivery.call('prepare')).kind).toBe('retry')
  })

  test('a playlist with an entry that cannot be read proves nothing', async () => {
    const items = [{ snippet: { title: 'Odd' }, contentDetails: { videoId: '../1' } }]
    const trouble: Trouble = {
      intercept: async ({ request, send }) =>
        kindOf(request) === 'playlistItems' ? answer(200, { kind: 'youtube#playlistItemListResponse', items }) : send(),
    }
    const delivery = await stage.fenced(sample(), both(gone(), trouble))
    expect((await delivery.call('find')).kind).toBe('cannot-tell')
  })

  test('older videos and those of other titles are none of this post', async () => {
    await restart({ listingMs: 0 })
    await deliver(world, sample())
    stage.pass(10 * 60_000)
    const delivery = await openDelivery(world, sample(), gone())
    await prepared(world, delivery)
    await deliver(world, sample({ fields: { title: 'Rolls' } }))
    delivery.fence()
    expect((await delivery.call('find')).kind).toBe('absent')
  })

  test('looks through pages of new videos, but not through all of them', async () => {
    await restart({ listingMs: 0 })
    const delivery = await openDelivery(world, sample(), {
      async intercept(exchange) {
        if (kindOf(exchange.request) === 'probe') return answer(404)
        if (kindOf(exchange.request) !== 'playlistItems') return exchange.send()
        const page = Number(new URL(exchange.request.url).searchParams.get('pageToken') ?? 0)
        const publishedAt = world.clock.now().toISOString()
        const item = { snippet: { title: 'Other', publishedAt }, contentDetails: { videoId: `video-${page}` } }
        return answer(200, { kind: 'youtube#playlistItemListResponse', items: [item], nextPageToken: String(page + 1) })
      },
    })
    await deliver(world, sample())
    await prepared(world, delivery)
    delivery.fence()
    const before = delivery.log.length
    expect((await delivery.call('find')).kind).toBe('cannot-tell')
    expect(delivery.log).toHaveLength(before + 1)
  })
})
