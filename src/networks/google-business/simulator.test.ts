import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { listen } from '../conformance/listen.ts'
import { stageFor } from '../conformance/stages.ts'
import { type Json, serveFiles } from '../kit/testing.ts'
import { openStage, parentOf, personToken } from './testing-posts.ts'

/** What the simulator refuses and no test of the connector provokes. */

const stage = stageFor('each', openStage)

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
  ['a call with an address', action('CALL', { url: address }), 'call_to_action.url'],
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

test('a video is a server error', async () => {
  expect((await create({ media: [item({ mediaFormat: 'VIDEO' })] })).status).toBe(500)
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
  for (const summary of ['One', 'Two', 'Three']) await create({ summary })
  expect(await list()).toEqual({})
  stage.pass(30_000)
  const first = await list('?pageSize=2')
  expect(first).toMatchObject({ localPosts: [{ summary: 'Three' }, { summary: 'Two' }], freshness: 'SANDBOX' })
  await create({ summary: 'Four' })
  stage.pass(30_000)
  const last = await list(`?pageSize=2&pageToken=${first.nextPageToken}`)
  expect([last.localPosts?.length, last.nextPageToken]).toEqual([1, undefined])
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

test('a photo is fetched late; one that is not there, or too small, has the post rejected', async () => {
  const noise = (side: number) =>
    sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
      .png()
      .toBuffer()
  const served = await serveFiles({ small: await noise(249), right: await noise(250) })
  const states: unknown[] = []
  for (const sourceUrl of [...['gone', 'small', 'right'].map(served.address), await fileUrl('transparent.png')]) {
    const post = await taken({ media: [item({ sourceUrl })] })
    stage.pass(6_000)
    states.push((await read(post)).state)
  }
  await served.close()
  expect(states).toEqual(['REJECTED', 'REJECTED', 'LIVE', 'REJECTED'])
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

test('a post is reviewed once, also by requests that come together', async () => {
  const photo = await sharp(randomBytes(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
    .png()
    .toBuffer()
  const held = Promise.withResolvers<void>()
  let fetched = 0
  const { origin, close } = await listen((_, response) => {
    fetched += 1
    // Another look would find nothing there.
    if (fetched > 1) response.writeHead(404).end()
    else void held.promise.then(() => response.writeHead(200, { 'content-type': 'image/png' }).end(photo))
  })
  try {
    await create({ media: [item({ sourceUrl: `${origin}/photo.png` })] })
    stage.pass(60_000)
    const first = list()
    await expect.poll(() => fetched).toBe(1)
    const second = list()
    // A request that is not about posts: the one before it has arrived as well.
    await stage.api('GET /accounts/v1/accounts')
    held.resolve()
    for (const answer of await Promise.all([first, second])) {
      expect(answer).toMatchObject({ localPosts: [{ state: 'LIVE' }] })
    }
    expect(fetched).toBe(1)
  } finally {
    held.resolve()
    await close()
  }
})
