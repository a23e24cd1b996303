import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskStore } from '#media'
import { type GuestFixture, openGuestFixture } from '../_util/api/guest-fixture.ts'
import { EVERYTHING, enter, OURS, share, VISIT } from '../_util/api/guests.ts'
import { signInAs } from '../_util/api/members.ts'
import { done } from '../_util/browser/dashboard-api.ts'
import { readFixture } from '../_util/networks/file-server.ts'

const FACTS = {
  type: 'DOCUMENT',
  mimeType: 'application/pdf',
  bytes: 6_732,
  width: 595,
  height: 842,
  pages: 2,
} as const

let fixture: GuestFixture
beforeAll(async () => {
  fixture = await openGuestFixture()
})
afterAll(() => fixture?.api.close())

async function documentIn(more: object) {
  const { api } = fixture
  const { key } = await createDiskStore({ dir: api.mediaFolder }).put(
    Readable.from([await readFixture('documents/groff.pdf')]),
  )
  const mediaLibraryId = await api.newMedia({ facts: FACTS })
  await api.db.updateTable('media_items').set({ storage_key: key }).where('id', '=', mediaLibraryId).execute()
  const posts = [
    { accountType: 'LINKEDIN_PAGE', caption: 'Bread', richCaption: ['Bread'], media: [{ mediaLibraryId }] },
  ]
  const made = await api.create({ posts, ...more })
  return { mediaLibraryId, set: made.id as string, id: made.posts[0].media[0].id as string }
}

const ask = (path: string, { guest } = fixture) =>
  fetch(`${fixture.api.url}/shared/view/${guest.id}${path}`, {
    headers: { ...OURS, cookie: `${VISIT}=${guest.cookies[VISIT]}` },
  })

test('guests get the pages of a document, and not its file', async () => {
  const { id, set, mediaLibraryId } = await documentIn({ approval: 'EXTERNAL_PENDING' })
  const post = (await (await ask(`/posts/${set}`)).json()) as {
    posts: { media: { url: string; pages: number }[] }[]
  }
  const [media] = post.posts[0]?.media ?? []
  expect(media).toMatchObject({ pages: 2, url: expect.stringMatching(`/media/${id}/page-1$`) })
  for (const [variant, status] of [
    ['page-1', 200],
    ['page-2', 200],
    ['page-3', 404],
    ['original', 404],
  ] as const) {
    const answer = await ask(`/media/${id}/${variant}`)
    expect([variant, answer.status]).toEqual([variant, status])
    if (status !== 200) continue
    expect(answer.headers.get('content-type')).toBe('image/webp')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const head = JSON.stringify([...answer.headers])
    expect(head.includes(mediaLibraryId)).toBe(false)
  }
  // By the id of the library, which guests do not know.
  expect((await ask(`/media/${mediaLibraryId}/page-1`)).status).toBe(404)
})

test('a page of a post that the link does not show is not there', async () => {
  const { api, owner } = fixture
  const link = await share(api, owner, { shows: { ...EVERYTHING.shows, drafts: false } })
  const guest = await enter(api, link, { name: 'Dora' })
  const { id } = await documentIn({ status: 'DRAFT', approval: 'NONE' })
  expect((await ask(`/media/${id}/page-1`)).status).toBe(200)
  expect((await ask(`/media/${id}/page-1`, { ...fixture, guest })).status).toBe(404)
})

const FILES = { ...EVERYTHING.allows, files: true }

test('guests of a link that allows files save the document itself, and no one else does', async () => {
  const { api, owner } = fixture
  const link = await share(api, owner, { allows: FILES })
  const guest = { ...fixture, guest: await enter(api, link, { name: 'Dora' }) }
  const { id, set, mediaLibraryId } = await documentIn({ approval: 'EXTERNAL_PENDING' })
  const { body } = await guest.guest.request('GET', `/posts/${set}`)
  const [media] = body.posts[0].media
  expect(media).toMatchObject({
    url: expect.stringMatching(/page-1$/),
    fileUrl: expect.stringMatching(`/media/${id}/original$`),
  })
  const file = await ask(`/media/${id}/original`, guest)
  expect(file.status).toBe(200)
  expect(Buffer.from(await file.arrayBuffer()).equals(await readFixture('documents/groff.pdf'))).toBe(true)
  expect(Object.fromEntries(file.headers)).toMatchObject({
    'content-type': 'application/pdf',
    'content-disposition': expect.stringMatching(/^attachment; filename="[^"]+\.pdf"/),
    'content-security-policy': "sandbox; default-src 'none'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
  expect(JSON.stringify([...file.headers]).includes(mediaLibraryId)).toBe(false)
  const part = await fetch(`${api.url}/shared/view/${guest.guest.id}/media/${id}/original`, {
    headers: { ...OURS, cookie: `${VISIT}=${guest.guest.cookies[VISIT]}`, range: 'bytes=0-4' },
  })
  expect([part.status, await part.text()]).toEqual([206, '%PDF-'])

  // A member who looks sees what guests see.
  const { address } = await done(owner.request('POST', `/shared-calendars/${link.sharedCalendar.id}/look`))
  const look = { ...fixture, guest: await enter(api, { token: address.split('/shared/')[1] ?? '' }) }
  expect((await ask(`/media/${id}/original`, look)).status).toBe(200)

  // The same file by a link that allows none, by that of another brand which allows files, by the id of the library, and without a visit.
  const plain = await share(api, owner)
  const others = await share(api, owner, { allows: FILES, socialSetIds: [await api.newSocialSet()] })
  for (const other of [plain, others]) {
    const theirs = { ...fixture, guest: await enter(api, other, { name: 'Emil' }) }
    expect((await ask(`/media/${id}/original`, theirs)).status).toBe(404)
  }
  expect((await ask(`/media/${mediaLibraryId}/original`, guest)).status).toBe(404)
  expect((await fetch(`${api.url}/shared/view/${guest.guest.id}/media/${id}/original`)).status).toBe(404)
})

test('what a link does not allow any more is not there with the next request', async () => {
  const { api, owner } = fixture
  const link = await share(api, owner, { allows: FILES })
  const guest = { ...fixture, guest: await enter(api, link, { name: 'Dora' }) }
  const { id, set } = await documentIn({ approval: 'EXTERNAL_PENDING' })
  const path = `/shared-calendars/${link.sharedCalendar.id}`
  expect((await ask(`/media/${id}/original`, guest)).status).toBe(200)
  // What a body does not say about files stays.
  await done(owner.request('PATCH', path, { body: { allows: EVERYTHING.allows } }))
  expect((await ask(`/media/${id}/original`, guest)).status).toBe(200)
  await done(owner.request('PATCH', path, { body: { allows: { ...FILES, files: false } } }))
  expect((await ask(`/media/${id}/original`, guest)).status).toBe(404)
  const { body } = await guest.guest.request('GET', `/posts/${set}`)
  expect(body.posts[0].media[0]).not.toHaveProperty('fileUrl')
  expect((await ask(`/media/${id}/page-1`, guest)).status).toBe(200)
})

test('a picture has no file of its own where a link allows files', async () => {
  const { api, owner, postWithFile } = fixture
  const guest = await enter(api, await share(api, owner, { allows: FILES }), { name: 'Dora' })
  const { id } = await postWithFile({ approval: 'EXTERNAL_PENDING' })
  const { body } = await guest.request('GET', `/posts/${id}`)
  expect(body.posts[0].media[0]).not.toHaveProperty('fileUrl')
})

test('the address of a page is signed for that page alone, and other accounts have none', async () => {
  const { api } = fixture
  const { mediaLibraryId } = await documentIn({})
  const author = await signInAs(api, 'author')
  const { body } = await author.request('GET', `/media-library/${mediaLibraryId}/pages`)
  const [first = ''] = body.data.map(({ url }: { url: string }) => new URL(url).pathname + new URL(url).search)
  expect((await fetch(`${api.url}${first}`)).status).toBe(200)
  expect((await fetch(`${api.url}${first.replace('page-1', 'page-2')}`)).status).toBe(404)
  expect((await fetch(`${api.url}${first.replace('page-1', 'original')}`)).status).toBe(404)
  const key = await api.request('GET', `/v1/media-library/${mediaLibraryId}/pages`)
  expect(key.status).toBe(404)
})
