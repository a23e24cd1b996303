import { Readable } from 'node:stream'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { createDiskStore, type MediaStore, makeThumbnail } from '#media'
import { type Api, BLUESKY_POST, startApi } from '../_util/api/api.ts'
import { type MailServer, startMailServer } from '../_util/api/mail-server.ts'
import { reader } from '../_util/api/news.ts'
import { type StartedNewsroom, startNewsroom } from '../_util/api/newsroom.ts'
import { anyRate } from '../_util/browser/dashboard-api.ts'

/** A mail about a post shows its picture, which is part of the mail. */

let api: Api
let mail: MailServer
let store: MediaStore
let newsroom: StartedNewsroom
beforeAll(async () => {
  mail = await startMailServer()
  api = await startApi({ rate: anyRate, mailer: { send: async () => {} } })
  store = createDiskStore({ dir: api.mediaFolder })
  newsroom = startNewsroom(api, { smtpUrl: mail.url, settings: { foldMs: 0, mailPauseMs: 0 }, store })
})
beforeEach(async () => {
  for (const table of ['news', 'memberships', 'post_sets'] as const) await api.db.deleteFrom(table).execute()
})
afterAll(async () => {
  await newsroom.stop({ graceMs: 0 })
  await api.close()
  await mail.close()
})

/** A post that begins to wait for approval, with a picture of this color. */
async function pictured(background: string, { readable = true } = {}): Promise<string> {
  const bytes = await sharp({ create: { width: 900, height: 600, channels: 3, background } })
    .png()
    .toBuffer()
  const { key } = await store.put(Readable.from([bytes]))
  const thumbnail = readable ? (await makeThumbnail(store, key))?.key : 'gone'
  const id = await api.newMedia({})
  await api.db
    .updateTable('media_items')
    .set({ thumbnail_key: thumbnail ?? null })
    .where('id', '=', id)
    .execute()
  const post = { ...BLUESKY_POST, caption: 'Rye from the oven', media: [{ mediaLibraryId: id }] }
  return (await api.create({ posts: [post], approval: 'PENDING' })).id
}

test('as a JPEG of at most 320 pixels, named by the HTML, in a mail about one post', async () => {
  const reviewer = await reader(api, 'reviewer')
  const id = await pictured('#c04020')
  await newsroom.lookNow()
  const { content, html, text, files } = await mail.next(reviewer.mail)
  expect(files).toEqual([{ cid: `post-${id}`, contentType: 'image/jpeg', content: expect.any(Buffer) }])
  expect(content.split(`src="cid:post-${id}"`)).toHaveLength(2)
  expect(html.split('Look at the post')).toHaveLength(2)
  expect(text.split('Look at the post')).toHaveLength(2)
  const { format, width, height } = await sharp(files[0]?.content).metadata()
  expect([format, width, height]).toEqual(['jpeg', 320, 214])
  const { dominant } = await sharp(files[0]?.content).stats()
  expect(dominant.r).toBeGreaterThan(dominant.b + 80)
})

test('of what failed and in mails about several posts there is none, and one that is gone holds no mail up', async () => {
  const owner = await reader(api, 'owner')
  const failed = await pictured('#208020')
  await api.db
    .insertInto('news')
    .values({
      ...{ id: newId(), account_id: api.accountId, social_set_id: api.socialSetId, kind: 'POST_FAILED', subject: 'x' },
      ...{ account_type: 'BLUESKY', post_set_id: failed, facts: JSON.stringify({ reason: 'UNKNOWN', message: 'No.' }) },
    })
    .execute()
  await newsroom.lookNow()
  expect((await mail.next(owner.mail)).files).toEqual([])

  const reviewer = await reader(api, 'reviewer')
  await pictured('#202080')
  await pictured('#802080')
  await newsroom.lookNow()
  expect((await mail.next(reviewer.mail)).files).toEqual([])

  // Of a cause a person gets one mail an hour.
  const other = await reader(api, 'reviewer')
  const gone = await pictured('#808020', { readable: false })
  await newsroom.lookNow()
  const { files, text } = await mail.next(other.mail)
  expect(files).toEqual([])
  expect(text).toContain('Rye from the oven')
  expect(newsroom.logged).toContainEqual({
    level: 'warn',
    message: 'A mail goes without a picture',
    fields: { postSetId: gone, fault: expect.any(String) },
  })
})
