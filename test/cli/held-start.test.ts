import { mkdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { SCOPES } from '#contract'
import { type Database, databaseNow, openDatabase } from '#persistence'
import { type MailServer, startMailServer } from '../_util/api/mail-server.ts'
import { createDatabase } from '../_util/database/database.ts'
import { holdAsCopy, OPEN_STATES, putInState } from '../_util/engine/held-start.ts'
import { type AlertReceiver, startAlertReceiver } from '../_util/networks/alert-receiver.ts'
import { type FileServer, startFileServer } from '../_util/networks/file-server.ts'
import {
  almanacJson,
  makeDataDir,
  type RunningAlmanac,
  runAlmanac,
  type Settings,
  startAlmanac,
  withAnyRate,
} from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'
import { newPerson } from '../_util/upgrades/browser.ts'

/** Real processes on a database whose start is held. Everything that they may call is one server that keeps what it was asked. */

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let dataDir: { path: string; remove(): Promise<void> }
let database: { url: string; drop(): Promise<void> }
let db: Database
/** All networks with their token endpoints, calendars and files. */
let world: FileServer
let mail: MailServer
let receiver: AlertReceiver
let settings: Settings
let account: { accountId: string; socialSetId: string; ownerEmail: string; ownerPassword: string }
let key: string
const running: RunningAlmanac[] = []

const run = (...args: string[]) => runAlmanac(args, { settings })
const json = <T>(...args: string[]) => almanacJson<T>(args, { settings })

beforeAll(async () => {
  dataDir = await makeDataDir()
  database = await createDatabase()
  world = await startFileServer()
  mail = await startMailServer()
  receiver = await startAlertReceiver()
  settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    DATABASE_URL: database.url,
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_PORT: await freePort(),
    ALMANAC_WORKER_PORT: await freePort(),
    ALMANAC_SANDBOX: 'on',
    ALMANAC_SANDBOX_URL: world.url(''),
    ALMANAC_TRUSTED_FETCH_HOSTS: world.host,
    ALMANAC_SMTP_URL: mail.url,
    ALMANAC_MAIL_FROM: 'Almanac <almanac@example.com>',
    ALMANAC_ALERT_URL: receiver.url,
    ALMANAC_BLUESKY_SERVICE_URL: world.url(''),
    ...(await withAnyRate(dataDir.path)),
  }
  account = await json('accounts', 'create', '--name', 'Acme', '--sandbox', '--owner-email', 'owner@example.com')
  await run('users', 'operator', 'owner@example.com')
  const args = ['keys', 'create', '--account', account.accountId, '--name', 'Key', '--scopes', SCOPES.join(',')]
  key = (await json<{ key: string }>(...args)).key
  db = openDatabase(database.url, { poolSize: 2 })
})
afterAll(async () => {
  await Promise.all(running.map((almanac) => almanac.stop()))
  await db?.destroy()
  await mail?.close()
  await receiver?.close()
  await world?.close()
  await database?.drop()
  await dataDir?.remove()
})

async function start(process: 'up' | 'worker', more: Settings = {}) {
  const almanac = await startAlmanac({ process, settings: { ...settings, ...more } })
  running.push(almanac)
  return almanac
}

/** Until the database's clock has come so far: several looks of every part that looks each second or two. */
async function goBy(ms: number): Promise<void> {
  const until = Number(await databaseNow(db)) + ms
  await vi.waitUntil(async () => Number(await databaseNow(db)) >= until, { timeout: ms + 20_000, interval: 100 })
}

const asked = () => ({
  requests: world.requests,
  mails: mail.mails.map(({ to }) => to),
  alerts: receiver.received.length,
})

test('nothing goes out while the start is held, but one mail to the operator; afterwards everything does', async () => {
  await holdAsCopy(db)
  // Belongs to nothing that this database knows, but perhaps to what another one does.
  const orphan = join(dataDir.path, 'media/objects/ab', `ab${'0'.repeat(30)}`)
  await mkdir(dirname(orphan), { recursive: true })
  await writeFile(orphan, 'A file of another one')
  await utimes(orphan, 0, 0)
  const up = await start('up')
  const api = newPerson(up.url, key)
  const owner = newPerson(up.url)
  await owner.ask('POST', '/internal/session', { email: account.ownerEmail, password: account.ownerPassword })

  const { socialSetId } = account
  const create = (caption: string, more: object = {}) =>
    api.ask('POST', '/v1/post-sets', {
      ...{ socialSetId, scheduledAt: new Date().toISOString(), status: 'SCHEDULED', approval: 'NONE' },
      ...{ posts: [{ accountType: 'BLUESKY', caption, media: [] }], ...more },
    })
  const due = await create('Due')
  const begun = []
  for (const state of OPEN_STATES) {
    const { id } = await create(state, { status: 'DRAFT' })
    begun.push(await putInState(db, id, state))
  }
  const { id: failed } = await create('Failed', { status: 'DRAFT' })
  await putInState(db, failed, 'DONE')
  await api.ask('POST', '/v1/media-upload', { socialSetId, url: await world.fixture('photo.jpg') })
  await owner.ask('POST', '/internal/imported-calendars', {
    ...{ socialSetId, name: 'Fairs', hexColor: '#faf785', url: world.url('/fairs.ics') },
  })
  await owner.ask('POST', '/internal/invitations', { email: 'ada@example.com', role: 'editor', socialSetIds: null })
  const login = { socialSetId, accountType: 'BLUESKY', identifier: 'me.example.com', password: 'secret' }
  await expect(owner.ask('POST', '/internal/connections/password', login)).rejects.toThrow(/calls no one until/)
  await sql`
    update network_identities set expires_at = almanac_now(), renew_after = almanac_now() - interval '1 hour'`.execute(
    db,
  )

  await goBy(4_000)
  const toOwner = mail.mails.filter(({ to }) => to.includes('owner@example.com'))
  expect({ ...asked(), mails: mail.mails.length - toOwner.length }).toEqual({ requests: [], mails: 0, alerts: 0 })
  const told = await mail.next('owner@example.com')
  expect(told.subject).toBe('Almanac waits for your answer')
  for (const part of [hostname(), up.url, 'almanac resume', 'The table was made anew.'])
    expect(told.text).toContain(part)
  for (const [what, args] of [
    ['a network', ['networks', 'check', 'bluesky']],
    ['the receiver', ['alerts', 'test']],
  ] as const) {
    expect([what, await run(...args)]).toEqual([
      what,
      expect.objectContaining({
        code: 1,
        stderr: expect.stringMatching(/may be a copy of another one.*almanac resume/),
      }),
    ])
  }
  expect(asked()).toEqual({ requests: [], mails: [['owner@example.com']], alerts: 0 })

  expect(await readFile(orphan, 'utf8')).toBe('A file of another one')

  const ready = await fetch(`${up.url}/readyz`)
  expect([ready.status, await ready.json()]).toEqual([
    200,
    expect.objectContaining({
      status: 'ok',
      heldSince: expect.any(String),
      problems: [expect.stringMatching(/may be a copy of another one/)],
    }),
  ])
  const [brand] = (await api.ask('GET', '/v1/social-sets')).data
  expect(brand.hold).toMatchObject({ by: 'Almanac', reason: expect.stringMatching(/may be a copy/) })
  expect((await api.ask('GET', `/v1/post-sets/${due.id}`)).status).toBe('SCHEDULED')
  expect(up.stderr()).toMatch(/may be a copy of another one/)

  expect((await run('doctor')).stdout).toMatch(/PROBLEM {2}This installation may be a copy of another one/)

  const listed = await run('resume', '--list')
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(/ 3 post sets were due:/)])
  const asks = await run('resume', '--publish-late')
  expect([asks.code, asks.stdout]).toEqual([1, expect.stringContaining('almanac resume --publish-late --count 3')])
  expect(await run('resume', '--publish-late', '--count', '2')).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/3 post sets were due/),
  })
  expect(asked()).toEqual({ requests: [], mails: [['owner@example.com']], alerts: 0 })

  const resumed = await json<{ resumed: object }>('resume')
  expect(resumed.resumed).toEqual({ publishing: 0, parked: 1, failed: 2, closed: { keys: 0, links: 0, webhooks: 0 } })
  expect(await run('resume')).toMatchObject({ code: 1, stderr: expect.stringMatching(/The start is not held/) })
  const draft = await api.ask('GET', `/v1/post-sets/${due.id}`)
  expect(draft.status).toBe('DRAFT')
  const labels = await db.selectFrom('labels').select(['id', 'name']).execute()
  expect(labels).toMatchObject([{ name: 'May have gone out already' }])
  expect(draft.labelsId).toEqual(labels.map(({ id }) => id))
  const [preparing, readyToSend] = begun
  const ended = await sql<{ state: string; result: { status: string; message: string; warnings?: object[] } }>`
    select state, result from deliveries where id in (${preparing}, ${readyToSend})`.execute(db)
  for (const { result } of ended.rows)
    expect(result).toMatchObject({ status: 'FAILED', message: expect.stringMatching(/^It may have gone out already/) })
  await vi.waitUntil(() => world.requests.some((path) => path.includes('getRecord')), { timeout: 20_000 })
  await vi.waitUntil(() => ['/photo.jpg', '/fairs.ics'].every((path) => world.requests.includes(path)), {
    timeout: 20_000,
  })
  await receiver.count(1)
  await owner.ask('POST', '/internal/invitations', { email: 'bob@example.com', role: 'editor', socialSetIds: null })
  await mail.next('bob@example.com')
  const now = (await (await fetch(`${up.url}/readyz`)).json()) as { problems: string[] }
  expect(now.problems).toEqual([])

  const { id: next } = await create('Next')
  await api.ask('GET', `/v1/post-sets/${next}`)
  await vi.waitUntil(() => world.requests.some((path) => /refreshSession|putRecord/.test(path)), { timeout: 20_000 })

  // Another process notices a copy while this one works.
  await holdAsCopy(db)
  const { id: last } = await create('Last')
  await vi.waitUntil(() => /what is under way ends/.test(up.stderr()), { timeout: 20_000 })
  const before = world.requests.length
  await goBy(2_500)
  expect(world.requests.length).toBe(before)
  expect((await api.ask('GET', `/v1/post-sets/${last}`)).status).toBe('SCHEDULED')
})
