import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskStore } from '#media'
import { readFixture } from '../_util/file-server.ts'
import { type GuestFixture, openGuestFixture } from '../_util/guest-fixture.ts'
import { EVERYTHING, enter, OURS, share, VISIT } from '../_util/guests.ts'
import { signInAs } from '../_util/members.ts'

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
