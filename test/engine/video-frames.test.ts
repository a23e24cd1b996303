import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { createHousekeeper, drawingFrames, type Housekeeper } from '#housekeeping'
import { checkDecoder, drawFrame, NoDecoderError } from '#media'
import { beginFrame, type DueCover, type DueFrame, endFrame, findMediaFiles } from '#persistence'
import { lookAt } from '../_util/api/posters.ts'
import { type ImportStage, openImportStage } from '../_util/engine/import-stage.ts'

/** Frames of videos that the server draws: which comes first, and what becomes of an attempt. */

let stage: ImportStage
let keeper: Housekeeper | null
beforeEach(async () => {
  stage = await openImportStage()
  keeper = null
  await stage.startImporter()
})
afterEach(async () => {
  await keeper?.stop()
  await stage.close()
})

/** Imports a fixture; answers the item's id. */
async function item(fixture: string): Promise<string> {
  const { media_id: id } = await stage.ended(await stage.add(await stage.server.fixture(fixture)))
  if (id === null) throw new Error(`${fixture} was not imported.`)
  return id
}

/** A scheduled post with the item. */
async function schedule(mediaId: string, { accountType = 'BLUESKY', fields = {} } = {}): Promise<void> {
  const [set, post] = [newId(), newId()]
  const { accountId, socialSetId } = stage
  await sql`insert into all_post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    values (${set}, ${accountId}, ${socialSetId}, ${new Date('2030-06-12T10:00:00Z')}, 'SCHEDULED', 'NONE')`.execute(
    stage.db,
  )
  await stage.db.transaction().execute(async (trx) => {
    await sql`insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
      values (${post}, ${set}, ${socialSetId}, 0, ${accountType}, 'With a film', ${JSON.stringify(fields)})`.execute(
      trx,
    )
    await sql`insert into post_media (id, post_id, media_id, position) values (${newId()}, ${post}, ${mediaId}, 0)`.execute(
      trx,
    )
  })
}

const rowOf = (id: string) =>
  stage.db
    .selectFrom('media_items')
    .select(['frame_state as state', 'frame_attempts as attempts', 'thumbnail_key as key'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
const picture = () => stage.store.put(Readable.from([Buffer.from(`a picture ${newId()}`)]))

/** Does what is due once, with a decoder of the test's. */
async function run(
  draw: (video: DueFrame | DueCover) => Promise<{ key: string } | null>,
  check = async () => {},
): Promise<string[]> {
  const errors: string[] = []
  const log = { info() {}, error: ({ error }: { error?: Error }) => void errors.push(error?.message ?? '') }
  const settings = { tickMs: 60_000, leaseMs: 60_000, retryMs: 60_000 }
  const chores = [drawingFrames({ files: stage.store, check, draw })]
  await stage.db.deleteFrom('chores').execute()
  keeper = createHousekeeper({ db: stage.db, files: stage.store, settings, log, chores })
  await keeper.runDue()
  return errors
}

test('videos are drawn once, the newest first, and pictures never', async () => {
  const [older, photo, newer] = [await item('video-short.mp4'), await item('photo.jpg'), await item('video-vp9.webm')]
  const before = await rowOf(photo)
  const seen: string[] = []
  const draw = async (due: DueFrame | DueCover) => {
    if (!('id' in due)) throw new Error('A cover was drawn.')
    seen.push(due.id)
    return due.id === older ? null : picture()
  }
  expect(await run(draw)).toEqual([])
  await run(draw)
  expect(seen).toEqual([newer, older])
  expect(await rowOf(newer)).toEqual({ state: 'DRAWN', attempts: 1, key: expect.any(String) })
  expect(await rowOf(older)).toEqual({ state: 'NONE', attempts: 1, key: null })
  expect(await rowOf(photo)).toEqual(before)
})

test('covers are drawn in turn with the videos of the library, so that neither waits for all of the other', async () => {
  const [older, newer] = [await item('video-short.mp4'), await item('video-vp9.webm')]
  const film = await item('video-h264-aac.mp4')
  await stage.db.updateTable('media_items').set({ frame_state: 'NONE' }).where('id', '=', film).execute()
  for (const atS of [0.5, 1.5]) await schedule(film, { accountType: 'INSTAGRAM', fields: { videoCoverImage: atS } })
  const seen: string[] = []
  const draw = async (due: DueFrame | DueCover) => {
    seen.push('atMs' in due ? `cover ${due.atMs}` : due.id)
    return picture()
  }
  expect(await run(draw)).toEqual([])
  expect(seen).toEqual(['cover 500', newer, 'cover 1500', older])
})

test('what goes out soon comes before what is newer', async () => {
  const [planned, newest] = [await item('video-short.mp4'), await item('video-vp9.webm')]
  await schedule(planned)
  expect((await beginFrame(stage.db))?.id).toBe(planned)
  expect(newest).not.toBe(planned)
})

test('it takes the place of what a browser has sent', async () => {
  const id = await item('video-short.mp4')
  const { key: sent } = await picture()
  await stage.db.updateTable('media_items').set({ thumbnail_key: sent }).where('id', '=', id).execute()
  const { key } = await picture()
  await run(async () => ({ key }))
  expect((await findMediaFiles(stage.db, [id]))[0]?.thumbnailKey).toBe(key)
})

test('an attempt that is cut off is made again, three times in all', async () => {
  const id = await item('video-short.mp4')
  const cutOff = async () => Promise.reject(new Error('The process was ended.'))
  for (const attempts of [1, 2, 3]) {
    expect(await run(cutOff)).toEqual(['The process was ended.'])
    expect(await rowOf(id)).toMatchObject({ state: null, attempts })
  }
  expect(await run(cutOff)).toEqual([])
  expect(await rowOf(id)).toMatchObject({ state: 'NONE', attempts: 3, key: null })
})

test('without its decoder nothing is tried, and one that cannot be read costs no attempt', async () => {
  const id = await item('video-short.mp4')
  const missing = async () => Promise.reject(new NoDecoderError('it is not there.'))
  const never = async () => Promise.reject(new Error('It was tried.'))
  expect(await run(never, missing)).toEqual([expect.stringMatching(/ALMANAC_VIDEO_DECODER.* it is not there\.$/)])
  expect(await run(missing)).toHaveLength(1)
  expect(await rowOf(id)).toMatchObject({ state: null, attempts: 0 })
  await expect(checkDecoder('/nowhere')).rejects.toThrow(NoDecoderError)
})

test('an attempt that has ended, or was begun again, changes nothing and leaves no file', async () => {
  const id = await item('video-short.mp4')
  const late = await picture()
  await run(async () => {
    await stage.db.updateTable('media_items').set({ frame_attempts: 2 }).where('id', '=', id).execute()
    await endFrame(stage.db, { id, attempt: 2 }, null)
    return late
  })
  expect(await rowOf(id)).toEqual({ state: 'NONE', attempts: 2, key: null })
  expect(await stage.store.stat(late.key)).toBeNull()
})

const decoder = process.env.ALMANAC_VIDEO_DECODER
if (!decoder) process.stderr.write('Frames of videos: ALMANAC_VIDEO_DECODER is not set, so none is decoded.\n')

describe.skipIf(!decoder)('the decoder', () => {
  test.each([
    ['video-h264-aac.mp4', 'H.264'],
    ['video-rotated.mov', 'turned'],
    ['video-vp9.webm', 'VP9'],
    ['video-short.mp4', 'short'],
  ])('%s (%s) gives a small upright picture', async (fixture) => {
    const id = await item(fixture)
    const [file] = await findMediaFiles(stage.db, [id])
    if (!file) throw new Error('There is no item.')
    const { width, height, bytes } = file.facts
    const made = await drawFrame(stage.store, { key: file.storageKey, bytes }, { decoder: decoder ?? '' })
    if (!made) throw new Error('No frame was drawn.')
    const seen = await lookAt(await buffer(await stage.store.open(made.key)))
    expect(seen.format).toBe('webp')
    expect(seen.width / seen.height).toBeCloseTo(width / height, 1)
    expect(seen.spread).toBeGreaterThan(40)
  })
})
