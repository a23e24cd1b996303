import { request as openRequest } from 'node:http'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { PLACE, writePhoneFilm } from '../../../test/_util/video-boxes.ts'
import type { Trouble } from '../conformance/delivery.ts'
import type { HttpRequest, HttpResult } from '../kit/http.ts'
import { lost, prepared, type Stage } from '../kit/testing.ts'
import { graphError } from '../meta/testing.ts'
import { openStage, sample, settled } from './testing-posts.ts'

const HOUR = 3_600_000

let stage: Stage
beforeEach(async () => {
  stage = await openStage([{ title: ' The oven ', link: 'https://a.example' }])
})
afterEach(() => stage.close())

const posts = () => stage.posts()
/** Answers the first request that fits with something else; what the network was sent it has, or not. */
function instead(fits: (request: HttpRequest) => boolean, answer: HttpResult, arrives: boolean): Trouble {
  let struck = false
  return {
    async intercept({ request, send }) {
      if (struck || !fits(request)) return send()
      struck = true
      if (arrives) await send()
      return answer
    },
  }
}
const visible = (edge: string) => (request: HttpRequest) =>
  request.method === 'POST' &&
  request.url.includes(`/${edge}`) &&
  (edge === 'feed' || (request.json as { upload_phase?: string })?.upload_phase === 'finish')

describe('what is sent', () => {
  test('of a text: its words, and its first address as the link', async () => {
    await stage.deliver(sample('TEXT', { caption: 'Read https://bakery.example/bread now' }))
    expect(stage.calls('POST {me}/feed').map(({ json }) => json)).toEqual([
      { message: 'Read https://bakery.example/bread now', link: 'https://bakery.example/bread', published: true },
    ])
  })

  test('of mentions: the number of the Page, and the post is found by the name that is shown', async () => {
    const richCaption = ['With ', { text: 'the mill', mention: { id: '77', name: 'Mill' } }]
    const text = sample('TEXT', { caption: 'With the mill', fields: { richCaption } })
    const { post } = await stage.deliver(text, instead(visible('feed'), lost, true))
    expect(stage.calls('POST {me}/feed')).toMatchObject([{ json: { message: 'With @[77]' } }])
    expect(post).toMatchObject({ kind: 'made', providerId: (await posts())[0]?.id })
    expect(await posts()).toHaveLength(1)
  })

  test('of images: unpublished photos with their texts, then one post that names them in order', async () => {
    const media = [{ file: 'photo.jpg', altText: 'Rye' }, { file: 'transparent.png' }]
    const { post } = await stage.deliver(sample('MULTI_IMAGE', { media }))
    expect(post.kind).toBe('made')
    const [first, second, ...more] = stage.calls('POST {me}/photos').map(({ request }) => String(request.body))
    expect(more).toEqual([])
    expect(first).toMatch(/name="published"\r\n\r\nfalse\r\n.*name="alt_text_custom"\r\n\r\nRye\r\n/s)
    // Where a picture was taken stays here, so the JPEG is a fresh one; the PNG tells nothing and goes as it is.
    expect(first).toContain('filename="photo.jpg"')
    expect(second).toContain('filename="photo.png"')
    expect(second).not.toContain('alt_text_custom')
    const attached = stage.calls('POST {me}/feed')[0]?.json.attached_media as { media_fbid: string }[]
    const { details } = JSON.parse(JSON.stringify(await ledger())) as { details: { photos: string[] } }
    expect(attached.map(({ media_fbid }) => media_fbid)).toEqual(details.photos)
  })

  test('of a reel: bytes, words and title; the id of the video is that of the post', async () => {
    const { post } = await stage.deliver(sample('REEL'))
    const id = stage.calls('POST {me}/video_reels')[1]?.json.video_id
    expect(stage.calls('POST {me}/video_reels').map(({ json }) => json)).toEqual([
      { upload_phase: 'start' },
      { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED', description: 'Bread', title: 'The oven' },
    ])
    expect(post).toMatchObject({ kind: 'made', providerId: id })
  })

  test('of a video: parts as large as the network asks for', async () => {
    const { post } = await stage.deliver(sample('VIDEO'))
    const calls = stage.calls('POST {me}/videos')
    expect(calls[0]?.json).toEqual({ upload_phase: 'start', file_size: 10_815 })
    const offsets = calls
      .slice(1, -1)
      .map(({ request }) => /name="start_offset"\r\n\r\n(\d+)/.exec(String(request.body))?.[1])
    expect(offsets).toEqual(['0', '4096', '8192'])
    expect(calls.at(-1)?.json).toMatchObject({ upload_phase: 'finish', published: true, description: 'Bread' })
    expect(post.kind).toBe('made')
  })

  test('of a video that tells where it was taken: a fresh MP4', async () => {
    const film = await writePhoneFilm('video-short.mp4')
    const { post } = await stage.deliver(sample('VIDEO', { media: [{ file: film.path }] }))
    await film.remove()
    expect(post.kind).toBe('made')
    const bodies = stage
      .calls('POST {me}/videos')
      .map(({ request }) => (request.body as Buffer | undefined) ?? Buffer.alloc(0))
    expect(bodies[1]?.includes('ftypisom')).toBe(true)
    expect(Buffer.concat(bodies).includes(PLACE)).toBe(false)
  })

  test('of an upright short video: a reel, because the network makes one of it', async () => {
    await stage.deliver(sample('VIDEO', { media: [{ file: 'video-h264-aac.mp4' }] }))
    expect(stage.calls('POST {me}/videos')).toEqual([])
    expect(stage.calls('POST {me}/video_reels')).toHaveLength(2)
  })

  test('of a story: no words', async () => {
    await stage.deliver(sample('STORY', { caption: 'Unseen' }))
    expect(stage.calls('POST {me}/photo_stories').map(({ json }) => Object.keys(json))).toEqual([['photo_id']])
    expect(await posts()).toMatchObject([{ text: '' }])
  })

  test('the token stands in headers, never in an address', async () => {
    for (const type of ['IMAGE', 'REEL', 'VIDEO', 'STORY']) await stage.deliver(sample(type))
    const { accessToken = '' } = stage.world.backend.credentials
    expect(stage.exchanged.filter(({ request }) => request.url.includes(accessToken))).toEqual([])
    expect(stage.exchanged.find(({ call }) => call.includes('video-upload') || call === 'GET {id}')).toBeDefined()
  })
})

describe('an upload', () => {
  test('of a reel that breaks goes on where it stood', async () => {
    let struck = false
    const { post } = await stage.deliver(sample('REEL'), {
      async intercept({ request, send }) {
        if (struck || !request.url.includes('/rupload/')) return send()
        struck = true
        await sendHalf(request)
        return lost
      },
    })
    const uploads = stage.exchanged.filter(({ request }) => request.url.includes('/rupload/'))
    expect(uploads.map(({ request }) => request.headers?.offset)).toEqual(['20000'])
    expect(post.kind).toBe('made')
    const { media } = await ledger()
    const blob = await fetch(`${sandbox()}/blobs/${media?.[0]?.blobId}`)
    expect((await blob.arrayBuffer()).byteLength).toBe(46_617)
  })

  test('of a video in parts goes on where the network says when an answer was lost', async () => {
    const transfer = (request: HttpRequest) => String(request.body).includes('transfer')
    const { post } = await stage.deliver(sample('VIDEO'), instead(transfer, lost, true))
    const starts = stage.calls('POST {me}/videos').filter(({ json }) => json.upload_phase === 'start')
    const parts = stage.exchanged.filter(({ request }) => transfer(request)).length
    // One of three parts is sent twice: the second time the network says that it has it.
    expect([post.kind, starts.length, parts, (await posts()).length]).toEqual(['made', 1, 4, 1])
  })

  test('of a video in parts goes on when the request never left', async () => {
    const transfer = (request: HttpRequest) => String(request.body).includes('transfer')
    const trouble = instead(transfer, { kind: 'failed', sent: false, message: 'Refused.' }, false)
    const { post } = await stage.deliver(sample('VIDEO'), trouble)
    const starts = stage.calls('POST {me}/videos').filter(({ json }) => json.upload_phase === 'start')
    expect([post.kind, starts.length]).toEqual(['made', 1])
  })

  test('of photos is made anew before the network forgets them', async () => {
    const delivery = await stage.open(sample('IMAGE'))
    await prepared(stage.world, delivery)
    stage.pass(19 * HOUR)
    await prepared(stage.world, delivery)
    expect(stage.calls('POST {me}/photos')).toHaveLength(1)
    stage.pass(2 * HOUR)
    await prepared(stage.world, delivery)
    expect(stage.calls('POST {me}/photos')).toHaveLength(2)
    stage.pass(23 * HOUR - 2 * HOUR)
    delivery.fence()
    expect(await delivery.call('publish')).toMatchObject({ kind: 'published' })
  })

  test('that is refused a few times ends the post', async () => {
    const delivery = await stage.open(sample('REEL'), {
      intercept: ({ request, send }) =>
        request.url.includes('/rupload/') ? Promise.resolve(graphError(389, null)) : send(),
    })
    for (let turn = 0; turn < 4; turn++) expect(await delivery.call('prepare')).toMatchObject({ kind: 'retry' })
    expect(await delivery.call('prepare')).toMatchObject({ kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR' })
  })
})

describe('duplicate content', () => {
  test('after a lost answer is our own post, which is looked up', async () => {
    const { post, log } = await stage.deliver(sample('TEXT'), instead(visible('feed'), graphError(506, null), true))
    expect(log.map(({ outcome }) => outcome.kind)).toContain('unknown')
    expect(post).toMatchObject({ kind: 'made', providerId: (await posts())[0]?.id })
    expect(stage.calls('POST {me}/feed')).toHaveLength(1)
  })

  test('of an older post ends the post, with words', async () => {
    await stage.api('POST {me}/feed', { message: 'Bread' })
    stage.pass(HOUR)
    const { post } = await stage.deliver(sample('TEXT'))
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'ACTION_BLOCKED',
      message: expect.stringContaining('Change the text or wait'),
    })
    expect(await posts()).toHaveLength(1)
  })
})

describe('a lookup', () => {
  const made = async (...messages: string[]) => {
    for (const message of messages) await stage.api('POST {me}/feed', { message })
    stage.pass(30_000)
  }

  test('takes no post for ours that was there before', async () => {
    await made('Bread', 'Cake')
    const delivery = await stage.fenced(sample('TEXT'))
    expect(await delivery.call('find')).toEqual({ kind: 'absent' })
  })

  test('names none of two that look alike', async () => {
    const delivery = await stage.fenced(sample('TEXT'))
    await made('Bread', 'Cake', 'Bread')
    expect(await delivery.call('find')).toEqual({ kind: 'found', providerId: null, permalink: null })
  })

  test('tells posts of photos by the photos, whatever the words', async () => {
    const delivery = await stage.fenced(sample('IMAGE'))
    await made('Bread')
    expect(await delivery.call('find')).toEqual({ kind: 'absent' })
    const attached = (delivery.handles().photos as string[]).map((id) => ({ media_fbid: id }))
    await stage.api('POST {me}/feed', { message: 'Other words', attached_media: attached })
    stage.pass(30_000)
    expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: expect.any(String) })
  })

  test('goes through as many pages as there are new posts, and no further', async () => {
    await made(...Array.from({ length: 30 }, (_, n) => `Cake ${n}`))
    stage.pass(HOUR)
    const delivery = await stage.fenced(sample('TEXT'))
    const reads = stage.calls('GET {me}/published_posts').length
    await delivery.call('find')
    expect(stage.calls('GET {me}/published_posts').length - reads).toBe(1)
    await made('Bread', ...Array.from({ length: 30 }, (_, n) => `Pie ${n}`))
    expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: expect.any(String) })
  })

  test('of a video waits while the network works on it', async () => {
    const delivery = await stage.fenced(sample('REEL'))
    expect(await delivery.call('find')).toEqual({ kind: 'absent' })
    const id = (delivery.handles().video as { id: string }).id
    await stage.api('POST {me}/video_reels', { upload_phase: 'finish', video_id: id, video_state: 'PUBLISHED' })
    expect(await delivery.call('find')).toMatchObject({ kind: 'cannot-tell' })
    await delivery.call('find')
    expect(await delivery.call('find')).toMatchObject({ kind: 'found', providerId: id })
    // Whoever prepares it again does not send it again.
    expect(await delivery.call('prepare')).toEqual({ kind: 'ready' })
    expect(await delivery.call('publish')).toMatchObject({ kind: 'accepted' })
    // The one that was made by hand.
    expect(stage.calls('POST {me}/video_reels').filter(({ json }) => json.upload_phase === 'finish')).toHaveLength(1)
  })
})

describe('what the network says without proof', () => {
  const finish = (answer: HttpResult, type = 'TEXT') =>
    stage.deliver(sample(type), instead(visible(type === 'REEL' ? 'video_reels' : 'feed'), answer, false))

  test.each<[string, HttpResult, string]>([
    ['a block', graphError(368, null), 'ACTION_BLOCKED'],
    ['spam', graphError(368, 1390008), 'ACCOUNT_RESTRICTED_SPAM'],
    ['a code that nobody knows', graphError(9999, null), 'UNKNOWN'],
  ])('%s ends the post once it is proven that nothing is there', async (_, answer, reason) => {
    const { post, log } = await finish(answer)
    expect(post).toMatchObject({ kind: 'failed', reason })
    expect(log.map(({ outcome }) => outcome.kind)).toEqual(['ready', 'unknown', 'absent', 'absent', 'refused'])
    expect(await posts()).toEqual([])
  })

  test('the limit of the app is waited for', async () => {
    const headers = { 'x-business-use-case-usage': '{"1":[{"estimated_time_to_regain_access":7}]}' }
    const start = stage.world.clock.now().getTime()
    const { post } = await finish(graphError(4, null, headers))
    expect(post.kind).toBe('made')
    expect(stage.world.clock.now().getTime() - start).toBeGreaterThan(6 * 60_000)
    expect(await posts()).toHaveLength(1)
  })

  test('an object that is gone is uploaded anew', async () => {
    const { post } = await finish(graphError(100, 33), 'REEL')
    expect(post.kind).toBe('made')
    expect(stage.calls('POST {me}/video_reels').map(({ json }) => json.upload_phase)).toEqual([
      'start',
      'start',
      'finish',
    ])
    expect(await posts()).toHaveLength(1)
  })
})

describe('a video', () => {
  let asked = false
  test('that the network cannot use fails with what is wrong', async () => {
    const { post } = await stage.deliver(sample('REEL', { media: [{ file: 'video-short.mp4' }] }))
    expect(post).toMatchObject({
      kind: 'failed',
      reason: 'UNKNOWN_MEDIA_ERROR',
      message: expect.stringContaining('3 to 90 seconds'),
    })
    expect(await posts()).toEqual([])
  })

  test('of a story that the network cannot use fails all the same', async () => {
    const { post } = await stage.deliver(sample('STORY', { media: [{ file: 'video-short.mp4' }] }))
    expect(post).toMatchObject({ kind: 'failed', reason: 'UNKNOWN_MEDIA_ERROR' })
    expect(await posts()).toEqual([])
  })

  test('that is left as a draft is no success', async () => {
    const delivery = await stage.open(
      sample('REEL'),
      statusOf({ video_status: 'ready', publishing_phase: { status: 'complete', publish_status: 'draft' } }),
    )
    await prepared(stage.world, delivery)
    delivery.fence()
    expect(await settled(stage.world, delivery)).toMatchObject({
      kind: 'refused',
      reason: 'ACTION_BLOCKED',
      message: expect.stringContaining('draft'),
    })
  })

  test('whose status cannot be read is asked about again', async () => {
    const { post, log } = await stage.deliver(sample('REEL'), {
      intercept: ({ step, send }) => {
        const first = step === 'confirm' && !asked
        asked ||= first
        return first ? Promise.resolve(lost) : send()
      },
    })
    expect(log.find(({ step }) => step === 'confirm')?.outcome.kind).toBe('accepted')
    expect([post.kind, asked]).toEqual(['made', true])
  })

  test('whose address lacks a host gets that of the site', async () => {
    const live = { video_status: 'ready', publishing_phase: { status: 'complete', publish_status: 'published' } }
    const delivery = await stage.fenced(sample('REEL'), statusOf(live, '/reel/7/'))
    expect(await settled(stage.world, delivery)).toMatchObject({
      kind: 'published',
      permalink: `${new URL(stage.world.backend.endpoints.dialog ?? '').origin}/reel/7/`,
    })
  })

  /** What `confirm` reads instead of the truth. */
  function statusOf(status: object, permalink: string | null = null): Trouble {
    const json = { id: '1', permalink_url: permalink, status }
    const answer: HttpResult = { kind: 'answer', status: 200, headers: {}, text: JSON.stringify(json), json }
    return { intercept: ({ step, send }) => (step === 'confirm' ? Promise.resolve(answer) : send()) }
  }
})

const sandbox = () => stage.world.backend.endpoints.graph?.replace(/\/graph$/, '') ?? ''

/** The newest post with everything that its page shows. */
async function ledger(): Promise<{ media?: { blobId: string }[]; details: Record<string, unknown> }> {
  const [{ id = '' } = {}] = (await posts()).slice(-1)
  const page = await (await fetch(`${sandbox()}/p/${id}`)).text()
  const rows = [...page.matchAll(/<tr><th>(\w+)<\/th><td><code>(.*?)<\/code>/g)]
  const text = (value: string) => value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
  const photos = rows.find(([, name]) => name === 'photos')?.[2]
  return {
    media: [...page.matchAll(/blobs\/([0-9a-f]{64})/g)].map(([, blobId = '']) => ({ blobId })),
    details: photos === undefined ? {} : { photos: JSON.parse(text(photos)) },
  }
}

/** Sends 20,000 bytes of a request and breaks the connection; resolves when the network has them. */
async function sendHalf({ url, headers, body }: HttpRequest): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of body as AsyncIterable<Buffer>) chunks.push(chunk)
  const request = openRequest(url, { method: 'POST', headers: { 'user-agent': 'Almanac', ...headers } })
  request.on('error', () => {})
  await new Promise<void>((resolve) => request.write(Buffer.concat(chunks).subarray(0, 20_000), () => resolve()))
  const id = new URL(url).pathname.split('/').at(-1) ?? ''
  // The bytes are in the socket; the simulator keeps them when it sees the end of it.
  request.destroy()
  const deadline = Date.now() + 5_000
  while (Date.now() < deadline) {
    const answer = await stage.api(`GET ${id}?fields=status`)
    if (answer.kind === 'answer' && answer.text.includes('20000')) return
    await new Promise((resolve) => setImmediate(resolve))
  }
  throw new Error('The network does not have the half.')
}
