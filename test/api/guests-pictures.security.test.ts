import { createHash } from 'node:crypto'
import { rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDiskStore } from '#media'
import { INSTAGRAM_POST } from '../_util/api/api.ts'
import { type GuestFixture, openGuestFixture } from '../_util/api/guest-fixture.ts'
import { OURS, VISIT } from '../_util/api/guests.ts'
import { SECRET, tellingPictures } from '../_util/files/telling-pictures.ts'
import { asPhonesWrite, PLACE } from '../_util/files/video-boxes.ts'
import { readFixture } from '../_util/networks/file-server.ts'
import { part } from '../_util/run/whole.ts'

let fixture: GuestFixture
beforeAll(async () => {
  fixture = await openGuestFixture()
})
afterAll(() => fixture?.api.close())

/** A post with a picture; the id of the picture as guests know it, and as the library does. */
async function postWith({ bytes, mimeType, ...more }: { bytes: Buffer; mimeType: string; type?: 'VIDEO' }) {
  const { api } = fixture
  const { key } = await createDiskStore({ dir: api.mediaFolder }).put(Readable.from([bytes]))
  const mediaLibraryId = await api.newMedia({ facts: { bytes: bytes.length, mimeType, ...more } })
  await api.db.updateTable('media_items').set({ storage_key: key }).where('id', '=', mediaLibraryId).execute()
  const made = await api.create({
    approval: 'EXTERNAL_PENDING',
    posts: [{ ...INSTAGRAM_POST, media: [{ mediaLibraryId }] }],
  })
  return { mediaLibraryId, key, id: made.posts[0].media[0].id as string }
}

const get = (id: string, headers: Record<string, string> = {}) =>
  fetch(`${fixture.api.url}/shared/view/${fixture.guest.id}/media/${id}/original`, {
    headers: { ...OURS, cookie: `${VISIT}=${fixture.guest.cookies[VISIT]}`, ...headers },
  })

test('guests get pictures without what their files say beside them, byte for byte', async () => {
  const table: string[] = []
  for (const picture of await tellingPictures()) {
    const { id, mediaLibraryId } = await postWith(picture)
    const answer = await get(id)
    const got = Buffer.from(await answer.arrayBuffer())
    expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(got.length)])
    const etag = answer.headers.get('etag') ?? ''
    expect([etag.includes(mediaLibraryId), got.includes(SECRET)]).toEqual([false, false])
    const again = await get(id, { 'if-none-match': etag })
    expect(again.status).toBe(304)
    const part = await get(id, { range: 'bytes=30-99' })
    expect(part.headers.get('content-range')).toBe(`bytes 30-99/${got.length}`)
    expect(Buffer.from(await part.arrayBuffer()).equals(got.subarray(30, 100))).toBe(true)
    const form = picture.bare?.equals(got) ? (picture.bare === picture.bytes ? 'same' : 'bare') : 'another'
    table.push(`${picture.name}: ${form}, ${answer.headers.get('content-type')}`)
  }
  expect(table).toEqual([
    'a plain JPEG: same, image/jpeg',
    'a photo with GPS, camera and a small picture: bare, image/jpeg',
    'a photo with IPTC and XMP: bare, image/jpeg',
    'an AI picture that says so in XMP: bare, image/jpeg',
    'an AI picture that says so in C2PA: bare, image/jpeg',
    'two pictures in one (MPF): bare, image/jpeg',
    'a motion photo: bare, image/jpeg',
    'a JPEG with something between its segments: another, image/jpeg',
    'a cropped screenshot: bare, image/png',
    'a PNG with Exif, texts, a time and C2PA: bare, image/png',
    'an APNG: bare, image/png',
    'a WebP with Exif and XMP: bare, image/webp',
    'a moving WebP: bare, image/webp',
    'a moving GIF: bare, image/gif',
  ])
})

test.runIf(process.platform === 'linux')('where the disk takes no copy, guests get the same pictures', async () => {
  const pictures = part(await tellingPictures(), 4)
  const shown: { name: string; first: string; again: string }[] = []
  for (const picture of pictures) {
    const [{ id }, { id: refused }] = [await postWith(picture), await postWith(picture)]
    const first = Buffer.from(await (await get(id)).arrayBuffer())
    await withoutWrites(async () => {
      const answer = await get(refused)
      const got = Buffer.from(await answer.arrayBuffer())
      expect([answer.status, answer.headers.get('content-length')]).toEqual([200, String(first.length)])
      const part = await get(refused, { range: 'bytes=30-99' })
      expect(Buffer.from(await part.arrayBuffer()).equals(first.subarray(30, 100))).toBe(true)
      shown.push({ name: picture.name, first: hashOf(first), again: hashOf(got) })
    })
  }
  expect(shown.filter(({ first, again }) => first !== again)).toEqual([])
  expect(shown).toHaveLength(pictures.length)
})

/** New files of the store come to a place where nobody can make any. */
async function withoutWrites(work: () => Promise<void>): Promise<void> {
  const incoming = join(fixture.api.mediaFolder, 'incoming')
  await rename(incoming, `${incoming}.away`)
  await symlink('/sys', incoming)
  try {
    await work()
  } finally {
    await rm(incoming)
    await rename(`${incoming}.away`, incoming)
  }
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

test('guests get videos without their places, in parts as well', async () => {
  const bytes = asPhonesWrite(await readFixture('video-rotated.mov'))
  const { id } = await postWith({ bytes, mimeType: 'video/quicktime', type: 'VIDEO' })
  const answer = await get(id)
  const got = Buffer.from(await answer.arrayBuffer())
  expect([answer.status, got.length]).toEqual([200, bytes.length])
  expect([got.includes(PLACE), got.includes('location'), got.includes('Fruit')]).toEqual([false, false, false])
  const part = await get(id, { range: `bytes=${bytes.indexOf(PLACE) - 20}-` })
  expect(part.status).toBe(206)
  expect(Buffer.from(await part.arrayBuffer()).equals(got.subarray(bytes.indexOf(PLACE) - 20))).toBe(true)
})

test('a video whose file was away for a while has no place either when it is back', async () => {
  const bytes = asPhonesWrite(await readFixture('video-rotated.mov'))
  const { id, key } = await postWith({ bytes, mimeType: 'video/quicktime', type: 'VIDEO' })
  const path = createDiskStore({ dir: fixture.api.mediaFolder }).path(key)
  if (path === null) throw new Error('The file has no path.')
  await rename(path, `${path}.away`)
  expect((await get(id)).ok).toBe(false)
  await rename(`${path}.away`, path)
  const answer = await get(id)
  expect(answer.status).toBe(200)
  expect(Buffer.from(await answer.arrayBuffer()).includes(PLACE)).toBe(false)
})

test('several guests at a time make one copy, and what cannot be shown is not there', async () => {
  const [, photo] = await tellingPictures()
  if (!photo) throw new Error('There is no photo.')
  const { id, mediaLibraryId } = await postWith(photo)
  const answers = await Promise.all(Array.from({ length: 8 }, () => get(id)))
  expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
  const kept = await fixture.api.db
    .selectFrom('media_renditions')
    .select('id')
    .where('media_id', '=', mediaLibraryId)
    .execute()
  expect(kept).toHaveLength(1)
})
