import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { serveFiles } from '../kit/testing.ts'
import { openStage, type Stage } from './testing-posts.ts'

let stage: Stage
beforeEach(async () => {
  stage = await openStage()
})
afterEach(() => stage.close())

const valid = { summary: 'Bread', topicType: 'STANDARD' }
const create = (more: object = {}) => stage.api(`POST ${stage.parent}/localPosts`, { ...valid, ...more })
const list = (query = '') => stage.api(`GET ${stage.parent}/localPosts${query}`)
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
    stage.pass(60_000)
    expect((await list()).json).toEqual({})
  })

  test('a video, with a server error', async () => {
    expect((await create(photo(address, 'VIDEO'))).status).toBe(500)
  })

  test('a body that is no JSON', async () => {
    expect((await stage.api(`POST ${stage.parent}/localPosts`, undefined, { form: { summary: 'Bread' } })).status).toBe(
      400,
    )
  })
})

describe('who may do what', () => {
  test('a location of others', async () => {
    const path = 'accounts/1/locations/2/localPosts'
    expect((await stage.api(`GET ${path}`)).status).toBe(403)
    expect((await stage.api(`POST ${path}`, valid)).status).toBe(403)
  })

  test('a name without the account in front is known to nobody', async () => {
    const location = stage.parent.split('/').slice(2).join('/')
    expect((await stage.api(`GET ${location}/localPosts`)).status).toBe(404)
  })

  test.each([['GET nothing'], ['GET /accounts/v1/locations'], ['POST /locations/v1/accounts/1/locations']])(
    '%s is not there',
    async (call) => {
      expect((await stage.api(call)).status).toBe(404)
    },
  )

  test('a location where no program may post, of the person of the sign-in', async () => {
    const person = stage.world.backend.simulator?.tokens.write('access', { principal: { grant: 'g' } })
    const token = `ya29.sandbox-${person}`
    const path = 'accounts/1000001/locations/2000003/localPosts'
    const answer = await stage.api(`POST ${path}`, valid, { token })
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('LOCATION_DISABLED_FOR_LOCAL_POST_API') })
  })
})

describe('listings', () => {
  test('of locations want to be told what to read', async () => {
    const [account] = stage.parent.split('/locations')
    const path = `/locations/v1/${account}/locations`
    expect((await stage.api(`GET ${path}`)).status).toBe(400)
    expect((await stage.api(`GET ${path}?readMask=name,phone`)).status).toBe(400)
    expect((await stage.api(`GET ${path}?readMask=name&pageSize=101`)).status).toBe(400)
    const { json } = await stage.api(`GET ${path}?readMask=name,title`)
    const locations = [{ name: expect.stringMatching(/^locations\/\d+$/), title: 'Corner Bakery' }]
    expect(json).toEqual({ locations, freshness: 'SANDBOX' })
  })

  test('of posts show a new one late, newest first, in pages', async () => {
    for (const summary of ['One', 'Two', 'Three']) {
      await create({ summary })
      stage.pass(1_000)
    }
    expect((await list()).json).toEqual({})
    stage.pass(30_000)
    const summaries = ({ json }: { json: unknown }) =>
      (json as { localPosts?: { summary: string }[] }).localPosts?.map(({ summary }) => summary)
    const first = await list('?pageSize=2')
    expect(summaries(first)).toEqual(['Three', 'Two'])
    const { nextPageToken } = first.json as { nextPageToken: string }
    await create({ summary: 'Four' })
    stage.pass(30_000)
    const second = await list(`?pageSize=2&pageToken=${nextPageToken}`)
    expect(summaries(second)).toEqual(['One'])
    expect(second.json).not.toHaveProperty('nextPageToken')
    expect((await list('?pageSize=101')).status).toBe(400)
    expect((await list('?pageToken=1')).status).toBe(400)
  })
})

describe('a post that was taken', () => {
  const read = async (name: string) => (await stage.api(`GET ${name}`)).json
  const taken = async (more: object) => String(((await create(more)).json as { name: string }).name)
  const files = async (file: string) => {
    const [media] = await stage.world.media.of([{ file }])
    return media?.source.url() ?? ''
  }

  test('is worked on, then live, then has its page', async () => {
    const name = await taken({})
    expect(await read(name)).toMatchObject({ state: 'PROCESSING' })
    expect(await stage.posts()).toEqual([])
    stage.pass(2_500)
    const live = await read(name)
    expect(live).toMatchObject({ state: 'LIVE', summary: 'Bread', topicType: 'STANDARD' })
    expect(live).not.toHaveProperty('searchUrl')
    expect(await stage.posts()).toMatchObject([{ id: name.split('/').slice(2).join('/'), text: 'Bread' }])
    stage.pass(3_500)
    const { searchUrl } = await read(name)
    expect(await (await fetch(String(searchUrl))).text()).toContain('Bread')
  })

  test('is seen to be live by whoever asks for whatever', async () => {
    await taken({})
    stage.pass(3_000)
    await list()
    expect(await stage.posts()).toHaveLength(1)
  })

  test('is published once, whoever asks at the same time', async () => {
    const name = await taken(photo(await files('photo.jpg')))
    stage.pass(6_000)
    await Promise.all([read(name), read(name), list(), list()])
    expect(await stage.posts()).toMatchObject([{ media: 1 }])
  })

  /** A picture that nothing can be made smaller of. */
  const noise = (side: number, format: 'png' | 'webp') =>
    sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
      .toFormat(format)
      .toBuffer()
  const stateFor = async (url: string) => {
    const name = await taken(photo(url))
    stage.pass(6_000)
    const { state } = await read(name)
    expect(await stage.posts()).toHaveLength(state === 'LIVE' ? 1 : 0)
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
    const served = await serveFiles({ picture: await noise(side, format) })
    expect(await stateFor(served.address('picture'))).toBe(expected)
    await served.close()
  })

  test('is rejected for a phone number', async () => {
    const name = await taken({ summary: 'Call +49 30 1234567' })
    stage.pass(3_000)
    expect(await read(name)).toMatchObject({ state: 'REJECTED' })
  })

  test('is not known under another name', async () => {
    const name = await taken({})
    expect((await stage.api(`GET ${name}0`)).status).toBe(404)
  })

  test('is the same post through every account that shows the location', async () => {
    const person = stage.world.backend.simulator?.tokens.write('access', { principal: { grant: 'g' } })
    const token = `ya29.sandbox-${person}`
    const posts = (account: string, more = '') => `accounts/${account}/locations/2000001/localPosts${more}`
    const made = await stage.api(`POST ${posts('1000001')}`, valid, { token })
    const id = String((made.json as { name: string }).name)
      .split('/')
      .at(-1)
    stage.pass(60_000)
    const read = (path: string) => stage.api(`GET ${path}`, undefined, { token })
    const name = `accounts/1000002/locations/2000001/localPosts/${id}`
    expect((await read(posts('1000002', `/${id}`))).json).toMatchObject({ name })
    expect((await read(posts('1000002'))).json).toMatchObject({ localPosts: [{ name }] })
    expect((await read(`accounts/1000002/locations/2000004/localPosts/${id}`)).status).toBe(404)
  })
})

describe('the token endpoint', () => {
  const client = () => ({
    client_id: 'sandbox-client',
    client_secret: stage.world.backend.settings?.CLIENT_SECRET ?? '',
  })
  test.each<[string, Record<string, string>, number, string]>([
    ['another grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no refresh token', { grant_type: 'refresh_token' }, 400, 'invalid_request'],
  ])('refuses %s', async (_, form, status, error) => {
    expect(
      await stage.api('POST /token/token', undefined, { form: { ...client(), ...form }, token: '' }),
    ).toMatchObject({
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
    const answer = await stage.api('POST /token/token', undefined, { form, token: '' })
    expect(answer.json).toEqual({
      access_token: expect.stringMatching(/^ya29\./),
      expires_in: 3599,
      scope: 'https://www.googleapis.com/auth/business.manage',
      token_type: 'Bearer',
    })
  })
})
