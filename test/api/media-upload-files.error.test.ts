import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { LIMITS } from '#contract'
import { createHousekeeper, housekeeperDefaults } from '#housekeeping'
import { type Database, usageOf } from '#persistence'
import { plansWith } from '../_util/api/api.ts'
import { type MediaApi, startMediaApi } from '../_util/api/media-api.ts'
import { metadataOf, type TusAnswer, type TusClient, tusClient } from '../_util/api/tus-client.ts'
import { blankPng } from '../_util/files/blank-png.ts'
import { withEndlessKeys } from '../_util/files/video-boxes.ts'
import { readFixture } from '../_util/networks/file-server.ts'
import { startOn } from '../_util/processes/installation.ts'

let room = Number.POSITIVE_INFINITY
let api: MediaApi
/** Another process on the same database and files. */
let other: MediaApi
let tus: TusClient
let tusOfOther: TusClient
const PLANS = { FREE: { monthlyUploadBytes: 100_000, storageBytes: null }, STARTER: { storageBytes: 50_000 } }
const plans = plansWith(PLANS)
/** A quick clock: bytes are recorded often, and a client that sends nothing is given up soon. */
const receiving = { recordMs: 10, idleMs: 1_000, idleBytes: 1_000 }
beforeAll(async () => {
  const store = (kept: MediaApi['stage']['store']) => ({ ...kept, room: async () => room })
  api = await startMediaApi({
    receiving,
    store,
    limits: { requestMs: 400, headersMs: 400, checkMs: 50 },
    plans: PLANS,
  })
  // The folder is this installation's own, in which it may remove files.
  await startOn(api.stage.db, api.stage.store)
  other = await startMediaApi({ receiving, stage: api.stage })
  tus = clientOf(api.key)
  tusOfOther = tusClient(other.url, { authorization: `Bearer ${api.key}` })
})
afterAll(async () => {
  await other.close()
  await api.close()
})

const clientOf = (key: string) => tusClient(api.url, { authorization: `Bearer ${key}` })
const codeOf = ({ status, body }: TusAnswer) => [status, body.code]
const wait = { timeout: 20_000, interval: 10 }
const row = (id: string) => api.stage.upload(id)
const received = (id: string, bytes: number) =>
  vi.waitFor(async () => expect((await row(id)).bytes_received).toBe(bytes), wait)
const inOwnSet = async () => ({ socialSetId: await api.newSocialSet() })
const bytes = (count: number) => Buffer.alloc(count, 'a')

/** Until a statement waits for the lock of another one. */
const untilWaiting = (db: Database) =>
  vi.waitFor(async () => {
    const { rows } = await sql`select from pg_stat_activity where wait_event_type = 'Lock'
      and datname = current_database()`.execute(db)
    expect(rows).toHaveLength(1)
  }, wait)

/** An account of a plan, with a social set and what asks for it. */
async function accountOn(plan: 'FREE' | 'STARTER') {
  const accountId = await api.newAccount()
  await api.stage.db.updateTable('accounts').set({ plan }).where('id', '=', accountId).execute()
  const key = await api.newKey({ accountId })
  return { accountId, key, socialSetId: await api.newSocialSet(accountId), tus: clientOf(key) }
}

test('a parameter that there is not is refused, of every method', async () => {
  const { path } = await tus.begun(await inOwnSet(), 1_000)
  const files = '/v1/media-upload/files'
  const answers = [
    await tus.ask('OPTIONS', `${files}?color=red`),
    await tus.ask('POST', `${files}?color=red`, {
      'upload-length': '1',
      'upload-metadata': metadataOf(await inOwnSet()),
    }),
    await tus.send(`${path}?color=red`, 0, bytes(1)),
    await tus.ask('DELETE', `${path}?color=red`),
  ]
  for (const answer of answers) expect(codeOf(answer)).toEqual([400, 'request:invalid_query'])
  expect((await tus.offset(`${path}?color=red`)).status).toBe(400)
  expect((await tus.offset(path)).headers['upload-offset']).toBe('0')
})

describe('bytes that do not fit', () => {
  test('upload-08: at another offset: the answer names the right one, and nothing is written', async () => {
    const { path, id } = await tus.begun(await inOwnSet(), 1_000)
    await tus.send(path, 0, bytes(100))
    for (const offset of [0, 99, 101, 1_000]) {
      const answer = await tus.send(path, offset, bytes(10))
      expect(codeOf(answer)).toEqual([409, 'media-upload:offset_mismatch'])
      expect(answer.body.detail).toContain('byte 100')
    }
    expect(await row(id)).toMatchObject({ bytes_received: 100, status: 'RECEIVING' })
  })

  test('more than declared: refused as announced; of those that are not, what is within the length is kept', async () => {
    const { path, id } = await tus.begun(await inOwnSet(), 1_000)
    expect(codeOf(await tus.send(path, 0, bytes(1_001)))).toEqual([413, 'request:too_large'])
    expect((await row(id)).bytes_received).toBe(0)
    const chunked = tus.open(path, 0, { 'transfer-encoding': 'chunked' })
    chunked.request.write(bytes(900))
    await received(id, 900)
    chunked.request.end(bytes(900))
    expect(codeOf(await chunked.answer)).toEqual([413, 'request:too_large'])
    expect(await row(id)).toMatchObject({ bytes_received: 900, status: 'RECEIVING' })
  })

  test('without an offset, with one that is none, or as another type', async () => {
    const { path } = await tus.begun(await inOwnSet(), 1_000)
    const type = { 'content-type': 'application/offset+octet-stream' }
    expect(codeOf(await tus.ask('PATCH', path, type, bytes(1)))).toEqual([400, 'request:invalid_header'])
    expect(codeOf(await tus.ask('PATCH', path, { ...type, 'upload-offset': '-1' }, bytes(1)))).toEqual([
      400,
      'request:invalid_header',
    ])
    const wrong = await tus.send(path, 0, bytes(1), { 'content-type': 'image/jpeg' })
    expect(codeOf(wrong)).toEqual([415, 'request:unsupported_media_type'])
    expect(wrong.body.detail).toContain('application/offset+octet-stream')
  })
})

describe('a line that is no good', () => {
  test('upload-11: breaks off at any byte: what came is kept, and any process goes on', async () => {
    const photo = await readFixture('photo.jpg')
    const { path, id } = await tus.begun({ socialSetId: api.socialSetId }, photo.length)
    let offset = 0
    for (const [index, next] of [1, 2, 4_097, 65_537, photo.length].map((at) => Math.min(at, photo.length)).entries()) {
      const client = index % 2 === 0 ? tusOfOther : tus
      const found = await client.offset(path)
      expect(found.headers['upload-offset']).toBe(String(offset))
      if (next === photo.length) {
        expect(await client.send(path, offset, photo.subarray(offset))).toMatchObject({ status: 204 })
      } else {
        const open = client.open(path, offset, { 'content-length': String(photo.length - offset) })
        open.answer.catch(() => {})
        open.request.write(photo.subarray(offset, next))
        await received(id, next)
        open.request.destroy()
      }
      offset = next
    }
    const importer = await api.stage.startImporter()
    const ended = await api.ended(id)
    await importer.stop()
    const { body: item } = await api.request('GET', `/v1/media-library/${ended.mediaLibraryId}`)
    expect(Buffer.from(await (await api.file(item.url)).arrayBuffer())).toEqual(photo)
  })

  test('upload-11: hangs: the next request takes the upload over, on any process, and what came late is not taken', async () => {
    const { path, id } = await tus.begun(await inOwnSet(), 1_000)
    const hung = tus.open(path, 0, { 'content-length': '1000' })
    hung.request.write(bytes(400))
    await received(id, 400)
    expect((await tusOfOther.offset(path)).headers['upload-offset']).toBe('400')
    expect(codeOf(await hung.answer)).toEqual([409, 'media-upload:taken_over'])
    expect(await tusOfOther.send(path, 400, bytes(600))).toMatchObject({ status: 204 })
    expect(await row(id)).toMatchObject({ bytes_received: 1_000, status: 'PENDING' })
  })

  test('upload-09: sends nothing more: 408, and what came is kept', async () => {
    const { path, id } = await tus.begun(await inOwnSet(), 10_000)
    const open = tus.open(path, 0, { 'content-length': '10000' })
    open.request.write(bytes(999))
    const answer = await open.answer
    expect(codeOf(answer)).toEqual([408, 'request:timeout'])
    expect(answer.headers.connection).toBe('close')
    expect((await row(id)).bytes_received).toBe(999)
  })

  test('is gone before the upload could be taken: the request ends at once', async () => {
    const patient = await startMediaApi({ stage: api.stage })
    const { path, id } = await tus.begun(await inOwnSet(), 1_000)
    const client = tusClient(patient.url, { authorization: `Bearer ${api.key}` })
    await api.stage.db.transaction().execute(async (trx) => {
      await trx.selectFrom('media_uploads').select('id').where('id', '=', id).forUpdate().execute()
      const open = client.open(path, 0, { 'content-length': '1000' })
      open.answer.catch(() => {})
      open.request.write(bytes(100))
      await untilWaiting(api.stage.db)
      const before = await patient.connections()
      open.request.destroy()
      await vi.waitFor(async () => expect(await patient.connections()).toBe(before - 1), wait)
    })
    await vi.waitFor(() => expect(patient.logged()).toContain('A client broke off its request'), { timeout: 5_000 })
    await patient.close()
  })

  test('upload-09: is slow but steady: it takes longer than other requests may', async () => {
    const size = 4_000_000
    const { path, id } = await tus.begun(await inOwnSet(), size)
    const open = tus.open(path, 0, { 'content-length': String(size) })
    let sent = 0
    // Three times as long as the bound of other requests.
    for (const since = performance.now(); performance.now() - since < 1_200; ) {
      open.request.write(bytes(1_000))
      sent += 1_000
      await received(id, sent)
    }
    open.request.end(bytes(size - sent))
    expect(await open.answer).toMatchObject({ status: 204, headers: { 'upload-offset': String(size) } })
  })

  test('a process that stops in order records what came and says so', async () => {
    const stopping = await startMediaApi({ receiving, stage: api.stage })
    const { path, id } = await tus.begun(await inOwnSet(), 1_000)
    const open = tusClient(stopping.url, { authorization: `Bearer ${api.key}` }).open(path, 0, {
      'content-length': '1000',
    })
    open.request.write(bytes(300))
    await received(id, 300)
    const closed = stopping.close()
    expect(codeOf(await open.answer)).toEqual([503, 'service:unavailable'])
    await closed
    expect(await tus.send(path, 300, bytes(700))).toMatchObject({ status: 204 })
  })
})

/** One file in one request. */
async function sendForm(name: string, file: Buffer): Promise<{ id: string }> {
  const form = new FormData()
  form.set('socialSetId', await api.newSocialSet())
  form.set('file', new Blob([new Uint8Array(file)]), name)
  const headers = { authorization: `Bearer ${api.key}` }
  const answer = await fetch(`${api.url}/v1/media-upload`, { method: 'POST', headers, body: form })
  expect(answer.status).toBe(201)
  return (await answer.json()) as { id: string }
}

describe('files that cannot be used, in pieces or as a form', () => {
  test.each<[string, string, () => Promise<Buffer> | Buffer, string, RegExp]>([
    [
      'a page by the name of a picture',
      'photo.jpg',
      () => Buffer.from('<!doctype html><html></html>'),
      'unsupported_type',
      /web page/,
    ],
    ['an empty one', 'empty.png', () => Buffer.alloc(0), 'corrupt', /empty/],
    [
      'a bomb',
      'bomb.png',
      () => blankPng({ width: 30_000, height: 30_000, bits: 8, interlaced: false }),
      'too_large',
      /pixels/,
    ],
    [
      'one that was cut off',
      'photo.jpg',
      async () => (await readFixture('photo.jpg')).subarray(0, 5_000),
      'corrupt',
      /cut off/,
    ],
  ])('upload-03: %s', async (_, name, make, code, words) => {
    const file = await make()
    const { path, id } = await tus.begun({ ...(await inOwnSet()), name }, file.length)
    if (file.length > 0) await tus.send(path, 0, file)
    const form = await sendForm(name, file)
    const importer = await api.stage.startImporter()
    const both = [await api.ended(id), await api.ended(form.id)]
    await importer.stop()
    for (const ended of both) {
      expect(ended).toMatchObject({ status: 'FAILED', error: { code: `media-upload:${code}` } })
      expect(ended.error?.message).toMatch(words)
    }
    // A client that lost the last answer is not made to send it all again.
    expect((await tus.offset(path)).status).toBe(200)
    await expect(api.stage.store.arriving.read(id, Math.max(1, file.length))).rejects.toThrow()
  })

  test('a video that takes more memory than any machine has: this process lives', async () => {
    const film = withEndlessKeys(await readFixture('video-h264-aac.mp4'))
    const { path, id } = await tus.begun(await inOwnSet(), film.length)
    await tus.send(path, 0, film)
    const importer = await api.stage.startImporter()
    await vi.waitFor(async () => expect((await row(id)).status).toBe('FAILED'), { timeout: 60_000 })
    await importer.stop()
    const { error } = await api.ended(id)
    expect(error).toMatchObject({ code: 'media-upload:corrupt', message: expect.stringContaining('Export it again') })
  }, 70_000)
})

describe('the plan', () => {
  test('upload-05: what is on its way is reserved of the allowance, until it ends or 24 hours after its last byte', async () => {
    const { socialSetId, tus: own, key, accountId } = await accountOn('FREE')
    const { path } = await own.begun({ socialSetId }, 60_000)
    const refused = await own.begin({ socialSetId }, 40_001)
    expect(codeOf(refused)).toEqual([403, 'plan:upload_allowance_exceeded'])
    expect(refused.body.detail).toContain('60 kB are kept for uploads on their way')
    const next = await own.begun({ socialSetId }, 40_000)
    expect(codeOf(await own.begin({ socialSetId }, 1))).toEqual([403, 'plan:upload_allowance_exceeded'])
    const importer = await api.stage.startImporter({ plans })
    const url = await api.stage.server.fixture('photo.jpg')
    const { body: imported } = await api.request('POST', '/v1/media-upload', { key, body: { socialSetId, url } })
    await vi.waitFor(async () => {
      expect(await row(imported.id)).toMatchObject({
        status: 'FAILED',
        error_code: 'media-upload:allowance_exceeded',
      })
    }, wait)
    await importer.stop()
    expect(await own.ask('DELETE', path)).toMatchObject({ status: 204 })
    const again = await own.begun({ socialSetId }, 60_000)
    await own.send(again.path, 0, bytes(10))
    await api.stage.advance(LIMITS.uploadHours * 3_600_000 + 1)
    expect((await own.offset(next.path)).status).toBe(410)
    await own.begun({ socialSetId }, 100_000)
    // What is kept is not used.
    expect((await usageOf(api.stage.db, accountId)).uploadBytes).toBe(0)
  })

  test('upload-03: storage is asked at the beginning', async () => {
    const { socialSetId, tus: own } = await accountOn('STARTER')
    expect(codeOf(await own.begin({ socialSetId }, 50_001))).toEqual([403, 'plan:storage_exceeded'])
    await own.begun({ socialSetId }, 50_000)
  })
})

test('upload-06: beyond five that are pending an upload waits in line; an import does not', async () => {
  const place = await inOwnSet()
  const ids: string[] = []
  for (let index = 0; index < 7; index += 1) {
    const { path, id } = await tus.begun(place, 3)
    expect(await tus.send(path, 0, bytes(3))).toMatchObject({ status: 204 })
    ids.push(id)
  }
  for (const id of ids) expect((await row(id)).status).toBe('PENDING')
  const refused = await api.request('POST', '/v1/media-upload', {
    body: { ...place, url: 'https://example.com/a.jpg' },
  })
  expect([refused.status, refused.body.code]).toEqual([429, 'media-upload:too_many_pending'])
})

describe('the disk', () => {
  test('has no room: refused before a byte is sent', async () => {
    room = 999
    const refused = await tus.begin(await inOwnSet(), 1_000)
    room = Number.POSITIVE_INFINITY
    expect(codeOf(refused)).toEqual([503, 'service:unavailable'])
    expect(refused.headers['retry-after']).toBe('60')
  })

  test('fills up meanwhile: the upload stops, what came is kept, and it goes on later', async () => {
    const { path, id } = await tus.begun(await inOwnSet(), 1_000)
    const open = tus.open(path, 0, { 'content-length': '1000' })
    open.request.write(bytes(500))
    await received(id, 500)
    room = -1
    const answer = await open.answer
    room = Number.POSITIVE_INFINITY
    expect(codeOf(answer)).toEqual([503, 'service:unavailable'])
    expect(await tus.send(path, 500, bytes(500))).toMatchObject({ status: 204 })
  })

  test('has lost what had arrived: 410, and the upload has failed', async () => {
    const { path, id } = await tus.begun(await inOwnSet(), 1_000)
    await tus.send(path, 0, bytes(500))
    await rm(join(api.stage.mediaDir, 'arriving', id))
    expect(codeOf(await tus.send(path, 500, bytes(500)))).toEqual([410, 'media-upload:expired'])
    expect(await row(id)).toMatchObject({ status: 'FAILED', error_code: 'media-upload:interrupted' })
    expect((await tus.offset(path)).status).toBe(410)
  })
})

test('upload-05: an upload whose bytes stopped coming is over after 24 hours, and its bytes are removed', async () => {
  const { path, id } = await tus.begun(await inOwnSet(), 1_000)
  await tus.send(path, 0, bytes(500))
  const alive = await tus.begun(await inOwnSet(), 1_000)
  await api.stage.advance(LIMITS.uploadHours * 3_600_000 - 60_000)
  await tus.send(alive.path, 0, bytes(500))
  expect((await tus.offset(path)).status).toBe(200)
  await api.stage.advance(60_001)
  expect((await tus.offset(path)).status).toBe(410)
  expect(codeOf(await tus.send(path, 500, bytes(500)))).toEqual([410, 'media-upload:expired'])
  const { store } = api.stage
  const files = { ...store, arriving: { ...store.arriving, list: () => store.arriving.list({ olderThanMs: 0 }) } }
  const log = { info() {}, error() {} }
  // What arrived of it goes the next time: each is a chore of its own.
  for (const _ of ['upload', 'bytes']) {
    await createHousekeeper({ db: api.stage.db, files, settings: housekeeperDefaults, log }).runDue()
    await sql`update chores set next_at = almanac_now() where name = 'arriving-files'`.execute(api.stage.db)
  }
  expect(await row(id)).toMatchObject({ status: 'FAILED', error_code: 'media-upload:interrupted' })
  await expect(api.stage.store.arriving.read(id, 1)).rejects.toThrow()
  await tus.send(alive.path, 500, bytes(500))
  expect((await row(alive.id)).status).toBe('PENDING')
})
