import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { ACCOUNT_TYPES, type AccountType, accountTypes } from '#contract'
import { createSecretBox } from '#domain'
import { loadNetworks, sandboxSecret } from '#networks'
import { createCredentialBox } from '#operations'
import { type Database, openDatabase } from '#persistence'
import { scrape } from '../_util/api/metrics.ts'
import { createDatabase } from '../_util/database/database.ts'
import { dumpOf } from '../_util/database/dump.ts'
import { type FileServer, startFileServer } from '../_util/networks/file-server.ts'
import { freePort } from '../_util/processes/ports.ts'
import { client } from './client.ts'
import { type Installation, startInstallation } from './installation.ts'

/**
 * All account types at once in the running service: from one request to eleven permalinks that open, and from the sign-in
 * on a simulator's own pages to a post on it. In the end nothing that was secret has come out anywhere.
 */

const networks = await loadNetworks()
const secretKey = randomBytes(32)
const NO_SECRET = 'the operator’s own secret of the app'

let database: Awaited<ReturnType<typeof createDatabase>>
let db: Database
let files: FileServer
let almanac: Installation
const metricsPort = await freePort()
let demo: { accountId: string; socialSetId: string }
let api: ReturnType<typeof client>
let key: string
const FILES = { photo: 'photo.jpg', tall: 'video-h264-aac.mp4', wide: 'linkedin-video.mp4' }
type Media = Record<keyof typeof FILES, string>
let media: Media
/** Every set that was published. */
const sets: { posts: { accountType: AccountType; result: { status: string } }[] }[] = []
/** Every answer that anybody got. */
const answers: string[] = []

beforeAll(async () => {
  database = await createDatabase()
  db = openDatabase(database.url)
  files = await startFileServer()
  almanac = await startInstallation({
    ALMANAC_TRUSTED_FETCH_HOSTS: files.host,
    DATABASE_URL: database.url,
    ALMANAC_SECRET_KEY: secretKey.toString('base64'),
    ALMANAC_LOG_LEVEL: 'trace',
    ALMANAC_METRICS: 'on',
    ALMANAC_METRICS_PORT: metricsPort,
    // What the operator has set is none of the sandbox's business.
    ALMANAC_PINTEREST_CLIENT_ID: 'the operator’s own app',
    ALMANAC_PINTEREST_CLIENT_SECRET: NO_SECRET,
  })
  demo = await almanac.command(['accounts', 'create', '--name', 'Corner Bakery', '--sandbox'])
  key = await newKey(demo.accountId)
  api = client(almanac.url, key, { pauseMs: 400, heard: (text) => answers.push(text) })
  media = await importAll(demo.socialSetId, api)
}, 120_000)

afterAll(async () => {
  await almanac?.stop()
  await files?.close()
  await db?.destroy()
  await database?.drop()
})

async function newKey(accountId: string): Promise<string> {
  const command = ['keys', 'create', '--account', accountId, '--name', 'robot']
  const scopes = ['--scopes', 'post-sets:write,post-sets:publish,media:write']
  return (await almanac.command<{ key: string }>([...command, ...scopes])).key
}

async function imported(name: string, socialSetId: string, through: typeof api): Promise<string> {
  const upload = await through.post('/v1/media-upload', { socialSetId, url: await files.fixture(name) })
  const done = await through.until(
    `/v1/media-upload/${upload.id}`,
    (body) => !['PENDING', 'PROCESSING'].includes(body.status),
  )
  expect(done).toMatchObject({ status: 'READY', error: null })
  return done.mediaLibraryId
}

async function importAll(socialSetId: string, through: typeof api): Promise<Media> {
  const ids = Object.entries(FILES).map(async ([name, file]) => [name, await imported(file, socialSetId, through)])
  return Object.fromEntries(await Promise.all(ids))
}

type Kind = 'text' | 'photo' | 'video'

/** A post of that kind, or of the nearest that the account type has; null when it has none like it. */
function postOf(accountType: AccountType, kind: Kind, caption: string, ids: Media): object | null {
  const photo = [{ mediaLibraryId: ids.photo, altText: 'A loaf of bread' }]
  // What one asks to be tall, and another to be large.
  const video = [{ mediaLibraryId: accountType.startsWith('LINKEDIN') ? ids.wide : ids.tall }]
  const items = { text: [], photo, video }[kind]
  const post = { accountType, caption, media: items as object[] }
  switch (accountType) {
    case 'INSTAGRAM': {
      const type = kind === 'video' ? 'REEL' : 'IMAGE'
      return { ...post, type, collaborators: [], media: kind === 'video' ? video : photo }
    }
    case 'FACEBOOK':
      return { ...post, type: { text: 'TEXT', photo: 'IMAGE', video: 'REEL' }[kind], richCaption: [caption] }
    case 'LINKEDIN_PAGE':
    case 'LINKEDIN_PERSONAL':
      return { ...post, richCaption: [caption] }
    case 'GMB':
      return kind === 'video' ? null : { ...post, ctaType: 'LEARN_MORE', ctaUrl: 'https://example.com/bread' }
    case 'PINTEREST':
      return { ...post, title: 'Bread', website: 'https://example.com/bread', media: kind === 'video' ? video : photo }
    case 'TIKTOK':
      return { ...post, media: kind === 'photo' ? photo : video }
    case 'YOUTUBE':
      return { ...post, title: 'Bread', privacy: 'PUBLIC', media: video }
    default:
      return post
  }
}

async function publish(through: typeof api, socialSetId: string, posts: readonly (object | null)[]) {
  const set = await through.post('/v1/post-sets', {
    socialSetId,
    scheduledAt: new Date().toISOString(),
    status: 'SCHEDULED',
    approval: 'NONE',
    posts: posts.filter((post) => post !== null),
  })
  const done = await through.until(`/v1/post-sets/${set.id}`, (body) => body.status === 'PUBLISHED', { seconds: 90 })
  sets.push(done)
  return done
}

/** Every post is there, once, and its permalink opens. */
async function expectPosted(set: Awaited<ReturnType<typeof publish>>, caption: string): Promise<void> {
  for (const { accountType, result } of set.posts) {
    expect(result, `${accountType}: ${JSON.stringify(result)}`).toMatchObject({ status: 'POSTED' })
    const page = await fetch(result.permalink)
    expect(page.status, `${accountType}: ${result.permalink}`).toBe(200)
    expect(await page.text(), accountType).toContain(caption)
  }
  for (const { manifest } of networks.all) {
    const address = `${almanac.url}/sandbox/${manifest.name}/posts`
    const held = (await (await fetch(address)).json()) as { text: string }[]
    const ours = held.filter(({ text }) => text.includes(caption))
    const wanted = set.posts.filter((post: { accountType: AccountType }) =>
      manifest.accountTypes.includes(post.accountType),
    )
    expect(ours, manifest.name).toHaveLength(wanted.length)
  }
}

test('service-06: every account type of the API has a network', () => {
  expect(networks.all.flatMap(({ manifest }) => manifest.accountTypes).sort()).toEqual([...accountTypes].sort())
  for (const { manifest } of networks.all) {
    for (const type of manifest.accountTypes) expect(ACCOUNT_TYPES[type].network).toBe(manifest.name)
  }
})

test.concurrent.each([
  ['text', 'Fresh bread from seven', 11],
  ['photo', 'A picture of bread', 11],
  ['video', 'How bread is made', 10],
] as const)(
  'service-06: one set of eleven posts, %s as each allows, to permalinks that open',
  async (kind, caption, count) => {
    const posts = accountTypes.map((accountType) => postOf(accountType, kind, caption, media))
    const set = await publish(api, demo.socialSetId, posts)
    expect(set.posts).toHaveLength(count)
    await expectPosted(set, caption)
  },
  120_000,
)

test.concurrent('a set that every network refuses is PUBLISHED with the reason of each, and nothing is there', async () => {
  const caption = 'Not this one [[fault:account-suspended]]'
  const posts = accountTypes.map((accountType) => postOf(accountType, 'photo', caption, media))
  const set = await publish(api, demo.socialSetId, posts)
  expect(set.posts).toHaveLength(11)
  for (const { accountType, result } of set.posts) {
    expect(result, accountType).toMatchObject({ status: 'FAILED', reason: 'ACCOUNT_SUSPENDED' })
    expect(result.message, accountType).toMatch(/^[A-Z].{20,}/)
  }
  for (const { manifest } of networks.all) {
    const held = await (await fetch(`${almanac.url}/sandbox/${manifest.name}/posts`)).text()
    expect(held, manifest.name).not.toContain('Not this one')
  }
}, 120_000)

describe.concurrent('an account is connected by a sign-in on the pages of', () => {
  let brand: typeof demo
  let through: typeof api
  let items: Media
  beforeAll(async () => {
    brand = await almanac.command(['accounts', 'create', '--name', 'Signed in everywhere'])
    through = client(almanac.url, await newKey(brand.accountId), { pauseMs: 400, heard: (text) => answers.push(text) })
    items = await importAll(brand.socialSetId, through)
  }, 60_000)

  const signIns = networks.all
    .filter(({ connect }) => connect.oauth)
    .flatMap(({ manifest }) => manifest.accountTypes.map((type) => [type, manifest.name] as const))

  test.each(signIns)(
    '%s (%s), and is published to',
    async (accountType, network) => {
      const connection = await signIn(network, accountType)
      expect(connection.renewed).toBe(false)
      await chooseDefaults(connection.connectionId)
      const caption = `Signed in and published to ${accountType}`
      const set = await publish(through, brand.socialSetId, [postOf(accountType, 'photo', caption, items)])
      await expectPosted(set, caption)
      // The same account again keeps the connection.
      expect(await signIn(network, accountType)).toEqual({ connectionId: connection.connectionId, renewed: true })
    },
    120_000,
  )

  test('INSTAGRAM by its own sign-in, and is published to', async () => {
    const other = await almanac.command<typeof demo>(['accounts', 'create', '--name', 'Without a Page'])
    const own = client(almanac.url, await newKey(other.accountId), {
      pauseMs: 400,
      heard: (text) => answers.push(text),
    })
    const media = await importAll(other.socialSetId, own)
    await signIn('instagram', 'INSTAGRAM', other, ['--sign-in', 'instagram'])
    const caption = 'Signed in without a Page'
    const set = await publish(own, other.socialSetId, [postOf('INSTAGRAM', 'photo', caption, media)])
    await expectPosted(set, caption)
    expect(await almanac.command(['connections', 'list', '--account', other.accountId])).toMatchObject([
      { name: 'Demo Pottery', signIn: 'instagram' },
    ])
  }, 120_000)

  const UNTIL_NEXT_SECOND = { timeout: 20_000, interval: 250 }
  /** As a person does it: opens the address, allows, and chooses the first account if there are several. */
  async function signIn(
    network: string,
    accountType: AccountType,
    { accountId, socialSetId } = brand,
    more: string[] = [],
  ): Promise<{ connectionId: string; renewed: boolean }> {
    const started = await almanac.command<{ authorizationId: string; authorizeUrl: string; redirectUri: string }>([
      ...['connections', 'add', '--account', accountId, '--social-set', socialSetId, '--sandbox'],
      ...['--network', network, '--account-type', accountType, ...more],
    ])
    const consent = await (await fetch(started.authorizeUrl)).text()
    const [, allow = ''] = /<a id="allow" href="([^"]+)"/.exec(consent) ?? []
    const link = allow.replaceAll('&amp;', '&').replaceAll('&#38;', '&')
    const allowed = await fetch(new URL(link, started.authorizeUrl), { redirect: 'manual' })
    const back = allowed.headers.get('location') ?? ''
    expect(back.startsWith(`${started.redirectUri}?`), consent).toBe(true)
    // One after another comes back faster than people do.
    const page = await vi.waitFor(async () => {
      const answer = await fetch(back)
      if (answer.status === 429) throw new Error('Too many come back in this second.')
      return answer
    }, UNTIL_NEXT_SECOND)
    const text = await page.text()
    answers.push(text)
    expect(page.status, text).toBe(200)
    expect((await fetch(back)).status).toBe(400)
    if (text.includes('<h1>Connected</h1>')) {
      const { connection_id: connectionId } = await db
        .selectFrom('authorizations')
        .select('connection_id')
        .where('id', '=', started.authorizationId)
        .executeTakeFirstOrThrow()
      return { connectionId: connectionId ?? '', renewed: text.includes('connected again') }
    }
    const choices = await almanac.command<{ externalId: string }[]>(['connections', 'choose', started.authorizationId])
    expect(choices.length).toBeGreaterThan(1)
    const pick = ['connections', 'choose', started.authorizationId, '--pick', choices[0]?.externalId ?? '']
    const { connectionId, renewed } = await almanac.command<{ connectionId: string; renewed: boolean }>(pick)
    return { connectionId, renewed }
  }

  /** The first thing that is on offer for everything that has to be chosen. */
  async function chooseDefaults(connectionId: string): Promise<void> {
    const defaults = await almanac.command<
      {
        name: string
        required: boolean
        schema: { enum?: string[]; type?: string }
        options: { value: string }[] | null
      }[]
    >(['connections', 'choose', connectionId])
    const wanted = defaults.filter(({ required, options }) => required || (options?.length ?? 0) > 0)
    if (wanted.length === 0) return
    const values = wanted.flatMap(({ name, schema, options }) => [
      '--default',
      `${name}=${options?.[0]?.value ?? schema.enum?.[0] ?? (schema.type === 'boolean' ? 'false' : 'x')}`,
    ])
    const chosen = await almanac.command<{ missingDefaults: string[] }>([
      ...['connections', 'choose', connectionId],
      ...values,
    ])
    expect(chosen.missingDefaults).toEqual([])
  }
})

test('the metrics count what has happened to the number, and have no ids in them', async () => {
  const address = `http://127.0.0.1:${metricsPort}/metrics`
  const { sum, samples } = await scrape(address)
  const posts = sets.flatMap((set) => set.posts)
  expect(posts.length).toBeGreaterThan(43)
  const fenced = await db.selectFrom('deliveries').select('lane').where('first_fenced_at', 'is not', null).execute()
  for (const { manifest } of networks.all) {
    const network = manifest.name
    const ofNetwork = posts.filter(({ accountType }) => ACCOUNT_TYPES[accountType].network === network)
    const posted = ofNetwork.filter(({ result }) => result.status === 'POSTED').length
    const counted = {
      posted: sum('almanac_deliveries_ended_total', { network, outcome: 'posted', reason: 'NONE' }),
      suspended: sum('almanac_deliveries_ended_total', { network, outcome: 'failed', reason: 'ACCOUNT_SUSPENDED' }),
      all: sum('almanac_deliveries_ended_total', { network }),
      fenced: sum('almanac_delivery_lateness_seconds_count', { network }),
    }
    expect(counted, network).toEqual({
      posted,
      suspended: ofNetwork.length - posted,
      all: ofNetwork.length,
      fenced: fenced.filter(({ lane }) => lane === network).length,
    })
    expect(posted, network).toBeGreaterThan(0)
  }
  expect(sum('almanac_sets_claimed_total')).toBe(sets.length)
  // For three brands.
  expect(sum('almanac_imports_ended_total', { state: 'READY' })).toBe(3 * Object.keys(FILES).length)
  const created = { method: 'POST', route: '/v1/post-sets', status: '201' }
  expect(sum('almanac_http_requests_total', created)).toBe(sets.length)
  expect(sum('almanac_http_request_duration_seconds_count', { method: 'POST', route: '/v1/post-sets' })).toBe(
    sets.length,
  )
  for (const open of [
    'almanac_open_deliveries',
    'almanac_lane_deliveries',
    'almanac_open_imports',
    'almanac_due_sets',
  ]) {
    expect(sum(open), open).toBe(0)
  }
  const values = samples.flatMap(({ labels }) => Object.values(labels))
  expect(values.filter((value) => /[0-9a-f]{8}-|\?|@/.test(value))).toEqual([])
  answers.push(await (await fetch(address)).text())
})

test('no token, client secret or key is in the log, the database or any answer', async () => {
  const identities = await db.selectFrom('network_identities').selectAll().execute()
  expect(identities.length).toBeGreaterThan(15)
  const box = createCredentialBox(createSecretBox([secretKey]))
  const secrets = identities.flatMap(({ id, secret, secret_key_id }) =>
    secret && secret_key_id ? Object.values(box.open(id, { secret, secretKeyId: secret_key_id })) : [],
  )
  // Short values (a kind, a flag) are no secrets.
  const tokens = [...new Set(secrets)].filter((value) => value.length >= 16)
  expect(tokens.length).toBeGreaterThan(15)
  const keys = [key, secretKey.toString('base64'), NO_SECRET]
  const signing = createSecretBox([secretKey]).derive('sandbox')
  const clientSecrets = networks.all.flatMap(({ manifest }) =>
    Object.entries(manifest.settings).flatMap(([name, { secret, sandbox }]) =>
      secret && sandbox ? [sandbox, sandboxSecret(signing, manifest.name, name)] : [],
    ),
  )
  const places = {
    'the log': almanac.almanac.stdout() + almanac.almanac.stderr(),
    'the database': await dumpOf(db),
    'the answers': answers.join('\n'),
  }
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(1000)
    const found = [...tokens, ...keys, ...clientSecrets].filter((secret) => text.includes(secret))
    expect(found.map((secret) => `${secret.slice(0, 12)}… in ${place}`)).toEqual([])
  }
})
