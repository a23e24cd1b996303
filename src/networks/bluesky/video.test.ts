import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Trouble } from '../conformance/delivery.ts'
import type { Sample } from '../conformance/harness.ts'
import { type HttpResult, isRead } from '../kit/http.ts'
import { answer, both, lost, openStage, page, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { DAILY, MAX_BYTES } from './simulator/video.ts'

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

const post = (file = 'video-short.mp4'): Sample => ({
  title: 'post',
  accountType: 'BLUESKY',
  caption: 'Watch',
  media: [{ file, altText: 'A loaf turns' }],
})
const error = (status: number, name: string) => answer(status, { error: name, message: 'Says the service' })
const job = (more: object) => answer(200, { jobStatus: { jobId: 'job-1', did: 'did:plc:x', ...more } })
const failed = (failureCode?: string) =>
  job({ state: 'JOB_STATE_FAILED', error: 'video processing error', ...(failureCode ? { failureCode } : {}) })
const ALWAYS = { times: 1_000 }
const made = { kind: 'made' }

describe('a job that fails', () => {
  test.each([[undefined], ['encoding_failure'], ['generic_failure'], ['pds_upload_failure'], ['something_new']])(
    'with the code %s is begun again',
    async (code) => {
      const delivered = await stage.deliver(post(), stage.on(STATUS, failed(code)))
      expect(delivered.post).toMatchObject(made)
      expect(stage.calls(UPLOAD)).toHaveLength(2)
      expect(stage.calls(TO_SERVER)).toEqual([])
    },
  )

  test.each([[undefined], ['encoding_failure']])('again and again with the code %s ends the post', async (code) => {
    const trouble = both(
      stage.on(UPLOAD, job({ state: 'JOB_STATE_CREATED' }), ALWAYS),
      stage.on(STATUS, failed(code), ALWAYS),
    )
    const uploads = counted(trouble, UPLOAD)
    const delivered = await stage.deliver(post(), uploads.trouble)
    expect(delivered.post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(uploads.count()).toBe(4)
    expect(stage.calls(TO_SERVER)).toEqual([])
  })

  test('because it cannot reach the server ends there in the end', async () => {
    const trouble = both(
      stage.on(UPLOAD, job({ state: 'JOB_STATE_CREATED' }), ALWAYS),
      stage.on(STATUS, failed('pds_upload_failure'), ALWAYS),
    )
    const delivered = await stage.deliver(post(), trouble)
    expect(delivered.post).toMatchObject(made)
    expect(stage.calls(TO_SERVER)).toHaveLength(1)
  })

  test.each(['validation_failure', 'pds_upload_unsupported_blob_size', 'unsupported_blob_size'])(
    'with the code %s is final',
    async (code) => {
      const delivered = await stage.deliver(post(), stage.on(STATUS, failed(code)))
      expect(delivered.post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
      expect(delivered.log.filter(({ outcome }) => outcome.kind === 'retry')).toEqual([])
      expect(stage.calls(TO_SERVER)).toEqual([])
    },
  )
})

describe('what passes by itself', () => {
  const passing: [string, string, HttpResult][] = [
    ['a 401 with the name of a dead session', UPLOAD, error(401, 'AuthMissing')],
    ['a 401 of another kind', UPLOAD, error(401, 'Unauthorized')],
    ['a 409 without a job', UPLOAD, error(409, 'already_exists')],
    ['an overloaded service', UPLOAD, error(400, 'ServiceOverloaded')],
    ['a refusal that is not known', UPLOAD, error(418, 'SomethingNew')],
    ['a page of a proxy', UPLOAD, page(403)],
    ['a fault of the service', UPLOAD, error(500, 'InternalServerError')],
    ['no answer', UPLOAD, lost],
    ['a 401 while the job is asked for', STATUS, error(401, 'AuthMissing')],
    ['a job that is not known any more', STATUS, error(404, 'JobNotFound')],
    ['limits that cannot be read', LIMITS, page(502)],
    ['limits that need another token', LIMITS, error(401, 'AuthMissing')],
  ]

  test.each(passing)('%s', async (_, call, instead) => {
    const delivered = await stage.deliver(post(), stage.on(call, instead))
    expect(delivered.post).toMatchObject(made)
    expect(delivered.log.map(({ outcome }) => outcome.kind)).not.toContain('reconnect')
    expect(stage.calls(TO_SERVER)).toEqual([])
    const tokens = stage.calls(UPLOAD).map(({ request }) => request.headers?.authorization)
    expect(new Set(tokens).size).toBe(tokens.length)
  })

  test.each(passing.filter(([, call]) => call === UPLOAD))(
    '%s, again and again: the server is asked',
    async (_, call, instead) => {
      const uploads = counted(stage.on(call, instead, ALWAYS), UPLOAD)
      const delivered = await stage.deliver(post(), uploads.trouble)
      expect(delivered.post).toMatchObject(made)
      expect(delivered.log.map(({ outcome }) => outcome.kind)).not.toContain('reconnect')
      expect(uploads.count()).toBe(4)
      expect(stage.calls(TO_SERVER)).toHaveLength(1)
    },
  )
})

describe('who is asked first', () => {
  test.each([{}, { video: 'server' }, { video: 'service' }])(
    'the video service, for every account: credentials with %j',
    async (more) => {
      const { world } = stage
      const { backend } = world
      world.backend = { ...backend, credentials: { ...backend.credentials, ...more } }
      const delivered = await stage.deliver(post())
      world.backend = backend
      expect(delivered.post).toMatchObject(made)
      expect(stage.calls(LIMITS)).toHaveLength(1)
      expect(stage.calls(UPLOAD)).toHaveLength(1)
      expect(stage.calls(TO_SERVER)).toEqual([])
    },
  )

  test.each([
    ['refuses the account', UPLOAD, error(403, 'UploadForbidden')],
    ['says so beforehand', LIMITS, answer(200, { canUpload: false, error: 'unconfirmed_email' })],
    ['takes no file of this size at once', UPLOAD, answer(413, { error: 'PayloadTooLarge', message: 'too large' })],
  ])('the server, when the service %s', async (_, call, instead) => {
    const delivered = await stage.deliver(post(), stage.on(call, instead))
    expect(delivered.post).toMatchObject(made)
    expect(delivered.log.filter(({ outcome }) => outcome.kind === 'retry')).toEqual([])
    expect(stage.calls(TO_SERVER)).toHaveLength(1)
  })

  test('nobody else, when the service refuses an account of one of its own servers', async () => {
    const { world } = stage
    const { backend, http } = world
    const pds = backend.endpoints.pds ?? ''
    const own = 'https://morel.us-east.host.bsky.network'
    world.backend = { ...backend, endpoints: { ...backend.endpoints, pds: own } }
    world.http = (request) => http({ ...request, url: request.url.replace(own, pds) })
    const delivered = await stage.deliver(post(), {
      intercept: ({ request, send }) =>
        request.url.includes('uploadVideo') ? Promise.resolve(error(403, 'UploadForbidden')) : send(),
    })
    Object.assign(world, { backend, http })
    expect(delivered.post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED' })
  })

  test.each(['VideoTooLong', 'VideoTooLarge', 'BadAspectRatio', 'UnsupportedVideo'])(
    'nobody else, when the service finds the file wrong: %s',
    async (name) => {
      const delivered = await stage.deliver(post(), stage.on(UPLOAD, error(400, name)))
      expect(delivered.post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
      expect(stage.calls(TO_SERVER)).toEqual([])
    },
  )

  test('the first picture of a GIF goes out when the service does not take it', async () => {
    const delivered = await stage.deliver(post('animated.gif'), stage.on(UPLOAD, error(403, 'UploadForbidden')))
    expect(delivered.post).toMatchObject(made)
    const [put] = stage.calls('POST com.atproto.repo.putRecord')
    expect(put?.json).toMatchObject({ record: { embed: { images: [{ image: { mimeType: 'image/jpeg' } }] } } })
  })
})

describe('the limits of the day', () => {
  test.each([
    ['no videos', { canUpload: true, remainingDailyVideos: 0 }],
    ['too few bytes', { canUpload: true, remainingDailyBytes: 10 }],
    ['nothing', { canUpload: false, error: 'DailyLimitExceeded' }],
    ['nothing, without a reason', { canUpload: false }],
  ])('%s left: it waits an hour, and nothing is uploaded', async (_, limits) => {
    const delivery = await stage.open(post(), stage.on(LIMITS, answer(200, limits)))
    const now = stage.world.clock.now().getTime()
    const outcome = await delivery.call('prepare')
    expect(outcome).toMatchObject({ kind: 'retry', countsAsAttempt: false })
    const until = outcome.kind === 'retry' ? (outcome.notBefore?.getTime() ?? 0) : 0
    expect(until - now).toBeGreaterThanOrEqual(3_600_000)
    expect(stage.calls(UPLOAD)).toEqual([])
    expect((await stage.deliver(post())).post).toMatchObject(made)
  })
})

describe('the simulated service', () => {
  const bytesOf = async (file: string) =>
    new Uint8Array(await readFile(join(import.meta.dirname, '../../../test/_fixtures', file)))

  async function tokenFor(lxm: string, did = serverDid()) {
    const query = new URLSearchParams({ aud: did, lxm })
    const { accessJwt = '' } = stage.world.backend.credentials
    const { json } = await stage.api<{ token: string }>(`GET com.atproto.server.getServiceAuth?${query}`, undefined, {
      token: accessJwt,
    })
    return json.token
  }
  const serverDid = () => `did:web:${encodeURIComponent(new URL(stage.world.backend.endpoints.pds ?? '').host)}`
  async function upload(body: Uint8Array, token: string) {
    const call = 'POST /video/xrpc/app.bsky.video.uploadVideo?did={me}&name=a.mp4'
    return stage.api(call, undefined, { token, body, headers: { 'content-type': 'video/mp4' } })
  }

  test('answers 401 to tokens for another method, for another server, and to none', async () => {
    const video = await bytesOf('video-short.mp4')
    const other = await tokenFor('app.bsky.video.getUploadLimits')
    const elsewhere = await tokenFor('com.atproto.repo.uploadBlob', 'did:web:elsewhere.example')
    for (const token of [other, elsewhere, '']) expect(await upload(video, token)).toMatchObject({ status: 401 })
  })

  test('of the same bytes that arrive twice at once, one has no job yet', async () => {
    const token = await tokenFor('com.atproto.repo.uploadBlob')
    const video = Buffer.concat([await bytesOf('video-short.mp4'), Buffer.from('\0\0\0\x0cfreeonce')])
    const answers = await Promise.all([upload(video, token), upload(video, token)])
    const [one, other] = answers.sort((a, b) => a.status - b.status)
    expect(one).toMatchObject({ status: 200, json: { jobStatus: { jobId: expect.any(String) } } })
    expect(other?.status).toBe(409)
    expect(other?.json).toEqual({ error: 'already_exists', message: 'Video is being uploaded' })
  })

  test('fails a file that was cut off', async () => {
    const token = await tokenFor('com.atproto.repo.uploadBlob')
    const { json } = await upload((await bytesOf('video-short.mp4')).subarray(0, -100), token)
    const { jobId } = json.jobStatus as { jobId: string }
    stage.pass(2_000)
    const status = await stage.api(`GET /video/xrpc/app.bsky.video.getJobStatus?jobId=${jobId}`)
    expect(status.json).toMatchObject({ jobStatus: { state: 'JOB_STATE_FAILED', failureCode: 'validation_failure' } })
  })

  test('takes what the real one converts, and nothing else', async () => {
    const token = await tokenFor('com.atproto.repo.uploadBlob')
    for (const file of ['video-vp9.webm', 'animated.gif', 'video-rotated.mov']) {
      expect([200, 409]).toContain((await upload(await bytesOf(file), token)).status)
    }
    expect(await upload(await bytesOf('photo.jpg'), token)).toMatchObject({ json: { error: 'UnsupportedVideo' } })
  })

  test('takes 300 MB and no more', async () => {
    const token = await tokenFor('com.atproto.repo.uploadBlob')
    expect(MAX_BYTES).toBe(300_000_000)
    const large = new Uint8Array(MAX_BYTES + 1)
    expect(await upload(large, token)).toMatchObject({ status: 400, json: { error: 'VideoTooLarge' } })
  })

  test('counts what an account uploads on a day', async () => {
    const [limits, token] = [
      await tokenFor('app.bsky.video.getUploadLimits'),
      await tokenFor('com.atproto.repo.uploadBlob'),
    ]
    const ask = async () => (await stage.api(LIMITS, undefined, { token: limits })).json
    const before = await ask()
    expect(before).toMatchObject({ canUpload: true })
    const left = before.remainingDailyVideos as number
    const video = await bytesOf('video-short.mp4')
    for (let nth = 0; nth < left; nth++) {
      const box = Buffer.from(`\0\0\0\x0cfree${String(nth).padStart(4)}`)
      expect((await upload(Buffer.concat([video, box]), token)).status).toBe(200)
    }
    expect(left).toBeLessThanOrEqual(DAILY.videos)
    expect(await ask()).toMatchObject({ canUpload: false, error: 'DailyLimitExceeded', remainingDailyVideos: 0 })
    const more = Buffer.concat([video, Buffer.from('\0\0\0\x0cfreelast')])
    expect(await upload(more, token)).toMatchObject({ status: 400, json: { error: 'DailyLimitExceeded' } })
  })
})

/** Counts the calls of one kind, also those that never reach the simulator. */
function counted(trouble: Trouble, call: string): { trouble: Trouble; count(): number } {
  const path = call.split('/video').at(-1) ?? ''
  let count = 0
  return {
    trouble: {
      intercept(exchange) {
        if (!isRead(exchange.request) && exchange.request.url.includes(path)) count++
        return trouble.intercept?.(exchange) ?? exchange.send()
      },
    },
    count: () => count,
  }
}
