import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPosterFixture, type PosterFixture, plain } from '../_util/posters.ts'

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
