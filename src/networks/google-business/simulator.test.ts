import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Json, type Stage, serveFiles } from '../kit/testing.ts'
import { openStage, parentOf, personToken } from './testing-posts.ts'

/** What the pretend network refuses and no test of the connector provokes. */

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const valid = { summary: 'Bread', topicType: 'STANDARD' }
const create = (more: object = {}) => stage.api(`POST ${parentOf(stage)}/localPosts`, { ...valid, ...more })
const list = async (query = '') =>
  (await stage.api<{ localPosts?: Json[]; nextPageToken?: string } & Json>(`GET ${parentOf(stage)}/localPosts${query}`))
    .json
const item = (more: object = {}) => ({ mediaFormat: 'PHOTO', sourceUrl: address, ...more })
const address = 'https://example.com'
const action = (actionType: string, more: object = {}) => ({ callToAction: { actionType, ...more } })

test.each<[string, object, string]>([
  ['no text', { summary: undefined }, 'summary'],
  ['1501 characters', { summary: 'x'.repeat(1501) }, 'Must be at most 1500 characters'],
  ['another kind', { topicType: 'EVENT' }, 'topic_type'],
  ['an unknown field', { title: 'Bread' }, 'Unknown name'],
  ['a language that is none', { languageCode: 'the usual one' }, 'language_code'],
  ['a call with an address', action('CALL', { url: address }), 'call_to_action.url'],
  ['a button without one', action('SHOP'), 'call_to_action.url'],
  ['a button that is none', action('ACTION_TYPE_UNSPECIFIED'), 'action_type'],
  ['two photos', { media: [item(), item()] }, 'media'],
  ['a photo without an address', { media: [item({ sourceUrl: undefined })] }, 'Fetching image failed'],
  ['a format that is none', { media: [item({ mediaFormat: 'GIF' })] }, 'media_format'],
  ['an alternative text', { media: [item({ altText: 'Bread' })] }, 'Unknown name'],
])('a post is refused for %s', async (_, more, words) => {
  const answer = await create(more)
  expect(answer).toMatchObject({ status: 400, json: { error: { code: 400, status: 'INVALID_ARGUMENT' } } })
  expect(answer.text).toContain(words)
  stage.pass(60_000)
  expect(await list()).toEqual({})
})

test('a video is a server error, and a body that is no JSON is refused', async () => {
  expect((await create({ media: [item({ mediaFormat: 'VIDEO' })] })).status).toBe(500)
  const form = { summary: 'Bread' }
  expect((await stage.api(`POST ${parentOf(stage)}/localPosts`, undefined, { form })).status).toBe(400)
})

test.each<[string, number, unknown?]>([
  ['GET accounts/1/locations/2/localPosts', 403],
  ['POST accounts/1/locations/2/localPosts', 403, valid],
  ['GET /accounts/v1/accounts?pageSize=21', 400],
  ['GET /locations/v1/accounts/1/locations?readMask=name,phone', 400],
  ['GET /locations/v1/accounts/1/locations?readMask=name&pageSize=101', 400],
  ['GET /locations/v1/accounts/1/locations?readMask=name', 404],
])('%s: %i', async (call, status, body) => expect((await stage.api(call, body)).status).toBe(status))

test('posts are listed late, newest first, in pages that new ones do not move, with a key that no document has', async () => {
  const summaries = async (query = '') => (await list(query)).localPosts?.map(({ summary }) => summary)
  for (const summary of ['One', 'Two', 'Three']) {
    await create({ summary })
    stage.pass(1_000)
  }
  expect(await list()).toEqual({})
  stage.pass(30_000)
  expect(await summaries('?pageSize=2')).toEqual(['Three', 'Two'])
  const { nextPageToken, freshness } = await list('?pageSize=2')
  expect(freshness).toBe('SANDBOX')
  await create({ summary: 'Four' })
  stage.pass(30_000)
  const last = await list(`?pageSize=2&pageToken=${nextPageToken}`)
  expect([last.localPosts?.length, last.nextPageToken]).toEqual([1, undefined])
  expect(await list('?pageSize=101')).toMatchObject({ error: { code: 400 } })
  expect(await list('?pageToken=1')).toMatchObject({ error: { code: 400 } })
})

const read = async (name: string) => (await stage.api(`GET ${name}`)).json
const taken = async (more: object) => String((await create(more)).json.name)
const fileUrl = async (file: string) => (await stage.world.media.of([{ file }]))[0]?.source.url() ?? ''

test('a post is worked on, then live, then has its page, once for all who ask at the same time', async () => {
  const name = await taken({ media: [item({ sourceUrl: await fileUrl('photo.jpg') })] })
  expect(await read(name)).toMatchObject({ state: 'PROCESSING' })
  stage.pass(6_000)
  const [live] = await Promise.all([read(name), read(name), list(), list()])
  expect(await stage.posts()).toMatchObject([{ id: name.split('/').slice(2).join('/'), text: 'Bread', media: 1 }])
  expect([live.state, live.searchUrl]).toEqual(['LIVE', undefined])
  stage.pass(3_500)
  expect((await read(name)).searchUrl).toBeDefined()
})

/** A picture that nothing can be made smaller of. */
const noise = (side: number, format: 'png' | 'webp') =>
  sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
    .toFormat(format)
    .toBuffer()

test('a photo is fetched late; one that is not there, too small or of another format has the post rejected', async () => {
  const files = { small: await noise(249, 'png'), right: await noise(250, 'png'), webp: await noise(300, 'webp') }
  const served = await serveFiles(files)
  const sources = {
    gone: `${await fileUrl('photo.jpg')}x`,
    unserved: 'http://127.0.0.1:1/bread.jpg',
    light: await fileUrl('transparent.png'),
    film: await fileUrl('video-h264-aac.mp4'),
    ...Object.fromEntries(Object.keys(files).map((name) => [name, served.address(name)])),
  }
  const states: Record<string, unknown> = {}
  for (const [name, sourceUrl] of Object.entries(sources)) {
    const post = await taken({ media: [item({ sourceUrl })] })
    stage.pass(6_000)
    states[name] = (await read(post)).state
  }
  await served.close()
  const rejected = Object.fromEntries(Object.keys(sources).map((name) => [name, 'REJECTED']))
  expect(states).toEqual({ ...rejected, right: 'LIVE' })
  expect(await stage.posts()).toHaveLength(1)
})

test('a post is the same through every account that shows its location, and some locations take none', async () => {
  const more = { token: personToken(stage) }
  const posts = (account: number, location = 2000001) => `accounts/${account}/locations/${location}/localPosts`
  const chain = await stage.api(`POST ${posts(1000001, 2000003)}`, valid, more)
  expect(chain.text).toContain('LOCATION_DISABLED_FOR_LOCAL_POST_API')
  const made = await stage.api(`POST ${posts(1000001)}`, valid, more)
  const id = String(made.json.name).split('/').at(-1)
  stage.pass(60_000)
  const ask = async (path: string) => (await stage.api(`GET ${path}`, undefined, more)).json
  const name = `${posts(1000002)}/${id}`
  expect(await ask(name)).toMatchObject({ name })
  expect(await ask(posts(1000002))).toMatchObject({ localPosts: [{ name }] })
  expect(await ask(`${posts(1000002, 2000004)}/${id}`)).toMatchObject({ error: { code: 404 } })
})
