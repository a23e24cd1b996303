import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'
import { blankPng } from '../_util/files/blank-png.ts'

let api: MediaApi
beforeAll(async () => {
  api = await startMediaApi()
  url = api.stage.server.url('/photo.jpg')
})
afterAll(() => api.close())

const post = (body: unknown, key?: string) =>
  api.request('POST', '/v1/media-upload', { body, ...(key === undefined ? {} : { key }) })
/** Never fetched, or not there: no test asks anything of the world. */
let url: string

let importer: Promise<unknown> | null = null
/** One importer for all. */
const importing = () => {
  importer ??= api.stage.startImporter()
  return importer
}

describe('POST /v1/media-upload', () => {
  test('shape-34, shape-50: every problem of the body is reported at once, with its place', async () => {
    const { socialSetId } = api
    const { status, body } = await post({ socialSetId, url: 7, name: '', altText: 'x'.repeat(5_001), colour: 'red' })
    expect(status).toBe(400)
    expect(body.code).toBe('request:invalid_body')
    expect(body.errors.map(({ path }: { path: string }) => path).sort()).toEqual(['altText', 'colour', 'name', 'url'])
    expect(body.errors.find(({ path }: { path: string }) => path === 'url')).toMatchObject({
      code: 'request:invalid_body',
      pointer: '#/url',
    })
  })

  test.each([
    ['not an address', 'photo.jpg'],
    ['an address of another kind', 'ftp://example.com/photo.jpg'],
    ['a file of this machine', 'file:///etc/passwd'],
    ['bytes in the address', 'data:image/png;base64,AAAA'],
    ['credentials in the address', 'https://user:secret@example.com/photo.jpg'],
    ['nothing', ''],
    ['more than 2048 characters', `https://example.com/${'x'.repeat(2_048)}`],
    ['a character that cannot be stored', 'https://example.com/\0'],
    ['half a character', 'https://example.com/\ud800'],
  ])('shape-55: a URL that can never be fetched is refused at once: %s', async (_, address) => {
    const { status, body } = await post({ socialSetId: api.socialSetId, url: address })
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'request:invalid_body', errors: [{ path: 'url' }] })
    expect(JSON.stringify(body)).not.toContain('secret')
    expect(await api.stage.db.selectFrom('media_uploads').select('id').execute()).toEqual([])
  })

  test.each([[null], [[]], ['text'], [7], [{}]])('a body that is no upload: %j', async (body) => {
    const answer = await post(body)
    expect(answer.status).toBe(400)
    expect(answer.body.code).toBe('request:invalid_body')
  })

  test.each([newId(), 'no-uuid', '', '0', `${newId()}0`])(
    'shape-04: a social set that is not there: %j',
    async (socialSetId) => {
      const { status, body } = await post({ socialSetId, url: 'nonsense', unknown: true })
      // Existence comes before shape.
      expect(status).toBe(404)
      expect(body.code).toBe('social-set:not_found')
    },
  )

  test('limits-11, shape-54: a sixth pending upload of a social set is refused, however many come at once; another set is not touched', async () => {
    const socialSetId = await api.newSocialSet()
    const answers = await Promise.all(Array.from({ length: 12 }, () => post({ socialSetId, url })))
    const by = Map.groupBy(answers, ({ status }) => status)
    expect(by.get(201)).toHaveLength(5)
    expect(by.get(429)).toHaveLength(7)
    for (const refused of by.get(429) ?? []) {
      expect(refused.body.code).toBe('media-upload:too_many_pending')
      expect(refused.headers.get('retry-after')).toBe('1')
    }
    expect((await post({ socialSetId: await api.newSocialSet(), url })).status).toBe(201)

    const [first, second] = by.get(201) ?? []
    const end = (id: string, status: 'READY' | 'PROCESSING') =>
      api.stage.db.updateTable('media_uploads').set({ status }).where('id', '=', id).execute()
    await end(first?.body.id, 'PROCESSING')
    expect((await post({ socialSetId, url })).status).toBe(429)
    await end(second?.body.id, 'READY')
    expect((await post({ socialSetId, url })).status).toBe(201)
    expect((await post({ socialSetId, url })).status).toBe(429)
  })
})

test('shape-53, shape-56: the reason of an import that failed is reported in the upload', async () => {
  const socialSetId = await api.newSocialSet()
  const { server } = api.stage
  const page = server.on('/page', (_, response) => response.writeHead(200).end('<!doctype html><title>Hello</title>'))
  const picture = blankPng({ width: 10_900, height: 10_900, bits: 16, interlaced: true })
  const huge = server.on('/huge.png', (_, response) => response.writeHead(200).end(picture))
  await importing()
  for (const [address, code, words] of [
    [page, 'unsupported_type', 'web page'],
    [server.url('/missing'), 'http_error', '404'],
    ['http://10.0.0.1/photo.jpg', 'url_blocked', 'public internet'],
    ['http://no-such-host.invalid/photo.jpg', 'dns_failed', 'no-such-host.invalid'],
    [await server.fixture('truncated.mp4'), 'corrupt', 'damaged'],
    [huge, 'too_large', '10900 x 10900 pixels'],
  ] as const) {
    const { id } = await api.upload(address, { socialSetId })
    const ended = await api.ended(id)
    expect(ended).toMatchObject({ status: 'FAILED', mediaLibraryId: null, error: { code: `media-upload:${code}` } })
    expect(ended.error?.message).toContain(words)
  }
  const { body } = await api.request('GET', `/v1/media-library?socialSetId=${socialSetId}`)
  expect(body.data).toEqual([])
})

test.each([newId(), 'no-uuid', '%00', 'a/../b', 'x'.repeat(90)])(
  'shape-04, problem-28: what is not there: %j',
  async (id) => {
    const upload = await api.request('GET', `/v1/media-upload/${encodeURIComponent(id)}`)
    expect([upload.status, upload.body.code]).toEqual([404, 'media-upload:not_found'])
    const item = await api.request('GET', `/v1/media-library/${encodeURIComponent(id)}`)
    expect([item.status, item.body.code]).toEqual([404, 'media-library:not_found'])
  },
)

describe('GET /v1/media-library', () => {
  const list = (query: string) => api.request('GET', `/v1/media-library${query}`)

  test.each([
    ['', 'socialSetId'],
    ['?page=1', 'socialSetId'],
    ['?socialSetId=SET&page=0', 'page'],
    ['?socialSetId=SET&page=x', 'page'],
    ['?socialSetId=SET&size=101', 'size'],
    ['?socialSetId=SET&size=1.5', 'size'],
    ['?socialSetId=SET&page=101&size=100', 'page'],
    ['?socialSetId=SET&colour=red', 'colour'],
    ['?socialSetId=SET&socialSetId=SET', 'socialSetId'],
  ])('shape-15, shape-16, shape-35: %s is a problem of %s', async (query, path) => {
    const { status, body } = await list(query.replaceAll('SET', api.socialSetId))
    expect(status).toBe(400)
    expect(body).toMatchObject({ code: 'request:invalid_query', errors: [{ path }] })
  })

  test.each([newId(), 'no-uuid', ''])('shape-04: a social set that is not there: %j', async (id) => {
    const { status, body } = await list(`?socialSetId=${id}&page=0`)
    expect([status, body.code]).toEqual([404, 'social-set:not_found'])
  })

  test('shape-24: a page past the end is empty', async () => {
    const { status, body } = await list(`?socialSetId=${api.socialSetId}&page=100&size=100`)
    expect(status).toBe(200)
    expect(body.data).toEqual([])
  })
})

test('publish-17: an item that was closed is gone from the library, and its address stays good', async () => {
  await importing()
  const { id, url: address } = await api.item('animated.gif', { socialSetId: await api.newSocialSet() })
  await api.stage.db.updateTable('media_items').set({ closed_at: new Date() }).where('id', '=', id).execute()
  expect((await api.request('GET', `/v1/media-library/${id}`)).status).toBe(404)
  expect((await api.file(address)).status).toBe(200)
})
