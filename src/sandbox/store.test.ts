import { spawn } from 'node:child_process'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { LedgerPost } from '#networks'
import { BOUNDS, createBlobRoom, SandboxFullError } from './bounds.ts'
import { DamagedJournalError } from './journal.ts'
import { openStore as open, type StoreOptions } from './store.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'almanac-sandbox-'))
})
afterEach(() => rm(folder, { recursive: true }))

const openStore = (path: string | null, options: Partial<StoreOptions> = {}) =>
  open(path, { repair: true, bounds: BOUNDS, room: createBlobRoom(BOUNDS.blobBytes), ...options })
const post = (id: string, text = 'hello'): LedgerPost => ({
  id,
  accountId: 'connection',
  text,
  permalink: `http://127.0.0.1/p/${id}`,
  createdAt: '2026-11-21T00:00:00.000Z',
})

test('everything is there again after closing and opening', async () => {
  const before = openStore(folder)
  before.put('sessions', 'a', { token: 1 })
  before.put('sessions', 'a', { token: 2 })
  before.put('sessions', 'b', { token: 3 })
  before.remove('sessions', 'b')
  before.addPost(post('1'))
  before.addPost(post('2'))
  before.amendPost('1', { comments: [{ id: 'c', text: 'first' }] })
  const blob = await before.putBlob(Buffer.from('bytes'))
  before.close()

  const after = openStore(folder)
  expect(after.get('sessions', 'a')).toEqual({ token: 2 })
  expect(after.list('sessions')).toEqual([{ token: 2 }])
  expect(after.posts()).toEqual([{ ...post('1'), comments: [{ id: 'c', text: 'first' }] }, post('2')])
  expect(await after.getBlob(blob)).toEqual(Buffer.from('bytes'))
  expect(await after.getBlob('../journal.jsonl')).toBeUndefined()
  after.close()
})

test('what was put cannot be changed behind the journal', () => {
  const store = openStore(folder)
  const value = { at: new Date(0), list: [1] }
  store.put('things', 'a', value)
  value.list.push(2)
  expect(store.get('things', 'a')).toEqual({ at: '1970-01-01T00:00:00.000Z', list: [1] })
  store.close()
})

test('what is written together is there together or not at all', async () => {
  const store = openStore(folder, { bounds: { ...BOUNDS, posts: 1 } })
  const make = (id: string) =>
    store.together(() => {
      store.put('records', id, { id })
      store.addPost(post(id))
    })
  make('1')
  expect(() => make('2')).toThrow(SandboxFullError)
  expect([store.list('records'), store.posts()]).toEqual([[{ id: '1' }], [post('1')]])
  store.close()
  const path = join(folder, 'journal.jsonl')
  const written = await readFile(path, 'utf8')
  expect(written.trim().split('\n')).toHaveLength(1)

  // A kill in the middle of the write.
  await writeFile(path, written.slice(0, -10))
  const after = openStore(folder)
  expect([after.list('records'), after.posts()]).toEqual([[], []])
  after.close()
})

test('a last line that was cut off is dropped, and writing goes on behind it', async () => {
  const store = openStore(folder)
  store.addPost(post('1'))
  store.close()
  await appendFile(join(folder, 'journal.jsonl'), '{"post":{"id":"2","te')
  const again = openStore(folder)
  expect(again.posts().map(({ id }) => id)).toEqual(['1'])
  again.addPost(post('3'))
  again.close()
  const last = openStore(folder)
  expect(last.posts().map(({ id }) => id)).toEqual(['1', '3'])
  last.close()
})

test('a damaged line inside the file is reported in words', async () => {
  await writeFile(join(folder, 'journal.jsonl'), '{"post":{}}\nnonsense\n{"post":{}}\n')
  expect(() => openStore(folder)).toThrow(DamagedJournalError)
  expect(() => openStore(folder)).toThrow(/Line 2 of .*journal\.jsonl/)
})

test('a process that is killed while it writes loses nothing that was reported to it as written', async () => {
  const program = `
    const { openStore } = await import(${JSON.stringify(new URL('./store.ts', import.meta.url).href)})
    const { BOUNDS, createBlobRoom } = await import(${JSON.stringify(new URL('./bounds.ts', import.meta.url).href)})
    const store = openStore(process.argv[1], { repair: true, bounds: BOUNDS, room: createBlobRoom(1) })
    for (let id = 0; ; id++) {
      store.addPost({ id: String(id), accountId: 'c', text: 'x'.repeat(20_000), permalink: '', createdAt: '' })
      process.stdout.write(id + '\\n')
      if (id % 50 === 0) await new Promise(setImmediate)
    }`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  let reported = -1
  for await (const line of createInterface({ input: child.stdout })) {
    reported = Number(line)
    if (reported === 300) child.kill('SIGKILL')
  }
  await ended
  expect(reported).toBeGreaterThanOrEqual(300)
  const store = openStore(folder)
  const ids = store.posts().map(({ id }) => Number(id))
  expect(ids.length).toBeGreaterThan(reported)
  expect(ids).toEqual(ids.map((_, index) => index))
  const size = (await readFile(join(folder, 'journal.jsonl'))).length
  store.close()
  expect(size).toBeGreaterThan(300 * 20_000)
})

test('processes beside each other see what the others have written', () => {
  const serving = openStore(folder)
  const beside = openStore(folder, { repair: false })
  beside.put('accounts', 'a', { name: 'Ada' })
  serving.addPost(post('1'))
  expect(serving.get('accounts', 'a')).toEqual({ name: 'Ada' })
  expect(beside.posts()).toEqual([])
  beside.catchUp()
  expect(beside.posts()).toEqual([post('1')])
  beside.addPost(post('2'))
  serving.catchUp()
  expect(serving.posts().map(({ id }) => id)).toEqual(['1', '2'])
  serving.close()
  beside.close()
})

test('a line that another process is just writing is left alone', async () => {
  const serving = openStore(folder)
  await appendFile(join(folder, 'journal.jsonl'), '{"post":{"id":"1",')
  const beside = openStore(folder, { repair: false })
  expect(beside.posts()).toEqual([])
  await appendFile(join(folder, 'journal.jsonl'), '"text":"x"}}\n')
  beside.catchUp()
  serving.catchUp()
  expect(beside.posts()).toEqual([{ id: '1', text: 'x' }])
  expect(serving.posts()).toEqual(beside.posts())
  serving.close()
  beside.close()
})

test('without a folder nothing is written', async () => {
  const store = openStore(null)
  store.addPost(post('1'))
  const blob = await store.putBlob(Buffer.from('bytes'))
  expect(await store.getBlob(blob)).toEqual(Buffer.from('bytes'))
  expect(store.posts()).toHaveLength(1)
  store.close()
})
