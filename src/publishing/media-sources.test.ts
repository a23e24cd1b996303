import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { newId } from '#domain'
import { createDiskStore, createUrlSigner, type MediaStore, probe, type UrlSigner } from '#media'
import type { MediaSource } from '#networks'
import {
  type Database,
  findRenditionFile,
  insertAccount,
  insertMediaItem,
  insertSocialSet,
  openDatabase,
} from '#persistence'
import { createDatabase } from '../../test/_util/database/database.ts'
import { blankPng } from '../../test/_util/files/blank-png.ts'
import { createMediaSources } from './media-sources.ts'

const fixture = (name: string) => join(import.meta.dirname, '../../test/_fixtures', name)

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Database
let dir: string
let store: MediaStore
let urls: UrlSigner

beforeEach(async () => {
  database = await createDatabase()
  db = openDatabase(database.url, { poolSize: 5 })
  dir = await mkdtemp(join(tmpdir(), 'almanac-sources-'))
  store = createDiskStore({ dir })
  urls = createUrlSigner({ publicUrl: 'https://almanac.example', secrets: [randomBytes(32)] })
})
afterEach(async () => {
  await db.destroy()
  await database.drop()
  await rm(dir, { recursive: true })
})

async function add(name: string): Promise<string> {
  const account = { id: newId(), name: 'Test', slug: newId(), plan: 'SCALE' as const }
  const socialSetId = newId()
  await insertAccount(db, account)
  await insertSocialSet(db, { id: socialSetId, accountId: account.id, name: 'Brand', timezone: 'UTC' })
  const stored = await store.putFile(fixture(name))
  const probed = await probe(store, stored.key)
  if (probed.kind !== 'ok') throw new Error(probed.message)
  const id = newId()
  await insertMediaItem(db, {
    id,
    accountId: account.id,
    socialSetId,
    name,
    altText: null,
    facts: probed.facts,
    sha256: Buffer.from(stored.sha256, 'hex'),
    storageKey: stored.key,
    thumbnailKey: null,
    source: 'UPLOAD',
    sourceUrl: null,
  })
  return id
}

async function bytesOf(stream: Readable): Promise<Buffer> {
  return Buffer.concat(await stream.toArray())
}

/** Files in the store. */
async function files(): Promise<number> {
  const entries = await readdir(join(dir, 'objects'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).length
}

async function sourceOf(id: string): Promise<MediaSource> {
  const source = (await createMediaSources({ db, store, urls })([id])).get(id)
  if (!source) throw new Error('No source.')
  return source
}

test('shape-47: items by their ids: facts, bytes, parts of them, and an address for 72 hours; unknown ids are left out', async () => {
  const photo = await add('photo.jpg')
  const video = await add('video-short.mp4')
  const sources = await createMediaSources({ db, store, urls })([video, newId(), photo])
  expect([...sources.keys()].sort()).toEqual([photo, video].sort())
  const source = sources.get(photo)
  expect(source?.facts).toMatchObject({ type: 'IMAGE', mimeType: 'image/jpeg', width: 900, height: 1200 })
  const file = await readFile(fixture('photo.jpg'))
  expect(await bytesOf((await source?.open()) as Readable)).toEqual(file)
  expect(await bytesOf((await source?.open({ start: 10, end: 20 })) as Readable)).toEqual(file.subarray(10, 20))
  const url = new URL((await source?.url()) ?? '')
  expect(url.pathname).toBe(`/media/${photo}/original`)
  const query = Object.fromEntries(url.searchParams)
  const hours = (count: number) => new Date(Date.now() + count * 3_600_000)
  expect(urls.verify(photo, 'original', query, hours(71.9))).toBe('ok')
  expect(urls.verify(photo, 'original', query, hours(97))).toBe('expired')
  expect(await createMediaSources({ db, store, urls })([])).toEqual(new Map())
})

test('a rendition is made once and kept: asking again gives the same bytes and the same address', async () => {
  const id = await add('photo.jpg')
  const first = await (await sourceOf(id)).rendition({ format: 'jpeg', maxWidth: 300, maxBytes: 40_000 })
  expect(first.facts).toMatchObject({ mimeType: 'image/jpeg', width: 300, height: 400 })
  expect(first.facts.bytes).toBeLessThanOrEqual(40_000)
  const again = await (await sourceOf(id)).rendition({ maxBytes: 40_000, maxWidth: 300, format: 'jpeg' })
  expect(await again.url()).toBe(await first.url())
  expect(await bytesOf(await again.open())).toEqual(await bytesOf(await first.open()))
  expect(await files()).toBe(2)
  const other = await (await sourceOf(id)).rendition({ format: 'jpeg', maxWidth: 200 })
  expect(other.facts.width).toBe(200)
  expect(await files()).toBe(3)

  const url = new URL(await first.url())
  const [, , renditionId = '', variant] = url.pathname.split('/')
  expect(variant).toBe('rendition')
  expect(urls.verify(renditionId, 'rendition', Object.fromEntries(url.searchParams), new Date())).toBe('ok')
  expect(await findRenditionFile(db, renditionId)).toMatchObject({ name: 'photo.jpg', facts: first.facts })
})

test('copies of a part are of that part', async () => {
  const whole = await sourceOf(await add('photo.jpg'))
  const crop = { left: 0, top: 100, width: 900, height: 600 }
  const part = await whole.rendition({ format: 'jpeg', crop })
  expect(part.facts).toMatchObject({ width: 900, height: 600 })
  const smaller = await part.rendition({ format: 'jpeg', maxWidth: 300 })
  expect(smaller.facts).toMatchObject({ width: 300, height: 200 })
  expect(await bytesOf(await smaller.open())).toEqual(
    await bytesOf(await (await whole.rendition({ format: 'jpeg', crop, maxWidth: 300 })).open()),
  )
  const other = await whole.rendition({ format: 'jpeg', crop: { ...crop, top: 101 } })
  expect(await other.url()).not.toBe(await part.url())
})

test('calls at the same time make one copy, in one process and in several', async () => {
  const id = await add('photo.jpg')
  const spec = { format: 'jpeg', maxWidth: 100 } as const
  const one = createMediaSources({ db, store, urls })
  const other = createMediaSources({ db, store, urls })
  const sources = await Promise.all([one([id]), one([id]), other([id]), other([id])])
  const copies = await Promise.all(sources.map((source) => source.get(id)?.rendition(spec)))
  expect(new Set(await Promise.all(copies.map((copy) => copy?.url())))).toHaveLength(1)
  expect(await files()).toBe(2)
})

test('of one source, calls at the same time decode the image once', async () => {
  const id = await add('photo.jpg')
  let reads = 0
  const counted: MediaStore = {
    ...store,
    put: (source, options) => {
      reads++
      return store.put(source, options)
    },
  }
  const sources = await createMediaSources({ db, store: counted, urls })([id])
  const calls = Array.from({ length: 5 }, () => sources.get(id)?.rendition({ format: 'jpeg', maxWidth: 50 }))
  await Promise.all(calls)
  expect(reads).toBe(1)
})

test('a picture that takes too much memory to decode has no rendition, whenever it came in', async () => {
  const id = await add('photo.jpg')
  const picture = { width: 10_900, height: 10_900, bits: 16, interlaced: true } as const
  const { key } = await store.put(Readable.from([blankPng(picture)]))
  await db.updateTable('media_items').set({ storage_key: key }).where('id', '=', id).execute()
  const made = (await sourceOf(id)).rendition({ format: 'jpeg', maxWidth: 100 })
  await expect(made).rejects.toMatchObject({ code: 'media-upload:too_large' })
  expect(await files()).toBe(2)
})

test('a video becomes an MP4 once for all callers; several at the same time are made one after the other', async () => {
  const [id, other] = [await add('video-rotated.mov'), await add('video-short.mp4')]
  let [running, most] = [0, 0]
  const counted: MediaStore = {
    ...store,
    async put(...args) {
      most = Math.max(most, ++running)
      return store.put(...args).finally(() => running--)
    },
  }
  const sources = await createMediaSources({ db, store: counted, urls })([id, other])
  const [first, again] = await Promise.all([id, id, other].map((one) => sources.get(one)?.rendition({ format: 'mp4' })))
  expect(most).toBe(1)
  expect(first?.facts).toMatchObject({ mimeType: 'video/mp4', width: 180, height: 320 })
  expect(await again?.url()).toBe(await first?.url())
  const later = await (await sourceOf(id)).rendition({ format: 'mp4' })
  expect(await bytesOf(await later.open())).toEqual(await bytesOf((await first?.open()) as Readable))
  expect(later.facts.bytes).toBe((await bytesOf(await later.open())).length)
  expect(await files()).toBe(4)
})

test('what cannot become an MP4 is reported by a code, is no copy, and keeps no one waiting', async () => {
  const [webm, mov] = [await add('video-vp9.webm'), await add('video-rotated.mov')]
  const sources = await createMediaSources({ db, store, urls })([webm, mov])
  const [refused, made] = await Promise.allSettled(
    [webm, mov].map((id) => sources.get(id)?.rendition({ format: 'mp4' })),
  )
  expect(refused).toMatchObject({ status: 'rejected', reason: { code: 'media-upload:unsupported_type' } })
  expect(made).toMatchObject({ status: 'fulfilled', value: { facts: { mimeType: 'video/mp4' } } })
  expect(await files()).toBe(3)
})

test('only images become JPEGs, and only videos MP4s', async () => {
  const [image, video] = [await sourceOf(await add('photo.jpg')), await sourceOf(await add('video-short.mp4'))]
  await expect(video.rendition({ format: 'jpeg' })).rejects.toThrow('Only images')
  await expect(image.rendition({ format: 'mp4' })).rejects.toThrow('only videos')
})

test('a copy whose file is gone is made again under the same id', async () => {
  const id = await add('photo.jpg')
  const source = (await createMediaSources({ db, store, urls })([id])).get(id)
  const first = await source?.rendition({ format: 'jpeg', maxWidth: 100 })
  const address = new URL((await first?.url()) ?? '').pathname
  const rows = await db.selectFrom('media_renditions').selectAll().execute()
  await store.remove(rows[0]?.storage_key ?? '')
  const again = await source?.rendition({ format: 'jpeg', maxWidth: 100 })
  expect(new URL((await again?.url()) ?? '').pathname).toBe(address)
  const opened = await again?.open()
  expect(opened).toBeDefined()
  opened?.destroy()
  expect(await db.selectFrom('media_renditions').select('id').execute()).toHaveLength(1)
})

test('a picture is stripped once for all: the same address, sizes and ranges as its bytes; made again when its file is gone', async () => {
  const id = await add('photo.jpg')
  const source = await sourceOf(id)
  const first = await source.stripped()
  const bytes = await bytesOf((await first?.open()) as Readable)
  expect(first?.facts).toEqual({ ...source.facts, bytes: bytes.length })
  expect(bytes.length).toBeLessThan(source.facts.bytes)
  expect(await bytesOf((await first?.open({ start: 20, end: 60 })) as Readable)).toEqual(bytes.subarray(20, 60))
  expect(await (await (await sourceOf(id)).stripped())?.url()).toBe(await first?.url())
  const [kept] = await db.selectFrom('media_renditions').select('storage_key').execute()
  await store.remove(kept?.storage_key ?? '')
  const again = await source.stripped({ maxBytes: bytes.length })
  expect([await again?.url(), await bytesOf((await again?.open()) as Readable)]).toEqual([await first?.url(), bytes])
  expect(await source.stripped({ maxBytes: bytes.length - 1 })).toBeNull()
  expect(await db.selectFrom('media_renditions').select('id').execute()).toHaveLength(1)
})

test('what has nothing to be cut is itself, and so is every copy', async () => {
  const plain = await sourceOf(await add('transparent.png'))
  expect(await plain.stripped()).toBe(plain)
  const part = await plain.rendition({ format: 'jpeg', crop: { left: 0, top: 0, width: 30, height: 20 } })
  expect(await part.stripped()).toBe(part)
  expect(await part.stripped({ maxBytes: 1 })).toBeNull()
  await expect((await sourceOf(await add('video-short.mp4'))).stripped()).rejects.toThrow('Only images')
})
