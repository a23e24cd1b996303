import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { MediaFacts } from '#contract'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, checked, lost, page, prepared, type Stage } from '../kit/testing.ts'
import type { MediaSource, MediaToSend } from '../network.ts'
import { bodiesOf, openStage, sample } from './testing-posts.ts'
import { imageToSend } from './upload.ts'

const MIB = 1024 * 1024
const { facts } = checked({ type: 'VIDEO' })

/** A file of made-up bytes that begins as an MP4 does. */
function madeUp(bytes: number): MediaToSend {
  const content = Buffer.alloc(bytes, 'bread')
  content.write('ftypisom', 4, 'latin1')
  const source: MediaSource = {
    facts: { ...facts, bytes },
    open: async (range) => Readable.from([content.subarray(range?.start, range?.end)]),
    url: async () => '',
    rendition: async () => source,
  }
  return { ...checked(source.facts, { title: 'How we bake' }), source }
}

let stage: Stage
beforeEach(async () => {
  stage = await openStage('LINKEDIN_PAGE')
})
afterEach(() => stage.close())
const picture = sample('LINKEDIN_PAGE', { media: [{ file: 'transparent.png' }] })
const puts = () => stage.sent.filter(({ method }) => method === 'PUT')
const isStatus = ({ method, url }: { method: string; url: string }) =>
  method === 'GET' && /rest\/(images|videos)/.test(url)

describe('a video', () => {
  test('goes out in the parts that LinkedIn names, and their names in order', async () => {
    const { media } = stage.world
    stage.world = { ...stage.world, media: { ...media, of: async () => [madeUp(9 * MIB)] } }
    const { post } = await stage.deliver(sample('LINKEDIN_PAGE'))
    expect(post.kind).toBe('made')
    expect(puts().map(({ headers }) => headers?.['content-length'])).toEqual([4 * MIB, 4 * MIB, MIB].map(String))
    const finish = stage.sent.find(({ url }) => url.includes('finalizeUpload'))
    const uploadedPartIds = [0, 1, 2].map((part) => expect.stringMatching(new RegExp(`-${part}$`)))
    expect(finish?.json).toMatchObject({ finalizeUploadRequest: { uploadedPartIds } })
    expect(JSON.parse(bodiesOf(stage)[0] ?? '').content.media.title).toBe('How we bake')
  })

  test('that tells where it was taken goes out as a fresh MP4', async () => {
    const film = await writePhoneFilm('linkedin-video.mp4')
    const sent: Buffer[] = []
    const { post } = await stage.deliver(sample('LINKEDIN_PAGE', { media: [{ file: film.path }] }), {
      async intercept({ request, send }) {
        if (request.method !== 'PUT') return send()
        const bytes = await buffer(request.body as Readable)
        sent.push(bytes)
        return stage.world.http({ ...request, body: Readable.from([bytes]) })
      },
    })
    await film.remove()
    expect(post.kind).toBe('made')
    const bytes = Buffer.concat(sent)
    expect(bytes.toString('latin1', 4, 12)).toBe('ftypisom')
    expect(bytes.includes(PLACE)).toBe(false)
    const begun = stage.sent.find(({ url }) => url.includes('initializeUpload'))
    expect(begun?.json).toMatchObject({ initializeUploadRequest: { fileSizeBytes: bytes.length } })
  })

  test('that LinkedIn cannot use is uploaded once more, then refused', async () => {
    const failed = answer(200, { status: 'PROCESSING_FAILED', processingFailureReason: 'No picture in it' })
    const { post } = await stage.deliver(sample('LINKEDIN_PAGE', { media: [{ file: 'linkedin-video.mp4' }] }), {
      intercept: async ({ request, send: real }) => (isStatus(request) ? failed : real()),
    })
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: expect.stringMatching(/the video \(No picture in it\)/),
    })
    expect(stage.sent.filter(({ url }) => url.includes('initializeUpload'))).toHaveLength(2)
  })
})

describe('a large video', () => {
  const MINUTE = 60_000
  const inits = () => stage.sent.filter(({ url }) => url.includes('initializeUpload'))
  const sizes = () => puts().map(({ headers }) => Number(headers?.['content-length']) / MIB)
  const partsSent = () => puts().map(({ url }) => Number(new URL(url).pathname.split('/').at(-1)))
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

  /** A delivery of a video of so many MiB; PUT requests are answered by `instead` when it gives something. */
  function large(mib: number, instead: (put: number) => HttpResult | null = () => null) {
    const { media } = stage.world
    const item = madeUp(mib * MIB)
    stage.world = { ...stage.world, media: { ...media, of: async () => [item] } }
    return stage.open(sample('LINKEDIN_PAGE'), {
      intercept: async ({ request, send: real }) =>
        (request.method === 'PUT' && (instead(puts().length) ?? null)) || real(),
    })
  }

  test('takes several turns, and nothing is sent twice', async () => {
    const delivery = await large(37)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'waiting' })
    expect(partsSent()).toEqual(range(0, 8))
    await prepared(stage.world, delivery)
    expect(partsSent()).toEqual(range(0, 10))
    expect(sizes()).toEqual([4, 4, 4, 4, 4, 4, 4, 4, 4, 1])
    expect(inits()).toHaveLength(1)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
  })

  test('goes on with the part whose answer was lost, in another process as well', async () => {
    const delivery = await large(20, (put) => (put === 3 ? lost : null))
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'retry', from: 'prepare' })
    const next = await large(20)
    next.keep(delivery.handles())
    await prepared(stage.world, next)
    expect(partsSent()).toEqual([0, 1, 2, 3, 4])
    expect(inits()).toHaveLength(1)
  })

  test('whose addresses lapse is begun anew once, then refused', async () => {
    const delivery = await large(37)
    await delivery.call('prepare')
    stage.pass(60 * MINUTE)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'retry', message: expect.stringMatching(/longer/) })
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'waiting' })
    expect(partsSent()).toEqual([...range(0, 8), ...range(0, 8)])
    stage.pass(60 * MINUTE)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(inits()).toHaveLength(2)
  })

  test.each<[string, HttpResult, number]>([
    ['404 without a word', page(404), 2],
    ['403: forbidden', answer(403, { message: 'The resource is forbidden', status: 403 }), 2],
    ['503', answer(503, { message: 'Service Unavailable', status: 503 }), 1],
    ['401', answer(401, { message: 'Invalid access token', status: 401 }), 1],
  ])('after %s to a part', async (_, instead, begun) => {
    let left = 1
    const delivery = await large(20, (put) => (put === 2 && left-- > 0 ? instead : null))
    expect(['retry', 'reconnect']).toContain((await delivery.call('prepare')).kind)
    await prepared(stage.world, delivery)
    expect(inits()).toHaveLength(begun)
    expect(partsSent()).toEqual(begun === 2 ? [0, 1, ...range(0, 5)] : range(0, 5))
  })

  test('keeps its addresses until the last part is there, and none that holds the token', async () => {
    const delivery = await large(37)
    await delivery.call('prepare')
    expect(JSON.stringify(delivery.handles())).toContain('dms-uploads')
    await prepared(stage.world, delivery)
    expect(JSON.stringify(delivery.handles())).not.toContain('dms-uploads')
    const token = encodeURIComponent(stage.world.backend.credentials.accessToken ?? '')
    const telling = await stage.open(sample('LINKEDIN_PAGE'), {
      async intercept({ request, send: real }) {
        const result = await real()
        if (!request.url.includes('initializeUpload') || result.kind !== 'answer') return result
        return answer(200, JSON.parse(result.text.replaceAll('?sign=', `?token=${token}&sign=`)))
      },
    })
    expect(await telling.call('prepare')).toMatchObject({
      kind: 'refused',
      message: expect.not.stringContaining(token),
    })
    expect(telling.handles()).toEqual({})
  })
})

describe('an image', () => {
  test('is sent as it is when it fits, else as a JPEG within the bounds', async () => {
    await stage.deliver(sample('LINKEDIN_PAGE', { media: [{ file: 'animated.gif' }, { file: 'photo.jpg' }] }))
    expect(puts().map(({ headers }) => headers?.['content-type'])).toEqual(['image/gif', 'image/jpeg'])
    const asked: unknown[] = []
    const source = (more: Partial<MediaFacts>): MediaSource => ({
      ...madeUp(100).source,
      facts: { ...facts, type: 'IMAGE', mimeType: 'image/gif', bytes: 100, ...more },
      async rendition(spec) {
        asked.push(spec)
        return this
      },
    })
    await imageToSend(source({ width: 8_000, height: 4_519 }))
    expect(asked).toEqual([])
    // 36,152,320 pixels are the most; one row more is too much.
    await imageToSend(source({ width: 8_000, height: 4_520 }))
    await imageToSend(source({ bytes: 5_000_001 }))
    await imageToSend(source({ mimeType: 'image/webp' }))
    expect(asked).toEqual([
      { format: 'jpeg', maxBytes: 5_000_000, maxWidth: 7_999, maxHeight: 4_519 },
      { format: 'jpeg', maxBytes: 5_000_000 },
      { format: 'jpeg', maxBytes: 5_000_000 },
    ])
  })

  test('is waited for until it can be used', async () => {
    const delivery = await stage.open(picture)
    expect((await delivery.call('prepare')).kind).toBe('waiting')
    await prepared(stage.world, delivery)
    expect(puts()).toHaveLength(1)
  })

  test('about which nobody may ask is given ten seconds', async () => {
    await stage.close()
    stage = await openStage('LINKEDIN_PERSONAL')
    const delivery = await stage.open({ ...picture, accountType: 'LINKEDIN_PERSONAL' })
    const before = stage.world.clock.now().getTime()
    const waiting = await delivery.call('prepare')
    if (waiting.kind !== 'waiting') throw new Error('It did not wait.')
    expect(waiting.askAgainAt.getTime() - before).toBeGreaterThan(9_900)
    expect(waiting.askAgainAt.getTime() - before).toBeLessThan(11_000)
    stage.world.clock.jumpTo(waiting.askAgainAt)
    expect((await delivery.call('prepare')).kind).toBe('ready')
  })

  test('that LinkedIn works on for ever is uploaded anew', async () => {
    const busy = answer(200, { status: 'PROCESSING' })
    const delivery = await stage.open(picture, {
      intercept: async ({ request, send: real }) => (isStatus(request) ? busy : real()),
    })
    await delivery.call('prepare')
    stage.pass(61 * 60_000)
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'retry', from: 'prepare' })
    await delivery.call('prepare')
    expect(puts()).toHaveLength(2)
  })
})

describe('what must not get out', () => {
  /** Sends bytes to another place. */
  async function uploadTo(uploadUrl: string): Promise<Record<string, string>[]> {
    const headers: Record<string, string>[] = []
    const delivery = await stage.open(picture, {
      async intercept({ request, send: real }): Promise<HttpResult> {
        if (request.url.includes('initializeUpload')) {
          return answer(200, { value: { uploadUrl, image: 'urn:li:image:C1' } })
        }
        if (request.method !== 'PUT') return real()
        headers.push({ ...request.headers })
        return answer(201, undefined)
      },
    })
    await delivery.call('prepare')
    return headers
  }

  test('the token goes to LinkedIn alone', async () => {
    expect(await uploadTo('https://www.linkedin.com/dms-uploads/1')).toMatchObject([
      { authorization: expect.stringMatching(/^Bearer ./) },
    ])
    for (const url of ['https://linkedin.com.example/1', 'http://www.linkedin.com/1', 'https://notlinkedin.com/1']) {
      const [headers] = await uploadTo(url)
      expect(headers).toBeDefined()
      expect(headers).not.toHaveProperty('authorization')
    }
  })

  test('addresses for images are kept nowhere', async () => {
    const delivery = await stage.open(picture)
    await delivery.call('prepare')
    expect(JSON.stringify(delivery.handles())).not.toContain('dms-uploads')
  })
})

test('the body stays as it is once it is written down', async () => {
  const delivery = await stage.open(sample('LINKEDIN_PAGE'))
  await prepared(stage.world, delivery)
  const { body } = delivery.handles()
  const { backend } = stage.world
  backend.account = { ...backend.account, defaults: { visibility: 'LOGGED_IN' } }
  await prepared(stage.world, delivery)
  expect(delivery.handles().body).toBe(body)
})
