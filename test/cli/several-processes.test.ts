import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { NOTE_COLORS, SCOPES } from '#contract'
import { openDatabase } from '#persistence'
import { byWindow, untilReset, windowOf } from '../_util/api/rate.ts'
import { createDatabase } from '../_util/database/database.ts'
import { type FileServer, startFileServer } from '../_util/networks/file-server.ts'
import {
  almanacJson,
  makeDataDir,
  type RunningAlmanac,
  type Settings,
  startAlmanac,
  withPlans,
} from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'
import { client } from '../e2e/client.ts'

/** Two processes of the API on one database: it makes no difference which of them is asked. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const LIMIT = 5

let dataDir: { path: string; remove(): Promise<void> }
let database: { url: string; drop(): Promise<void> }
let files: FileServer
let settings: Settings
const running: RunningAlmanac[] = []
let urls: string[]

beforeAll(async () => {
  dataDir = await makeDataDir()
  database = await createDatabase()
  files = await startFileServer()
  settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    DATABASE_URL: database.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_TRUSTED_FETCH_HOSTS: files.host,
    ALMANAC_WORKER_PORT: await freePort(),
    ...(await withPlans(dataDir.path, { SCALE: { requestsPerSecond: 1_000 }, PRO: { requestsPerSecond: LIMIT } })),
  }
  const processes = (['api', 'api', 'worker'] as const).map(async (process) => {
    const almanac = await startAlmanac({ process, settings: { ...settings, ALMANAC_PORT: await freePort() } })
    running.push(almanac)
    return almanac.url
  })
  urls = (await Promise.all(processes)).slice(0, 2)
})
afterAll(async () => {
  await Promise.all(running.map((almanac) => almanac.stop()))
  await files?.close()
  await database?.drop()
  await dataDir?.remove()
})

async function newAccount(
  plan: 'PRO' | 'SCALE',
): Promise<{ socialSetId: string; keys: { id: string; key: string }[] }> {
  const { accountId, socialSetId } = await almanacJson<{ accountId: string; socialSetId: string }>(
    ['accounts', 'create', '--name', 'Brand', '--plan', plan],
    { settings },
  )
  const keys = ['one', 'other'].map((name) => {
    const args = ['keys', 'create', '--account', accountId, '--name', name, '--scopes', SCOPES.join(',')]
    return almanacJson<{ id: string; key: string }>(args, { settings })
  })
  return { socialSetId, keys: await Promise.all(keys) }
}

test('what one of them makes, the other one reads', async () => {
  const { socialSetId, keys } = await newAccount('SCALE')
  const [one, other] = urls.map((url, index) => client(url, keys[index]?.key ?? ''))
  if (!one || !other) throw new Error('There are not two of them.')

  const created = await one.post('/v1/post-sets', {
    socialSetId,
    scheduledAt: '2030-06-01T10:00:00Z',
    status: 'DRAFT',
    approval: 'NONE',
    posts: [{ accountType: 'BLUESKY', caption: 'Read elsewhere', media: [] }],
  })
  expect(await other.get(`/v1/post-sets/${created.id}`)).toEqual(created)
  const listed = await other.get(`/v1/post-sets?socialSetId=${socialSetId}`)
  expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([created.id])

  const note = await other.post('/v1/notes', {
    socialSetId,
    content: 'Market day',
    hexColor: NOTE_COLORS[0],
    scheduledAt: '2030-06-02T08:00:00Z',
  })
  const june = 'filters[startDate]=2030-06-01&filters[endDate]=2030-07-01'
  expect(await one.get(`/v1/notes?socialSetId=${socialSetId}&${june}`)).toEqual([note])

  const upload = await one.post('/v1/media-upload', { socialSetId, url: await files.fixture('photo.jpg') })
  const ready = await other.until(`/v1/media-upload/${upload.id}`, ({ status }) => ['READY', 'FAILED'].includes(status))
  expect(ready).toMatchObject({ status: 'READY', error: null })
  const path = `/v1/media-library/${ready.mediaLibraryId}`
  const item = await one.get(path)
  expect(item).toMatchObject({ id: ready.mediaLibraryId, socialSetId })
  // Each answers with addresses of its own: without ALMANAC_PUBLIC_URL a process knows none but its own.
  expect({ ...(await other.get(path)), url: item.url, thumbnailUrl: item.thumbnailUrl }).toEqual(item)
  const paths = [item.url, item.thumbnailUrl].map((url: string) => url.replace(new URL(url).origin, ''))
  const got = await Promise.all(paths.flatMap((path) => urls.map((url) => fetch(`${url}${path}`))))
  expect(got.map(({ status }) => status)).toEqual([200, 200, 200, 200])
  const [first, second] = await Promise.all(got.map(async (file) => Buffer.from(await file.arrayBuffer())))
  expect(first?.equals(second as Buffer)).toBe(true)
})

test('auth-06: a key that is revoked is refused by both at once', async () => {
  const { keys } = await newAccount('SCALE')
  const [revoked, kept] = keys
  const ask = (given: typeof revoked) =>
    Promise.all(
      urls.map(async (url) => {
        const answer = await fetch(`${url}/v1/social-sets`, { headers: { authorization: `Bearer ${given?.key}` } })
        return answer.status
      }),
    )
  expect(await ask(revoked)).toEqual([200, 200])
  await almanacJson(['keys', 'revoke', revoked?.id ?? ''], { settings })
  expect(await ask(revoked)).toEqual([401, 401])
  expect(await ask(kept)).toEqual([200, 200])
})

test('limits-01, rate-01: they share the rate of an account: however its requests are spread, a second lets no more through', async () => {
  const { keys } = await newAccount('PRO')
  const burst = await Promise.all(
    Array.from({ length: 8 * LIMIT }, (_, index) =>
      fetch(`${urls[index % 2]}/v1/social-sets`, {
        headers: { authorization: `Bearer ${keys[Math.floor(index / 2) % 2]?.key}` },
      }),
    ),
  )
  expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([200, 429]))
  for (const window of byWindow(burst)) expect(window).toEqual(windowOf(LIMIT, window.passed + window.refused))
})

test('rate-06: they share the rate of an address as well', async () => {
  // Requests with a key that was revoked count as well.
  await untilReset(await fetch(`${urls[0]}/v1/nothing`))
  const burst = await Promise.all(Array.from({ length: 60 }, (_, index) => fetch(`${urls[index % 2]}/v1/nothing`)))
  expect(new Set(burst.map(({ status }) => status))).toEqual(new Set([401, 429]))
  for (const window of byWindow(burst)) expect(window).toEqual(windowOf(10, window.passed + window.refused))
})

test('a worker that is older than the database says so at its health check', async () => {
  const db = openDatabase(database.url)
  try {
    await sql`insert into migrations (name, timestamp) values ('9999-later', '2099')`.execute(db)
  } finally {
    await db.destroy()
  }
  const address = `http://127.0.0.1:${settings.ALMANAC_WORKER_PORT}/healthz`
  const health = async () => (await (await fetch(address)).json()) as { status: string; problems: string[] }
  await expect
    .poll(async () => (await health()).problems, { timeout: 20_000 })
    .toEqual([expect.stringMatching(/^A newer Almanac has changed the database \(migration 9999-later\)/)])
  expect(await health()).toMatchObject({ status: 'ok' })
})
