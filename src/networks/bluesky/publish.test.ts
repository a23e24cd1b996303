import { beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/harness.ts'
import { stageFor } from '../conformance/stages.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, fixture, lost, openStage, page } from '../kit/testing.ts'
import type { LinkPreview } from '../network.ts'
import { network } from './index.ts'
import { DAILY } from './simulator/video.ts'

const [PUT, TO_SERVER] = ['POST com.atproto.repo.putRecord', 'POST com.atproto.repo.uploadBlob']
const UPLOAD = 'POST /video/xrpc/app.bsky.video.uploadVideo'
const STATUS = 'GET /video/xrpc/app.bsky.video.getJobStatus'
const LIMITS = 'GET /video/xrpc/app.bsky.video.getUploadLimits'
const LINK = 'https://example.com'
const found = { title: 'Bread', description: 'Fresh each day', image: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) }

// A video service that has seen a video before does not work on it again.
const stage = stageFor('each', () => openStage(network, 'BLUESKY', { base: 'pds/xrpc' }))
/** Pages that were asked for, and what they say of themselves. */
let asked: string[] = []
let preview: LinkPreview | null = null

beforeEach(() => {
  stage.world.preview = async (url) => {
    asked.push(url)
    return preview
  }
  asked = []
  preview = found
})

const post = (caption: string, ...files: string[]): Sample => {
  const media = files.map((file) => ({ file, altText: `Shows ${file}` }))
  return { title: 'post', accountType: 'BLUESKY', caption, media }
}
const error = (status: number, name: string) => answer(status, { error: name, message: 'Says the service' })
const made = { kind: 'made' }
const refused = { kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' }
const sentRecord = () => stage.calls(PUT).at(-1)?.json.record as { embed?: object; createdAt: string; langs?: string[] }

/** How a post ended, the kinds of its outcomes, and how often the service and the server were sent a file. */
async function send(trouble: Trouble = {}, sample = post('Watch', 'video-short.mp4')) {
  let uploads = 0
  const { post: ending, log } = await stage.deliver(sample, {
    intercept(exchange) {
      if (exchange.request.url.includes('uploadVideo')) uploads++
      return trouble.intercept?.(exchange) ?? exchange.send()
    },
  })
  return { ending, kinds: log.map(({ outcome }) => outcome.kind), uploads, toServer: stage.calls(TO_SERVER).length }
}
/** Delivers a post that is made, and gives the record that was sent last. */
async function recordOf(sample: Sample, trouble?: Trouble) {
  const { ending, kinds } = await send(trouble, sample)
  expect(ending).toMatchObject(made)
  return { ...sentRecord(), kinds }
}
const always = (call: string, instead: HttpResult) => stage.on(call, instead, { times: 1_000 })

const thumb = { $type: 'blob', ref: { $link: expect.any(String) }, mimeType: 'image/jpeg', size: 4 }
const cardOf = (more: object = {}) => {
  const external = { uri: LINK, title: 'Bread', description: 'Fresh each day', ...more }
  return { $type: 'app.bsky.embed.external', external }
}

describe('the card of a link', () => {
  test('shows title, description and picture of the first link in the text', async () => {
    const { embed, langs } = await recordOf(post('🥖 example.com/one, https://example.org/two'))
    expect(asked).toEqual(['https://example.com/one'])
    const headers = { 'content-type': 'image/jpeg', 'content-length': '4' }
    expect(stage.calls(TO_SERVER)[0]?.request.headers).toMatchObject(headers)
    expect([embed, langs]).toEqual([cardOf({ uri: 'https://example.com/one', thumb }), undefined])
  })

  test('has what there is, and is not looked for without a link, nor beside media', async () => {
    preview = { title: 'Bread', description: '', image: null }
    expect((await recordOf(post(LINK))).embed).toEqual(cardOf({ description: '' }))
    preview = null
    expect((await recordOf(post(LINK))).embed).toBeUndefined()
    asked = []
    await recordOf(post('No link @baker.test #bread'))
    await recordOf(post(LINK, 'transparent.png'))
    expect(asked).toEqual([])
  })

  test('goes out without its picture when that meets a fault, and does not wait', async () => {
    for (const instead of [error(400, 'InvalidImage'), page(502), lost]) {
      const { embed, kinds } = await recordOf(post(LINK), stage.on(TO_SERVER, instead))
      expect([embed, kinds]).toEqual([cardOf(), ['ready', 'published']])
    }
  })

  test('keeps its picture when the sign-in has to be refreshed, and is looked for once', async () => {
    const delivery = await stage.fenced(post(LINK))
    await delivery.call('prepare')
    expect(asked).toEqual([LINK])
    const { embed } = await recordOf(post(LINK), stage.on(TO_SERVER, error(400, 'ExpiredToken')))
    expect(embed).toEqual(cardOf({ thumb }))
  })

  test.each([
    [post(LINK), cardOf({ thumb })],
    [post('', 'transparent.png'), { images: [{ image: { mimeType: 'image/png' } }] }],
  ])('is made again when the server has dropped its picture, as files are: %j', async (sample, expected) => {
    const { embed } = await recordOf(sample, stage.on(PUT, error(400, 'BlobNotFound')))
    expect(embed).toMatchObject(expected)
    expect(stage.calls(TO_SERVER)).toHaveLength(2)
  })
})

test('more than four images are a gallery: as they are, or without what they reveal about the place', async () => {
  const { account } = stage.world.backend
  stage.world.backend.account = { ...account, defaults: { languageCode: 'pt-BR' } }
  const { embed, langs } = await recordOf(post('', 'photo.jpg', ...Array(4).fill('transparent.png')))
  const $type = 'app.bsky.embed.gallery'
  const item = (file: string, mimeType: string, width: number, height: number) => {
    return { $type: `${$type}#image`, alt: `Shows ${file}`, image: { mimeType }, aspectRatio: { width, height } }
  }
  const items = [
    item('photo.jpg', 'image/jpeg', 900, 1200),
    ...Array(4).fill(item('transparent.png', 'image/png', 600, 400)),
  ]
  expect({ embed, langs }).toMatchObject({ embed: { $type, items }, langs: ['pt-BR'] })
  const [photo, plain] = stage.calls(TO_SERVER).map(({ request }) => Number(request.headers?.['content-length']))
  expect(plain).toBe((await fixture('transparent.png')).length)
  expect(photo).not.toBe((await fixture('photo.jpg')).length)
})

describe('the time of a post', () => {
  test('is that of the visible call of a post that was prepared long before', async () => {
    const delivery = await stage.fenced(post('Prepared'))
    stage.pass(30 * 60_000)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    expect(stage.world.clock.now().getTime() - Date.parse(sentRecord().createdAt)).toBeLessThan(60_000)
  })

  test('of an earlier try shows that the record is ours', async () => {
    const delivery = await stage.fenced(post('Late answer'))
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
    stage.pass(10 * 60_000)
    expect(await delivery.call('publish')).toMatchObject({ kind: 'unknown' })
    expect(await delivery.call('find')).toMatchObject({ kind: 'found' })
    expect((await stage.posts()).filter(({ text }) => text === 'Late answer')).toHaveLength(1)
  })
})

const job = (more: object) => answer(200, { jobStatus: { jobId: 'job-1', did: 'did:plc:x', ...more } })
const failed = (failureCode?: string) =>
  job({ state: 'JOB_STATE_FAILED', error: 'video processing error', failureCode })
/** Every upload becomes a job that fails. */
const failing = (code?: string) =>
  both(always(UPLOAD, job({ state: 'JOB_STATE_CREATED' })), always(STATUS, failed(code)))

test.each([
  [undefined, 'once', made, 2, 0],
  ['something_new', 'once', made, 2, 0],
  ['encoding_failure', 'again and again', refused, 4, 0],
  // It cannot reach the server, which we may.
  ['pds_upload_failure', 'again and again', made, 4, 1],
  ['validation_failure', 'once', refused, 1, 0],
  ['pds_upload_unsupported_blob_size', 'once', refused, 1, 0],
  ['unsupported_blob_size', 'once', refused, 1, 0],
])('a job that fails with the code %s, %s: %j after %i uploads, and %i to the server', async (code, times, ...ends) => {
  const { ending, uploads, toServer } = await send(times === 'once' ? stage.on(STATUS, failed(code)) : failing(code))
  expect([ending, uploads, toServer]).toEqual([expect.objectContaining(ends[0]), ...ends.slice(1)])
})

describe('what passes by itself', () => {
  const uploads: [string, string, HttpResult][] = [
    ['a 401 with the name of a dead session', UPLOAD, error(401, 'AuthMissing')],
    ['a 409 without a job', UPLOAD, error(409, 'already_exists')],
    ['an overloaded service', UPLOAD, error(400, 'ServiceOverloaded')],
    ['a page of a proxy', UPLOAD, page(403)],
    ['no answer', UPLOAD, lost],
  ]

  test.each([
    ...uploads,
    ['a 401 while the job is asked for', STATUS, error(401, 'AuthMissing')],
    ['limits that cannot be read', LIMITS, page(502)],
    ['limits that need another token', LIMITS, error(401, 'AuthMissing')],
  ])('%s', async (_, call, instead) => {
    const sent = await send(stage.on(call, instead))
    expect(sent).toMatchObject({ ending: made, toServer: 0 })
    expect(sent.kinds).not.toContain('reconnect')
    const tokens = stage.calls(UPLOAD).map(({ request }) => request.headers?.authorization)
    expect(new Set(tokens).size).toBe(tokens.length)
  })

  test.each(uploads)('%s, again and again: the server is asked', async (_, call, instead) => {
    const sent = await send(always(call, instead))
    expect(sent).toMatchObject({ ending: made, uploads: 4, toServer: 1 })
    expect(sent.kinds).not.toContain('reconnect')
  })
})

describe('who is asked first', () => {
  const forbidding = () => stage.on(UPLOAD, error(403, 'UploadForbidden'))
  const mailMissing = answer(200, { canUpload: false, error: 'unconfirmed_email' })
  test.each<[string, string, HttpResult, object, number]>([
    ['the server, when the service refuses the account', UPLOAD, error(403, 'UploadForbidden'), made, 1],
    ['the server, when the service says so beforehand', LIMITS, mailMissing, made, 1],
    ['the server, when the service takes no file of this size', UPLOAD, error(413, 'PayloadTooLarge'), made, 1],
    ['no one else, when the service does not take the file', UPLOAD, error(400, 'VideoTooLong'), refused, 0],
  ])('%s', async (_, call, instead, ending, toServer) => {
    const sent = await send(stage.on(call, instead))
    expect(sent).toMatchObject({ ending, toServer })
    expect(sent.kinds).not.toContain('retry')
    expect(stage.calls(LIMITS).length + Number(call === LIMITS)).toBe(1)
  })

  test('no one else, when the service refuses an account of one of its own servers', async () => {
    const { world } = stage
    const { backend, http } = world
    const own = 'https://morel.us-east.host.bsky.network'
    world.backend = { ...backend, endpoints: { ...backend.endpoints, pds: own } }
    world.http = (request) => http({ ...request, url: request.url.replace(own, backend.endpoints.pds ?? '') })
    const { ending } = await send(forbidding())
    expect(ending).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED' })
  })

  const mp4 = { $type: 'app.bsky.embed.video', video: { mimeType: 'video/mp4' }, alt: 'Shows animated.gif' }
  const picture = { images: [{ image: { mimeType: 'image/jpeg' } }] }
  test.each<[string, string, object, (() => Trouble)?]>([
    ['a GIF goes out as a video that is shown as one', 'animated.gif', { ...mp4, presentation: 'gif' }],
    ['a WebM goes out as a video', 'video-vp9.webm', expect.not.objectContaining({ presentation: 'gif' })],
    ['the first picture of a GIF goes out when the service does not take it', 'animated.gif', picture, forbidding],
  ])('%s', async (_, file, embed, trouble) => {
    expect(await recordOf(post('Watch', file), trouble?.())).toMatchObject({ embed })
  })

  test('a video that the server alone is left for, and that has no MP4, is not sent', async () => {
    const { ending } = await send(forbidding(), post('Watch', 'video-vp9.webm'))
    const message = expect.stringMatching(/The video has no MP4\. .* did not take the video before/)
    expect(ending).toMatchObject({ ...refused, message })
  })
})

test.each([
  ['no videos', { canUpload: true, remainingDailyVideos: 0 }],
  ['too few bytes', { canUpload: true, remainingDailyBytes: 10 }],
  ['nothing, without a reason', { canUpload: false }],
])('the limits of the day: with %s left it waits an hour, and nothing is uploaded', async (_, limits) => {
  const delivery = await stage.open(post('Watch', 'video-short.mp4'), stage.on(LIMITS, answer(200, limits)))
  const hour = stage.world.clock.now().getTime() + 3_600_000
  const outcome = await delivery.call('prepare')
  expect(outcome).toMatchObject({ kind: 'retry', countsAsAttempt: false })
  expect(outcome.kind === 'retry' && outcome.notBefore?.getTime()).toBeGreaterThanOrEqual(hour)
  expect(stage.calls(UPLOAD)).toEqual([])
})

describe('the simulated service', () => {
  const [TO_SERVICE, LIMITS_METHOD] = ['com.atproto.repo.uploadBlob', 'app.bsky.video.getUploadLimits']
  const serverDid = () => `did:web:${encodeURIComponent(new URL(stage.world.backend.endpoints.pds ?? '').host)}`
  async function tokenFor(lxm: string, aud = serverDid()) {
    const query = new URLSearchParams({ aud, lxm })
    const token = stage.world.backend.credentials.accessJwt ?? ''
    const asked = await stage.api(`GET com.atproto.server.getServiceAuth?${query}`, undefined, { token })
    return String(asked.json.token)
  }
  async function upload(body: Uint8Array, token?: string) {
    return stage.api(`${UPLOAD}?did={me}&name=a.mp4`, undefined, { token: token ?? (await tokenFor(TO_SERVICE)), body })
  }
  /** The video with a box behind it that no one reads: another file. */
  const variant = async (name: string) =>
    Buffer.concat([await fixture('video-short.mp4'), Buffer.from(`\0\0\0\x0cfree${name}`)])

  test('of the same bytes that arrive twice at once, one has no job yet', async () => {
    const video = await variant('once')
    const answers = await Promise.all([upload(video), upload(video)])
    const [one, other] = answers.sort((a, b) => a.status - b.status)
    expect(one).toMatchObject({ status: 200, json: { jobStatus: { jobId: expect.any(String) } } })
    expect(other).toMatchObject({ status: 409, json: { error: 'already_exists', message: 'Video is being uploaded' } })
    expect(other?.json).not.toHaveProperty('jobId')
  })

  test('fails a file that was cut off', async () => {
    const { json } = await upload((await fixture('video-short.mp4')).subarray(0, -100))
    stage.pass(2_000)
    const status = await stage.api(`${STATUS}?jobId=${(json.jobStatus as { jobId: string }).jobId}`)
    expect(status.json).toMatchObject({ jobStatus: { state: 'JOB_STATE_FAILED', failureCode: 'validation_failure' } })
  })

  test.each<[string, () => Uint8Array | Promise<Buffer>, number, string, [method: string, server?: string]?]>([
    ['takes 300 MB and no more', () => new Uint8Array(300_000_001), 400, 'VideoTooLarge'],
    ['takes nothing but videos', () => fixture('photo.jpg'), 400, 'UnsupportedVideo'],
    ['takes no token for another method', () => variant('m'), 401, 'BadJwtLexiconMethod', [LIMITS_METHOD]],
    ['takes no token for another server', () => variant('s'), 401, 'BadJwtAudience', [TO_SERVICE, 'did:web:a.example']],
  ])('%s', async (_, file, status, error, token) => {
    expect(await upload(await file(), token && (await tokenFor(...token)))).toMatchObject({ status, json: { error } })
  })

  test('counts what an account uploads on a day', async () => {
    const token = await tokenFor(LIMITS_METHOD)
    const limits = async () => (await stage.api(LIMITS, undefined, { token })).json
    expect(await limits()).toMatchObject({ canUpload: true, remainingDailyVideos: DAILY.videos })
    for (let nth = 0; nth < DAILY.videos; nth++) {
      expect((await upload(await variant(String(nth).padStart(4)))).status).toBe(200)
    }
    expect(await limits()).toMatchObject({ canUpload: false, error: 'DailyLimitExceeded', remainingDailyVideos: 0 })
    expect(await upload(await variant('last'))).toMatchObject({ status: 400, json: { error: 'DailyLimitExceeded' } })
  })
})

describe('who may reply and quote', () => {
  const WRITES = 'POST com.atproto.repo.applyWrites'
  const gated = (options: object): Sample => ({ ...post('Bread'), fields: { options } })
  const writes = () => stage.calls(WRITES).at(-1)?.json.writes as { collection: string; rkey: string; value: object }[]

  test('stands beside the post, in the same commit and under the same key', async () => {
    const { result } = await stage.deliver(gated({ replyAudience: ['FOLLOWING', 'MENTIONED'], allowQuotes: false }))
    const [own, threadgate, postgate] = writes()
    const { createdAt } = Object(own?.value)
    expect(own).toMatchObject({ collection: 'app.bsky.feed.post', value: { text: 'Bread' } })
    const beside = { post: result.providerId, createdAt }
    const allow = ['mentionRule', 'followingRule'].map((rule) => ({ $type: `app.bsky.feed.threadgate#${rule}` }))
    const embeddingRules = [{ $type: 'app.bsky.feed.postgate#disableRule' }]
    expect(threadgate).toMatchObject({ rkey: own?.rkey, value: { ...beside, allow } })
    expect(postgate).toMatchObject({ rkey: own?.rkey, value: { ...beside, embeddingRules } })
    expect(stage.calls(PUT)).toEqual([])
  })

  test('no one replies where the list is empty; where nothing is chosen, or all may quote, there are no further records', async () => {
    await stage.deliver(gated({ replyAudience: [] }))
    expect(writes()[1]).toMatchObject({ collection: 'app.bsky.feed.threadgate', value: { allow: [] } })
    await stage.deliver(gated({ allowQuotes: true }))
    expect(sentRecord()).toMatchObject({ text: 'Bread' })
  })

  test('of a thread goes by the first part', async () => {
    const thread = [{ caption: 'Two', media: [] }]
    await stage.deliver({ ...gated({ replyAudience: ['FOLLOWERS'], allowQuotes: false }), thread })
    const [own, , ...gates] = writes()
    expect(gates.map(({ rkey }) => rkey)).toEqual([own?.rkey, own?.rkey])
  })

  test('is there once when the answer is lost', async () => {
    const { post: ending } = await stage.deliver(
      gated({ replyAudience: [] }),
      stage.on(WRITES, lost, { reached: true }),
    )
    expect(ending).toMatchObject(made)
    expect(await stage.posts()).toHaveLength(1)
  })
})
