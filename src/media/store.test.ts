import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createDiskStore, type MediaStore } from './store.ts'

let dir: string
let store: MediaStore

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-store-'))
  store = createDiskStore({ dir: join(dir, 'media') })
})
afterEach(() => rm(dir, { recursive: true, force: true }))

/** All files of the store, relative to it. */
async function files(): Promise<string[]> {
  const entries = await readdir(join(dir, 'media'), { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
}

function bytesOf(size: number): Buffer {
  return Buffer.from(Array.from({ length: size }, (_, at) => (at * 7) % 256))
}

it('leaves a reserve on the disk', async () => {
  const room = await store.room()
  const { bavail, bsize } = await statfs(dir)
  // Others write to the disk meanwhile.
  expect(bavail * bsize - room).toBeGreaterThan(0.9 * 1024 ** 3)
  expect(bavail * bsize - room).toBeLessThan(10.1 * 1024 ** 3)
})

it('is empty until a file was stored, and where its folder is missing', async () => {
  expect(await store.isEmpty()).toBe(true)
  await store.put(Readable.from([bytesOf(10)]))
  expect(await store.isEmpty()).toBe(false)
  await rm(join(dir, 'media'), { recursive: true })
  expect(await store.isEmpty()).toBe(true)
  const { key } = await store.put(Readable.from([bytesOf(10)]))
  await store.remove(key)
  expect(await store.isEmpty()).toBe(true)
})

describe('put', () => {
  it('keeps the bytes under a key of its own making', async () => {
    const bytes = bytesOf(300_000)
    const stored = await store.put(Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)]))
    expect(stored.key).toMatch(/^[0-9a-f]{32}$/)
    expect(stored.bytes).toBe(300_000)
    expect(stored.sha256).toBe(createHash('sha256').update(bytes).digest('hex'))
    expect(await buffer(await store.open(stored.key))).toEqual(bytes)
    expect(await store.stat(stored.key)).toEqual({ bytes: 300_000 })
    expect(await files()).toEqual([store.path(stored.key)])
  })

  it('gives the same bytes another key each time, readable by this user alone', async () => {
    const first = await store.put(Readable.from([bytesOf(10)]))
    const second = await store.put(Readable.from([bytesOf(10)]))
    expect(second.key).not.toBe(first.key)
    expect((await stat(store.path(first.key) ?? '')).mode & 0o077).toBe(0)
  })

  it('takes an empty file and a local file', async () => {
    expect(await store.put(Readable.from([]))).toMatchObject({ bytes: 0 })
    await writeFile(join(dir, 'local'), 'hello')
    const stored = await store.putFile(join(dir, 'local'))
    expect((await buffer(await store.open(stored.key))).toString()).toBe('hello')
    expect(await readFile(join(dir, 'local'), 'utf8')).toBe('hello')
    await expect(store.putFile(join(dir, 'missing'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('leaves nothing when the file is too large, to the byte', async () => {
    expect((await store.put(Readable.from([bytesOf(10)]), { maxBytes: 10 })).bytes).toBe(10)
    const source = Readable.from([bytesOf(6), bytesOf(5)])
    const failure = { name: 'MediaFailure', code: 'media-upload:too_large' }
    await expect(store.put(source, { maxBytes: 10 })).rejects.toMatchObject(failure)
    expect(source.destroyed).toBe(true)
    expect(await files()).toHaveLength(1)
  })

  it('leaves nothing when the source fails, even before it is read', async () => {
    const failing = new Readable({
      read() {
        this.push('some')
        this.destroy(new Error('broke off'))
      },
    })
    await expect(store.put(failing)).rejects.toThrow('broke off')
    const early = new Readable({ read() {} })
    early.destroy(new Error('broke off early'))
    await expect(store.put(early)).rejects.toThrow()
    const cut = new Readable({ read() {} })
    cut.push('some')
    const put = store.put(cut)
    cut.destroy()
    await expect(put).rejects.toThrow()
    expect(await files()).toEqual([])
  })

  it('lets go of the source when it cannot write', async () => {
    await writeFile(join(dir, 'media'), 'not a directory')
    const source = Readable.from([bytesOf(10)])
    await expect(store.put(source)).rejects.toMatchObject({ code: 'ENOTDIR' })
    expect(source.destroyed).toBe(true)
  })

  it('leaves nothing when the caller gives up', async () => {
    const controller = new AbortController()
    const source = new Readable({
      read() {
        this.push('some')
        controller.abort()
      },
    })
    await expect(store.put(source, { signal: controller.signal })).rejects.toMatchObject({ name: 'AbortError' })
    const unread = Readable.from([bytesOf(10)])
    await expect(store.put(unread, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' })
    expect(unread.destroyed).toBe(true)
    expect(await files()).toEqual([])
  })

  it('leaves something for sweep alone when the process is killed while it writes', async () => {
    const program = `
      import { Readable } from 'node:stream'
      import { createDiskStore } from ${JSON.stringify(new URL('./store.ts', import.meta.url).href)}
      let written = 0
      const endless = new Readable({ read() { if ((written += 65536) > 1e6) console.log('writing'); this.push(Buffer.alloc(65536)) } })
      await createDiskStore({ dir: ${JSON.stringify(join(dir, 'media'))} }).put(endless, { maxBytes: 5e9 })
    `
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'exit')

    const [left, ...more] = await files()
    expect(left).toContain('incoming')
    expect(more).toEqual([])
    // It may as well be the write of another process: only age shows.
    expect(await store.sweep()).toBe(0)
    const old = new Date(Date.now() - 2 * 3_600_000)
    await utimes(left ?? '', old, old)
    expect(await store.sweep()).toBe(1)
    expect(await files()).toEqual([])
  })
})

describe('sweep', () => {
  it('leaves stored files alone and minds neither an empty store nor a missing one', async () => {
    expect(await store.sweep(0)).toBe(0)
    const { key } = await store.put(Readable.from([bytesOf(10)]))
    expect(await store.sweep(0)).toBe(0)
    expect(await store.stat(key)).toEqual({ bytes: 10 })
  })
})

describe('open', () => {
  it('reads a part: start inclusive, end exclusive', async () => {
    const bytes = bytesOf(1000)
    const { key } = await store.put(Readable.from([bytes]))
    const part = async (start: number, end: number) => buffer(await store.open(key, { start, end }))
    expect(await part(0, 1)).toEqual(bytes.subarray(0, 1))
    expect(await part(10, 500)).toEqual(bytes.subarray(10, 500))
    expect(await part(990, 1000)).toEqual(bytes.subarray(990))
    expect(await part(990, 2000)).toEqual(bytes.subarray(990))
    expect(await part(7, 7)).toHaveLength(0)
    await expect(store.open(key, { start: 2, end: 1 })).rejects.toThrow(RangeError)
    await expect(store.open(key, { start: -1, end: 1 })).rejects.toThrow(RangeError)
    await expect(store.open(key, { start: 0.5, end: 1 })).rejects.toThrow(RangeError)
  })

  it('rejects when there is no such file', async () => {
    await expect(store.open('0'.repeat(32))).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await store.stat('0'.repeat(32))).toBeNull()
  })
})

describe('remove', () => {
  it('removes, and minds nothing that is gone', async () => {
    const { key } = await store.put(Readable.from([bytesOf(10)]))
    await store.remove(key)
    await store.remove(key)
    expect(await store.stat(key)).toBeNull()
    expect(await files()).toEqual([])
  })
})

describe('a key', () => {
  const BAD = [
    '',
    '..',
    '../../etc/passwd',
    `../${'a'.repeat(32)}`,
    'A'.repeat(32),
    'a'.repeat(31),
    `${'a'.repeat(32)}\n`,
    '/etc/passwd',
    `${'a'.repeat(31)}/`,
    `${'a'.repeat(32)}\0`,
  ]

  it.each(BAD)('that the store did not make is refused everywhere: %j', async (key) => {
    await expect(store.open(key)).rejects.toThrow('Not a key')
    await expect(store.stat(key)).rejects.toThrow('Not a key')
    await expect(store.remove(key)).rejects.toThrow('Not a key')
    expect(() => store.path(key)).toThrow('Not a key')
  })
})

describe('list', () => {
  it('gives the keys of files that are old enough, and nothing of an empty store', async () => {
    const listed = async (olderThanMs: number) => (await Array.fromAsync(store.list({ olderThanMs }))).toSorted()
    expect(await listed(0)).toEqual([])
    const keys = await Promise.all(
      ['a', 'b', 'c'].map(async (text) => (await store.put(Readable.from([Buffer.from(text)]))).key),
    )
    // The clock of files runs ahead of the one in milliseconds, by less than one.
    for (const key of keys) await utimes(store.path(key) ?? '', new Date(), new Date(Date.now() - 1_000))
    expect(await listed(0)).toEqual(keys.toSorted())
    expect(await listed(60_000)).toEqual([])
    await utimes(store.path(keys[0] ?? '') ?? '', 0, 0)
    expect(await listed(60_000)).toEqual([keys[0]])
  })
})
