import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Api, startApi } from '../_util/api/api.ts'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'
import { signInAs } from '../_util/api/members.ts'
import { anyRate, done } from '../_util/browser/dashboard-api.ts'
import { readFixture } from '../_util/networks/file-server.ts'

const FILE = 'documents/groff.pdf'
const DOCUMENT = {
  type: 'DOCUMENT',
  mimeType: 'application/pdf',
  bytes: 6_732,
  width: 595,
  height: 842,
  pages: 2,
} as const

let api: MediaApi
let posts: Api
beforeAll(async () => {
  api = await startMediaApi()
  await api.stage.startImporter()
  posts = await startApi({ rate: anyRate })
})
afterAll(async () => {
  await api?.close()
  await posts?.close()
})

test('a PDF becomes an item with its pages, a picture of the first one, and the same bytes', async () => {
  const item = await api.item(FILE, { name: 'Recipes' })
  expect(item).toMatchObject({ ...DOCUMENT, name: 'Recipes', durationMs: null, altText: null })
  const file = await api.file(item.url)
  const head = ['content-type', 'content-disposition', 'content-security-policy', 'x-content-type-options']
  expect(head.map((name) => file.headers.get(name))).toEqual([
    'application/pdf',
    `attachment; filename="Recipes.pdf"; filename*=UTF-8''Recipes.pdf`,
    "sandbox; default-src 'none'",
    'nosniff',
  ])
  expect(Buffer.from(await file.arrayBuffer()).equals(await readFixture(FILE))).toBe(true)
  const small = await api.file(item.thumbnailUrl ?? '')
  expect(await sharp(await small.arrayBuffer()).metadata()).toMatchObject({ format: 'webp', width: 283, height: 400 })
})

test('its pages are drawn once, at signed addresses, and kept', async () => {
  const { id } = await api.item(FILE)
  const page = (number: number) => api.urls.sign({ id, variant: `page-${number}` }, 48, new Date())
  const first = await api.file(page(2))
  const bytes = Buffer.from(await first.arrayBuffer())
  expect([first.status, first.headers.get('content-type')]).toEqual([200, 'image/webp'])
  expect(await sharp(bytes).metadata()).toMatchObject({ width: 1_131, height: 1_600 })
  const { whole } = await api.stage.files()
  const again = await Promise.all([api.file(page(2)), api.file(page(2))])
  for (const each of again) expect(Buffer.from(await each.arrayBuffer()).equals(bytes)).toBe(true)
  expect((await api.stage.files()).whole).toBe(whole)
})

test('members read where the pages of a document are; other files have none', async () => {
  const author = await signInAs(posts, 'author')
  const id = await posts.newMedia({ facts: DOCUMENT })
  const { data } = await done(author.request('GET', `/media-library/${id}/pages`))
  expect(data.map(({ url }: { url: string }) => url.replace(/^.*\/media\/(.+)\?.*/, '$1'))).toEqual([
    `${id}/page-1`,
    `${id}/page-2`,
  ])
  const picture = await posts.newMedia()
  expect(await done(author.request('GET', `/media-library/${picture}/pages`))).toEqual({ data: [] })
})

test('a post on LinkedIn has a document, and a title for it', async () => {
  const socialSetId = await posts.newSocialSet({ connected: ['LINKEDIN_PAGE'] })
  const mediaLibraryId = await posts.newMedia({ socialSetId, facts: DOCUMENT })
  const options = { documentTitle: 'Recipes' }
  const post = {
    accountType: 'LINKEDIN_PAGE',
    caption: 'Bread',
    richCaption: ['Bread'],
    media: [{ mediaLibraryId }],
    options,
  }
  const made = await posts.create({ socialSetId, status: 'SCHEDULED', posts: [post] })
  const pictures = await Promise.all([posts.newMedia({ socialSetId }), posts.newMedia({ socialSetId })])
  const pages = { ...post, media: pictures.map((id) => ({ mediaLibraryId: id })) }
  await posts.create({ socialSetId, posts: [pages] })
  await posts.create({ socialSetId, posts: [{ ...pages, options: {} }] })
  const author = await signInAs(posts, 'author')
  const query = new URLSearchParams({ socialSetId, from: '2030-05-25T00:00:00Z', to: '2030-06-25T00:00:00Z' })
  const { cards } = await done(author.request('GET', `/calendar?${query}`))
  const kinds = cards.map(({ kinds }: { kinds: string[] }) => kinds.join())
  expect(kinds.sort()).toEqual(['', 'DOCUMENT', 'DOCUMENT'])
  expect(made.posts[0]).toMatchObject({ options, media: [{ type: 'DOCUMENT', pages: 2, width: 595 }] })
})

test('several pictures with a title can be scheduled, more than LinkedIn takes as pictures', async () => {
  const socialSetId = await posts.newSocialSet({ connected: ['LINKEDIN_PAGE'] })
  const ids = await Promise.all(Array.from({ length: 21 }, () => posts.newMedia({ socialSetId })))
  const media = ids.map((mediaLibraryId) => ({ mediaLibraryId }))
  const post = { accountType: 'LINKEDIN_PAGE', caption: 'Bread', richCaption: ['Bread'], media }
  const body = { ...posts.draft(), socialSetId, status: 'SCHEDULED' }
  const without = await posts.request('POST', '/v1/post-sets', { body: { ...body, posts: [post] } })
  expect([without.status, without.body.errors?.[0].code]).toEqual([422, 'post:media_count'])
  await posts.create({ ...body, posts: [{ ...post, options: { documentTitle: 'Recipes' } }] })
})

test('the networks say which of them take documents', async () => {
  const { body } = await posts.request('GET', '/v1/networks')
  const takes = body.data.filter(({ forms }: { forms: { media: { documents: number } }[] }) =>
    forms.some(({ media }) => media.documents > 0),
  )
  expect(takes.map(({ accountType }: { accountType: string }) => accountType).sort()).toEqual([
    'LINKEDIN_PAGE',
    'LINKEDIN_PERSONAL',
  ])
})
