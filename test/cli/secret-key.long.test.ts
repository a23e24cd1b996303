import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, openDatabase } from '#persistence'
import { totp } from '../_util/api/totp.ts'
import { newVisitor, type Visitor } from '../_util/api/visitor.ts'
import { createDatabase } from '../_util/database/database.ts'
import { type FileServer, startFileServer } from '../_util/networks/file-server.ts'
import {
  type FirstSignIn,
  makeDataDir,
  type RunningAlmanac,
  runAlmanac,
  type Settings,
  spawnAlmanac,
  startAlmanac,
  withAnyRate,
} from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'
import { untilSomeoneWaits } from '../_util/run/waiting.ts'
import { client } from '../e2e/client.ts'

/** The steps of docs/operating.md by which the secret key is changed, walked with everything that a key protects. */

vi.setConfig({ testTimeout: 300_000, hookTimeout: 120_000 })

const [OLD, NEW] = [1, 2].map(() => randomBytes(32).toString('base64')) as [string, string]

let dataDir: { path: string; remove(): Promise<void> }
let database: { url: string; drop(): Promise<void> }
let db: Database
let files: FileServer
let settings: Settings
let running: RunningAlmanac | null = null

beforeAll(async () => {
  dataDir = await makeDataDir()
  database = await createDatabase()
  db = openDatabase(database.url)
  files = await startFileServer()
  settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    ALMANAC_PORT: await freePort(),
    ALMANAC_TRUSTED_FETCH_HOSTS: files.host,
    DATABASE_URL: database.url,
    ...(await withAnyRate(dataDir.path)),
  }
})
afterAll(async () => {
  await running?.stop()
  await files?.close()
  await db?.destroy()
  await database?.drop()
  await dataDir?.remove()
})

/** Stops what runs and starts it with other keys. */
async function restart(...keys: string[]): Promise<RunningAlmanac> {
  await running?.stop()
  running = null
  running = await startAlmanac({ settings: { ...settings, ALMANAC_SECRET_KEY: keys.join(',') } })
  return running
}

function browserAt(url: string): Visitor {
  const request: Parameters<typeof newVisitor>[0]['request'] = async (method, path, { body, headers } = {}) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' }
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, ...type },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, headers: answer.headers, body: text === '' ? null : JSON.parse(text) }
  }
  return newVisitor({ request }, { origin: url })
}

/** What was given out before the key is changed. */
interface GivenOut {
  url: string
  firstSignIn: FirstSignIn
  socialSetId: string
  secret: string
  backupCodes: string[]
  /** A browser that is used after every step. */
  daily: Visitor
  /** A browser that is used in the time between the second and the third step, and after the third. */
  weekly: Visitor
  /** A browser whose session, signed with the old key, ends between the second and the third step. */
  leaving: Visitor
  invitation: string
  mediaUrl: string
}

async function giveOut({ url, firstSignIn: read }: RunningAlmanac): Promise<GivenOut> {
  const firstSignIn = await read()
  const owner = { email: firstSignIn.ownerEmail, password: firstSignIn.ownerPassword }
  const browsers = [browserAt(url), browserAt(url), browserAt(url)] as const
  for (const browser of browsers) expect((await browser.signIn(owner)).body).toEqual({ next: 'signed-in' })
  const [daily, weekly, leaving] = browsers
  const { secret } = (await daily.request('POST', '/two-factor', { body: { password: owner.password } })).body
  const confirmed = await daily.request('POST', '/two-factor/confirm', { body: { code: totp(secret) } })
  expect(confirmed.status, JSON.stringify(confirmed.body)).toBe(200)
  const invited = await daily.request('POST', '/invitations', {
    body: { email: 'ada@example.com', role: 'author', socialSetIds: null },
  })
  expect(invited.status, JSON.stringify(invited.body)).toBe(201)
  const api = client(url, firstSignIn.key)
  const socialSetId = (await api.get('/v1/social-sets')).data[0].id
  const upload = await api.post('/v1/media-upload', { socialSetId, url: await files.fixture('photo.jpg') })
  const { mediaLibraryId } = await api.until(`/v1/media-upload/${upload.id}`, ({ status }) => status === 'READY')
  const { url: mediaUrl } = await api.get(`/v1/media-library/${mediaLibraryId}`)
  return {
    url,
    firstSignIn,
    socialSetId,
    secret,
    backupCodes: confirmed.body.backupCodes,
    daily,
    weekly,
    leaving,
    invitation: new URLSearchParams(new URL(invited.body.link).hash.slice(1)).get('token') ?? '',
    mediaUrl,
  }
}

const whoIs = async (visitor: Visitor) => (await visitor.request('GET', '/session')).status
const statusOf = async (url: string) => (await fetch(url)).status

async function signInWith(code: string, { url, firstSignIn }: GivenOut): Promise<number> {
  const visitor = browserAt(url)
  const first = await visitor.signIn({ email: firstSignIn.ownerEmail, password: firstSignIn.ownerPassword })
  expect(first.body).toEqual({ next: 'second-step' })
  const { status } = await visitor.request('POST', '/session/second-step', { body: { code } })
  return status === 200 ? whoIs(visitor) : status
}

async function publishes({ url, firstSignIn, socialSetId }: GivenOut): Promise<string> {
  const api = client(url, firstSignIn.key)
  const { id } = await api.post('/v1/post-sets', {
    socialSetId,
    scheduledAt: new Date().toISOString(),
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: [{ accountType: 'BLUESKY', caption: 'Still here', media: [] }],
  })
  const { posts } = await api.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  return posts[0].result.status
}

async function lookAt(given: GivenOut) {
  // A code is good for one use; these tries follow each other faster than codes do.
  await db.deleteFrom('attempts').execute()
  const visitor = browserAt(given.url)
  const invitation = await visitor.request('POST', '/invitations/look', { body: { token: given.invitation } })
  return {
    session: await whoIs(given.daily),
    code: await signInWith(totp(given.secret), given),
    backupCode: await signInWith(given.backupCodes.pop() ?? '', given),
    invitation: invitation.status,
    media: await statusOf(given.mediaUrl),
    published: await publishes(given),
  }
}

const ALL_WELL = { session: 200, code: 200, backupCode: 200, invitation: 200, media: 200, published: 'POSTED' }

/** Begins the second step and kills the process while it seals: it waits for the last row, which is locked here. */
async function killWhileSealing(): Promise<void> {
  await running?.stop()
  running = null
  await db.transaction().execute(async (trx) => {
    await trx.selectFrom('two_factors').select('id').forUpdate().execute()
    const child = spawnAlmanac(['up'], { ...settings, ALMANAC_SECRET_KEY: `${NEW},${OLD}` })
    child.process.stdin.end()
    await Promise.race([untilSomeoneWaits(db), child.ended])
    child.process.kill('SIGKILL')
    expect(await child.ended).toMatchObject({ code: null })
  })
}

const sealingKeys = async () =>
  (await db.selectFrom('network_identities').select('secret_key_id').distinct().execute()).map(
    (row) => row.secret_key_id,
  )

test('the documented steps lock no one out, end no session and break no address', async () => {
  const given = await giveOut(await restart(OLD))
  const [before] = await sealingKeys()

  // The first two steps are forgotten: one line, and nothing is changed.
  await running?.stop()
  const forgotten = await runAlmanac(['up'], { settings: { ...settings, ALMANAC_SECRET_KEY: NEW } })
  expect(forgotten).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^almanac: The secret key does not fit[^\n]*ALMANAC_SECRET_KEY=new,old\.\n$/),
  })

  await restart(OLD, NEW)
  expect(await lookAt(given), 'old,new').toEqual(ALL_WELL)

  await killWhileSealing()
  expect(await sealingKeys()).toEqual([before])
  await restart(NEW, OLD)
  const after = await sealingKeys()
  expect(after).toHaveLength(1)
  expect(after).not.toEqual([before])
  expect(await lookAt(given), 'new,old').toEqual(ALL_WELL)
  expect(await whoIs(given.weekly)).toBe(200)
  const cookies = new Map(given.leaving.cookies)
  expect((await given.leaving.request('DELETE', '/session')).status).toBe(204)
  for (const [name, value] of cookies) given.leaving.cookies.set(name, value)
  expect(await whoIs(given.leaving)).toBe(401)
  const library = `/v1/media-library?socialSetId=${given.socialSetId}`
  const newer = (await client(given.url, given.firstSignIn.key).get(library)).data[0].url
  expect(newer).not.toBe(given.mediaUrl)

  // Without the days between the second and the third step, one line says what ended and how to have it back.
  const last = await restart(NEW)
  expect(last.stderr()).toMatch(/The secret key that was replaced on [^\n]*set it behind the new key/)
  expect(await statusOf(given.mediaUrl)).toBe(404)
  expect(await lookAt({ ...given, mediaUrl: newer }), 'new').toEqual(ALL_WELL)
  expect(await whoIs(given.weekly)).toBe(200)
  await restart(NEW, OLD)
  expect(await statusOf(given.mediaUrl)).toBe(200)
})
