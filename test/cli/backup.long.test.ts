import { execFile } from 'node:child_process'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { copyOfBegunData } from '../_util/database/begun-data.ts'
import { createDatabase } from '../_util/database/database.ts'
import {
  almanacJson,
  makeDataDir,
  type RunningAlmanac,
  runAlmanac,
  spawnAlmanac,
  startAlmanac,
  withAnyRate,
} from '../_util/processes/app.ts'

/** Backups while posts go out, and commands that are killed. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 })

const closing = new AsyncDisposableStack()
let settings: Record<string, string>
let almanac: RunningAlmanac
let key: string
let around: string

beforeAll(async () => {
  const data = await copyOfBegunData()
  closing.defer(data.remove)
  around = join(data.path, '..')
  settings = { ALMANAC_DATA_DIR: data.path, ALMANAC_PORT: '0', ...(await withAnyRate(data.path)) }
  almanac = await startAlmanac({ settings })
  closing.defer(async () => void (await almanac.stop()))
  ;({ key } = await almanac.firstSignIn())
})
afterAll(() => closing.disposeAsync())

async function ask(url: string, method: string, path: string, body?: object) {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const answer = await fetch(`${url}${path}`, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
  const text = await answer.text()
  expect(answer.ok, text).toBe(true)
  return JSON.parse(text) as { id: string; data: { id: string; status: string; accounts: unknown[] }[] }
}

async function emptySettings(): Promise<Record<string, string>> {
  const data = await makeDataDir()
  closing.defer(data.remove)
  return { ALMANAC_DATA_DIR: data.path, ALMANAC_PORT: '0' }
}

test('of what went out during a backup nothing goes out again from what is restored', async () => {
  const sets = await ask(almanac.url, 'GET', '/v1/social-sets')
  const socialSetId = sets.data[0]?.id
  await vi.waitFor(
    async () => expect((await ask(almanac.url, 'GET', '/v1/social-sets')).data[0]?.accounts.length).toBeGreaterThan(9),
    { timeout: 60_000, interval: 200 },
  )
  const begin = Date.now() + 20_000
  const add = (ms: number, caption: string) =>
    ask(almanac.url, 'POST', '/v1/post-sets', {
      socialSetId,
      status: 'SCHEDULED',
      approval: 'NONE',
      scheduledAt: new Date(begin + ms).toISOString(),
      posts: [{ accountType: 'BLUESKY', caption, media: [] }],
    })
  for (let number = 0; number < 200; number++) await add(number * 50, `Minute by minute ${number}`)
  const place = join(around, 'backups')
  await almanacJson(['backup', place, '--with-key'], { settings })
  const other = await emptySettings()
  await almanacJson(['restore', place], { settings: other })
  const copy = await startAlmanac({ settings: other })
  try {
    const all = async (url: string) => (await ask(url, 'GET', `/v1/post-sets?socialSetId=${socialSetId}&size=100`)).data
    const before = (await all(copy.url)).map(({ id, status }) => `${id} ${status}`)
    // Twenty a second are due there, too.
    await vi.waitFor(
      async () =>
        expect((await almanacJson<{ total: number }>(['resume', '--list'], { settings: other })).total).toBeGreaterThan(
          50,
        ),
      { timeout: 60_000, interval: 1_000 },
    )
    expect((await all(copy.url)).map(({ id, status }) => `${id} ${status}`)).toEqual(before)
    const parked = await runAlmanac(['resume'], { settings: other })
    expect(parked.stdout).toContain('"May have gone out already"')
  } finally {
    await copy.stop()
  }
})

test('a backup that is killed is none, and the next one goes on with its files', async () => {
  const place = join(around, 'killed')
  for (let ms = 100; ms <= 1_500; ms += 200) {
    const child = spawnAlmanac(['backup', place, '--with-key'], settings)
    await pause(ms)
    child.process.kill('SIGKILL')
    await child.ended
    const names = await readdir(place).catch(() => [] as string[])
    const whole = names.filter((name) => /^\d/.test(name))
    for (const name of whole) expect(await readdir(join(place, name))).toContain('backup.json')
  }
  await almanacJson(['backup', place, '--with-key'], { settings })
  expect((await readdir(place)).filter((name) => name.startsWith('.'))).toEqual([])
  expect((await runAlmanac(['backup', 'verify', place], { settings })).stdout).toContain('is whole')
})

test('a drill that is killed leaves the backup as it is, and the next one removes what it has left', async () => {
  const place = join(around, 'for-drills')
  await almanacJson(['backup', place, '--with-key'], { settings })
  const left = async () => (await readdir(tmpdir())).filter((name) => name.startsWith('almanac-verify-'))
  const own = { ...settings, TMPDIR: tmpdir() }
  let found = 0
  for (let ms = 300; ms <= 3_900; ms += 400) {
    const child = spawnAlmanac(['backup', 'verify', place], own)
    await pause(ms)
    child.process.kill('SIGKILL')
    await child.ended
    found += (await left()).length
  }
  // Else no kill has met one that was at it.
  expect(found).toBeGreaterThan(0)
  const { code, stdout } = await runAlmanac(['backup', 'verify', place], { settings: own })
  expect([code, stdout]).toEqual([0, expect.stringContaining('is whole')])
  expect(await left()).toEqual([])
})

test('a restore that is killed is begun again by the same command, into an external database too', async () => {
  const place = join(around, 'for-restores')
  await almanacJson(['backup', place, '--with-key'], { settings })
  const database = await createDatabase('template0')
  closing.defer(database.drop)
  const other = { ...(await emptySettings()), DATABASE_URL: database.url }
  let ended = false
  for (let ms = 300; ms <= 3_000 && !ended; ms += 300) {
    const child = spawnAlmanac(['restore', place], other)
    const killed = pause(ms).then(() => child.process.kill('SIGKILL'))
    const { code } = await child.ended
    await killed
    ended = code === 0 || (await runAlmanac(['restore', place], { settings: other })).stderr.includes('in use')
  }
  if (!ended) await almanacJson(['restore', place], { settings: other })
  const secret = (await runAlmanac(['restore', place], { settings: other })).stderr
  expect(secret).toContain('The database is in use')
})

test('a target that is full or cannot be written is said, and what was there stays', async () => {
  const full = join(around, 'full')
  await mkdir(full)
  const mounted = await new Promise<boolean>((resolve) =>
    execFile('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', full], (error) => resolve(error === null)),
  )
  if (mounted) {
    try {
      const { code, stderr } = await runAlmanac(['backup', full, '--with-key'], { settings })
      expect([code, stderr]).toEqual([1, expect.stringContaining('disk that is full')])
      expect((await readdir(full)).filter((name) => name !== 'files')).toEqual([])
    } finally {
      await new Promise((resolve) => execFile('umount', [full], () => resolve(null)))
    }
  }
  await writeFile(join(around, 'a-file'), '')
  const { code, stderr } = await runAlmanac(['backup', join(around, 'a-file'), '--with-key'], { settings })
  expect([code, stderr]).toEqual([1, expect.stringContaining('a-file is not a folder')])
})
