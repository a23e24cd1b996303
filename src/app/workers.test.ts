import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { tryLock } from '#persistence'
import { openWorkers } from './workers.ts'

let dataDir: string
const opened: { close(): void }[] = []
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'almanac-workers-'))
})
afterEach(async () => {
  for (const worker of opened.splice(0)) worker.close()
  await rm(dataDir, { recursive: true })
})

async function open(options: { folder?: string; pid?: number } = {}) {
  const worker = await openWorkers({ dataDir: options.folder ?? dataDir, log: { info: () => {} }, ...options })
  opened.push(worker)
  return worker
}
/** The name, as it would be elsewhere. */
const renamed = (name: string, part: 2 | 3, to: string) =>
  name
    .split('.')
    .map((old, index) => (index === part ? to : old))
    .join('.')

test('a worker that lives is not gone, and one that has let go of its lock is', async () => {
  const [one, other] = [await open(), await open()]
  expect(one.name).not.toContain('/')
  expect(await one.isGone(other.name)).toBe(false)
  other.close()
  expect(await one.isGone(other.name)).toBe(true)
})

test('its lock shows that through the walls of containers, but not on another boot', async () => {
  const [one, other] = [await open(), await open()]
  const lockOf = (name: string) => tryLock(join(dataDir, 'workers', `${name}.lock`))
  const there = renamed(other.name, 2, '1')
  const lock = await lockOf(there)
  expect(await one.isGone(there)).toBe(false)
  lock?.release()
  for (const name of [renamed(other.name, 3, 'another boot'), renamed(other.name, 3, '')]) {
    ;(await lockOf(name))?.release()
    expect(await one.isGone(name)).toBe(false)
  }
  expect(await one.isGone(there)).toBe(true)
})

test('without a common folder a process is gone when the kernel says so of the same numbers', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] })
  const one = await open()
  const other = await open({ folder: join(dataDir, 'another'), pid: child.pid ?? 0 })
  expect(await one.isGone(other.name)).toBe(false)
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await one.isGone(renamed(other.name, 2, '1'))).toBe(false)
  expect(await one.isGone(renamed(other.name, 3, 'another boot'))).toBe(false)
  expect(await one.isGone(other.name)).toBe(true)
})

test.each(['', 'x', 'x.y.z.w', `${'x'.repeat(8)}.0..`])('nothing is told of a worker named "%s"', async (name) => {
  const one = await open()
  expect(await one.isGone(name)).toBe(false)
  expect(await readdir(join(dataDir, 'workers'))).toHaveLength(1)
})

test('a folder that cannot be made costs the lock alone', async () => {
  await writeFile(join(dataDir, 'workers'), '')
  const one = await open()
  expect(await one.isGone((await open()).name)).toBe(false)
})

test('a worker is known by its id, while its lock is there', async () => {
  const [one, other] = [await open(), await open()]
  const id = other.name.split('.')[0] ?? ''
  expect(await one.nameOf(id)).toBe(other.name)
  other.close()
  expect(await one.nameOf(id)).toBe(other.name)
  for (const unknown of ['', id.slice(1), '../x', '00000000-0000-7000-8000-000000000000'])
    expect(await one.nameOf(unknown)).toBeNull()
})

test('a worker does not lose its lock by a look at itself', async () => {
  const [one, other] = [await open(), await open()]
  expect(await one.isGone(one.name)).toBe(false)
  expect(await other.isGone(one.name)).toBe(false)
})

test('the lock of a version before, named by the id alone, shows the same', async () => {
  const one = await open()
  const id = '00000000-0000-7000-8000-000000000000'
  const name = [id, '1', '1', ...one.name.split('.').slice(3)].join('.')
  const lock = await tryLock(join(dataDir, 'workers', `${id}.lock`))
  expect(await one.isGone(name)).toBe(false)
  lock?.release()
  expect(await one.isGone(name)).toBe(true)
})

test('locks of workers that have long been gone are removed, those of others stay', async () => {
  const folder = join(dataDir, 'workers')
  await mkdir(folder)
  for (const name of ['old.lock', 'young.lock']) await writeFile(join(folder, name), '')
  const living = await open()
  const before = new Date(Date.now() - 2 * 3_600_000)
  for (const name of await readdir(folder)) if (name !== 'young.lock') await utimes(join(folder, name), before, before)
  const next = await open()
  const left = [living, next].map(({ name }) => `${name}.lock`)
  expect((await readdir(folder)).sort()).toEqual([...left, 'young.lock'].sort())
  expect(await next.isGone(living.name)).toBe(false)
})
