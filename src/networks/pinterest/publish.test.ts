import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { RenditionSpec } from '#contract'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import { deliver } from '../conformance/deliver.ts'
import { openDelivery } from '../conformance/delivery.ts'
import type { HttpResult } from '../kit/http.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'
import { answer, lost, openStage, prepared, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { pinBody } from './pin.ts'
import { simulate } from './simulator.ts'
import { pinterestError, sample } from './testing-pins.ts'

const BOARD = '549755885175000001'
const UPLOAD = 'POST /upload/'
const LOOK = 'GET media/{id}'

let stage: Stage
beforeAll(async () => {
  stage = await openStage(network, 'PINTEREST', { base: 'api/v5' })
})
afterAll(() => stage?.close())
afterEach(() => {
  stage.exchanged.length = 0
})

const sentPins = () => stage.calls('POST pins').map(({ request }) => request.json as Record<string, unknown>)
const source = () => sentPins().at(-1)?.media_source as Record<string, unknown>
const held = async (text: string) => (await stage.posts()).filter((post) => post.text === text)

describe('what is sent', () => {
  test('of a pin: its words, board and image, as one call', async () => {
    await stage.deliver(sample([], { caption: ' Bread \n', media: [{ file: 'photo.jpg', altText: ' A loaf ' }] }))
    expect(sentPins()).toEqual([
      {
        board_id: BOARD,
        title: 'Fresh bread',
        description: 'Bread',
        link: 'https://bakery.example/bread',
        alt_text: 'A loaf',
        media_source: { source_type: 'image_base64', content_type: 'image/jpeg', data: expect.any(String) },
      },
    ])
    const bytes = Buffer.from(String(source().data), 'base64')
    // The photo says where it was taken; what is sent does not.
    expect(bytes.subarray(0, 3).toString('hex')).toBe('ffd8ff')
    expect(bytes.includes('Exif')).toBe(false)
  })

  test('nothing of what is empty, and a PNG as it is', async () => {
    const fields = { website: ' ', board: { id: '549755885175000002', name: 'Pastries' } }
    await stage.deliver(sample(['transparent.png'], { caption: '', fields }))
    expect(Object.keys(sentPins()[0] ?? {})).toEqual(['board_id', 'title', 'media_source'])
    expect(sentPins()[0]?.board_id).toBe('549755885175000002')
    expect(source().content_type).toBe('image/png')
  })

  test('an image that moves by its address', async () => {
    await stage.deliver(sample(['animated.gif']))
    expect(source()).toEqual({ source_type: 'image_url', url: expect.stringMatching(/^http:/) })
  })

  test('a carousel with the words of its items, and all images by one measure', async () => {
    const media = await stage.world.media.of([{ file: 'photo.jpg' }, { file: 'transparent.png' }])
    const specs: RenditionSpec[] = []
    const items = media.map((item) => {
      const rendition = (spec: RenditionSpec) => {
        specs.push(spec)
        return item.source.rendition(spec)
      }
      return { ...item, title: ' Crust ', description: '', link: null, source: { ...item.source, rendition } }
    })
    const post = { accountType: 'PINTEREST', caption: 'Bread', fields: { title: 'Bread' }, media: items } as const
    const { media_source } = await pinBody(post, { boardId: BOARD, mediaId: null })
    const item = { content_type: 'image/jpeg', data: expect.any(String), title: 'Crust' }
    expect(media_source).toEqual({ source_type: 'multiple_image_base64', items: [item, item], index: 0 })
    // A bound in bytes would make one smaller in pixels than the other.
    const spec = { format: 'jpeg', maxWidth: expect.any(Number) }
    expect(specs).toEqual([spec, spec])
  })

  test('a video with the image beside it for a cover, wherever it stands', async () => {
    await stage.deliver(sample(['photo.jpg', 'video-h264-aac.mp4']))
    expect(source()).toEqual({
      source_type: 'video_id',
      media_id: expect.stringMatching(/^\d+$/),
      cover_image_content_type: 'image/jpeg',
      cover_image_data: expect.any(String),
    })
  })

  test('a video without a cover names one of its own pictures; its bytes carry no token', async () => {
    await stage.deliver(sample(['video-h264-aac.mp4']))
    expect(source()).toEqual({ source_type: 'video_id', media_id: expect.any(String), cover_image_key_frame_time: 1 })
    const [upload] = stage.calls(UPLOAD)
    expect(upload?.request.headers).not.toHaveProperty('authorization')
    expect(upload?.result).toMatchObject({ kind: 'answer', status: 204 })
  })
})

describe('a video', () => {
  test('that tells where it was taken is sent as a fresh MP4', async () => {
    const film = await writePhoneFilm('video-h264-aac.mp4')
    let form = Buffer.alloc(0)
    const { post } = await stage.deliver(sample([film.path], { caption: 'From a phone' }), {
      async intercept({ request, send }) {
        if (request.method !== 'POST' || !request.url.includes('/upload/')) return send()
        form = await buffer(request.body as Readable)
        return stage.world.http({ ...request, body: Readable.from([form]) })
      },
    })
    await film.remove()
    expect(post).toMatchObject({ kind: 'made' })
    expect(form.includes('ftypisom')).toBe(true)
    expect(form.includes(PLACE)).toBe(false)
  })

  const video = (caption: string) => sample(['video-h264-aac.mp4'], { caption })
  const registrations = () => stage.calls('POST media').length

  test('that was taken in is not sent again, though the answer was lost', async () => {
    let struck = false
    const { post } = await stage.deliver(video('Lost upload'), {
      async intercept({ request, send }) {
        const result = await send()
        if (struck || !request.url.includes('/upload/')) return result
        struck = true
        // By the first look the network knows of it.
        await stage.api(`GET media/${lastMediaId()}`)
        return lost
      },
    })
    expect(post.kind).toBe('made')
    expect(registrations()).toBe(1)
  })

  test('whose upload was cut off is registered and sent anew', async () => {
    const before = stage.world.clock.now().getTime()
    const { post } = await stage.deliver(video('Cut off'), stage.on(UPLOAD, lost))
    expect(post.kind).toBe('made')
    expect(registrations()).toBe(2)
    // At once, not when the first upload is given up.
    expect(stage.world.clock.now().getTime() - before).toBeLessThan(60_000)
  })

  test('that the network cannot work on is sent once more, and then refused', async () => {
    const failed = answer(200, { media_id: '1', media_type: 'video', status: 'failed' })
    const once = await stage.deliver(video('Failed once'), stage.on(LOOK, failed))
    expect(once.post.kind).toBe('made')
    const twice = await stage.deliver(video('Failed twice'), stage.on(LOOK, failed, { times: 2 }))
    expect(twice.post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(await held('Failed twice')).toEqual([])
  })

  test('that the network refuses to take in is refused, not sent for ever', async () => {
    const { post } = await stage.deliver(video('Denied'), stage.on(UPLOAD, answer(403, ''), { times: 2 }))
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: expect.stringContaining('403'),
    })
  })

  test('that is gone when it is asked for is sent anew', async () => {
    const gone = pinterestError(404, 404, 'Media not found.')
    const { post } = await stage.deliver(video('Gone'), stage.on(LOOK, gone))
    expect(post.kind).toBe('made')
    expect(registrations()).toBe(2)
  })

  test('that is worked on for more than an hour is sent anew', async () => {
    const working = answer(200, { media_id: '1', media_type: 'video', status: 'processing' })
    const { post } = await stage.deliver(video('Slow'), stage.on(LOOK, working, { times: 150 }))
    expect(post.kind).toBe('made')
    expect(registrations()).toBe(2)
  })

  test('what lets it be sent is not kept', async () => {
    const delivery = await stage.open(video('Kept'))
    await prepared(stage.world, delivery)
    const [registered] = stage.calls('POST media')
    const answer = registered?.result.kind === 'answer' ? (registered.result.json as Record<string, unknown>) : {}
    const kept = JSON.stringify(delivery.handles())
    expect(kept).toContain(answer.media_id)
    for (const secret of Object.values(answer.upload_parameters as Record<string, string>)) {
      if (secret.length > 20) expect(kept).not.toContain(secret)
    }
  })

  test('goes where the operator says when the network names the address that is known', async () => {
    const known = network.manifest.endpoints.upload?.default ?? ''
    let sentTo = ''
    await stage.deliver(video('Elsewhere'), {
      async intercept({ request, send }) {
        if (request.url.includes('/upload/')) sentTo = request.url
        const result = await send()
        if (result.kind !== 'answer' || !request.url.endsWith('/api/v5/media')) return result
        const body = { ...(result.json as object), upload_url: `${known}/` }
        return { ...result, json: body }
      },
    })
    expect(sentTo).toBe(`${stage.world.backend.endpoints.upload}/`)
  })

  function lastMediaId(): string {
    const { result } = stage.calls('POST media').at(-1) ?? {}
    return result?.kind === 'answer' ? String((result.json as { media_id: string }).media_id) : ''
  }
})

describe('when the answer is not clear', () => {
  /** Delivers a post whose call is lost before the network had it, to a board that lists this. */
  async function lookingAt(caption: string, pins: readonly object[], more: { bookmark?: string } = {}) {
    const listed = answer(200, { items: pins, bookmark: more.bookmark ?? null })
    return stage.deliver(sample(['transparent.png'], { caption }), {
      async intercept({ step, request, send }) {
        if (step === 'find') return request.url.includes(`/boards/${BOARD}/pins`) ? listed : send()
        return step === 'publish' ? lost : send()
      },
    })
  }
  const pin = (more: object = {}) => ({
    id: '5',
    created_at: new Date(stage.world.clock.now().getTime() + 1_000).toISOString(),
    title: 'Fresh bread',
    description: 'Looked for',
    link: 'https://bakery.example/bread',
    alt_text: null,
    ...more,
  })

  test.each<[string, object]>([
    ['as it was sent', {}],
    ['with other white space', { title: ' Fresh  bread', description: 'Looked\nfor ' }],
    ['without a zone in its time', { created_at: '2099-01-01T00:00:00' }],
  ])('a pin %s is ours', async (_, change) => {
    const { post } = await lookingAt('Looked for', [pin(change)])
    expect(post).toMatchObject({ kind: 'made', providerId: '5', permalink: expect.stringMatching(/\/www\/pin\/5\/$/) })
  })

  test.each<[string, object[]]>([
    ['with another link', [{ link: 'https://bakery.example/bread?utm=1' }]],
    ['with another alternative text', [{ alt_text: 'A loaf' }]],
    ['with its texts in HTML', [{ description: 'Looked for &#x21;' }]],
    ['without a time', [{ created_at: null }]],
    ['that stands there twice', [{}, { id: '6' }]],
    ['whose title was cut', [{ title: 'Fresh bre' }]],
    ['whose description was cut', [{ description: 'Looked f…' }]],
    ['whose description goes on', [{ description: 'Looked for more' }]],
    ['whose texts were all cut', [{ title: 'Fresh', description: 'L', link: 'https://bakery.example/' }]],
  ])('a pin %s may be ours, so nothing is sent again', async (_, changes) => {
    const { post } = await lookingAt('Looked for', changes.map(pin))
    expect(post).toMatchObject({ kind: 'unknown' })
    expect(sentPins()).toEqual([])
  })

  test.each<[string, object[]]>([
    ['older', [{ created_at: '2020-01-01T00:00:00Z' }]],
    ['of another title', [{ title: 'Stale bread' }]],
    ['of another description', [{ description: 'Looked at' }]],
    ['of no description', [{ description: null }]],
    ['of a shorter description and another link', [{ description: 'Looked', link: 'https://bakery.example/cake' }]],
    ['of a shorter description and another image', [{ description: 'Looked', alt_text: 'A cake' }]],
    ['of no kind', []],
  ])('pins that are %s are not ours: it is sent again', async (_, changes) => {
    const { post, log } = await lookingAt('Looked for', changes.map(pin))
    expect(log.map(({ outcome }) => outcome.kind)).toContain('absent')
    expect(post.kind).toBe('failed')
  })

  test.each([
    ['in a word', 'A loaf of bread. '.repeat(40)],
    ['in a letter of two parts', `${'x'.repeat(499)}e\u0301${'y'.repeat(40)}`],
    ['in a sign of two halves', `${'x'.repeat(499)}🥐${'y'.repeat(40)}`],
    ['after a letter that looks another way at the end of a word', `${'x'.repeat(499)}Σ${'Σ'.repeat(40)}`],
  ])('a description that the network cuts %s makes no second pin', async (_, caption) => {
    const behaving = { ...network, simulate: (deps: SimulatorDeps) => simulate(deps, { keepsOfDescription: 500 }) }
    const cutting = await openStage(behaving, 'PINTEREST', { base: 'api/v5' })
    try {
      const { post } = await cutting.deliver(
        sample(['transparent.png'], { caption }),
        cutting.on('POST pins', lost, { reached: true }),
      )
      expect(post.kind).toBe('unknown')
      expect(await cutting.posts()).toMatchObject([{ text: caption.trim().slice(0, 500) }])
    } finally {
      await cutting.close()
    }
  })

  test('a board is read on until its pins are older, when they stand newest first', async () => {
    const old = { title: 'Old', created_at: '2020-01-01T00:00:00Z' }
    const older = { title: 'Older', created_at: '2019-01-01T00:00:00Z' }
    const sorted = await lookingAt('Looked for', [pin(old), pin(older)], { bookmark: 'more' })
    expect(sorted.log.map(({ outcome }) => outcome.kind)).toContain('absent')
    const unsorted = await lookingAt('Looked for', [pin(older), pin(old)], { bookmark: 'more' })
    expect(unsorted.post.kind).toBe('unknown')
    expect(unsorted.log.map(({ outcome }) => outcome.kind)).not.toContain('absent')
    const nothing = await lookingAt('Looked for', [], { bookmark: 'more' })
    expect(nothing.post.kind).toBe('unknown')
  })

  test('a board with a pin that cannot be read proves nothing', async () => {
    const { post } = await lookingAt('Looked for', [{ title: 'Fresh bread' }])
    expect(post.kind).toBe('unknown')
    expect(sentPins()).toEqual([])
  })

  test('a pin is found behind the first page', async () => {
    const pages: Record<string, object> = {
      '': { items: [pin({ title: 'Another', id: '4' })], bookmark: 'second' },
      second: { items: [pin()], bookmark: null },
    }
    const { post } = await stage.deliver(sample(['transparent.png'], { caption: 'Looked for' }), {
      async intercept({ step, request, send }) {
        if (step === 'publish') return lost
        return step === 'find' ? answer(200, pages[new URL(request.url).searchParams.get('bookmark') ?? '']) : send()
      },
    })
    expect(post).toMatchObject({ kind: 'made', providerId: '5' })
  })

  test('the board is looked at on which the pin was put, whatever is chosen meanwhile', async () => {
    const world = {
      ...stage.world,
      backend: { ...stage.world.backend, account: { ...stage.world.backend.account } },
    }
    const delivery = await openDelivery(world, sample(['transparent.png'], { caption: 'Moved board' }))
    await prepared(world, delivery)
    delivery.fence()
    await delivery.call('publish')
    expect(delivery.handles()).toMatchObject({ boardId: BOARD, pinId: expect.any(String) })
    world.backend.account = { ...world.backend.account, defaults: { boardId: '549755885175000002' } }
    await prepared(world, delivery)
    expect(delivery.handles()).toMatchObject({ boardId: BOARD })
  })
})

describe('refusals', () => {
  const refusedBy = (caption: string, refusal: HttpResult, times = 1) =>
    stage.deliver(sample(['transparent.png'], { caption }), stage.on('POST pins', refusal, { times }))

  test('an address that cannot be fetched is tried three times', async () => {
    const unreachable = pinterestError(400, 1, 'Unable to reach the URL. Please check the URL is correct.')
    expect((await refusedBy('Twice away', unreachable, 2)).post.kind).toBe('made')
    const away = await refusedBy('Thrice away', unreachable, 3)
    expect(away.post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
  })

  test('a rate limit is waited for as long as the network says, and is no attempt', async () => {
    const slow = pinterestError(429, 30, 'Slow down.', { 'x-ratelimit-reset': '600' })
    const before = stage.world.clock.now().getTime()
    const { post, log } = await refusedBy('Slow down', slow)
    expect(post.kind).toBe('made')
    expect(log.find(({ outcome }) => outcome.kind === 'retry')?.outcome).toMatchObject({ countsAsAttempt: false })
    expect(stage.world.clock.now().getTime() - before).toBeGreaterThanOrEqual(600_000)
  })

  test('a limit that the account has reached is waited for, and is no attempt', async () => {
    const before = stage.world.clock.now().getTime()
    const { post, log } = await refusedBy('Enough', pinterestError(403, 29, 'You have reached the limit of Pins.'), 3)
    expect(post.kind).toBe('made')
    const retries = log.filter(({ outcome }) => outcome.kind === 'retry')
    expect(retries.map(({ outcome }) => outcome)).toMatchObject(retries.map(() => ({ countsAsAttempt: false })))
    expect(retries).toHaveLength(3)
    expect(stage.world.clock.now().getTime() - before).toBeGreaterThanOrEqual(3 * 3_600_000)
  })

  test.each([
    ['did not make the pin', false],
    ['made the pin', true],
  ])('a fault in the words of a wrong request is looked into when the network %s', async (_, reached) => {
    const fault = pinterestError(400, 1, 'Something went wrong on our end.')
    const caption = `A fault, reached: ${reached}`
    const { post } = await stage.deliver(
      sample(['transparent.png'], { caption }),
      stage.on('POST pins', fault, { reached }),
    )
    expect(post.kind).toBe('made')
    expect((await stage.posts()).filter(({ text }) => text === caption)).toHaveLength(1)
  })

  test('a board that is not there ends the post in words', async () => {
    const fields = { board: { id: '99', name: 'Gone' } }
    const { post } = await stage.deliver(sample(['transparent.png'], { fields }))
    expect(post).toMatchObject({ kind: 'failed', reason: 'ACTION_BLOCKED', message: expect.stringContaining('board') })
  })

  test('without any board nothing is sent', async () => {
    const backend = { ...stage.world.backend, account: { ...stage.world.backend.account, defaults: {} } }
    const { post } = await deliver({ ...stage.world, backend }, sample(['transparent.png']))
    expect(post).toMatchObject({ kind: 'failed', message: expect.stringContaining('board') })
    expect(sentPins()).toEqual([])
  })
})
