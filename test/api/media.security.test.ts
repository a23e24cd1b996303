import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { SCOPES } from '#contract'
import { newId } from '#domain'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'

let api: MediaApi
let item: Awaited<ReturnType<MediaApi['item']>>
let uploadId: string
let url: string
beforeAll(async () => {
  api = await startMediaApi()
  await api.stage.startImporter()
  url = await api.stage.server.fixture('photo.jpg')
  const { id } = await api.upload(`${url}?token=hush-hush`)
  uploadId = id
  const { mediaLibraryId } = await api.ended(id)
  item = (await api.request('GET', `/v1/media-library/${mediaLibraryId}`)).body
})
afterAll(() => api.close())

const reads = () => [
  `/v1/media-upload/${uploadId}`,
  `/v1/media-library/${item.id}`,
  `/v1/media-library?socialSetId=${api.socialSetId}`,
]

test('imports of an account from servers that never end keep no other account waiting', async () => {
  const { server } = api.stage
  const accountId = await api.newAccount()
  const key = await api.newKey({ accountId })
  const silent = server.on('/silent', (_, response) => response.writeHead(200).write('x'))
  for (const socialSetId of [await api.newSocialSet(accountId), await api.newSocialSet(accountId)]) {
    for (let uploads = 0; uploads < 5; uploads++) {
      const { status } = await api.request('POST', '/v1/media-upload', { key, body: { socialSetId, url: silent } })
      expect(status).toBe(201)
    }
  }
  await vi.waitFor(() => expect(server.requests.filter((path) => path === '/silent').length).toBeGreaterThan(2))
  expect(await api.ended((await api.upload(url)).id)).toMatchObject({ status: 'READY' })
})

describe('who may', () => {
  test('without a key no one reads or imports', async () => {
    for (const path of reads()) {
      const { status, body } = await api.request('GET', path, { key: null })
      expect([status, body.code]).toEqual([401, 'auth:missing_credential'])
    }
    const answer = await api.request('POST', '/v1/media-upload', { key: null, body: { socialSetId: 'x', url } })
    expect(answer.status).toBe(401)
  })

  test('auth-09, auth-15, shape-51: importing needs media:write, asked for before anything of the body; reading needs no scope', async () => {
    const key = await api.newKey({ scopes: SCOPES.filter((scope) => scope !== 'media:write') })
    const { status, body } = await api.request('POST', '/v1/media-upload', {
      key,
      body: { socialSetId: 'none', url: 7 },
    })
    expect([status, body.code]).toEqual([403, 'auth:insufficient_scope'])
    expect(body.detail).toContain('media:write')
    const reader = await api.newKey({ scopes: [] })
    for (const path of reads()) expect((await api.request('GET', path, { key: reader })).status).toBe(200)
    const writer = await api.newKey({ scopes: ['media:write'] })
    const made = await api.request('POST', '/v1/media-upload', {
      key: writer,
      body: { socialSetId: api.socialSetId, url },
    })
    expect(made.status).toBe(201)
  })

  test('auth-14, key-01: a key of other social sets sees nothing and imports nothing, as if it were not there', async () => {
    const other = await api.newSocialSet()
    const key = await api.newKey({ socialSetIds: [other] })
    for (const path of reads()) expect((await api.request('GET', path, { key })).status).toBe(404)
    const refused = await api.request('POST', '/v1/media-upload', { key, body: { socialSetId: api.socialSetId, url } })
    expect([refused.status, refused.body.code]).toEqual([404, 'social-set:not_found'])
    const made = await api.request('POST', '/v1/media-upload', { key, body: { socialSetId: other, url } })
    expect(made.status).toBe(201)
    expect((await api.request('GET', `/v1/media-upload/${made.body.id}`, { key })).status).toBe(200)
    expect((await api.request('GET', `/v1/media-library?socialSetId=${other}`, { key })).status).toBe(200)
  })

  test('another account sees nothing and imports nothing', async () => {
    const key = await api.newKey({ accountId: await api.newAccount() })
    for (const path of reads()) expect((await api.request('GET', path, { key })).status).toBe(404)
    const refused = await api.request('POST', '/v1/media-upload', { key, body: { socialSetId: api.socialSetId, url } })
    expect([refused.status, refused.body.code]).toEqual([404, 'social-set:not_found'])
  })
})

describe('where imports may go', () => {
  test.each([
    'http://127.0.0.1:1/photo.jpg',
    'http://localhost/photo.jpg',
    'http://[::1]/photo.jpg',
    'http://[::ffff:127.0.0.1]/photo.jpg',
    'http://2130706433/photo.jpg',
    'http://0x7f.1/photo.jpg',
    'http://10.1.2.3/photo.jpg',
    'http://192.168.1.1/photo.jpg',
    'http://169.254.169.254/latest/meta-data/',
    'http://[fd00:ec2::254]/latest/meta-data/',
    'http://0.0.0.0/photo.jpg',
  ])('%s is not fetched', async (address) => {
    const { id } = await api.upload(address, { socialSetId: await api.newSocialSet() })
    const { status, error } = await api.ended(id)
    expect([status, error?.code]).toEqual(['FAILED', 'media-upload:url_blocked'])
  })

  test('nor is it by a detour', async () => {
    const { server } = api.stage
    const inner = server.url('/inner.jpg').replace('127.0.0.1', 'localhost')
    const detour = server.on('/detour', (_, response) => response.writeHead(302, { location: inner }).end())
    const { id } = await api.upload(detour, { socialSetId: await api.newSocialSet() })
    expect((await api.ended(id)).error?.code).toBe('media-upload:url_blocked')
    expect(server.requests).not.toContain('/inner.jpg')
  })
})

describe('signed addresses', () => {
  const parts = (address: string) => {
    const parsed = new URL(address)
    const [, , id = '', variant = ''] = parsed.pathname.split('/')
    return { id, variant, e: parsed.searchParams.get('e') ?? '', s: parsed.searchParams.get('s') ?? '' }
  }
  const path = ({ id, variant, e, s }: ReturnType<typeof parts>) =>
    `https://almanac.test/media/${id}/${variant}?e=${e}&s=${s}`

  test('shape-47: the address alone opens the file, and nothing but the very address', async () => {
    const good = parts(item.url)
    expect((await api.file(path(good))).status).toBe(200)
    const flipped = `${good.s.startsWith('A') ? 'B' : 'A'}${good.s.slice(1)}`
    for (const bad of [
      { ...good, s: flipped },
      { ...good, s: '' },
      { ...good, e: String(Number(good.e) + 86_400) },
      { ...good, variant: 'thumbnail' },
      { ...good, variant: 'rendition' },
      { ...good, id: newId() },
      { ...good, id: '..%2f..%2fetc' },
    ]) {
      const answer = await api.file(path(bad))
      expect(answer.status).toBe(404)
      expect(answer.headers.get('content-type')).toContain('application/problem+json')
      expect(((await answer.json()) as { code: string }).code).toBe('media-library:not_found')
    }
    expect((await api.file(`https://almanac.test/media/${good.id}/original`)).status).toBe(404)
    expect((await api.file(`${path(good)}&s=${good.s}&e[]=1`)).status).not.toBe(500)
  })

  test('an address that has expired opens nothing', async () => {
    const longAgo = new Date(Date.now() - 5 * 86_400_000)
    expect((await api.file(api.urls.sign({ id: item.id, variant: 'original' }, 48, longAgo))).status).toBe(404)
  })

  test('a right signature of something that is not there opens nothing', async () => {
    for (const place of [
      { id: newId(), variant: 'original' },
      { id: newId(), variant: 'rendition' },
      { id: item.id, variant: 'secret' },
      { id: 'x', variant: 'original' },
    ]) {
      expect((await api.file(api.urls.sign(place, 48, new Date()))).status).toBe(404)
    }
    const video = await api.item('video-short.mp4', { socialSetId: await api.newSocialSet() })
    expect((await api.file(api.urls.sign({ id: video.id, variant: 'thumbnail' }, 48, new Date()))).status).toBe(404)
  })

  test('shape-49: a file is served as a picture that can do nothing, under a name that is safe', async () => {
    const socialSetId = await api.newSocialSet()
    const name = 'évil"\r\nset-cookie: a=b\r\n/../<script>.html'
    const evil = await api.item('photo.jpg', { socialSetId })
    // Such names are refused; earlier versions took them.
    await api.stage.db.updateTable('media_items').set({ name }).where('id', '=', evil.id).execute()
    const { headers, status } = await api.file(evil.url)
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('image/jpeg')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('content-security-policy')).toBe("sandbox; default-src 'none'")
    expect(headers.get('cache-control')).toBe('private, max-age=86400')
    expect(headers.get('set-cookie')).toBeNull()
    expect(headers.get('content-disposition')).toMatch(
      /^inline; filename="_vil___set-cookie: a=b___\.\._<script>\.html\.jpg"; filename\*=UTF-8''%C3%A9vil%22%0D%0A[\w%.-]+\.html\.jpg$/,
    )
  })
})

test('what is in the address of an import is in no log', async () => {
  expect(api.logged()).toContain('An import is ready')
  expect(api.logged()).not.toContain('hush-hush')
  // The signatures of files neither.
  await api.file(item.url)
  expect(api.logged()).not.toContain(new URL(item.url).searchParams.get('s') ?? '')
})
