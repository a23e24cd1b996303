import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { SilentDiskError } from '#media'
import { type ImportStage, openImportStage } from '../_util/engine/import-stage.ts'
import { readFixture } from '../_util/networks/file-server.ts'

/** Imports leave room on the disk: the database may be on it too. */

let stage: ImportStage
let room: number
beforeEach(async () => {
  stage = await openImportStage()
  room = Number.POSITIVE_INFINITY
})
afterEach(() => stage.close())

const wait = { timeout: 20_000, interval: 20 }
const MAX_BYTES = 1_000_000
const patient = { leaseMs: 600_000, frontMs: 3_600_000, idleMs: 3_600_000, maxBytes: MAX_BYTES }
const looks = vi.fn()
async function start() {
  const store = {
    ...stage.store,
    room: async () => {
      looks()
      return room
    },
  }
  await stage.startImporter({ store, settings: patient })
}
/** Two looks have begun since, so one is over. */
async function looked() {
  looks.mockClear()
  await vi.waitFor(() => expect(looks.mock.calls.length).toBeGreaterThan(5), wait)
}

test('an import waits while the disk is nearly full, and begins when there is room', async () => {
  room = 0
  await start()
  const id = await stage.add(await stage.server.fixture('photo.jpg'))
  await looked()
  expect(await stage.upload(id)).toMatchObject({ status: 'PENDING', attempts: 0 })
  expect(stage.server.requests).toHaveLength(0)
  // Not enough for the largest file: one that does not fit would begin again and again.
  room = MAX_BYTES - 1
  await looked()
  expect(stage.server.requests).toHaveLength(0)
  room = MAX_BYTES
  expect(await stage.ended(id)).toMatchObject({ status: 'READY', attempts: 1 })
  expect(stage.logged.filter(({ message }) => message.includes('disk is nearly full'))).toHaveLength(1)
})

test('downloads give way while the disk is nearly full, begin again when there is room, and no attempt is counted', async () => {
  const bytes = await readFixture('photo.jpg')
  const servers = ['a', 'b', 'c'].map((name) => stage.server.halting(`/${name}.jpg`, bytes, 1_000))
  await start()
  const ids: string[] = []
  for (const { url, begun } of servers) {
    ids.push(await stage.add(url))
    await vi.waitFor(() => expect(begun()).toBe(1), wait)
  }
  const held = () => Promise.all(ids.map(async (id) => (await stage.upload(id)).lease_owner !== null))
  room = -1
  await vi.waitFor(async () => expect(await held()).toEqual([false, false, false]), wait)
  for (const id of ids) expect(await stage.upload(id)).toMatchObject({ attempts: 0 })
  expect((await stage.files()).half).toBe(0)
  for (const { goOn } of servers) goOn()
  room = MAX_BYTES
  for (const id of ids) expect(await stage.ended(id)).toMatchObject({ status: 'READY', attempts: 1 })
})

test('imports wait while the folder does not answer, which is no standstill of the process', async () => {
  let silent = true
  const askRoom = async () => {
    if (silent) throw new SilentDiskError()
    return Number.POSITIVE_INFINITY
  }
  const importer = await stage.startImporter({ store: { ...stage.store, room: askRoom }, settings: patient })
  await expect.poll(() => importer.healthy()).toBe(true)
  const id = await stage.add(await stage.server.fixture('photo.jpg'))
  importer.wake()
  await expect.poll(() => importer.healthy()).toBe(true)
  expect(await stage.upload(id)).toMatchObject({ status: 'PENDING', attempts: 0 })
  expect(stage.logged.filter(({ level }) => level === 'error')).toEqual([])
  silent = false
  expect(await stage.ended(id)).toMatchObject({ status: 'READY', attempts: 1 })
})
