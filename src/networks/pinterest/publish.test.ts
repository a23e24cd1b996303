import { afterEach, describe, expect, test } from 'vitest'
import type { RenditionSpec } from '#contract'
import { deliver } from '../conformance/deliver.ts'
import { openDelivery } from '../conformance/delivery.ts'
import { stageFor } from '../conformance/stages.ts'
import type { HttpResult } from '../kit/http.ts'
import { answer, type Json, lost, openStage, prepared, type Stage } from '../kit/testing.ts'
import { network } from './index.ts'
import { pinBody, wordsOf } from './pin.ts'
import { pinterestError, sample } from './testing-pins.ts'

const BOARD = '549755885175000001'
const OTHER_BOARD = { id: '549755885175000002', name: 'Pastries' }
const VIDEO = 'video-h264-aac.mp4'
const [REGISTER, UPLOAD, LOOK] = ['POST media', 'POST /upload/', 'GET media/{id}'] as const

const stage = stageFor('all', () => openStage(network, 'PINTEREST', { base: 'api/v5' }))
afterEach(() => {
  stage.exchanged.length = 0
})

const sentPins = () => stage.calls('POST pins').map(({ json }) => json)
const source = () => sentPins().at(-1)?.media_source as Json
const jsonOf = (result?: HttpResult) => (result?.kind === 'answer' ? (result.json as Json) : {})
/** Milliseconds of the network's clock that something takes. */
async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const before = stage.world.clock.now().getTime()
  const result = await work
  return [result, stage.world.clock.now().getTime() - before]
}

describe('what is sent', () => {
  test('of a pin: its words, board and image, as one call, without the place where it was taken', async () => {
    await stage.deliver(sample([{ file: 'photo.jpg', altText: ' A loaf ' }], { caption: ' Bread \n' }))
    const media_source = { source_type: 'image_base64', content_type: 'image/jpeg', data: expect.any(String) }
    const words = {
      title: 'Fresh bread',
      description: 'Bread',
      link: 'https://bakery.example/bread',
      alt_text: 'A loaf',
    }
    expect(sentPins()).toEqual([{ board_id: BOARD, ...words, media_source }])
    const bytes = Buffer.from(String(source().data), 'base64')
    expect([bytes.toString('hex', 0, 3), bytes.includes('Fixture')]).toEqual(['ffd8ff', false])
  })

  test('nothing of what is empty', async () => {
    await stage.deliver(sample(['transparent.png'], { caption: '', fields: { website: ' ', board: OTHER_BOARD } }))
    expect(sentPins()).toEqual([{ board_id: OTHER_BOARD.id, title: 'Fresh bread', media_source: expect.any(Object) }])
  })

  test('a carousel with the words of its items, and all images by one measure', async () => {
    const specs: RenditionSpec[] = []
    const media = (await stage.world.media.of([{ file: 'photo.jpg' }, { file: 'transparent.png' }])).map((item) => {
      const rendition = (spec: RenditionSpec) => {
        specs.push(spec)
        return item.source.rendition(spec)
      }
      return { ...item, title: ' Crust ', description: '', link: null, source: { ...item.source, rendition } }
    })
    const post = { accountType: 'PINTEREST', caption: 'Bread', fields: { title: 'Bread' }, media } as const
    const { media_source } = await pinBody({ post, words: wordsOf(post) }, { boardId: BOARD, mediaId: null })
    const item = { content_type: 'image/jpeg', data: expect.any(String), title: 'Crust' }
    expect(media_source).toEqual({ source_type: 'multiple_image_base64', items: [item, item], index: 0 })
    // A bound in bytes would make one smaller in pixels than the other.
    const spec = { format: 'jpeg', maxWidth: expect.any(Number) }
    expect(specs).toEqual([spec, spec])
  })

  const cover = { cover_image_content_type: 'image/jpeg', cover_image_data: expect.any(String) }
  const byId = { source_type: 'video_id', media_id: expect.stringMatching(/^\d+$/) }
  test.each<[string, string[], object]>([
    ['an image that moves by its address', ['animated.gif'], { source_type: 'image_url', url: expect.any(String) }],
    ['a video with the image beside it for a cover', [VIDEO, 'photo.jpg'], { ...byId, ...cover }],
    ['a video that names one of its own pictures', [VIDEO], { ...byId, cover_image_key_frame_time: 1 }],
  ])('%s', async (_, files, sent) => {
    await stage.deliver(sample(files))
    expect(source()).toEqual(sent)
    for (const { request, result } of stage.calls(UPLOAD)) {
      expect(request.headers).not.toHaveProperty('authorization')
      expect(result).toMatchObject({ status: 204 })
    }
  })
})

describe('a video', () => {
  const looked = (status: string) => answer(200, { media_id: '1', media_type: 'video', status })
  const gone = pinterestError(404, 404, 'Media not found.')
  test.each<[string, string, HttpResult, number, object]>([
    ['whose upload was cut off goes', UPLOAD, lost, 1, { kind: 'made' }],
    ['that the network could not work on goes', LOOK, looked('failed'), 1, { kind: 'made' }],
    ['that it cannot work on fails', LOOK, looked('failed'), 2, { reason: 'UNKNOWN_MEDIA_ERROR' }],
    ['that is gone when it is asked for goes', LOOK, gone, 1, { kind: 'made' }],
  ])('%s after it was sent once more', async (_, call, instead, times, ending) => {
    const [{ post }, took] = await timed(stage.deliver(sample([VIDEO]), stage.on(call, instead, { times })))
    expect(post).toMatchObject(ending)
    expect(stage.calls(REGISTER)).toHaveLength(2)
    // At once, not when an upload is given up.
    expect(took).toBeLessThan(60_000)
  })

  test('that is worked on for more than an hour is sent again', async () => {
    const slow = stage.on(LOOK, looked('processing'), { times: 150 })
    expect((await stage.deliver(sample([VIDEO]), slow)).post.kind).toBe('made')
    expect(stage.calls(REGISTER)).toHaveLength(2)
  })

  test('goes where the operator says when the network names the address that is known', async () => {
    const upload_url = `${network.manifest.endpoints.upload?.default}/`
    const known = stage.on(REGISTER, async ({ send }) => answer(201, { ...jsonOf(await send()), upload_url }))
    await (await stage.open(sample([VIDEO]), known)).call('prepare')
    expect(stage.sent.at(-1)?.url).toBe(`${stage.world.backend.endpoints.upload}/`)
  })

  test('that was taken in is not sent again, though the answer was lost', async () => {
    const upload = stage.on(UPLOAD, async ({ send }) => {
      await send()
      // By the first look the network knows of it.
      await stage.api(`GET media/${jsonOf(stage.calls(REGISTER)[0]?.result).media_id}`)
      return lost
    })
    expect((await stage.deliver(sample([VIDEO]), upload)).post.kind).toBe('made')
    expect(stage.calls(REGISTER)).toHaveLength(1)
  })

  test('what lets it be sent is not kept', async () => {
    const delivery = await stage.open(sample([VIDEO]))
    await prepared(stage.world, delivery)
    const { media_id, upload_parameters } = jsonOf(stage.calls(REGISTER)[0]?.result)
    const kept = JSON.stringify(delivery.handles())
    expect(kept).toContain(media_id)
    expect(kept).not.toContain((upload_parameters as Json)['x-amz-signature'])
  })
})

describe('when the answer is not clear', () => {
  /** Delivers a post whose call is lost before the network had it, to a board with these pins, page by page. */
  async function lookingAt(...pages: readonly (readonly object[])[]) {
    const listed = (page: number) =>
      answer(200, { items: pages[page], bookmark: page + 1 < pages.length ? `${page + 1}` : null })
    return stage.deliver(sample(['transparent.png'], { caption: 'Looked for' }), {
      async intercept({ step, request, send }) {
        if (step === 'publish') return lost
        const { pathname, searchParams } = new URL(request.url)
        const isListing = step === 'find' && pathname.endsWith(`/boards/${BOARD}/pins`)
        return isListing ? listed(Number(searchParams.get('bookmark') ?? 0)) : send()
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
  const old = { title: 'Old', created_at: '2020-01-01T00:00:00Z' }
  const older = { title: 'Older', created_at: '2019-01-01T00:00:00Z' }

  test.each<[string, ...object[][]]>([
    ['a pin as it was sent', [{}]],
    ['without a zone in its time', [{ created_at: '2099-01-01T00:00:00' }]],
    ['behind older ones that are not in the order of time', [older, old], [{}]],
  ])('%s is ours', async (_, ...pages) => {
    const { post } = await lookingAt(...pages.map((page) => page.map(pin)))
    expect(post).toMatchObject({ kind: 'made', providerId: '5', permalink: expect.stringMatching(/\/www\/pin\/5\/$/) })
  })

  test.each<[string, ...object[][]]>([
    ['a pin with another link', [{ link: 'https://bakery.example/bread?utm=1' }]],
    ['a pin with another alternative text', [{ alt_text: 'A loaf' }]],
    ['a pin without a time', [{ created_at: null }]],
    ['a pin whose title was cut', [{ title: 'Fresh bre' }]],
    ['a pin whose description was cut', [{ description: 'Looked f…' }]],
    ['a pin whose description goes on', [{ description: 'Looked for more' }]],
    ['a board with a pin that cannot be read proves nothing', [{ id: undefined, title: 'Another' }]],
    ['a board of many pages', [], [], [], [], [], [{}]],
  ])('%s: it may be ours, so nothing is sent again', async (_, ...pages) => {
    const { post, log } = await lookingAt(...pages.map((page) => page.map(pin)))
    expect(post.kind).toBe('unknown')
    expect(log.map(({ outcome }) => outcome.kind)).not.toContain('absent')
    expect(sentPins()).toEqual([])
  })

  test.each<[string, ...object[][]]>([
    ['older, which ends the reading where they stand newest first', [old, older], [{}]],
    ['of another title', [{ title: 'Stale bread' }]],
    ['of no description', [{ description: null }]],
    ['of a shorter description and another link', [{ description: 'Looked', link: 'https://bakery.example/cake' }]],
    ['of no kind', []],
  ])('pins that are %s are not ours: it is sent again', async (_, ...pages) => {
    const { post, log } = await lookingAt(...pages.map((page) => page.map(pin)))
    expect(log.map(({ outcome }) => outcome.kind)).toContain('absent')
    expect(post.kind).toBe('failed')
  })

  test.each([
    ['in a word', 'A loaf of bread. '.repeat(40)],
    ['in a letter that it keeps in two parts', `${'x'.repeat(499)}\u00e9${'y'.repeat(40)}`],
    ['in a sign of two halves', `${'x'.repeat(499)}🥐${'y'.repeat(40)}`],
    ['after a letter that looks another way at the end of a word', `${'x'.repeat(499)}Σ${'Σ'.repeat(40)}`],
  ])('a description that the network cuts %s makes no second pin', async (_, caption) => {
    const description = caption.normalize('NFD').trim().slice(0, 500)
    const before = (await stage.posts()).length
    const cutting = stage.on('POST pins', async ({ request }) => {
      await stage.http({ ...request, json: { ...(request.json as Json), description } })
      return lost
    })
    expect((await stage.deliver(sample(['transparent.png'], { caption }), cutting)).post.kind).toBe('unknown')
    expect(await stage.posts()).toHaveLength(before + 1)
  })

  test('the board is looked at on which the pin was put, even if another is chosen meanwhile', async () => {
    const world = { ...stage.world, backend: { ...stage.world.backend } }
    const delivery = await openDelivery(world, sample(['transparent.png'], { caption: 'Moved board' }))
    await prepared(world, delivery)
    delivery.fence()
    await delivery.call('publish')
    world.backend.account = { ...world.backend.account, defaults: { boardId: OTHER_BOARD.id } }
    await prepared(world, delivery)
    expect(delivery.handles()).toMatchObject({ boardId: BOARD, pinId: expect.any(String) })
  })
})

describe('refusals', () => {
  const refusedBy = (caption: string, refusal: HttpResult, options: Parameters<Stage['on']>[2]) =>
    stage.deliver(sample(['transparent.png'], { caption }), stage.on('POST pins', refusal, options))

  test('a limit that the account has reached is waited for, and is no attempt', async () => {
    const full = pinterestError(403, 29, 'You have reached the limit of Pins.')
    const { post, log } = await refusedBy('Enough', full, { times: 3 })
    expect(post.kind).toBe('made')
    const retries = log.flatMap(({ outcome }) => (outcome.kind === 'retry' ? [outcome.countsAsAttempt] : []))
    expect(retries).toEqual([false, false, false])
  })

  test.each([
    ['did not make the pin', false],
    ['made the pin', true],
  ])('a fault in the words of a wrong request is looked into when the network %s', async (_, reached) => {
    const fault = pinterestError(400, 1, 'Something went wrong on our end.')
    const caption = `A fault, reached: ${reached}`
    expect((await refusedBy(caption, fault, { reached })).post.kind).toBe('made')
    expect((await stage.posts()).filter(({ text }) => text === caption)).toHaveLength(1)
  })

  test('a board that is not there, and none at all, end the post in words', async () => {
    const failed = { kind: 'failed', message: expect.stringContaining('board') }
    const gone = await stage.deliver(sample(['transparent.png'], { fields: { board: { id: '99', name: 'Gone' } } }))
    expect(gone.post).toMatchObject({ ...failed, reason: 'ACTION_BLOCKED' })
    const backend = { ...stage.world.backend, account: { ...stage.world.backend.account, defaults: {} } }
    stage.exchanged.length = 0
    expect((await deliver({ ...stage.world, backend }, sample(['transparent.png']))).post).toMatchObject(failed)
    expect(sentPins()).toEqual([])
  })
})
