import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openStage, type Stage } from '../conformance/index.ts'
import type { HttpResult } from '../toolkit/http.ts'
import { network } from './index.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage(network, 'GMB')
})
afterEach(() => stage.close())

const parent = () => `${stage.world.backend.credentials.account}/${stage.world.backend.account.externalId}`
const pass = (ms: number) => stage.world.clock.jumpTo(new Date(stage.world.clock.now().getTime() + ms))

async function ask(
  method: 'GET' | 'POST',
  endpoint: string,
  path: string,
  options: { json?: object; token?: string | null; form?: Record<string, string> } = {},
): Promise<Extract<HttpResult, { kind: 'answer' }>> {
  const { endpoints, credentials } = stage.world.backend
  const token = options.token === undefined ? credentials.accessToken : options.token
  const answer = await stage.http({
    method,
    url: `${endpoints[endpoint]}${path}`,
    ...(token === null ? {} : { headers: { authorization: `Bearer ${token}` } }),
    ...(options.json ? { json: options.json } : {}),
    ...(options.form ? { form: options.form } : {}),
    signal: AbortSignal.timeout(5_000),
  })
  if (answer.kind === 'failed') throw new Error(answer.message)
  return answer
}
const valid = { summary: 'Bread', topicType: 'STANDARD' }
const create = (more: object = {}) =>
  ask('POST', 'posts', `/v4/${parent()}/localPosts`, { json: { ...valid, ...more } })
const list = (query = '') => ask('GET', 'posts', `/v4/${parent()}/localPosts${query}`)
const photo = (sourceUrl: string, mediaFormat = 'PHOTO') => ({ media: [{ mediaFormat, sourceUrl }] })
const address = 'https://example.com'

describe('a post is refused for', () => {
  test.each<[string, object, string]>([
    ['no text', { summary: undefined }, 'summary'],
    ['an empty text', { summary: ' ' }, 'summary'],
    ['1501 characters', { summary: 'x'.repeat(1501) }, 'Must be at most 1500 characters'],
    ['another kind', { topicType: 'EVENT' }, 'topic_type'],
    ['no kind', { topicType: undefined }, 'topic_type'],
    ['an unknown field', { title: 'Bread' }, 'Unknown name'],
    ['a language that is none', { languageCode: 'the usual one' }, 'language_code'],
    ['a call with an address', { callToAction: { actionType: 'CALL', url: address } }, 'call_to_action.url'],
    ['a button without one', { callToAction: { actionType: 'SHOP' } }, 'call_to_action.url'],
    ['a button with what is none', { callToAction: { actionType: 'SHOP', url: 'example' } }, 'call_to_action.url'],
    ['a button that is none', { callToAction: { actionType: 'ACTION_TYPE_UNSPECIFIED' } }, 'action_type'],
    ['an unknown field of a button', { callToAction: { actionType: 'CALL', label: 'Call' } }, 'Unknown name'],
    ['two photos', { media: [...photo(address).media, ...photo(address).media] }, 'media'],
    ['a photo without an address', { media: [{ mediaFormat: 'PHOTO' }] }, 'Fetching image failed'],
    ['a photo with what is none', photo('C:\\bread.jpg'), 'Fetching image failed'],
    ['a format that is none', photo(address, 'GIF'), 'media_format'],
    ['an alternative text', { media: [{ ...photo(address).media[0], altText: 'Bread' }] }, 'Unknown name'],
  ])('%s', async (_, more, words) => {
    const answer = await create(more)
    expect(answer.status).toBe(400)
    expect(answer.text).toContain(words)
    expect(answer.json).toMatchObject({ error: { code: 400, status: 'INVALID_ARGUMENT' } })
    pass(60_000)
    expect((await list()).json).toEqual({})
  })

  test('a video, with a server error', async () => {
    expect((await create(photo(address, 'VIDEO'))).status).toBe(500)
  })

  test('a body that is no JSON', async () => {
    expect((await ask('POST', 'posts', `/v4/${parent()}/localPosts`, { form: { summary: 'Bread' } })).status).toBe(400)
  })
})

describe('who may do what', () => {
  test.each([
    ['no token', null],
    ['a token of somebody else', 'ya29.real'],
    ['a token that is none', 'ya29.sandbox-e30'],
  ])('%s', async (_, token) => {
    expect((await ask('GET', 'accounts', '/v1/accounts', { token })).status).toBe(401)
    expect((await ask('GET', 'posts', `/v4/${parent()}/localPosts`, { token })).status).toBe(401)
  })

  test('a location of others', async () => {
    const path = '/v4/accounts/1/locations/2/localPosts'
    expect((await ask('GET', 'posts', path)).status).toBe(403)
    expect((await ask('POST', 'posts', path, { json: valid })).status).toBe(403)
  })

  test('a name without the account in front is known to nobody', async () => {
    const location = parent().split('/').slice(2).join('/')
    expect((await ask('GET', 'posts', `/v4/${location}/localPosts`)).status).toBe(404)
  })

  test.each([
    ['GET', 'posts', '/v4/nothing'],
    ['GET', 'accounts', '/v1/locations'],
    ['POST', 'locations', '/v1/accounts/1/locations'],
  ] as const)('%s %s%s is not there', async (method, endpoint, path) => {
    expect((await ask(method, endpoint, path, method === 'POST' ? { json: {} } : {})).status).toBe(404)
  })

  test('a location where no program may post, of the person of the sign-in', async () => {
    const person = stage.world.backend.simulator?.tokens.write('access', { principal: { grant: 'g' } })
    const token = `ya29.sandbox-${person}`
    const path = '/v4/accounts/1000001/locations/2000003/localPosts'
    const answer = await ask('POST', 'posts', path, { json: valid, token })
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('LOCATION_DISABLED_FOR_LOCAL_POST_API') })
  })
})

describe('listings', () => {
  test('of locations want to be told what to read', async () => {
    const [account] = parent().split('/locations')
    const path = `/v1/${account}/locations`
    expect((await ask('GET', 'locations', path)).status).toBe(400)
    expect((await ask('GET', 'locations', `${path}?readMask=name,phone`)).status).toBe(400)
    expect((await ask('GET', 'locations', `${path}?readMask=name&pageSize=101`)).status).toBe(400)
    const { json } = await ask('GET', 'locations', `${path}?readMask=name,title`)
    expect(json).toEqual({ locations: [{ name: expect.stringMatching(/^locations\/\d+$/), title: 'Corner Bakery' }] })
  })

  test('of posts show a new one late, newest first, in pages', async () => {
    for (const summary of ['One', 'Two', 'Three']) {
      await create({ summary })
      pass(1_000)
    }
    expect((await list()).json).toEqual({})
    pass(30_000)
    const summaries = ({ json }: { json: unknown }) =>
      (json as { localPosts?: { summary: string }[] }).localPosts?.map(({ summary }) => summary)
    const first = await list('?pageSize=2')
    expect(summaries(first)).toEqual(['Three', 'Two'])
    const { nextPageToken } = first.json as { nextPageToken: string }
    await create({ summary: 'Four' })
    pass(30_000)
    const second = await list(`?pageSize=2&pageToken=${nextPageToken}`)
    expect(summaries(second)).toEqual(['One'])
    expect(second.json).not.toHaveProperty('nextPageToken')
    expect((await list('?pageSize=101')).status).toBe(400)
    expect((await list('?pageToken=1')).status).toBe(400)
  })
})

describe('a post that was taken', () => {
  const read = async (name: string) => (await ask('GET', 'posts', `/v4/${name}`)).json as Record<string, unknown>
  const taken = async (more: object) => String(((await create(more)).json as { name: string }).name)
  const files = async (file: string) => {
    const [media] = await stage.world.media.of([{ file }])
    return media?.source.url() ?? ''
  }

  test('is worked on, then live, then has its page', async () => {
    const name = await taken({})
    expect(await read(name)).toMatchObject({ state: 'PROCESSING' })
    expect(await stage.world.backend.posts()).toEqual([])
    pass(2_500)
    const live = await read(name)
    expect(live).toMatchObject({ state: 'LIVE', summary: 'Bread', topicType: 'STANDARD' })
    expect(live).not.toHaveProperty('searchUrl')
    expect(await stage.world.backend.posts()).toMatchObject([{ id: name.split('/').slice(2).join('/'), text: 'Bread' }])
    pass(3_500)
    const { searchUrl } = await read(name)
    expect(await (await fetch(String(searchUrl))).text()).toContain('Bread')
  })

  test('is seen to be live by whoever asks for whatever', async () => {
    await taken({})
    pass(3_000)
    await list()
    expect(await stage.world.backend.posts()).toHaveLength(1)
  })

  test('is published once, whoever asks at the same time', async () => {
    const name = await taken(photo(await files('photo.jpg')))
    pass(6_000)
    await Promise.all([read(name), read(name), list(), list()])
    expect(await stage.world.backend.posts()).toMatchObject([{ media: 1 }])
  })

  /** Serves a picture that nothing can be made smaller of. */
  async function noise(side: number, format: 'png' | 'webp'): Promise<{ url: string; stop(): void }> {
    const channels = 3
    const raw = { width: side, height: side, channels } as const
    const bytes = await sharp(randomBytes(side * side * channels), { raw })
      .toFormat(format)
      .toBuffer()
    const server = createServer((_, response) => response.end(bytes))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => server.close() }
  }
  const stateFor = async (url: string) => {
    const name = await taken(photo(url))
    pass(6_000)
    const { state } = await read(name)
    expect(await stage.world.backend.posts()).toHaveLength(state === 'LIVE' ? 1 : 0)
    return state
  }

  test.each<[string, () => Promise<string>]>([
    ['that is not there', async () => `${await files('photo.jpg')}x`],
    ['that nobody serves', async () => 'http://127.0.0.1:1/bread.jpg'],
    ['of less than 10 KB', () => files('transparent.png')],
    ['that is a film', () => files('video-h264-aac.mp4')],
  ])('is rejected for a photo %s', async (_, url) => {
    expect(await stateFor(await url())).toBe('REJECTED')
  })

  test.each([
    [249, 'png', 'REJECTED'],
    [250, 'png', 'LIVE'],
    [300, 'webp', 'REJECTED'],
  ] as const)('with a picture of %i pixels as %s is %s', async (side, format, expected) => {
    const picture = await noise(side, format)
    try {
      expect(await stateFor(picture.url)).toBe(expected)
    } finally {
      picture.stop()
    }
  })

  test('is rejected for a phone number', async () => {
    const name = await taken({ summary: 'Call +49 30 1234567' })
    pass(3_000)
    expect(await read(name)).toMatchObject({ state: 'REJECTED' })
  })

  test('is not known under another name', async () => {
    const name = await taken({})
    expect((await ask('GET', 'posts', `/v4/${name}0`)).status).toBe(404)
  })

  test('is the same post through every account that shows the location', async () => {
    const person = stage.world.backend.simulator?.tokens.write('access', { principal: { grant: 'g' } })
    const token = `ya29.sandbox-${person}`
    const posts = (account: string, more = '') => `/v4/accounts/${account}/locations/2000001/localPosts${more}`
    const made = await ask('POST', 'posts', posts('1000001'), { json: valid, token })
    const id = String((made.json as { name: string }).name)
      .split('/')
      .at(-1)
    pass(60_000)
    const name = `accounts/1000002/locations/2000001/localPosts/${id}`
    expect((await ask('GET', 'posts', posts('1000002', `/${id}`), { token })).json).toMatchObject({ name })
    expect((await ask('GET', 'posts', posts('1000002'), { token })).json).toMatchObject({ localPosts: [{ name }] })
    expect(
      (await ask('GET', 'posts', `/v4/accounts/1000002/locations/2000004/localPosts/${id}`, { token })).status,
    ).toBe(404)
  })
})

describe('the token endpoint', () => {
  const client = () => ({
    client_id: 'sandbox-client',
    client_secret: stage.world.backend.settings?.CLIENT_SECRET ?? '',
  })
  test.each<[string, Record<string, string>, number, string]>([
    ['another client', { client_secret: 'x', grant_type: 'refresh_token' }, 401, 'invalid_client'],
    ['no client', { client_id: '', client_secret: '', grant_type: 'refresh_token' }, 401, 'invalid_client'],
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no refresh token', { grant_type: 'refresh_token' }, 400, 'invalid_request'],
    ['a dead one', { grant_type: 'refresh_token', refresh_token: '1//x' }, 400, 'invalid_grant'],
    ['an unknown code', { grant_type: 'authorization_code', code: 'x' }, 400, 'invalid_grant'],
  ])('refuses %s', async (_, form, status, error) => {
    expect(await ask('POST', 'token', '/token', { form: { ...client(), ...form }, token: null })).toMatchObject({
      status,
      json: { error },
    })
  })

  test('does not tell the refresh token again', async () => {
    const form = {
      ...client(),
      grant_type: 'refresh_token',
      refresh_token: stage.world.backend.credentials.refreshToken ?? '',
    }
    const answer = await ask('POST', 'token', '/token', { form, token: null })
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      expires_in: 3599,
      scope: 'https://www.googleapis.com/auth/business.manage',
      token_type: 'Bearer',
    })
  })
})
