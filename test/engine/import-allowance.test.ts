import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type Plan, type PlanCatalog, SHIPPED_PLANS } from '#contract'
import { newId } from '#domain'
import { insertMediaItem, updatePlan, usageOf } from '#persistence'
import { IMAGE } from '../_util/api/api.ts'
import { type ImportStage, openImportStage } from '../_util/engine/import-stage.ts'
import { readFixture } from '../_util/networks/file-server.ts'

let stage: ImportStage
let url: string
/** Bytes of the file behind `url`. */
let size: number
beforeEach(async () => {
  stage = await openImportStage()
  url = await stage.server.fixture('photo.jpg')
  size = (await readFixture('photo.jpg')).length
})
afterEach(() => stage.close())

const wait = { timeout: 30_000, interval: 10 }
/** The shipped plans with other numbers for the plan of the test's account. */
const plansWith = (numbers: Partial<Plan>): PlanCatalog => ({
  ...SHIPPED_PLANS,
  SCALE: { ...SHIPPED_PLANS.SCALE, ...numbers },
})
const used = () => usageOf(stage.db, stage.accountId)
const importOf = async (address = url) => stage.ended(await stage.add(address))
const filesAre = (whole: number) =>
  vi.waitFor(async () => expect(await stage.files()).toEqual({ whole, half: 0 }), wait)

/** Fills the library without an import. */
async function fillStorage(bytes: number): Promise<void> {
  const id = newId()
  await insertMediaItem(stage.db, {
    id,
    accountId: stage.accountId,
    socialSetId: stage.socialSetId,
    name: 'old.jpg',
    altText: null,
    facts: { ...IMAGE, bytes },
    sha256: Buffer.alloc(32),
    storageKey: id,
    thumbnailKey: null,
    source: 'UPLOAD',
    sourceUrl: null,
  })
}

test('limits-15, plan-13: exactly as much as the plan allows comes in; one byte more does not, and counts nothing', async () => {
  await stage.startImporter({ plans: plansWith({ monthlyUploadBytes: 2 * size, storageBytes: 2 * size }) })
  expect(await importOf()).toMatchObject({ status: 'READY' })
  expect(await importOf()).toMatchObject({ status: 'READY' })
  expect(await used()).toMatchObject({ uploadBytes: 2 * size, storageBytes: 2 * size })
  const asked = stage.server.requests.length
  const refused = await importOf()
  expect(refused).toMatchObject({ status: 'FAILED', error_code: 'media-upload:allowance_exceeded', media_id: null })
  // Nothing was left: the file was not requested.
  expect(stage.server.requests).toHaveLength(asked)
  expect(await used()).toMatchObject({ uploadBytes: 2 * size, storageBytes: 2 * size })
  await filesAre(4)
})

test('what reaches 80 % or all of the plan is news, once', async () => {
  await stage.startImporter({
    plans: plansWith({ monthlyUploadBytes: 2 * size, storageBytes: Math.floor(2.5 * size) }),
  })
  const news = async () =>
    (await stage.db.selectFrom('news').select(['kind', 'facts']).orderBy('id').execute()).map(({ kind, facts }) => [
      kind,
      facts.plan,
    ])
  await importOf()
  expect(await news()).toEqual([])
  for (let file = 0; file < 2; file++) await importOf()
  // Both by one file: in any order.
  expect(new Set(await news())).toEqual(
    new Set([
      ['PLAN_USED', { resource: 'UPLOADS', percent: 100 }],
      ['PLAN_USED', { resource: 'STORAGE', percent: 80 }],
    ]),
  )
})

const bounds = [
  ['allowance_exceeded', 'monthlyUploadBytes', /^The plan allows uploads of 999 bytes .* 0 bytes are used/],
  ['storage_exceeded', 'storageBytes', /^The plan holds 999 bytes; 0 bytes are used/],
] as const

test.each(bounds)('shape-57: %s ends a download as soon as it is known to be too much', async (code, number, words) => {
  const bytes = await readFixture('photo.jpg')
  const small = 999
  await stage.startImporter({ plans: plansWith({ [number]: small }), settings: { maxBytes: 10_000_000 } })
  // Neither server ever sends the rest: what ends the imports is what came.
  const announced = stage.server.halting('/announced', bytes, 10)
  const unannounced = stage.server.halting('/unannounced', bytes, small + 1, { announce: false })
  for (const address of [announced.url, unannounced.url]) {
    const failed = await importOf(address)
    expect(failed).toMatchObject({ status: 'FAILED', error_code: `media-upload:${code}`, attempts: 1, media_id: null })
    expect(failed.error_message).toMatch(words)
  }
  await filesAre(0)
  expect(await used()).toMatchObject({ uploadBytes: 0, storageBytes: 0 })
})

test('a file that is larger than any import may be is called that, where the plan would hold it', async () => {
  await stage.startImporter({ plans: plansWith({ monthlyUploadBytes: size }), settings: { maxBytes: size - 1 } })
  expect(await importOf()).toMatchObject({ error_code: 'media-upload:too_large' })
})

test('plan-13: a file that fails for another reason counts nothing', async () => {
  await stage.startImporter({ plans: plansWith({ monthlyUploadBytes: 10_000_000 }) })
  expect(await importOf(await stage.server.fixture('truncated.mp4'))).toMatchObject({ status: 'FAILED' })
  expect(await importOf(stage.server.url('/missing'))).toMatchObject({ status: 'FAILED' })
  expect(await used()).toMatchObject({ uploadBytes: 0, storageBytes: 0 })
  expect(await stage.db.selectFrom('account_usage').selectAll().execute()).toEqual([])
})

test.each([
  ['allowance_exceeded', { monthlyUploadBytes: 3 }],
  ['storage_exceeded', { storageBytes: 3 }],
] as const)(
  'limits-15, limits-16, shape-57: %s: parallel imports never pass the limit together',
  async (code, limits) => {
    const numbers = Object.fromEntries(Object.entries(limits).map(([name, files]) => [name, files * size + 1]))
    // All have measured their file, each alone within the limit, before the first one ends.
    let arrived = 0
    const { promise: allArrived, resolve } = Promise.withResolvers<void>()
    await stage.startImporter({
      plans: plansWith(numbers),
      settings: { places: { front: 8, frontOfAccount: 8, all: 8, allOfAccount: 8 }, leaseMs: 60_000 },
      signals: async (step) => {
        if (step !== 'before-finish') return
        if (++arrived === 8) resolve()
        await allArrived
      },
    })
    const ids = await Promise.all(Array.from({ length: 8 }, () => stage.add(url)))
    const uploads = await Promise.all(ids.map((id) => stage.ended(id)))
    expect(uploads.filter(({ status }) => status === 'READY')).toHaveLength(3)
    expect(uploads.filter(({ error_code }) => error_code === `media-upload:${code}`)).toHaveLength(5)
    expect(await used()).toMatchObject({ uploadBytes: 3 * size, storageBytes: 3 * size })
    // The file and the thumbnail of each.
    await filesAre(6)
  },
)

test('limits-16: a new month has its own allowance; storage goes on', async () => {
  await stage.startImporter({ plans: plansWith({ monthlyUploadBytes: size, storageBytes: 2 * size }) })
  expect(await importOf()).toMatchObject({ status: 'READY' })
  expect(await importOf()).toMatchObject({ error_code: 'media-upload:allowance_exceeded' })
  await stage.advance(31 * 86_400_000)
  expect(await used()).toMatchObject({ uploadBytes: 0, storageBytes: size })
  expect(await importOf()).toMatchObject({ status: 'READY' })
  await stage.advance(31 * 86_400_000)
  expect(await importOf()).toMatchObject({ error_code: 'media-upload:storage_exceeded' })
  expect(await used()).toMatchObject({ uploadBytes: 0, storageBytes: 2 * size })
})

test('what is closed gives its storage back', async () => {
  await stage.startImporter({ plans: plansWith({ storageBytes: size }) })
  await fillStorage(1)
  expect(await importOf()).toMatchObject({ error_code: 'media-upload:storage_exceeded' })
  await stage.db.updateTable('media_items').set({ closed_at: new Date() }).execute()
  expect(await importOf()).toMatchObject({ status: 'READY' })
})

test('another plan holds at once, for a file that is on its way too', async () => {
  const halting = stage.server.halting('/slow.jpg', await readFixture('photo.jpg'), 1_000)
  const plans = { ...SHIPPED_PLANS, FREE: { ...SHIPPED_PLANS.FREE, monthlyUploadBytes: size - 1 } }
  await stage.startImporter({ plans })
  const id = await stage.add(halting.url)
  await vi.waitFor(async () => expect((await stage.upload(id)).bytes_received).toBe(1_000), wait)
  await updatePlan(stage.db, stage.accountId, 'FREE')
  halting.goOn()
  expect(await stage.ended(id)).toMatchObject({ error_code: 'media-upload:allowance_exceeded' })
  await filesAre(0)
  expect(await used()).toMatchObject({ uploadBytes: 0, storageBytes: 0 })
  await updatePlan(stage.db, stage.accountId, 'SCALE')
  expect(await importOf()).toMatchObject({ status: 'READY' })
})

test('plan-13: an import that loses its lease at the very end counts nothing', async () => {
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
  await filesAre(0)
  expect(await used()).toMatchObject({ uploadBytes: 0, storageBytes: 0 })
})
