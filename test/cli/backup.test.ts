import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { copyOfBegunData } from '../_util/database/begun-data.ts'
import {
  almanacJson,
  makeDataDir,
  type RunningAlmanac,
  runAlmanac,
  startAlmanac,
  withAnyRate,
} from '../_util/processes/app.ts'
import { part } from '../_util/run/whole.ts'

/** A backup of what runs, what it says of itself, and what comes of it in another place. */

const closing = new AsyncDisposableStack()
let dataDir: string
let place: string
let almanac: RunningAlmanac
let key: string
let made: { folder: string; takenAt: string; rows: number; files: number; newFiles: number }

const settings = (path: string) => ({ ALMANAC_DATA_DIR: path, ALMANAC_PORT: '0' })

beforeAll(async () => {
  const data = await copyOfBegunData()
  closing.defer(data.remove)
  dataDir = data.path
  place = join(dataDir, '../backups')
  // It is asked for the upload as fast as it answers.
  almanac = await startAlmanac({ settings: { ...settings(dataDir), ...(await withAnyRate(dataDir)) } })
  closing.defer(async () => void (await almanac.stop()))
  ;({ key } = await almanac.firstSignIn())
  await fill(almanac.url)
  made = await almanacJson(['backup', place, '--with-key'], { settings: settings(dataDir) })
}, 120_000)
afterAll(() => closing.disposeAsync())

/** A picture in the library, and a draft. */
async function fill(url: string) {
  const headers = { authorization: `Bearer ${key}` }
  const { body: sets } = await ask(url, '/v1/social-sets')
  const socialSetId = sets.data[0].id
  const form = new FormData()
  form.set('socialSetId', socialSetId)
  form.set('file', new Blob([await readFile(join(import.meta.dirname, '../_fixtures/photo.jpg'))]), 'photo.jpg')
  const sent = await (await fetch(`${url}/v1/media-upload`, { method: 'POST', headers, body: form })).json()
  const { id } = sent as { id: string }
  await vi.waitFor(async () => expect((await ask(url, `/v1/media-upload/${id}`)).body.status).toBe('READY'), {
    timeout: 30_000,
    interval: 50,
  })
  await sendJson(url, '/v1/notes', {
    socialSetId,
    content: 'Backed up',
    hexColor: '#faf785',
    scheduledAt: '2030-06-01T08:00:00Z',
  })
}

async function sendJson(url: string, path: string, body: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
  expect(answer.status).toBe(201)
}

// biome-ignore lint/suspicious/noExplicitAny: answers are described by the API
type Body = any

const ask = async (url: string, path: string) => {
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } })
  const body: Body = await answer.json()
  expect([answer.status, body.message]).toEqual([200, undefined])
  return { status: answer.status, body }
}

/** A place of its own for one restore. */
async function emptyPlace() {
  const data = await makeDataDir()
  closing.defer(data.remove)
  return data.path
}

describe('a backup', () => {
  test('is whole, and what was there before is not copied again', async () => {
    expect(made.rows).toBeGreaterThan(50)
    expect(made.newFiles).toBe(made.files)
    expect(made.files).toBeGreaterThan(0)
    const second = await almanacJson<typeof made>(['backup', place, '--with-key'], { settings: settings(dataDir) })
    expect(second).toMatchObject({ files: made.files, newFiles: 0, missing: 0 })
    expect((await readdir(place)).filter((name) => name.startsWith('.'))).toEqual([])
  })

  test('says where the secret key is to be kept before it does anything', async () => {
    const { code, stderr } = await runAlmanac(['backup', join(dataDir, '../none')], { settings: settings(dataDir) })
    expect(code).toBe(2)
    expect(stderr).toContain('--with-key')
    expect(await readdir(join(dataDir, '..'))).not.toContain('none')
  })

  test('is verified by restoring it, its secrets open, and nothing is left of that', async () => {
    const shared = () => readdir('/var/lib/almanac').catch(() => [] as string[])
    const before = await shared()
    const { code, stdout } = await runAlmanac(['backup', 'verify', place], {
      settings: { ...settings(dataDir), TMPDIR: tmpdir() },
    })
    const isNew = (name: string) => !before.includes(name) && name.startsWith(basename(tmpdir()))
    expect((await shared()).filter(isNew)).toEqual([])
    expect((await readdir(tmpdir())).filter((name) => name.startsWith('almanac-verify-'))).toEqual([])
    expect([code, stdout]).toEqual([0, expect.stringContaining('is whole')])
    expect(stdout).toContain('Its secrets open.')
  })
})

describe('a restored backup', () => {
  let restoredDir: string
  beforeAll(async () => {
    restoredDir = await emptyPlace()
    await almanacJson(['restore', made.folder], { settings: settings(restoredDir) })
  }, 120_000)

  test('is not put over what is in use', async () => {
    const { code, stderr } = await runAlmanac(['restore', made.folder], { settings: settings(dataDir) })
    expect([code, stderr]).toEqual([1, expect.stringContaining('The database is in use')])
  })

  test('has everything, waits for an answer, and goes on after it', async () => {
    const other = await startAlmanac({ settings: settings(restoredDir) })
    try {
      const held = await ask(other.url, '/v1/social-sets')
      const socialSetId = held.body.data[0].id
      expect(held.body.data[0].hold).toMatchObject({ reason: expect.any(String) })
      const notes = `/v1/notes?socialSetId=${socialSetId}&filters[startDate]=2030-06-01T00:00:00Z&filters[endDate]=2030-06-02T00:00:00Z`
      expect((await ask(other.url, notes)).body).toEqual((await ask(almanac.url, notes)).body)
      const { body: library } = await ask(other.url, `/v1/media-library?socialSetId=${socialSetId}`)
      expect(library.data).toHaveLength(1)
      const bytes = await (await fetch(library.data[0].url)).arrayBuffer()
      expect(Buffer.from(bytes)).toEqual(await readFile(join(import.meta.dirname, '../_fixtures/photo.jpg')))
      const resumed = await runAlmanac(['resume'], { settings: settings(restoredDir) })
      expect([resumed.code, resumed.stdout]).toEqual([0, expect.stringContaining('Almanac continues')])
    } finally {
      await other.stop()
    }
  })
})

describe('what is wrong with a backup', () => {
  /** A backup that something happened to, by way of `harm`. */
  async function harmed(harm: (folder: string, at: string) => Promise<unknown>) {
    const at = join(dataDir, `../harmed-${randomBytes(4).toString('hex')}`)
    await almanacJson(['backup', at, '--with-key'], { settings: settings(dataDir) })
    const [name = ''] = (await readdir(at)).filter((each) => each !== 'files')
    await harm(join(at, name), at)
    return at
  }
  async function anyFile(at: string): Promise<string> {
    const names = await readdir(join(at, 'files'), { recursive: true })
    return join(at, 'files', names.find((name) => /[0-9a-f]{32}$/.test(name)) ?? '')
  }
  const flip = async (path: string) => {
    const bytes = await readFile(path)
    const middle = Math.floor(bytes.length / 2)
    bytes[middle] = (bytes[middle] ?? 0) ^ 1
    await writeFile(path, bytes)
  }

  const harms: [string, (folder: string, at: string) => Promise<unknown>, RegExp][] = [
    ['a bit of a file', async (_, at) => flip(await anyFile(at)), /files\/.*is damaged/],
    ['a file that is gone', async (_, at) => rename(await anyFile(at), join(at, 'gone')), /is missing/],
    ['a bit of a table', (folder) => flip(join(folder, 'tables/history.copy.zst')), /history\.copy\.zst is damaged/],
    [
      'a table that is cut off',
      (folder) => truncate(join(folder, 'tables/posts.copy.zst'), 40),
      /posts\.copy\.zst is damaged/,
    ],
    ['a list that is cut off', (folder) => truncate(join(folder, 'files.jsonl'), 60), /files\.jsonl is damaged/],
    [
      'another key',
      (folder) => writeFile(join(folder, 'secret-key'), `${randomBytes(32).toString('base64')}\n`),
      /not the one of this backup/,
    ],
    ['no list of what it has', (folder) => rename(join(folder, 'backup.json'), join(folder, 'x')), /no whole backup/],
  ]
  test.each(part(harms, 3))('is found: %s', async (_, harm, words) => {
    const at = await harmed(harm)
    const { code, stderr } = await runAlmanac(['backup', 'verify', at], { settings: settings(dataDir) })
    expect(stderr).toMatch(words)
    expect(code).toBe(1)
  })

  test('is refused by a restore, which leaves the database as empty as it was', async () => {
    const at = await harmed((folder) => flip(join(folder, 'tables/history.copy.zst')))
    const path = await emptyPlace()
    const { code, stderr } = await runAlmanac(['restore', at], { settings: settings(path) })
    expect([code, stderr]).toEqual([1, expect.stringContaining('history.copy.zst is damaged')])
    await almanacJson(['restore', made.folder], { settings: settings(path) })
  })
})

describe('a secret key that is sealed', () => {
  test('opens with its passphrase alone', async () => {
    const at = join(dataDir, '../sealed')
    const [right, wrong] = [join(dataDir, '../right'), join(dataDir, '../wrong')]
    await writeFile(right, 'a long passphrase of some words\n')
    await writeFile(wrong, 'another one\n')
    await almanacJson(['backup', at, '--key-for', right], { settings: settings(dataDir) })
    const verify = (file: string) =>
      runAlmanac(['backup', 'verify', at, '--key-from', file], { settings: settings(dataDir) })
    expect(await verify(wrong)).toMatchObject({ code: 1, stderr: expect.stringContaining('another passphrase') })
    expect(await verify(right)).toMatchObject({ code: 0, stdout: expect.stringContaining('Its secrets open.') })
  })
})
