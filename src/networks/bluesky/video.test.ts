import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/harness.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, both, fixture, lost, openStage, page, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { DAILY } from './simulator/video.ts'

const UPLOAD = 'POST /video/xrpc/app.bsky.video.uploadVideo'
const STATUS = 'GET /video/xrpc/app.bsky.video.getJobStatus'
const LIMITS = 'GET /video/xrpc/app.bsky.video.getUploadLimits'
const TO_SERVER = 'POST com.atproto.repo.uploadBlob'

let stage: Stage
// A service that has seen a video before does not work on it again.
beforeEach(async () => {
  stage = await openStage(network, 'BLUESKY', { base: 'pds/xrpc' })
})
afterEach(() => stage?.close())

const post = (file = 'video-short.mp4'): Sample => {
  const media = [{ file, altText: 'A loaf turns' }]
  return { title: 'post', accountType: 'BLUESKY', caption: 'Watch', media }
}
const error = (status: number, name: string) => answer(status, { error: name, message: 'Says the service' })
const job = (more: object) => answer(200, { jobStatus: { jobId: 'job-1', did: 'did:plc:x', ...more } })
const failed = (failureCode?: string) =>
  job({ state: 'JOB_STATE_FAILED', error: 'video processing error', failureCode })
const made = { kind: 'made' }
const refused = { kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' }

/** How the post ended, the kinds of its outcomes, and how often the service and the server were sent the file. */
async function send(trouble?: Trouble, file?: string) {
  let uploads = 0
  const { post: ending, log } = await stage.deliver(post(file), {
    intercept(exchange) {
      if (exchange.request.url.includes('uploadVideo')) uploads++
      return trouble?.intercept?.(exchange) ?? exchange.send()
    },
  })
  return { ending, kinds: log.map(({ outcome }) => outcome.kind), uploads, toServer: stage.calls(TO_SERVER).length }
}
const always = (call: string, instead: HttpResult) => stage.on(call, instead, { times: 1_000 })
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
  const mailMissing = answer(200, { canUpload: false, error: 'unconfirmed_email' })
  test.each<[string, string, HttpResult, object, number]>([
    ['the server, when the service refuses the account', UPLOAD, error(403, 'UploadForbidden'), made, 1],
    ['the server, when the service says so beforehand', LIMITS, mailMissing, made, 1],
    ['the server, when the service takes no file of this size', UPLOAD, error(413, 'PayloadTooLarge'), made, 1],
    ['nobody else, when the service does not take the file', UPLOAD, error(400, 'VideoTooLong'), refused, 0],
  ])('%s', async (_, call, instead, ending, toServer) => {
    const sent = await send(stage.on(call, instead))
    expect(sent).toMatchObject({ ending, toServer })
    expect(sent.kinds).not.toContain('retry')
    expect(stage.calls(LIMITS).length + Number(call === LIMITS)).toBe(1)
  })

  test('nobody else, when the service refuses an account of one of its own servers', async () => {
    const { world } = stage
    const { backend, http } = world
    const own = 'https://morel.us-east.host.bsky.network'
    world.backend = { ...backend, endpoints: { ...backend.endpoints, pds: own } }
    world.http = (request) => http({ ...request, url: request.url.replace(own, backend.endpoints.pds ?? '') })
    const { ending } = await send({
      intercept: async ({ request, send }) =>
        request.url.includes('uploadVideo') ? error(403, 'UploadForbidden') : send(),
    })
    expect(ending).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED' })
  })

  const image = { mimeType: 'image/jpeg' }
  const mp4 = { $type: 'app.bsky.embed.video', video: { mimeType: 'video/mp4' }, alt: 'A loaf turns' }
  test.each<[string, string, object, number?]>([
    ['a GIF goes out as a video that is shown as one', 'animated.gif', { ...mp4, presentation: 'gif' }],
    ['a WebM goes out as a video', 'video-vp9.webm', expect.not.objectContaining({ presentation: 'gif' })],
    [
      'the first picture of a GIF goes out when the service does not take it',
      'animated.gif',
      { images: [{ image }] },
      403,
    ],
  ])('%s', async (_, file, embed, refusal) => {
    const { ending } = await send(refusal ? stage.on(UPLOAD, error(refusal, 'UploadForbidden')) : {}, file)
    expect(ending).toMatchObject(made)
    expect(stage.calls('POST com.atproto.repo.putRecord')[0]?.json.record).toMatchObject({ embed })
  })

  test('a video that the server alone is left for, and that has no MP4, is not sent', async () => {
    const { ending } = await send(stage.on(UPLOAD, error(403, 'UploadForbidden')), 'video-vp9.webm')
    const message = expect.stringMatching(/The video has no MP4\. .* did not take the video before/)
    expect(ending).toMatchObject({ ...refused, message })
  })
})

test.each([
  ['no videos', { canUpload: true, remainingDailyVideos: 0 }],
  ['too few bytes', { canUpload: true, remainingDailyBytes: 10 }],
  ['nothing, without a reason', { canUpload: false }],
])('the limits of the day: with %s left it waits an hour, and nothing is uploaded', async (_, limits) => {
  const delivery = await stage.open(post(), stage.on(LIMITS, answer(200, limits)))
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
