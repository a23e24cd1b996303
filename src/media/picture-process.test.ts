import { execFile, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { FileToRead } from '#processes'
import { type BlankPng, blankPng } from '../../test/_util/files/blank-png.ts'
import { childrenRunning } from '../../test/_util/processes/children.ts'
import { createPictureProcess } from './picture-process.ts'

const MIB = 1024 * 1024
const usual = { residentBytes: 512 * MIB, seconds: 60, idleMs: 60_000 }
const at = (path: string): FileToRead => ({ path, open: async () => (await open(path)).createReadStream() })
const photoPath = fileURLToPath(new URL('../../test/_fixtures/photo.jpg', import.meta.url))
const photo = at(photoPath)
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-picture-process-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function png(picture: BlankPng): Promise<FileToRead> {
  const path = join(dir, `${Object.values(picture).join('-')}.png`)
  await writeFile(path, blankPng(picture))
  return at(path)
}
/** 190 MB when decoded. */
const large = () => png({ width: 6_900, height: 6_900, bits: 8, interlaced: true })

it('a file that takes more memory than allowed ends its process, and fails alone', async () => {
  const pictures = createPictureProcess({ ...usual, residentBytes: 150 * MIB })
  const file = await large()
  const outcomes = await Promise.allSettled([
    pictures.run(photo, { kind: 'check' }),
    pictures.run(file, { kind: 'check' }),
    pictures.run(photo, { kind: 'thumbnail' }),
    pictures.run(file, { kind: 'header' }),
  ])
  const [before, killed, after, header] = outcomes
  expect(before).toMatchObject({ status: 'fulfilled', value: { kind: 'checked' } })
  expect(killed).toMatchObject({ status: 'rejected', reason: { name: 'MediaFailure', code: 'media-upload:too_large' } })
  expect(String(killed?.status === 'rejected' && killed.reason)).toContain('more than 157.3 MB of memory')
  expect(after).toMatchObject({ status: 'fulfilled', value: { kind: 'made', width: 300, height: 400 } })
  expect(header).toMatchObject({ status: 'fulfilled', value: { kind: 'header', header: { multipass: true } } })
})

it('with enough memory the same file is read', async () => {
  expect(await createPictureProcess(usual).run(await large(), { kind: 'check' })).toEqual({ kind: 'checked' })
})

it('files are read one at a time, in their order', async () => {
  const pictures = createPictureProcess(usual)
  const file = await png({ width: 3_000, height: 3_000, bits: 16, interlaced: true })
  const ended: string[] = []
  const run = (name: string, each: FileToRead) => pictures.run(each, { kind: 'check' }).then(() => ended.push(name))
  await Promise.all([run('large', file), run('small', photo), run('large again', file), run('small again', photo)])
  expect(ended).toEqual(['large', 'small', 'large again', 'small again'])
})

it('a file that is no image is unreadable, and the process goes on', async () => {
  const pictures = createPictureProcess(usual)
  const path = join(dir, 'words')
  await writeFile(path, 'just words')
  expect(await pictures.run(at(path), { kind: 'header' })).toMatchObject({ kind: 'unreadable' })
  expect(await pictures.run(photo, { kind: 'check' })).toEqual({ kind: 'checked' })
})

it('a file that takes too much of a processor fails alone', async () => {
  const pictures = createPictureProcess({ ...usual, seconds: 0.3 })
  const file = await png({ width: 6_900, height: 6_900, bits: 16, interlaced: true })
  const [late, after] = await Promise.allSettled([
    pictures.run(file, { kind: 'check' }),
    pictures.run(photo, { kind: 'header' }),
  ])
  expect(late).toMatchObject({ status: 'rejected', reason: { code: 'media-upload:too_large' } })
  expect(String(late.status === 'rejected' && late.reason)).toContain('longer than 0.3 s')
  expect(after).toMatchObject({ status: 'fulfilled', value: { kind: 'header' } })
})

it.runIf(process.platform === 'linux')('a file that waits for the machine is not called too large', async () => {
  const pictures = createPictureProcess({ ...usual, seconds: 0.5 })
  const done = pictures.run(photo, { kind: 'header' }).catch((reason: unknown) => reason)
  // It does nothing, and takes no processor.
  for (const pid of await begun()) process.kill(pid, 'SIGSTOP')
  const error = await done
  expect(error).toMatchObject({ name: 'Error', message: expect.stringContaining('did not answer in time') })
})

/** Runs a task in a process that gets a signal before it has done anything. */
async function ended(signal: NodeJS.Signals): Promise<unknown> {
  const pictures = createPictureProcess(usual)
  const done = pictures.run(photo, { kind: 'check' }).catch((reason: unknown) => reason)
  for (const pid of await begun()) process.kill(pid, signal)
  return done
}
/** Those, as soon as there are any. */
async function begun(): Promise<number[]> {
  await vi.waitFor(() => expect(children()).not.toEqual([]))
  return children()
}
const children = () => childrenRunning('picture-program')

it.runIf(process.platform === 'linux').each(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGKILL'] as const)(
  'a process that %s ends from outside is no fault of the file',
  async (signal) => {
    const error = await ended(signal)
    expect(error).toMatchObject({ name: 'Error', message: expect.stringContaining(signal) })
  },
)

it.runIf(process.platform === 'linux')('a decoder that crashes calls the file damaged', async () => {
  expect(await ended('SIGSEGV')).toMatchObject({ name: 'MediaFailure', code: 'media-upload:corrupt' })
})

it('an aborted task ends at once with the reason, whether it runs or waits', async () => {
  const pictures = createPictureProcess(usual)
  const silent = { path: null, open: async () => new Readable({ read() {} }) }
  const stop = new AbortController()
  const tasks = [
    pictures.run(silent, { kind: 'header' }, stop.signal),
    pictures.run(photo, { kind: 'check' }, stop.signal),
  ]
  stop.abort(new Error('stopped'))
  for (const outcome of await Promise.allSettled(tasks)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'stopped' } })
  }
  expect(await pictures.run(photo, { kind: 'check' })).toEqual({ kind: 'checked' })
})

it('the program ends when the process that asks is gone, and heeds no signal of a terminal', async () => {
  const child = fork(fileURLToPath(new URL('./picture-program.ts', import.meta.url)), {
    serialization: 'advanced',
    execArgv: [],
  })
  const limits = { pixels: 1e8, residentBytes: usual.residentBytes, seconds: 60 }
  const answer = once(child, 'message')
  child.send({ path: photoPath, task: { kind: 'check' }, limits })
  expect(await answer).toContainEqual(expect.objectContaining({ kind: 'checked' }))
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) child.kill(signal)
  const again = once(child, 'message')
  child.send({ path: photoPath, task: { kind: 'check' }, limits })
  expect(await again).toContainEqual(expect.objectContaining({ kind: 'checked' }))
  const ended = vi.fn()
  child.once('exit', ended)
  child.disconnect()
  await vi.waitFor(() => expect(ended).toHaveBeenCalledWith(null, 'SIGKILL'), { timeout: 10_000 })
})

it('a process without work does not keep another from ending', async () => {
  const script = `
    const { createReadStream } = await import('node:fs')
    const { createPictureProcess } = await import(${JSON.stringify(new URL('./picture-process.ts', import.meta.url).href)})
    const pictures = createPictureProcess({ residentBytes: 5e8, seconds: 60, idleMs: 3_600_000 })
    console.log((await pictures.run({ path: ${JSON.stringify(photoPath)}, open: async () => createReadStream(${JSON.stringify(photoPath)}) }, { kind: 'check' })).kind)`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  expect(stdout).toBe('checked\n')
})
