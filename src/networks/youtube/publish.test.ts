import { afterAll, afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, checked, fixture, kindsOf, lost, prepared, type Stage } from '../kit/testing.ts'
import { QUANTUM } from './api.ts'
import { connector } from './publish.ts'
import { always, answers, apiError, gone, kindOf, listOf, longFile, losesAnswer, openStage, sample } from './testing.ts'

const HOUR = 3_600_000
const long = await longFile()
afterAll(long.remove)

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const kinds = () => stage.sent.map(kindOf)
const begun = () => kinds().filter((kind) => kind === 'begin').length
const ranges = () => stage.sent.flatMap(({ headers }) => headers?.['content-range'] ?? [])
const inPieces = () => sample({ media: [{ file: long.file }] })

describe('an upload', () => {
  test('says what the post says, and what was chosen for the channel', async () => {
    const { backend } = stage.world
    const defaults = { category: '26', madeForKids: true, notifySubscribers: false }
    backend.account = { ...backend.account, defaults }
    await stage.deliver(sample({ fields: { privacy: 'UNLISTED' } }))
    const [begin] = stage.exchanged
    const query = { uploadType: 'resumable', part: 'snippet,status', notifySubscribers: 'false' }
    expect(Object.fromEntries(begin?.query ?? [])).toEqual(query)
    const snippet = { title: 'Bread', description: 'How we bake', categoryId: '26' }
    const status = { privacyStatus: 'unlisted', selfDeclaredMadeForKids: true }
    expect(begin?.json).toEqual({ snippet, status })
  })

  test('sends all but the last piece before the fence, and goes on where the network has taken a part', async () => {
    const delivery = await stage.fenced(inPieces())
    const total = long.bytes
    const before = [`bytes 0-${3 * QUANTUM - 1}/${total}`, `bytes ${2 * QUANTUM}-${3 * QUANTUM - 1}/${total}`]
    expect(ranges()).toEqual(before)
    expect(await stage.posts()).toEqual([])
    expect(await kindsOf(delivery, 'publish')).toBe('accepted')
    expect(ranges()).toEqual([...before, `bytes ${3 * QUANTUM}-${total - 1}/${total}`])
  })

  test('goes on behind what has arrived when a piece breaks off', async () => {
    const breaks = answers('prepare', 'piece', apiError(503, 'backendError'), { reached: true })
    expect((await stage.deliver(inPieces(), breaks)).post.kind).toBe('made')
    expect(kinds().slice(0, 5)).toEqual(['begin', 'piece', 'probe', 'piece', 'piece'])
  })

  test('tries again later when a piece was not taken', async () => {
    const delivery = await stage.open(inPieces(), answers('prepare', 'piece', answer(308)))
    expect(await kindsOf(delivery, 'prepare')).toBe('retry')
  })

  const google = 'https://www.googleapis.com/up'
  test.each<[string, (token: string) => string, string | null]>([
    ['of another host', () => 'https://example.com/?upload_id=1', null],
    ['of no host', () => '/upload?upload_id=1', null],
    ['that repeats the token', (token) => `${google}?a=${encodeURIComponent(token)}`, null],
    ['with a parameter for it', () => `${google}?access_token=x&a=b`, `${google}?a=b`],
  ])('sends no token to an address %s, and keeps none', async (_, location, kept) => {
    const { accessToken = '' } = stage.world.backend.credentials
    const named = answers('prepare', 'begin', answer(200, '', { location: location(accessToken) }))
    const delivery = await stage.open(sample(), named)
    expect(await kindsOf(delivery, 'prepare')).toBe(kept === null ? 'retry' : 'ready')
    expect(delivery.handles().session ?? null).toBe(kept)
  })

  test.each([
    ['ends with a session that is over before it could make a video', answer(404), 0, false],
    ['ends with a session of yesterday', answer(308), 25, false],
    ['goes on with a session of yesterday that may have made the video', answer(308), 25, true],
  ])('%s', async (_, probed, hours, isFenced) => {
    const delivery = await stage.open(sample(), answers('prepare', 'probe', probed))
    await prepared(stage.world, delivery)
    if (isFenced) delivery.fence()
    const first = delivery.handles().session
    stage.pass(hours * HOUR)
    await prepared(stage.world, delivery)
    expect(delivery.handles().session === first).toBe(isFenced)
    expect(kinds()).not.toContain('playlistItems')
  })
})

const channel = (longUploadsStatus: string) => listOf('channel', [{ id: 'UC', status: { longUploadsStatus } }])
const tooLong = { kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR', message: expect.stringContaining('/verify') }
const goesOut = { kind: 'made' }
test.each([
  ['more than 15 minutes, of a channel that is not verified, is refused', 900_001, channel('eligible'), tooLong],
  ['more than 15 minutes, of one that may have no longer ones, is refused', 900_001, channel('disallowed'), tooLong],
  ['more than 15 minutes goes out when it is verified', 900_001, channel('allowed'), goesOut],
  ['more than 15 minutes goes out when it may not be read', 900_001, apiError(403, 'insufficientPermissions'), goesOut],
  ['15 minutes is not asked about', 900_000, channel('eligible'), goesOut],
])('a video of %s', async (_, durationMs, answered, ending) => {
  const [video] = await stage.world.media.of(sample().media ?? [])
  if (!video) throw new Error('The fixture is gone.')
  stage.world.media.of = async () => [{ ...video, facts: { ...video.facts, durationMs } }]
  const { post } = await stage.deliver(sample(), answers('prepare', 'channels', answered))
  expect(post).toMatchObject(ending)
  expect(begun()).toBe(ending === tooLong ? 0 : 1)
})

describe('an answer to the last piece that is not clear', () => {
  const instead = (result: HttpResult, reached = true) => answers('publish', 'piece', result, { reached })
  const taken = 'unknown accepted published'
  const more = answer(308, '', { range: 'bytes=0-999999999' })
  test.each<[string, Trouble, string, number?]>([
    ['lost, and the session has the video: it is adopted', losesAnswer(), taken],
    ['lost, and the session too', both(losesAnswer(), gone()), 'unknown absent accepted published'],
    ['that the session is over', instead(answer(404)), taken],
    ['a refusal that is not known', instead(apiError(400, 'badRequest')), taken],
    ['more than the file has', instead(more), taken],
    ['a part alone was taken', instead(answer(308), false), 'retry ready accepted accepted published'],
    [
      'lost, the session is over, and the channel has no such video: it begins again',
      both(instead(lost, false), gone(3)),
      'unknown absent absent ready accepted accepted published',
      2,
    ],
  ])('%s', async (_, trouble, expected, sessions = 1) => {
    const { post, log } = await stage.deliver(sample(), trouble)
    expect(log.map(({ outcome }) => outcome.kind).join(' ')).toBe(`ready ${expected}`)
    expect(await stage.posts()).toMatchObject([{ id: post.kind === 'made' && post.providerId }])
    expect(begun()).toBe(sessions)
  })

  test('a listing that comes late: found when the next try begins', async () => {
    const delivery = await stage.fenced(sample(), both(losesAnswer(), gone()))
    expect(await kindsOf(delivery, 'publish find')).toBe('unknown absent')
    stage.pass(stage.world.network.manifest.listingDelayMs)
    expect(await kindsOf(delivery, 'prepare publish')).toBe('ready accepted')
    expect(await stage.posts()).toHaveLength(1)
  })

  /** Behind the fence, however long the tests before take. */
  const soon = new Date(Date.now() + HOUR).toISOString()
  const upload = (more: object = {}, videoId = 'video-1') => ({
    snippet: { title: 'Bread', description: 'How we bake', publishedAt: soon, ...more },
    contentDetails: { videoId },
  })
  const older = upload({ publishedAt: new Date(Date.now() - HOUR).toISOString() })
  const other = upload({ title: 'Rolls' })
  test.each<[string, unknown[], string | null, string]>([
    ['the video, and older ones', [upload(), older], null, 'accepted'],
    ['several videos that are the same', [upload(), upload({}, 'video-2')], null, 'cannot-tell'],
    ['a video of the same title and other words', [upload({ description: 'Rolls' })], null, 'cannot-tell'],
    ['a playlist with an entry that cannot be read proves nothing', [upload({}, '../1')], null, 'cannot-tell'],
    ['more new videos than are looked through', [other], '1', 'cannot-tell'],
    ['a page of older ones, behind which nothing is new', [older], '1', 'absent'],
    ['videos of other titles', [other], null, 'absent'],
  ])('the uploads of the channel: %s', async (_, items, nextPageToken, kind) => {
    const playlist = always(null, 'playlistItems', listOf('playlistItem', items, { nextPageToken }))
    const delivery = await stage.fenced(sample(), both(gone(), playlist))
    const { session } = delivery.handles()
    const next = kind === 'cannot-tell' ? 'retry' : 'ready'
    expect(await kindsOf(delivery, 'find prepare')).toBe(`${kind} ${next}`)
    expect(delivery.handles().session === session).toBe(kind !== 'absent')
  })
})

const set = () => stage.sent.filter((request) => kindOf(request) === 'set')

describe('a thumbnail', () => {
  const withImage = (file = 'photo.jpg') => sample({ media: [{ file }, { file: 'video-short.mp4' }] })
  const limited = (seconds: string) => apiError(429, 'uploadRateLimitExceeded', { 'retry-after': seconds })

  test.each([
    ['photo.jpg', 'image/jpeg'],
    ['transparent.png', 'image/png'],
    ['animated.gif', 'image/jpeg'],
  ])('%s becomes the thumbnail, once, behind the video', async (file, type) => {
    const { post, followUp } = await stage.deliver(withImage(file))
    expect([post.kind, followUp?.kind]).toEqual(['made', 'made'])
    expect(await stage.posts()).toMatchObject([{ media: 2 }])
    expect(set().map(({ headers }) => headers?.['content-type'])).toEqual([type])
    const id = post.kind === 'made' ? post.providerId : null
    expect(new URL(set()[0]?.url ?? '').searchParams.get('videoId')).toBe(id)
  })

  test('without an image nothing is sent', async () => {
    expect((await stage.deliver(sample())).followUp).toBeNull()
  })

  test.each([
    ['a broken connection', lost],
    ['a success of another shape', answer(200, { surprise: [] })],
    ['an expired token', apiError(401, 'authError')],
    ['too many requests', limited('60')],
  ])('is set again after %s', async (_, result) => {
    expect((await stage.deliver(withImage(), answers('send', 'set', result))).followUp?.kind).toBe('made')
    expect(await stage.posts()).toMatchObject([{ media: 2 }])
  })

  test.each([
    ['for a channel that may have none', apiError(403, 'forbidden'), 'youtube.com/verify'],
    ['for an image that is refused', apiError(400, 'invalidImage'), '1280x720'],
    ['until the next day of the quota', apiError(403, 'quotaExceeded'), 'Studio'],
    ['for an hour', limited('3600'), 'Studio'],
  ])('that is not set %s leaves the post, and its result does not wait', async (_, result, words) => {
    const began = stage.world.clock.now().getTime()
    const { post, followUp } = await stage.deliver(withImage(), answers('send', 'set', result))
    expect(post.kind).toBe('made')
    expect(followUp).toMatchObject({ kind: 'failed', message: expect.stringContaining(words) })
    expect(stage.world.clock.now().getTime() - began).toBeLessThan(60_000)
  })

  test('is given up after a few waits: each is an attempt', async () => {
    const { followUp, log } = await stage.deliver(withImage(), always('send', 'set', limited('60')))
    expect(followUp?.kind).toBe('failed')
    const waits = log.filter(({ step }) => step === 'send').map(({ outcome }) => outcome)
    for (const wait of waits) expect(wait).toMatchObject({ kind: 'retry', countsAsAttempt: true })
  })
})

describe('the thumbnail of a Short', () => {
  const short = sample({ media: [{ file: 'photo.jpg' }, { file: 'video-h264-aac.mp4' }] })
  async function live(trouble?: Trouble) {
    const { post, followUp } = await stage.deliver(short)
    const videoId = (post.kind === 'made' && post.providerId) || ''
    const delivery = await stage.open(short, trouble)
    return { followUp, videoId, cover: () => delivery.cover(videoId) }
  }

  test('is set behind the result, when all work on the video is done', async () => {
    const { followUp, videoId, cover } = await live()
    expect(followUp).toBeNull()
    expect(await cover()).toMatchObject({ kind: 'later', message: expect.stringContaining('at work') })
    expect([set(), await stage.posts()]).toMatchObject([[], [{ media: 1 }]])
    stage.pass(20_000)
    expect(await cover()).toEqual({ kind: 'set' })
    expect(await stage.posts()).toMatchObject([{ media: 2 }])
    expect(set().map(({ url }) => new URL(url).searchParams.get('videoId'))).toEqual([videoId])
  })

  test('that comes too early is taken and lost', async () => {
    const { videoId } = await live()
    const route = `POST /api/upload/youtube/v3/thumbnails/set?uploadType=media&videoId=${videoId}`
    const { status, json } = await stage.api(route, undefined, { body: await fixture('photo.jpg') })
    expect(status).toBe(200)
    expect(JSON.stringify(json)).not.toContain('shortsAspectRatio')
    expect(await stage.posts()).toMatchObject([{ media: 1 }])
  })

  test.each([
    ['is not asked about', answers('find', 'videos', lost), 'later', ''],
    ['of a video that is not there', answers('find', 'videos', listOf('video', [])), 'later', 'does not know'],
    ['is lost on its way', answers('find', 'set', lost), 'later', ''],
    ['is over the quota of the day', answers('find', 'set', apiError(403, 'quotaExceeded')), 'later', 'quota'],
    ['finds the token refused', answers('find', 'set', apiError(401, 'authError')), 'later', ''],
    ['is for a channel that may have none', answers('find', 'set', apiError(403, 'forbidden')), 'missing', '/verify'],
    ['is refused', answers('find', 'set', apiError(400, 'invalidImage')), 'missing', '1280x720'],
    ['is not named', answers('find', 'set', answer(200, { items: [{ default: {} }] })), 'missing', 'all the same'],
  ])('that %s', async (_, trouble, kind, words) => {
    const { cover } = await live(trouble)
    stage.pass(60_000)
    expect(await cover()).toMatchObject({ kind, message: expect.stringContaining(words) })
  })

  test.each([
    ['upright, three minutes', { durationMs: 180_000, width: 720, height: 1280 }, true],
    ['square', { durationMs: 1_000, width: 720, height: 720 }, true],
    ['longer than three minutes', { durationMs: 180_001, width: 720, height: 1280 }, false],
    ['wider than high', { durationMs: 1_000, width: 721, height: 720 }, false],
    ['of no known length', { durationMs: null, width: 720, height: 1280 }, false],
  ])('a video that is %s', (_, facts, isShort) => {
    const media = [checked({ type: 'VIDEO', ...facts }), checked({})]
    const post = { accountType: 'YOUTUBE', caption: '', fields: {}, media } as const
    expect(connector.lateCover?.wanted(post)).toBe(isShort)
    expect(connector.parts?.(post)).toHaveLength(isShort ? 0 : 1)
    expect(connector.lateCover?.wanted({ ...post, media: media.slice(0, 1) })).toBe(false)
  })
})
