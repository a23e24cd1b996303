import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPosterFixture, type PosterFixture, plain } from '../_util/api/posters.ts'

let fixture: PosterFixture
beforeAll(async () => {
  fixture = await openPosterFixture()
})
afterAll(() => fixture.close())

// In a file of its own: here no worker is there before the poster.
test('a poster that comes behind the last byte is taken as long as no one has looked at the file', async () => {
  const upload = await fixture.begin()
  await upload.sendFile()
  expect((await upload.poster(await plain())).status).toBe(204)
  await fixture.work()
  expect((await upload.item()).thumbnailUrl).not.toBeNull()
})

test('a poster that is drawn again has another address, in the library and in posts', async () => {
  const upload = await fixture.begin()
  await upload.poster(await plain())
  await upload.sendFile()
  await fixture.work()
  const { id, thumbnailUrl: sent, socialSetId } = await upload.item()
  const set = await fixture.api.create({
    socialSetId,
    posts: [{ accountType: 'BLUESKY', caption: 'A film', media: [{ mediaLibraryId: id }] }],
  })
  const addresses = async () => {
    const { body } = await fixture.api.request('GET', `/v1/post-sets/${set.id}`)
    return [(await upload.item()).thumbnailUrl, body.posts[0].media[0].thumbnailUrl]
  }
  expect(await addresses()).toEqual([sent, sent])
  const { key } = await fixture.store.put(Readable.from([await plain('webp')]))
  await fixture.api.db.updateTable('media_items').set({ thumbnail_key: key }).where('id', '=', id).execute()
  const [drawn, inPost] = await addresses()
  expect(drawn).toBe(inPost)
  expect(drawn).not.toBe(sent)
  // Beside that it is the same: what is signed says nothing of the picture.
  expect(drawn?.replace(/&v=.*/, '')).toBe(sent?.replace(/&v=.*/, ''))
  expect(drawn).toMatch(/&v=[0-9a-f]{8}$/)
})
