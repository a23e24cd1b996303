import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SHIPPED_PLANS } from '#contract'
import { findMediaItem, renewImport } from '#persistence'
import { type ImportStage, openImportStage } from '../_util/engine/import-stage.ts'
import { readFixture } from '../_util/networks/file-server.ts'

let stage: ImportStage
beforeEach(async () => {
  stage = await openImportStage()
})
afterEach(() => stage.close())

const wait = { timeout: 30_000, interval: 10 }

async function bytesOf(key: string): Promise<Buffer> {
  return Buffer.concat(await (await stage.store.open(key)).toArray())
}
const item = () => stage.db.selectFrom('media_items').selectAll().executeTakeFirstOrThrow()

test('an image ends as an item of the library, with the bytes, their measures and a thumbnail', async () => {
  const url = await stage.server.fixture('photo.jpg')
  await stage.startImporter()
  const id = await stage.add(url, { altText: 'A red and blue field' })
  const upload = await stage.ended(id)
  const { length } = await readFixture('photo.jpg')
  expect(upload).toMatchObject({ status: 'READY', bytes_received: length, bytes_total: length, error_code: null })
  expect(upload).toMatchObject({ attempts: 1, lease_owner: null, lease_until: null })
  const row = await item()
  expect(row).toMatchObject({
    id: upload.media_id,
    social_set_id: stage.socialSetId,
    name: 'photo.jpg',
    alt_text: 'A red and blue field',
    bytes: length,
    source: 'URL',
    source_url: url,
    facts: { type: 'IMAGE', mimeType: 'image/jpeg', width: 900, height: 1200 },
  })
  expect(await bytesOf(row.storage_key)).toEqual(await readFixture('photo.jpg'))
  expect((await stage.store.stat(row.thumbnail_key ?? ''))?.bytes).toBeGreaterThan(0)
})

test('a file is called what the import says, otherwise what its server says, otherwise what its address says', async () => {
  const bytes = await readFixture('photo.jpg')
  const served = (disposition: string | null) =>
    stage.server.on('/uc', (_, response) => {
      if (disposition !== null) response.setHeader('content-disposition', disposition)
      response.end(bytes)
    })
  await stage.startImporter()
  const named = async (disposition: string | null, name?: string) => {
    const { media_id } = await stage.ended(await stage.add(served(disposition), name === undefined ? {} : { name }))
    return (await findMediaItem(stage.db, stage.accountId, media_id ?? ''))?.name
  }
  expect(await named('attachment; filename="bread.jpg"')).toBe('bread.jpg')
  expect(await named("attachment; filename=b.jpg; filename*=UTF-8''Br%C3%B6tchen.jpg")).toBe('Brötchen.jpg')
  expect(await named('attachment; filename="bread.jpg"', 'Launch')).toBe('Launch')
  expect(await named('attachment')).toBe('uc')
  expect(await named(null)).toBe('uc')
})

test('a file that comes compressed is the file', async () => {
  const bytes = await readFixture('photo.jpg')
  const url = stage.server.on('/packed.jpg', (_, response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(bytes)),
  )
  await stage.startImporter()
  expect(await stage.ended(await stage.add(url))).toMatchObject({
    status: 'READY',
    bytes_received: bytes.length,
    bytes_total: bytes.length,
  })
  expect(await bytesOf((await item()).storage_key)).toEqual(bytes)
})

test('a video has its length and codecs, and no thumbnail', async () => {
  await stage.startImporter()
  const id = await stage.add(await stage.server.fixture('video-h264-aac.mp4'), { name: 'Launch' })
  expect(await stage.ended(id)).toMatchObject({ status: 'READY' })
  const found = await findMediaItem(stage.db, stage.accountId, (await stage.upload(id)).media_id ?? '')
  expect(found).toMatchObject({ name: 'Launch', thumbnailVersion: null })
  expect(found?.facts).toMatchObject({ type: 'VIDEO', videoCodec: 'avc', audioCodec: 'aac' })
  expect(Math.abs((found?.facts.durationMs ?? 0) - 4_000)).toBeLessThan(100)
})

test('progress is reported while it comes, with the size where it was announced', async () => {
  const bytes = await readFixture('photo.jpg')
  const known = stage.server.halting('/known', bytes, 1_000)
  const unknown = stage.server.halting('/unknown', bytes, 2_000, { announce: false })
  await stage.startImporter()
  const first = await stage.add(known.url)
  const second = await stage.add(unknown.url)
  await vi.waitFor(async () => {
    const about = { status: 'PROCESSING', media_id: null }
    expect(await stage.upload(first)).toMatchObject({ ...about, bytes_received: 1_000, bytes_total: bytes.length })
    expect(await stage.upload(second)).toMatchObject({ ...about, bytes_received: 2_000, bytes_total: null })
  }, wait)
  known.goOn()
  unknown.goOn()
  expect(await stage.ended(first)).toMatchObject({ status: 'READY' })
  expect(await stage.ended(second)).toMatchObject({ status: 'READY', bytes_total: bytes.length })
})

test('progress is written at most as often as the settings say', async () => {
  const bytes = Buffer.alloc(3_000_000)
  stage.server.on('/drops', (_, response) => {
    response.writeHead(200)
    const drop = (at: number) => {
      if (at >= bytes.length) return void response.end()
      // A slow server: some 600 ms for all of it.
      setTimeout(() => response.write(bytes.subarray(at, at + 10_000), () => drop(at + 10_000)), 2)
    }
    drop(0)
  })
  const begun = performance.now()
  await stage.startImporter({ settings: { progressMs: 100, leaseMs: 60_000 } })
  const seen = new Set<number>()
  const id = await stage.add(stage.server.url('/drops'))
  await vi.waitFor(async () => {
    const { status, bytes_received } = await stage.upload(id)
    seen.add(bytes_received)
    expect(status).toBe('FAILED')
  }, wait)
  expect(seen.size).toBeGreaterThan(1)
  expect(seen.size).toBeLessThanOrEqual((performance.now() - begun) / 100 + 2)
})

const failures: [code: string, address: () => string | Promise<string>][] = [
  ['url_blocked', () => 'http://localhost:9/photo.jpg'],
  ['url_blocked', () => 'http://169.254.169.254/latest/meta-data/'],
  [
    'url_blocked',
    () => stage.server.on('/away', (_, r) => r.writeHead(302, { location: 'http://127.0.0.1:9/' }).end()),
  ],
  ['dns_failed', () => 'http://no-such-host.invalid/photo.jpg'],
  ['http_error', () => stage.server.url('/missing')],
  ['http_error', () => stage.server.on('/empty', (_, response) => response.writeHead(200).end())],
  ['http_error', () => stage.server.on('/reset', (_, r) => r.writeHead(200).write('x', () => r.destroy()))],
  ['timeout', () => stage.server.on('/silent', () => {})],
  ['too_many_redirects', () => stage.server.on('/loop', (_, r) => r.writeHead(302, { location: '/loop' }).end())],
  ['too_large', () => stage.server.on('/large', (_, r) => r.writeHead(200, { 'content-length': 900_001 }).write('x'))],
  ['too_large', () => stage.server.on('/flood', (_, r) => r.writeHead(200).end(Buffer.alloc(900_001)))],
  ['unsupported_type', () => stage.server.on('/page', (_, r) => r.writeHead(200).end('<!doctype html><p>Hello'))],
  ['corrupt', () => stage.server.fixture('truncated.mp4')],
]

test.each(failures)('shape-56: %s is reported in the row, and no file is left (%#)', async (code, addressOf) => {
  const url = await addressOf()
  await stage.startImporter({ settings: { maxBytes: 900_000, idleMs: 300 } })
  const id = await stage.add(`${url}?token=secret`)
  const upload = await stage.ended(id)
  expect(upload).toMatchObject({ status: 'FAILED', error_code: `media-upload:${code}`, media_id: null, attempts: 1 })
  expect(upload.error_message).toMatch(/\w+ .*\./)
  expect(upload.error_message).not.toContain('secret')
  await vi.waitFor(async () => expect(await stage.files()).toEqual({ whole: 0, half: 0 }), wait)
  expect(JSON.stringify(stage.logged)).not.toContain('secret')
  expect(stage.logged.map(({ level }) => level)).not.toContain('error')
})

test('what is fetched is decided by the bytes, not by the name or what the server calls it', async () => {
  const bytes = await readFixture('transparent.png')
  const url = stage.server.on('/page.html', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(bytes)
  })
  await stage.startImporter()
  await stage.ended(await stage.add(url))
  expect((await item()).facts.mimeType).toBe('image/png')
})

test('a process that stops gives its import back; the next one begins again, and no attempt is counted', async () => {
  const halting = stage.server.halting('/slow.jpg', await readFixture('photo.jpg'), 1_000)
  // A lease that would not run out within the test.
  const importer = await stage.startImporter({ settings: { leaseMs: 600_000 } })
  const id = await stage.add(halting.url)
  await vi.waitFor(async () => expect((await stage.upload(id)).bytes_received).toBe(1_000), wait)
  await importer.stop()
  expect(await stage.upload(id)).toMatchObject({ status: 'PROCESSING', attempts: 0, lease_owner: null })
  expect(await stage.files()).toEqual({ whole: 0, half: 0 })
})

test('four orderly restarts do not use up the attempts', async () => {
  const halting = stage.server.halting('/slow.jpg', await readFixture('photo.jpg'), 1_000)
  const id = await stage.add(halting.url)
  for (let restarts = 1; restarts <= 4; restarts++) {
    const other = await openOther()
    await vi.waitFor(() => expect(halting.begun()).toBe(restarts), wait)
    await vi.waitFor(async () => expect((await stage.upload(id)).bytes_received).toBe(1_000), wait)
    await other.stop()
  }
  halting.goOn()
  await stage.startImporter()
  expect(await stage.ended(id)).toMatchObject({ status: 'READY', attempts: 1 })
})

/** An importer of its own, as another process has it. */
async function openOther() {
  const { createImporter } = await import('#importing')
  const { testSettings } = await import('../_util/engine/import-stage.ts')
  const log = { info() {}, warn() {}, error() {} }
  const { db, store, fetch } = stage
  const settings = { ...testSettings, leaseMs: 600_000 }
  const importer = createImporter({ db, store, fetch, log, plans: SHIPPED_PLANS, settings })
  await importer.start()
  return importer
}

test('a lease that was lost ends the work of the one who lost it, whose files are removed', async () => {
  const halting = stage.server.halting('/slow.jpg', await readFixture('photo.jpg'), 1_000)
  await stage.startImporter({ settings: { leaseMs: 600_000 } })
  const id = await stage.add(halting.url)
  await vi.waitFor(async () => expect((await stage.upload(id)).bytes_received).toBe(1_000), wait)
  await stage.db.updateTable('media_uploads').set({ lease_owner: 'another' }).where('id', '=', id).execute()
  await vi.waitFor(() => {
    expect(stage.logged.map(({ message }) => message)).toContain('An import went to another worker')
  }, wait)
  await vi.waitFor(async () => expect(await stage.files()).toEqual({ whole: 0, half: 0 }), wait)
  expect(await stage.upload(id)).toMatchObject({ status: 'PROCESSING', lease_owner: 'another' })
})

test('a lease that is lost at the very end makes no item', async () => {
  const url = await stage.server.fixture('photo.jpg')
  const stolen: string[] = []
  await stage.startImporter({
    settings: { progressMs: 60_000, leaseMs: 600_000 },
    signals: async (step, id) => {
      if (step !== 'before-finish') return
      await stage.db.updateTable('media_uploads').set({ lease_owner: 'another' }).where('id', '=', id).execute()
      stolen.push(id)
    },
  })
  const id = await stage.add(url)
  await vi.waitFor(() => expect(stolen).toEqual([id]), wait)
  await vi.waitFor(async () => expect(await stage.files()).toEqual({ whole: 0, half: 0 }), wait)
  expect(await stage.upload(id)).toMatchObject({ status: 'PROCESSING', media_id: null })
  expect(await stage.db.selectFrom('media_items').selectAll().execute()).toEqual([])
})

test('shape-58: an import that is cut off three times is given up, and says so', async () => {
  const id = await stage.add(stage.server.url('/never'))
  const cutOff = { status: 'PROCESSING', attempts: 3, lease_owner: 'dead' } as const
  const later = new Date(Date.now() + 60_000)
  await stage.db
    .updateTable('media_uploads')
    .set({ ...cutOff, lease_until: later })
    .where('id', '=', id)
    .execute()
  const importer = await stage.startImporter()
  await vi.waitFor(() => expect(importer.healthy()).toBe(true), wait)
  // It is held: no worker touches it before its lease is over.
  expect(await stage.upload(id)).toMatchObject(cutOff)
  expect(await renewImport(stage.db, id, { owner: 'dead', ms: 60_000 }, { received: 1, total: 2 })).toBe(true)
  await stage.advance(120_000)
  expect(await stage.ended(id)).toMatchObject({ status: 'FAILED', error_code: 'media-upload:interrupted' })
  expect(stage.server.requests).toEqual([])
})

test('an error of ours is logged, keeps the lease as a pause, and ends the import after three attempts', async () => {
  const url = await stage.server.fixture('photo.jpg')
  stage.store.put = async () => {
    throw new Error('The disk is full.')
  }
  await stage.startImporter({ settings: { leaseMs: 200 } })
  const id = await stage.add(url)
  expect(await stage.ended(id)).toMatchObject({ status: 'FAILED', error_code: 'media-upload:interrupted', attempts: 3 })
  expect(stage.logged.filter(({ level }) => level === 'error')).toHaveLength(3)
})

test('healthy means that waiting imports are looked for', async () => {
  const importer = await stage.startImporter()
  await vi.waitFor(() => expect(importer.healthy()).toBe(true), wait)
})
