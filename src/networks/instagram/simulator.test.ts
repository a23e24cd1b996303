import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { signedTokens } from '../kit/signed-tokens.ts'
import { fixture, type Stage, serveFiles } from '../kit/testing.ts'
import { network } from './index.ts'
import { openStage } from './testing-posts.ts'

const HOUR = 3_600_000

let files: Awaited<ReturnType<typeof serveFiles>>
let stage: Stage

beforeAll(async () => {
  const solid = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c80' } })
  const noise = { width: 2600, height: 2600, channels: 3 as const }
  const large = sharp(randomBytes(2600 * 2600 * 3), { raw: noise }).jpeg({ quality: 100 })
  files = await serveFiles({
    square: await solid(400, 400).jpeg().toBuffer(),
    wide: await solid(800, 400).jpeg().toBuffer(),
    png: await solid(400, 400).png().toBuffer(),
    large: await large.toBuffer(),
    video: await fixture('video-h264-aac.mp4'),
    webm: await fixture('video-vp9.webm'),
    short: await fixture('video-short.mp4'),
    text: 'No picture.',
  })
})
afterAll(() => files.close())
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const url = (file: string) => files.address(file)

interface Body {
  id?: string
  data?: Record<string, unknown>[]
  error?: Record<string, unknown>
  status_code?: string
  paging?: { cursors: { after: string }; next?: string }
}
type Answer = Awaited<ReturnType<typeof get>>

const get = (path: string, token?: string) =>
  stage.api<Body>(`GET ${path}`, undefined, token === undefined ? {} : { token })
const post = (edge: string, json: object) => stage.api<Body>(`POST {me}/${edge}`, json)
const comment = (id: string, json: object) => stage.api<Body>(`POST ${id}/comments`, json)
const codes = ({ json }: Answer) => `${json.error?.code}/${json.error?.error_subcode ?? ''}`

async function made(body: object): Promise<string> {
  const { id } = (await post('media', body)).json
  if (!id) throw new Error('The container was refused.')
  return id
}
async function statuses(id: string, count: number): Promise<unknown[]> {
  const seen: unknown[] = []
  for (let look = 0; look < count; look++) {
    seen.push((await get(`${id}?fields=status_code,status`)).json.status_code)
  }
  return seen
}
async function finished(body: object): Promise<string> {
  const id = await made(body)
  expect((await statuses(id, 3)).at(-1)).toBe('FINISHED')
  return id
}
async function published(body: object): Promise<string> {
  const { id } = (await post('media_publish', { creation_id: await finished(body) })).json
  if (!id) throw new Error('The post was refused.')
  // The first reader of a fresh post is told that there is none.
  expect(codes(await get(id))).toBe('100/33')
  return id
}
const image = (more: object = {}) => ({ image_url: url('square'), ...more })
const reel = (more: object = {}) => ({ media_type: 'REELS', video_url: url('video'), ...more })
const child = (file = 'square') => ({ image_url: url(file), is_carousel_item: true })
const tags = (count: number) => Array.from({ length: count }, (_, n) => ({ username: `user${n}`, x: 0, y: 1 }))

describe('a container is refused', () => {
  test.each<[string, () => object, string]>([
    ['with an unknown parameter', () => image({ colour: 'red' }), '100/'],
    ['with collaborators on an item', () => ({ ...child(), collaborators: ['a'] }), '100/'],
    ['with a caption on a story', () => ({ media_type: 'STORIES', image_url: url('square'), caption: 'x' }), '100/'],
    ['without a file', () => ({ caption: 'x' }), '100/'],
    ['with two files', () => image({ video_url: url('video') }), '100/'],
    ['of an unknown type', () => image({ media_type: 'FILM' }), '100/2207023'],
    ['of the type that reels replaced', () => ({ media_type: 'VIDEO', video_url: url('video') }), '100/2207023'],
    ['of a reel as item', () => reel({ is_carousel_item: true }), '100/'],
    ['of PNG', () => image({ image_url: url('png') }), '36001/2207005'],
    ['of no image', () => image({ image_url: url('text') }), '36001/2207005'],
    ['of a large image', () => image({ image_url: url('large') }), '36000/2207004'],
    ['of a wide image', () => image({ image_url: url('wide') }), '36003/2207009'],
    ['of a file that is not there', () => image({ image_url: url('none') }), '9004/2207052'],
    ['of a file of nobody', () => image({ image_url: 'http://127.0.0.1:9/x.jpg' }), '9004/2207052'],
    ['of an address that is none', () => image({ image_url: 'ftp://x/ö.jpg' }), '9004/2207052'],
    ['with a long caption', () => image({ caption: 'x'.repeat(2201) }), '36004/2207010'],
    ['with a long alternative text', () => image({ alt_text: 'x'.repeat(1001) }), '100/'],
    ['with 21 tags', () => image({ user_tags: tags(21) }), '100/2207040'],
    ['with a tag without a place', () => image({ user_tags: [{ username: 'a' }] }), '100/'],
    ['with a place in a reel', () => reel({ user_tags: tags(1) }), '100/'],
    ['with a user that cannot be', () => image({ collaborators: ['@a'] }), '110/2207018'],
    ['with 4 collaborators', () => image({ collaborators: ['a', 'b', 'c', 'd'] }), '100/'],
    ['with a cover behind the end', () => reel({ thumb_offset: 4_100 }), '1/2207057'],
    ['of one item', () => ({ media_type: 'CAROUSEL', children: ['1'] }), '100/2207028'],
    ['of unknown items', () => ({ media_type: 'CAROUSEL', children: ['1', '2'] }), '100/'],
  ])('%s', async (_, body, expected) => {
    const answer = await post('media', body())
    expect([answer.status, codes(answer)]).toEqual([400, expected])
  })

  test('of items that are not finished, or are too many', async () => {
    const children = [await made(child()), await made(child())]
    expect(codes(await post('media', { media_type: 'CAROUSEL', children }))).toBe('9007/2207027')
    expect(codes(await post('media', { media_type: 'CAROUSEL', children: Array(11).fill(children[0]) }))).toBe(
      '100/2207028',
    )
    for (const id of children) await statuses(id, 2)
    expect((await post('media', { media_type: 'CAROUSEL', children })).status).toBe(200)
  })

  test('while it is worked on, when the video is none that the network plays', async () => {
    for (const body of [reel({ video_url: url('webm') }), reel({ video_url: url('short') })]) {
      const id = await made(body)
      expect(await statuses(id, 3)).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'ERROR'])
      expect((await get(`${id}?fields=status`)).json).toMatchObject({ status: expect.stringMatching(/2207026$/) })
      expect(codes(await post('media_publish', { creation_id: id }))).toBe('9007/2207027')
    }
  })
})

describe('publishing', () => {
  test('waits for the work on a container', async () => {
    const id = await made(image())
    expect(codes(await post('media_publish', { creation_id: id }))).toBe('9007/2207027')
    expect(await statuses(id, 2)).toEqual(['IN_PROGRESS', 'FINISHED'])
    expect((await post('media_publish', { creation_id: id })).status).toBe(200)
    expect(await statuses(id, 1)).toEqual(['PUBLISHED'])
  })

  test('a container twice makes two posts: the worst that the documents allow', async () => {
    const id = await finished(image({ caption: 'Twice' }))
    await post('media_publish', { creation_id: id })
    await post('media_publish', { creation_id: id })
    expect((await stage.posts()).map(({ text }) => text)).toEqual(['Twice', 'Twice'])
  })

  test('an expired, an unknown container or an item is refused', async () => {
    const id = await finished(image())
    const item = await finished(child())
    expect(codes(await post('media_publish', { creation_id: item }))).toBe('100/')
    expect(codes(await post('media_publish', { creation_id: '1' }))).toBe('24/2207006')
    stage.pass(24 * HOUR + 1_000)
    expect(await statuses(id, 1)).toEqual(['EXPIRED'])
    expect(codes(await post('media_publish', { creation_id: id }))).toBe('24/2207008')
    expect(await stage.posts()).toEqual([])
  })

  test('counts against the quota', async () => {
    await published(image())
    expect((await get(`{me}/content_publishing_limit?fields=quota_usage,config`)).json).toEqual({
      data: [{ quota_usage: 1, config: { quota_total: 10_000, quota_duration: 86_400 } }],
    })
  })
})

describe('what is there', () => {
  test('is shown with the fields that are asked for', async () => {
    const id = await published(image({ caption: 'Bread', alt_text: 'A loaf' }))
    expect((await get(`${id}?fields=id,caption,permalink,media_type,media_product_type,timestamp`)).json).toEqual({
      id,
      caption: 'Bread',
      permalink: expect.stringMatching(new RegExp(`/instagram/p/${id}$`)),
      media_type: 'IMAGE',
      media_product_type: 'FEED',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000$/),
    })
    expect(codes(await get(`${id}?fields=colour`))).toBe('100/')
    expect((await get(`{me}?fields=username`)).json).toEqual({
      id: stage.world.backend.account.externalId,
      username: 'corner_bakery',
    })
  })

  test('is listed newest first, page by page, since a time, and stories by themselves', async () => {
    const old = await published(image({ caption: 'Old' }))
    stage.pass(HOUR)
    const since = Math.floor(stage.world.clock.now().getTime() / 1_000) - 60
    const newer = [await published(image()), await published(reel())]
    const story = await published({ media_type: 'STORIES', image_url: url('wide') })
    const listed = async (path: string) => {
      const { json } = await get(path)
      return { ids: json.data?.map(({ id }) => id), json }
    }
    expect((await listed(`{me}/media`)).ids).toEqual([...newer.toReversed(), old])
    expect((await listed(`{me}/media?since=${since}`)).ids).toEqual(newer.toReversed())
    expect((await listed(`{me}/stories`)).ids).toEqual([story])
    const { ids, json } = await listed(`{me}/media?limit=2`)
    expect(ids).toEqual(newer.toReversed())
    expect(json.paging?.next).toBeDefined()
    const last = await listed(`{me}/media?limit=2&after=${json.paging?.cursors.after}`)
    expect(last.ids).toEqual([old])
    expect(last.json.paging).not.toHaveProperty('next')
    stage.pass(25 * HOUR)
    expect((await listed(`{me}/stories`)).ids).toEqual([])
  })

  test('takes comments, but for stories', async () => {
    const id = await published(image())
    const { json } = await comment(id, { message: 'First' })
    expect((await get(`${id}/comments?fields=id,text,username`)).json.data).toEqual([
      { id: json.id, text: 'First', username: 'corner_bakery' },
    ])
    expect(await stage.posts()).toMatchObject([{ comments: ['First'] }])
    const story = await published({ media_type: 'STORIES', image_url: url('square') })
    expect(codes(await comment(story, { message: 'No' }))).toBe('100/')
    expect(codes(await comment(id, {}))).toBe('100/')
  })

  test('outlives the process', async () => {
    const waiting = await finished(image())
    const id = await published(image({ caption: 'Bread' }))
    await stage.world.backend.restart?.()
    expect((await get(`${id}?fields=caption`)).json).toEqual({ id, caption: 'Bread' })
    expect(await statuses(waiting, 1)).toEqual(['FINISHED'])
  })
})

describe('who asks', () => {
  test('needs a token, and sees what is its own', async () => {
    const id = await made(image())
    expect(codes(await get(id, 'EAAB'))).toBe('190/')
    expect((await get(id, '')).status).toBe(401)
    const other = stage.world.backend.simulator?.tokens.write('access', { id: 'connection-2', name: 'Other' })
    const token = `IGSANDBOX${other}`
    expect(codes(await get(id, token))).toBe('100/33')
    expect(codes(await stage.api<Body>('POST {me}/media', image(), { token }))).toBe('100/33')
  })

  test('is answered as the network answers', async () => {
    const refused = await get('1')
    expect(refused.json.error).toEqual({
      message: expect.any(String),
      type: 'OAuthException',
      code: 100,
      error_subcode: 33,
      is_transient: false,
      fbtrace_id: expect.stringMatching(/^A[\w-]{22}$/),
    })
    expect(JSON.parse(refused.headers['x-app-usage'] ?? '')).toHaveProperty('call_count')
    expect(refused.headers['x-business-use-case-usage']).toContain('estimated_time_to_regain_access')
    expect(codes(await get(`{me}/nothing`))).toBe('2500/')
    expect((await stage.api('GET /graph/{me}')).status).toBe(400)
  })
})

test('a connection has the same account every time, and connections have different ones', () => {
  const deps = {
    store: null as never,
    tokens: signedTokens([Buffer.alloc(32)], 'instagram'),
    url: 'http://127.0.0.1/sandbox/instagram',
    callback: '',
    now: () => new Date(),
    fetchFile: null as never,
  }
  const identity = (id: string, name = 'Corner Bakery') =>
    network.simulate(deps).identityFor({ id, name, accountType: 'INSTAGRAM' })
  expect(identity('a')).toEqual(identity('a'))
  expect(identity('a').externalId).toMatch(/^1784\d{13}$/)
  expect(identity('b').externalId).not.toBe(identity('a').externalId)
  expect(identity('a', 'Bäckerei & Söhne').username).toBe('backerei_sohne')
  expect(identity('a', '日本').username).toBe('pretend')
})
