import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { PlaceLimits } from '#importing'
import { createPictureProcess, type PictureProcess } from '#media'
import { takeNextImport } from '#persistence'
import { type ImportStage, openImportStage } from '../_util/engine/import-stage.ts'
import { type Halting, readFixture } from '../_util/networks/file-server.ts'

/** One account's slow servers do not keep another account's imports waiting. */

let stage: ImportStage
let photo: string
beforeEach(async () => {
  stage = await openImportStage()
  photo = await stage.server.fixture('photo.jpg')
})
afterEach(() => stage.close())

const wait = { timeout: 20_000, interval: 20 }
/** Nothing but what the test does ends an import or its place. */
const patient = { leaseMs: 600_000, frontMs: 3_600_000, idleMs: 3_600_000 }
const places = (limits: Partial<PlaceLimits>) => ({ front: 6, frontOfAccount: 3, all: 48, allOfAccount: 8, ...limits })

/** Servers that send a little and then nothing until they get a signal. */
async function slow(count: number): Promise<Halting[]> {
  const bytes = await readFixture('photo.jpg')
  const name = Math.random().toString(36).slice(2)
  return Array.from({ length: count }, (_, index) => stage.server.halting(`/${name}-${index}.jpg`, bytes, 1_000))
}
async function addSlow(count: number, of: { accountId: string; socialSetId: string }) {
  const servers = await slow(count)
  const ids: string[] = []
  for (const { url } of servers) ids.push(await stage.add(url, { of }))
  const begun = () => servers.filter((server) => server.begun() > 0).length
  const goOn = () => {
    for (const server of servers) server.goOn()
  }
  return { servers, ids, begun, goOn }
}
const statusOf = (ids: readonly string[]) => Promise.all(ids.map(async (id) => (await stage.upload(id)).status))

test('an account with many slow imports in several social sets leaves places: another one begins and ends at once', async () => {
  const { accountId } = stage
  const { socialSetId } = await stage.newAccount()
  await stage.db.updateTable('social_sets').set({ account_id: accountId }).where('id', '=', socialSetId).execute()
  const first = await addSlow(5, stage)
  const second = await addSlow(5, { accountId, socialSetId })
  await stage.startImporter({ settings: patient })
  const begun = () => first.begun() + second.begun()
  await vi.waitFor(() => expect(begun()).toBeGreaterThanOrEqual(3), wait)
  const other = await stage.newAccount()
  expect(await stage.ended(await stage.add(photo, { of: other }))).toMatchObject({ status: 'READY', attempts: 1 })
  expect(begun()).toBe(3)
  const own = [...first.ids, ...second.ids]
  expect((await statusOf(own)).sort()).toEqual([...Array(7).fill('PENDING'), ...Array(3).fill('PROCESSING')])
  // None of them has lost anything.
  first.goOn()
  second.goOn()
  for (const id of own) expect(await stage.ended(id)).toMatchObject({ status: 'READY', attempts: 1 })
})

test('what takes long gives its place at the front up and goes on; accounts that fill the front together make room', async () => {
  const others = [await stage.newAccount(), await stage.newAccount()]
  const slowOnes = await Promise.all(others.map((of) => addSlow(3, of)))
  await stage.startImporter({ settings: { ...patient, frontMs: 200 } })
  await vi.waitFor(() => expect(slowOnes.map(({ begun }) => begun())).toEqual([3, 3]), wait)
  expect(await stage.ended(await stage.add(photo))).toMatchObject({ status: 'READY' })
  for (const { ids, servers, goOn } of slowOnes) {
    expect(await statusOf(ids)).toEqual(['PROCESSING', 'PROCESSING', 'PROCESSING'])
    goOn()
    for (const id of ids) expect(await stage.ended(id)).toMatchObject({ status: 'READY', attempts: 1 })
    // Nothing began again.
    expect(servers.map((server) => server.begun())).toEqual([1, 1, 1])
  }
})

test('an account has its share of all places; the rest of its imports wait', async () => {
  const own = await addSlow(6, stage)
  await stage.startImporter({ settings: { ...patient, frontMs: 50, places: places({ allOfAccount: 4 }) } })
  await vi.waitFor(() => expect(own.begun()).toBe(4), wait)
  expect(await stage.ended(await stage.add(photo, { of: await stage.newAccount() }))).toMatchObject({ status: 'READY' })
  expect(own.begun()).toBe(4)
  own.goOn()
  for (const id of own.ids) expect(await stage.ended(id)).toMatchObject({ status: 'READY' })
})

test('when all places are taken, the account with the most gives its youngest back, and no attempt is counted', async () => {
  const own = await addSlow(4, stage)
  const limits = places({ all: 4, allOfAccount: 4, frontOfAccount: 4 })
  await stage.startImporter({ settings: { ...patient, places: limits } })
  await vi.waitFor(() => expect(own.begun()).toBe(4), wait)
  const other = await stage.newAccount()
  expect(await stage.ended(await stage.add(photo, { of: other }))).toMatchObject({ status: 'READY', attempts: 1 })
  own.goOn()
  for (const id of own.ids) expect(await stage.ended(id)).toMatchObject({ status: 'READY', attempts: 1 })
  expect(own.servers.map((server) => server.begun())).toEqual([1, 1, 1, 2])
})

test('accounts with one place each give none away', async () => {
  const [one, two] = [await stage.newAccount(), await stage.newAccount()]
  const held = [await addSlow(1, one), await addSlow(1, two)]
  await stage.startImporter({ settings: { ...patient, places: places({ all: 2 }) } })
  await vi.waitFor(() => expect(held.map(({ begun }) => begun())).toEqual([1, 1]), wait)
  const waiting = await stage.add(photo)
  for (const { goOn } of held) goOn()
  expect(await stage.ended(waiting)).toMatchObject({ status: 'READY' })
  for (const { servers } of held) expect(servers.map((server) => server.begun())).toEqual([1])
})

test('the account with the fewest under way comes first, whichever process has them; then the oldest', async () => {
  const other = await stage.newAccount()
  const [first, second, third] = [await stage.add(photo), await stage.add(photo), await stage.add(photo)]
  const [fourth, fifth] = [await stage.add(photo, { of: other }), await stage.add(photo, { of: other })]
  const order: (string | undefined)[] = []
  for (let worker = 0; worker < 6; worker++) {
    const due = { maxAttempts: 3, exceptAccounts: [] }
    order.push((await takeNextImport(stage.db, { owner: `${worker}`, ms: 60_000 }, due))?.id)
  }
  expect(order).toEqual([first, fourth, second, fifth, third, undefined])
})

test('files of one account are looked at one after the other; those of another one do not wait for all of them', async () => {
  const { promise: mayRead, resolve: read } = Promise.withResolvers<void>()
  const reading: string[] = []
  const real = createPictureProcess({ residentBytes: 512 * 1024 * 1024, seconds: 60, idleMs: 1_000 })
  const waiting: PictureProcess = {
    async run(file, task, signal) {
      reading.push(file.path ?? '')
      await mayRead
      return real.run(file, task, signal)
    },
  }
  const stored: string[] = []
  await stage.startImporter({
    settings: patient,
    pictures: { light: waiting, heavy: waiting },
    signals: (step, id) => void (step === 'stored' && stored.push(id)),
  })
  const own = [await stage.add(photo), await stage.add(photo), await stage.add(photo)]
  await vi.waitFor(() => expect(stored.toSorted()).toEqual(own.toSorted()), wait)
  const other = await stage.add(photo, { of: await stage.newAccount() })
  await vi.waitFor(() => expect(stored).toContain(other), wait)
  await vi.waitFor(() => expect(reading).toHaveLength(2), wait)
  read()
  for (const id of [...own, other]) expect(await stage.ended(id)).toMatchObject({ status: 'READY', attempts: 1 })
})

test('the time limit goes by progress: what comes slowly but steadily is not given up', async () => {
  const bytes = await readFixture('photo.jpg')
  const steps = 40
  const size = Math.ceil(bytes.length / steps)
  stage.server.on('/slow.jpg', (_, response) => {
    response.writeHead(200, { 'content-length': bytes.length })
    const send = (at: number) => {
      if (at >= bytes.length) return void response.end()
      response.write(bytes.subarray(at, at + size))
      setTimeout(() => send(at + size), 20)
    }
    send(0)
  })
  stage.server.on('/drip.jpg', (_, response) => {
    response.writeHead(200, { 'content-length': bytes.length })
    const drip = setInterval(() => response.write(bytes.subarray(0, 1)), 20)
    response.on('close', () => clearInterval(drip))
  })
  // All of it takes longer than 400 ms, and each tenth of it far less.
  await stage.startImporter({ settings: { idleMs: 400, idleBytes: size } })
  const [slowOne, drip] = [
    await stage.add(stage.server.url('/slow.jpg')),
    await stage.add(stage.server.url('/drip.jpg')),
  ]
  expect(await stage.ended(slowOne)).toMatchObject({ status: 'READY', attempts: 1 })
  const failed = await stage.ended(drip)
  expect(failed).toMatchObject({ status: 'FAILED', error_code: 'media-upload:timeout', attempts: 1 })
  expect(failed.error_message).toContain(`sent less than`)
  await vi.waitFor(async () => expect(await stage.files()).toEqual({ whole: 2, half: 0 }), wait)
})
