import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Api, INSTAGRAM_POST, startApi } from '../_util/api/api.ts'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'
import { anyRate } from '../_util/browser/dashboard-api.ts'
import { pdf } from '../_util/files/pdf.ts'

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

test.each([
  ['protected by a password', 'documents/qpdf-password.pdf', 'unsupported_type', /password or by permissions/],
  ['protected by permissions', 'documents/qpdf-permissions.pdf', 'unsupported_type', /password or by permissions/],
])('a PDF that is %s is refused in words', async (_, fixture, code, words) => {
  const { id } = await api.upload(await api.stage.server.fixture(fixture))
  const { status, error } = await api.ended(id)
  expect([status, error]).toEqual(['FAILED', { code: `media-upload:${code}`, message: expect.stringMatching(words) }])
})

test.each([
  ['301 pages', pdf({ pages: 301 }), 'too_large', /has 301 pages; the most is 300/],
  ['no end', pdf({ pages: 20 }).subarray(0, 900), 'corrupt', /is damaged/],
])('a PDF with %s is refused in words, and nothing of it is kept', async (name, bytes, code, words) => {
  const form = new FormData()
  form.set('socialSetId', api.socialSetId)
  form.set('file', new Blob([Uint8Array.from(bytes)]), `${name}.pdf`)
  const headers = { authorization: `Bearer ${api.key}` }
  const sent = await fetch(`${api.url}/v1/media-upload`, { method: 'POST', body: form, headers })
  const { status, error } = await api.ended(((await sent.json()) as { id: string }).id)
  expect([status, error]).toEqual(['FAILED', { code: `media-upload:${code}`, message: expect.stringMatching(words) }])
  await vi.waitFor(async () => expect(await api.stage.files()).toEqual({ whole: 0, half: 0 }))
})

test.each(['page-0', 'page-3', 'page-01', 'page-301', 'page--1', 'page-1.5'])(
  'there is no %s of two',
  async (variant) => {
    const { id } = await api.item('documents/groff.pdf')
    const url = `https://almanac.test/media/${id}/${variant}`
    const signed = /^[\w-]+$/.test(variant) ? api.urls.sign({ id, variant }, 48, new Date()) : url
    expect((await api.file(signed)).status).toBe(404)
  },
)

test('a picture has no pages', async () => {
  const { id } = await api.item('photo.jpg')
  expect((await api.file(api.urls.sign({ id, variant: 'page-1' }, 48, new Date()))).status).toBe(404)
})

test('other networks refuse a document at its place, and drafts take it', async () => {
  const socialSetId = await posts.newSocialSet({ connected: ['INSTAGRAM'] })
  const facts = { type: 'DOCUMENT', mimeType: 'application/pdf', pages: 2 } as const
  const mediaLibraryId = await posts.newMedia({ socialSetId, facts })
  const body = { ...posts.draft(), socialSetId, posts: [{ ...INSTAGRAM_POST, media: [{ mediaLibraryId }] }] }
  const draft = await posts.create(body)
  expect(draft.posts[0].media).toMatchObject([{ type: 'DOCUMENT' }])
  const refused = await posts.request('POST', '/v1/post-sets', { body: { ...body, status: 'SCHEDULED' } })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toMatchObject([
    { path: 'posts[0].media[0]', code: 'post:media_type', accountType: 'INSTAGRAM' },
  ])
})

test('a document cannot be cropped', async () => {
  const socialSetId = await posts.newSocialSet({ connected: ['LINKEDIN_PAGE'] })
  const facts = { type: 'DOCUMENT', mimeType: 'application/pdf', pages: 2 } as const
  const mediaLibraryId = await posts.newMedia({ socialSetId, facts })
  const crop = { x: 0, y: 0, width: 0.5, height: 0.5 }
  const post = {
    accountType: 'LINKEDIN_PAGE',
    caption: 'Bread',
    richCaption: ['Bread'],
    media: [{ mediaLibraryId, crop }],
  }
  const body = { ...posts.draft(), socialSetId, status: 'SCHEDULED', posts: [post] }
  const { status, body: problem } = await posts.request('POST', '/v1/post-sets', { body })
  expect([status, problem.errors?.[0].path, problem.errors?.[0].message]).toEqual([
    422,
    'posts[0].media[0].crop',
    expect.stringMatching(/^A document cannot be cropped/),
  ])
})
