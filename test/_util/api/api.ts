import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pino, { type Logger } from 'pino'
import { expect } from 'vitest'
import {
  ACCOUNT_TYPES,
  type AccountType,
  type MediaFacts,
  PLAN_NAMES,
  type Plan,
  type PlanCatalog,
  type PlanName,
  type PostSet,
  SHIPPED_PLANS,
} from '#contract'
import { newId } from '#domain'
import { createRateLimiter, type DeclaredRoute, type Health, type RateLimiter, type ServerDeps } from '#http'
import { createDiskStore, createUrlSigner } from '#media'
import { type Defaults, loadNetworks, sandboxDefaults } from '#networks'
import { authenticateMember, createKey } from '#operations'
import {
  type Database,
  insertAccount,
  insertConnection,
  insertIdentity,
  insertMediaItem,
  insertSocialSet,
  openDatabase,
} from '#persistence'
import { composeServer } from '../../../src/app/compose-server.ts'
import { logSerializers } from '../../../src/app/log.ts'
import { createDatabase } from '../database/database.ts'
import { type ConnectionOptions, SECRET_BOX, waysOf } from './connections.ts'
import { type KeyOptions, keyOf } from './key-options.ts'
import { identityOf } from './members.ts'
import { UNSUBSCRIBE_KEYS } from './newsroom.ts'
import { describedBy, type OpenApi } from './openapi.ts'
import { anyRateHere } from './rate.ts'

// biome-ignore lint/suspicious/noExplicitAny: answers are checked by the description of the API and by what a test expects
export type Body = any

export interface Answer {
  status: number
  headers: Headers
  body: Body
}

export interface RequestOptions {
  /** Null: without a credential. Absent: the key of the tests, which may do everything. */
  key?: string | null
  body?: unknown
  /** Sent as it is, instead of `body`. */
  raw?: string | Uint8Array
  headers?: Record<string, string>
}

export interface Api {
  url: string
  databaseUrl: string
  db: Database
  /** Reads and writes everything of the account. */
  key: string
  /** Folder of the files of media. */
  mediaFolder: string
  accountId: string
  /** In Europe/Berlin, connected to an account of BLUESKY and one of INSTAGRAM. */
  socialSetId: string
  openApi: OpenApi
  /** Every route of the server. */
  routes: readonly DeclaredRoute[]
  /** Every answer is held against the description of the API. */
  request(method: string, path: string, options?: RequestOptions): Promise<Answer>
  /** How many queries the server has made so far. */
  queries(): number
  /** Everything that was logged so far, as text. */
  logged(): string
  newKey(options?: KeyOptions): Promise<string>
  newAccount(options?: { plan?: PlanName }): Promise<string>
  newSocialSet(options?: {
    accountId?: string
    name?: string
    timezone?: string
    connected?: AccountType[]
  }): Promise<string>
  newMedia(options?: { accountId?: string; socialSetId?: string; facts?: Partial<MediaFacts> }): Promise<string>
  /** What a test needs to make a draft, with what it wants to be different. */
  draft(more?: object): Record<string, unknown>
  /** Creates a set and expects that it works. */
  create(body?: object, key?: string): Promise<PostSet & Body>
  history(postSetId: string): Promise<{ action: string; actor_name: string; actor_type: string; changes: Body }[]>
  /** Moves the database's clock to a time and lets it stand there; null: back to the real one. */
  setClock(time: string | null): Promise<void>
  /** Ends the server, and nothing else. */
  stop(): Promise<void>
  close(): Promise<void>
}

export const IMAGE: MediaFacts = {
  type: 'IMAGE',
  mimeType: 'image/jpeg',
  bytes: 50_000,
  width: 1080,
  height: 1080,
  durationMs: null,
  videoCodec: null,
  audioCodec: null,
  frameRate: null,
  animated: false,
}

export const BLUESKY_POST = { accountType: 'BLUESKY', caption: 'hello', media: [] }
export const INSTAGRAM_POST = {
  accountType: 'INSTAGRAM',
  caption: 'hello',
  media: [],
  type: 'IMAGE',
  collaborators: [],
}

/** Of the server, where it differs from that of an installation without mail and without pages. */
type Given =
  | ('trustProxy' | 'trustedOrigins' | 'trustedWebhookHosts' | 'limits' | 'hsts' | 'health' | 'dashboardDir')
  | ('receiving' | 'finishAuthorization' | 'mailer' | 'sharedFeedScope' | 'feedWriter' | 'thread' | 'addressLimit')

export interface ApiOptions extends Partial<Pick<ServerDeps, Given>> {
  /** What is different from the shipped plans. A rate that no test reaches, unless a test says otherwise. */
  plans?: Partial<Record<PlanName, Partial<Plan>>>
  /** Makes what counts requests. Without it the database counts; pages and their files are not counted. */
  rate?: (parts: { db: Database; log: Logger }) => RateLimiter
  connections?: ConnectionOptions
}

/** The code of the first account, in tests. */
export const SETUP_CODE = 'code-of-the-tests'

const WELL_REPORT = { ok: true, problems: [], lastWriteAt: null, oldest: null }

/** A process that has nothing to complain of. */
export const WELL: Health = {
  live: async () => WELL_REPORT,
  ready: async () => WELL_REPORT,
}

/** Requests per second that no test reaches. */
export const ANY_RATE = 1_000_000

export function plansWith(changes: ApiOptions['plans'] = {}): PlanCatalog {
  return Object.fromEntries(
    PLAN_NAMES.map((name) => [name, { ...SHIPPED_PLANS[name], requestsPerSecond: ANY_RATE, ...changes[name] }]),
  ) as Record<PlanName, Plan>
}

/** A server with a database of its own, an account, a social set and a key. Answers that it does not declare are 500. */
export async function startApi(options: ApiOptions = {}): Promise<Api> {
  const plans = plansWith(options.plans)
  const database = await createDatabase()
  const db = openDatabase(database.url, { poolSize: 12 })
  const folder = await mkdtemp(join(tmpdir(), 'almanac-api-'))
  const lines: string[] = []
  const log = pino({ level: 'debug', serializers: logSerializers }, { write: (line: string) => void lines.push(line) })
  const publicUrl = 'https://almanac.test'
  let queries = 0
  const counted = db.withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      queries += 1
      return result
    },
  })
  const networks = await loadNetworks()
  const identity = identityOf({ db })
  const { rate, connections, ...given } = options
  const server = await composeServer({
    ...{ db: counted, networks, identity, publicUrl, log, box: SECRET_BOX, directUrl: database.url },
    ...(await waysOf({ db, networks }, connections)),
    // What every request asks for is not counted among the queries of its route.
    authenticateMember: (headers, setCookie) => authenticateMember({ db, plans, identity }, headers, setCookie),
    rate: rate?.({ db: counted, log }) ?? { ...createRateLimiter({ db, log }), takeHere: anyRateHere },
    addressLimit: ANY_RATE,
    mailer: null,
    unsubscribeKeys: UNSUBSCRIBE_KEYS,
    setupCodes: [SETUP_CODE],
    urls: createUrlSigner({ publicUrl, secrets: [Buffer.alloc(32, 7)] }),
    store: createDiskStore({ dir: folder }),
    trustedWebhookHosts: [],
    dashboardDir: null,
    health: WELL,
    sandbox: null,
    trustProxy: false,
    trustedOrigins: [],
    hsts: false,
    ...given,
    plans,
    strict: true,
  })
  await server.listen({ host: '127.0.0.1', port: 0 })
  const url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  const { openApi, check } = await describedBy(url)

  const newAccount: Api['newAccount'] = async ({ plan = 'SCALE' } = {}) => {
    const id = newId()
    await insertAccount(db, { id, name: 'Account', slug: id, plan })
    return id
  }
  const accountId = await newAccount()
  const newSocialSet: Api['newSocialSet'] = async (options = {}) => {
    const owner = options.accountId ?? accountId
    const { name = 'Brand', timezone = 'Europe/Berlin', connected = [] } = options
    const id = newId()
    await insertSocialSet(db, { id, accountId: owner, name, timezone })
    for (const accountType of connected) {
      const manifest = networks.serving(accountType)?.manifest
      const defaults = manifest ? sandboxDefaults(manifest, accountType) : {}
      await connect(db, { accountId: owner, socialSetId: id, accountType, defaults })
    }
    return id
  }
  const socialSetId = await newSocialSet({ connected: ['BLUESKY', 'INSTAGRAM'] })
  const newKey: Api['newKey'] = async (options = {}) => {
    const wanted = keyOf(options)
    const name = `Key of ${wanted.scopes.length} scopes`
    const input = { ...wanted, accountId: options.accountId ?? accountId, name }
    return (await createKey({ db }, input)).key
  }
  const key = await newKey()

  const api: Api = {
    url,
    databaseUrl: database.url,
    db,
    key,
    mediaFolder: folder,
    accountId,
    socialSetId,
    openApi,
    routes: server.routes,
    async request(method, path, options = {}) {
      const credential = options.key === undefined ? key : options.key
      const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
      const response = await fetch(`${url}${path}`, {
        method,
        headers: {
          ...(credential === null ? {} : { authorization: `Bearer ${credential}` }),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...options.headers,
        },
        ...(body === undefined ? {} : { body: body as string }),
      })
      const text = await response.text()
      const contentType = response.headers.get('content-type')
      const answer = contentType?.includes('json') && text !== '' ? JSON.parse(text) : text
      if (path.startsWith('/v1') || response.status >= 400) {
        check({ method, path, status: response.status, headers: response.headers, body: answer })
      }
      return { status: response.status, headers: response.headers, body: answer }
    },
    queries: () => queries,
    logged: () => lines.join(''),
    newKey,
    newAccount,
    newSocialSet,
    async newMedia(options = {}) {
      const id = newId()
      await insertMediaItem(db, {
        id,
        accountId: options.accountId ?? accountId,
        socialSetId: options.socialSetId ?? socialSetId,
        name: 'photo.jpg',
        altText: null,
        facts: { ...IMAGE, ...options.facts },
        sha256: Buffer.alloc(32),
        storageKey: id,
        thumbnailKey: `${id}-thumbnail`,
        source: 'UPLOAD',
        sourceUrl: null,
      })
      return id
    },
    draft: (more = {}) => ({
      socialSetId,
      scheduledAt: '2030-06-01T10:00:00Z',
      status: 'DRAFT',
      approval: 'NONE',
      posts: [BLUESKY_POST],
      ...more,
    }),
    async create(body = {}, credential = key) {
      const answer = await api.request('POST', '/v1/post-sets', { key: credential, body: api.draft(body) })
      expect(answer.status, JSON.stringify(answer.body)).toBe(201)
      return answer.body
    },
    history: (postSetId) =>
      db
        .selectFrom('history')
        .select(['action', 'actor_name', 'actor_type', 'changes'])
        .where('post_set_id', '=', postSetId)
        .orderBy('sequence')
        .execute(),
    async setClock(time) {
      const clock = time === null ? sql`clock_timestamp()` : sql`${sql.lit(time)}::timestamptz`
      await sql`create or replace function almanac_now() returns timestamptz language sql stable parallel safe
        return date_trunc('milliseconds', ${clock})`.execute(db)
    },
    stop: () => server.close(),
    async close() {
      await server.close()
      await db.destroy()
      await database.drop()
      await rm(folder, { recursive: true })
    },
  }
  return api
}

async function connect(
  db: Database,
  connection: { accountId: string; socialSetId: string; accountType: AccountType; defaults: Defaults },
): Promise<void> {
  const { accountId, socialSetId, accountType, defaults } = connection
  const identityId = newId()
  await insertIdentity(db, {
    id: identityId,
    accountId,
    network: ACCOUNT_TYPES[accountType].network,
    externalId: `me of ${identityId}`,
    sandbox: true,
    endpoints: {},
    secret: Buffer.from('sealed'),
    secretKeyId: 'test',
    expiresAt: null,
  })
  await insertConnection(db, {
    id: newId(),
    accountId,
    socialSetId,
    identityId,
    accountType,
    name: `Me on ${accountType}`,
    username: 'me',
    profileUrl: null,
    avatarUrl: null,
    statusReason: null,
    defaults,
  })
}
