import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { stageFor } from '../conformance/stages.ts'
import { fixture, serveFiles } from '../kit/testing.ts'
import { openStage, sample } from './testing-posts.ts'

let files: Awaited<ReturnType<typeof serveFiles>>
beforeAll(async () => {
  const solid = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: '#c80' } })
  files = await serveFiles({
    square: await solid(400, 400).jpeg().toBuffer(),
    wide: await solid(800, 400).jpeg().toBuffer(),
    png: await solid(400, 400).png().toBuffer(),
    large: Buffer.alloc(8 * 1024 * 1024 + 1),
    video: await fixture('video-h264-aac.mp4'),
    webm: await fixture('video-vp9.webm'),
    short: await fixture('video-short.mp4'),
  })
})
afterAll(() => files.close())
const stage = stageFor('each', openStage)

interface Body {
  id?: string
  data?: { id?: string; text?: string }[]
  error?: Record<string, unknown>
  status_code?: string
}
const get = (path: string, more?: { token: string }) => stage.api<Body>(`GET ${path}`, undefined, more)
const post = (edge: string, json: object) => stage.api<Body>(`POST {me}/${edge}`, json)
const codes = ({ json }: { json: Body }) => `${json.error?.code}/${json.error?.error_subcode ?? ''}`
const publish = (id: string) => post('media_publish', { creation_id: id })

const idOf = async (answer: Promise<{ json: Body }>) => (await answer).json.id ?? 'refused'
const made = (body: object) => idOf(post('media', body))
const status = async (id: string) => (await get(`${id}?fields=status_code`)).json.status_code

const image = (more: object = {}, file = 'square') => ({ image_url: files.address(file), ...more })
const reel = (more: object = {}, file = 'video') => ({ media_type: 'REELS', video_url: files.address(file), ...more })
const story = (more: object = {}) => image({ media_type: 'STORIES', ...more }, 'wide')
const item = { is_carousel_item: true }
const tags = (count: number) => ({ user_tags: Array(count).fill({ username: 'user', x: 0, y: 1 }) })

describe('a container is refused', () => {
  test.each<[string, () => object, string]>([
    ['with an unknown parameter', () => image({ colour: 'red' }), '100/'],
    ['with collaborators on an item', () => image({ ...item, collaborators: ['a'] }), '100/'],
    ['with a caption on a story', () => story({ caption: 'x' }), '100/'],
    ['without a file', () => ({ caption: 'x' }), '100/'],
    ['with two files', () => story({ video_url: files.address('video') }), '100/'],
    ['of an unknown type', () => image({ media_type: 'FILM' }), '100/2207023'],
    ['of the type that reels replaced', () => reel({ media_type: 'VIDEO' }), '100/2207023'],
    ['of a reel as item', () => reel(item), '100/'],
    ['of PNG', () => image({}, 'png'), '36001/2207005'],
    ['of a large image', () => image({}, 'large'), '36000/2207004'],
    ['of a wide image', () => image({}, 'wide'), '36003/2207009'],
    ['of a file that is not there', () => image({}, 'none'), '9004/2207052'],
    ['of an address that is none', () => ({ image_url: 'ftp://x/ö.jpg' }), '9004/2207052'],
    ['with a long caption', () => image({ caption: 'x'.repeat(2201) }), '36004/2207010'],
    ['with a long alternative text', () => image({ alt_text: 'x'.repeat(1001) }), '100/'],
    ['with 21 tags', () => image(tags(21)), '100/2207040'],
    ['with a tag without a place', () => image({ user_tags: [{ username: 'a' }] }), '100/'],
    ['with a place in a reel', () => reel(tags(1)), '100/'],
    ['with a user that cannot be', () => image({ collaborators: ['@a'] }), '110/2207018'],
    ['with 4 collaborators', () => image({ collaborators: ['a', 'b', 'c', 'd'] }), '100/'],
    ['with a cover behind the end', () => reel({ thumb_offset: 4_100 }), '1/2207057'],
    ['with a track that has no number', () => reel({ audio_configuration: { audio_id: 'Song' } }), '100/'],
    ['of one item', () => ({ media_type: 'CAROUSEL', children: ['1'] }), '100/2207028'],
    ['of 11 items', () => ({ media_type: 'CAROUSEL', children: Array(11).fill('1') }), '100/2207028'],
    ['of unknown items', () => ({ media_type: 'CAROUSEL', children: ['1', '2'] }), '100/'],
  ])('%s', async (_, body, expected) => {
    const answer = await post('media', body())
    expect([answer.status, codes(answer)]).toEqual([400, expected])
  })

  test('of items that are not finished', async () => {
    const children = [await made(image(item)), await made(image(item))]
    expect(codes(await post('media', { media_type: 'CAROUSEL', children }))).toBe('9007/2207027')
  })

  test.each(['webm', 'short'])('while it is worked on, when the video is none that it plays: %s', async (file) => {
    const id = await made(reel({}, file))
    expect([await status(id), await status(id), await status(id)]).toEqual(['IN_PROGRESS', 'IN_PROGRESS', 'ERROR'])
    expect((await get(`${id}?fields=status`)).json).toMatchObject({ status: expect.stringMatching(/2207026$/) })
    expect(codes(await publish(id))).toBe('9007/2207027')
  })
})

test('an unknown, an unfinished container or an item is not published', async () => {
  expect(codes(await publish(await made(image())))).toBe('9007/2207027')
  expect(codes(await publish(await made(image(item))))).toBe('100/')
  expect(codes(await publish('1'))).toBe('24/2207006')
})

test('stories are listed by themselves and for a day, posts newest first, and stories take no comments', async () => {
  const ids: unknown[] = []
  for (const type of ['IMAGE', 'STORY', 'REEL']) {
    const { post: ending } = await stage.deliver(sample(type))
    ids.push(ending.kind === 'made' && ending.providerId)
  }
  const [old, tale, last] = ids
  const listed = async (edge: string) => (await get(`{me}/${edge}`)).json.data?.map(({ id }) => id)
  expect([await listed('media'), await listed('stories')]).toEqual([[last, old], [tale]])
  stage.pass(25 * 3_600_000)
  expect(await listed('stories')).toEqual([])
  const comment = (id: unknown, message?: string) => stage.api<Body>(`POST ${id}/comments`, { message })
  expect([codes(await comment(tale, 'No')), codes(await comment(old))]).toEqual(['100/', '100/'])
})

test('a token shows what is its own, with the fields and edges that there are', async () => {
  const id = await made(image())
  expect((await get(id, { token: '' })).status).toBe(401)
  const claims = { id: 'connection-2', name: 'Other' }
  const token = `IGSANDBOX${stage.world.backend.simulator?.tokens.write('access', claims)}`
  expect(codes(await get(id, { token }))).toBe('100/33')
  expect(codes(await stage.api<Body>('POST {me}/media', image(), { token }))).toBe('100/33')
  const refused = {
    '{me}?fields=colour': '100/',
    [`${id}/media`]: '100/33',
    '{me}/nothing': '2500/',
    '/graph/25/{me}': '2500/',
  }
  for (const [path, code] of Object.entries(refused)) expect([path, codes(await get(path))]).toEqual([path, code])
})
