import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInAs } from '../_util/api/members.ts'
import { lookAt, openPosterFixture, type PosterFixture, plain } from '../_util/api/posters.ts'
import { tusClient } from '../_util/api/tus-client.ts'
import { statusAndCode, WRONG_ROLE } from '../_util/browser/dashboard-api.ts'
import { readFixture } from '../_util/networks/file-server.ts'

/** Beyond what test/api/routes.security.test.ts shows of every route. */

let fixture: PosterFixture
beforeAll(async () => {
  fixture = await openPosterFixture()
})
afterAll(() => fixture.close())

const NOT_FOUND = [404, 'media-upload:not_found']
const REFUSED = [409, 'request:refused']
const rowOf = (id: string) =>
  fixture.api.db.selectFrom('media_uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a poster comes from the member who began the upload alone', async () => {
  const { api } = fixture
  const author = await signInAs(api, 'author')
  const upload = await fixture.begin({ person: author })
  const before = await rowOf(upload.id)
  const files = await fixture.files()
  const picture = await plain()
  // Not even an owner: what a client approves by is chosen by who uploads.
  const others = [
    [await signInAs(api, 'owner'), REFUSED],
    [await signInAs(api, 'author'), REFUSED],
    [await signInAs(api, 'reviewer'), WRONG_ROLE],
    [await signInAs(api, 'owner', { accountId: await api.newAccount() }), NOT_FOUND],
    [await signInAs(api, 'editor', { socialSetIds: [await api.newSocialSet()] }), NOT_FOUND],
  ] as const
  for (const [by, refusal] of others) expect(statusAndCode(await upload.poster(picture, { by }))).toEqual(refusal)
  expect(await rowOf(upload.id)).toEqual(before)
  expect(await fixture.files()).toEqual(files)
  expect((await upload.poster(picture)).status).toBe(204)
})

test('an upload of a key takes none from a member, and keys have no way to send one', async () => {
  const { api, owner } = fixture
  const tus = tusClient(api.url, { authorization: `Bearer ${api.key}` })
  const { id } = await tus.begun({ socialSetId: await api.newSocialSet() }, 10)
  const sent = { raw: await plain(), headers: { 'content-type': 'image/jpeg' } }
  expect(statusAndCode(await owner.request('POST', `/media-upload/${id}/poster`, sent))).toEqual(REFUSED)
  expect((await api.request('POST', `/v1/media-upload/${id}/poster`, sent)).status).toBe(404)
})

test('a member who has lost the brand sends none for the upload that they began', async () => {
  const { api } = fixture
  const author = await signInAs(api, 'author')
  const upload = await fixture.begin({ person: author })
  await api.db.updateTable('memberships').set({ social_set_ids: [] }).where('user_id', '=', author.userId).execute()
  expect(statusAndCode(await upload.poster(await plain()))).toEqual(NOT_FOUND)
})

test('nothing that the sent file says beside its picture is kept: no place, no camera', async () => {
  const photo = await readFixture('photo.jpg')
  expect(await lookAt(photo)).toMatchObject({ says: true })
  const before = await fixture.files()
  const upload = await fixture.begin()
  expect((await upload.poster(photo)).status).toBe(204)
  const [key = ''] = (await fixture.files()).filter((each) => !before.includes(each))
  const kept = Buffer.concat(await Array.fromAsync(await fixture.store.open(key)))
  // Upright, as its metadata wanted it.
  expect(await lookAt(kept)).toMatchObject({ format: 'webp', width: 300, height: 400, says: false })
})
