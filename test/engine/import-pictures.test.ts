import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPictureProcess, MediaFailure, type PictureProcess } from '#media'
import { type ImportStage, openImportStage } from '../_util/engine/import-stage.ts'
import { blankPng } from '../_util/files/blank-png.ts'
import { readFixture } from '../_util/networks/file-server.ts'
import { childrenRunning } from '../_util/processes/children.ts'

/** A small file can ask for gigabytes of memory. */

let stage: ImportStage
beforeEach(async () => {
  stage = await openImportStage()
})
afterEach(() => stage.close())

const serve = (path: string, bytes: Buffer) =>
  stage.server.on(path, (_, response) => response.writeHead(200).end(bytes))
const noFiles = () => vi.waitFor(async () => expect(await stage.files()).toEqual({ whole: 0, half: 0 }))

test('pictures that announce a gigabyte are refused once, in words', async () => {
  const bytes = blankPng({ width: 10_900, height: 10_900, bits: 16, interlaced: true })
  expect(bytes.length).toBeLessThan(1_000_000)
  const url = serve('/huge.png', bytes)
  await stage.startImporter()
  const ids = [await stage.add(url), await stage.add(url), await stage.add(url), await stage.add(url)]
  for (const id of ids) {
    const upload = await stage.ended(id)
    expect(upload).toMatchObject({ status: 'FAILED', error_code: 'media-upload:too_large', attempts: 1 })
    expect(upload.error_message).toBe(
      'The image has 10900 x 10900 pixels of 16 bits, is interlaced and would take 950.5 MB of memory; the most is 256 MB. Save it without interlacing, or make it smaller.',
    )
  }
  expect(stage.server.requests).toHaveLength(4)
  await noFiles()
})

test('a picture that takes more memory than its header announces fails once, and alone', async () => {
  const pictures = () => createPictureProcess({ residentBytes: 150 * 1024 * 1024, seconds: 60, idleMs: 1_000 })
  await stage.startImporter({ pictures: { light: pictures(), heavy: pictures() } })
  // 190 MB, which the header's limit allows.
  const url = serve('/large.png', blankPng({ width: 6_900, height: 6_900, bits: 8, interlaced: true }))
  const ids = [await stage.add(url), await stage.add(serve('/photo.jpg', await readFixture('photo.jpg')))]
  const [large, photo] = await Promise.all(ids.map((id) => stage.ended(id)))
  expect(large).toMatchObject({ status: 'FAILED', error_code: 'media-upload:too_large', attempts: 1 })
  expect(large?.error_message).toContain('of memory to decode. Make it smaller.')
  expect(photo).toMatchObject({ status: 'READY', attempts: 1 })
  expect(stage.logged.filter(({ level }) => level === 'error')).toEqual([])
})

test.runIf(process.platform === 'linux')(
  'a process that a stop of the service ends costs an attempt, not the picture',
  async () => {
    const real = createPictureProcess({ residentBytes: 512 * 1024 * 1024, seconds: 60, idleMs: 1_000 })
    const children = () => childrenRunning('picture-program')
    let runs = 0
    const pictures: PictureProcess = {
      run(path, task, signal) {
        const before = children()
        const done = real.run(path, task, signal)
        if (runs++ === 0) for (const pid of children()) if (!before.includes(pid)) process.kill(pid, 'SIGTERM')
        return done
      },
    }
    await stage.startImporter({ pictures: { light: pictures, heavy: pictures } })
    const id = await stage.add(serve('/photo.jpg', await readFixture('photo.jpg')))
    expect(await stage.ended(id)).toMatchObject({ status: 'READY', attempts: 2 })
  },
)

test('what fails while the importer stops is tried again', async () => {
  const { promise: reading, resolve: begun } = Promise.withResolvers<void>()
  const stopping: PictureProcess = {
    run: (_path, _task, signal) =>
      new Promise((_, reject) => {
        signal?.addEventListener('abort', () => reject(new MediaFailure('media-upload:corrupt', 'It broke.')))
        begun()
      }),
  }
  const importer = await stage.startImporter({ pictures: { light: stopping, heavy: stopping } })
  const id = await stage.add(serve('/photo.jpg', await readFixture('photo.jpg')))
  await reading
  await importer.stop()
  expect(await stage.upload(id)).toMatchObject({ status: 'PROCESSING', attempts: 0, lease_owner: null })
  await stage.startImporter()
  expect(await stage.ended(id)).toMatchObject({ status: 'READY', attempts: 1 })
})
