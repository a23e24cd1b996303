import { sql } from 'kysely'
import type { AccountType, PostResult, PostSetStatus } from '#contract'
import { newId } from '#domain'
import { type Network, networksOf } from '#networks'
import { type Database, type DeliveryRow, openDatabase } from '#persistence'
import {
  createPublisher,
  type DeliverDeps,
  lookForPermalinks,
  lookIntoInboxes,
  type Publisher,
  type PublisherDeps,
  type PublisherSettings,
  publisherDefaults,
  type Renewals,
  renewTokens,
  type Signals,
  setLateCovers,
} from '#publishing'
import { createDatabase } from '../database/database.ts'
import { throughPooler } from '../database/pgbouncer.ts'

/** A publisher on a database of its own that looks and takes when the test says so, and whose clock can be moved. */
/** What the publisher does behind results from time to time. Each returns how many posts wait no more. */
type Behind = Record<'permalinks' | 'lateParts' | 'covers' | 'inboxes', (signal?: AbortSignal) => Promise<number>>

export interface Engine extends Pick<Publisher, 'problems' | 'clockAheadMs' | 'witness'>, Behind {
  db: Database
  databaseUrl: string
  socialSetId: string
  identityId: string
  logged: { level: string; message: string; error?: unknown }[]
  /** Puts a set on the calendar. */
  schedule(options?: ScheduleOptions): Promise<string>
  /** Puts many on it at once, each a second apart, the last one `secondsAgo`. Returns nothing but that they are there. */
  pileUp(options: PileOptions): Promise<void>
  /** A social set of another account, connected to the same networks. */
  newAccount(): Promise<{ socialSetId: string; identityId: string }>
  /** Another brand of the engine's own account, with identities of its own. */
  newBrand(): Promise<{ socialSetId: string; identityId: string }>
  /** Claims what is due and works until nothing is due any more. */
  drain(): Promise<void>
  look(): Promise<number>
  /** Renews credentials that would lapse, as the publisher does from time to time. */
  renew(signal?: AbortSignal): Promise<Renewals>
  /** Begins to work on what can be taken now. Resolves with the work under way. */
  take(): Promise<Promise<void>[]>
  /** The same, and waits for its end. */
  work(): Promise<void>
  /** Lets time go by: on the database's clock, and on the machine's of all engines of one database, which have looked before. */
  advance(ms: number): Promise<void>
  /** Steps the database's clock alone. */
  stepDatabase(ms: number): Promise<void>
  /** Suspends the machine for so long: its wall clock goes on, what counts its boot, and the database's. */
  suspend(ms: number): Promise<void>
  time: EngineTime
  set(id: string): Promise<{ status: PostSetStatus; results: (PostResult | null)[] }>
  delivery(setId: string): Promise<DeliveryRow>
  history(setId: string): Promise<string[]>
  /** Lets its publisher look and take by itself from now on, as a process does. */
  start(): void
  /** Ends its publisher, as a process does that was asked to. */
  stop(options: { graceMs: number }): Promise<void>
  close(): Promise<void>
}

/** What the engines of one database share: how far their clocks were moved. */
export interface EngineTime {
  monotonicMs: number
  wallMs: number
  suspendedMs: number
  databaseMs: number
  publishers: Publisher[]
}

export interface ScheduleOptions {
  at?: string
  accountTypes?: AccountType[]
  caption?: string
  /** Default: the engine's own. */
  socialSetId?: string
}

export interface PileOptions {
  count: number
  secondsAgo?: number
  accountType?: AccountType
  socialSetId?: string
}

export interface EngineOptions {
  networks: Network[]
  settings?: Partial<PublisherSettings>
  signals?: Signals
  /** The ways to networks; without them nothing is reached. */
  outbound?: Pick<DeliverDeps, 'httpFor' | 'endpoint' | 'setting'>
  /** How tokens are sealed (default: they are not), and how long refreshes wait for each other. */
  tokens?: Partial<Pick<DeliverDeps, 'credentials' | 'refreshTimes'>>
  /** The files of posts, on the engine's database; without them there are none. */
  media?: (db: Database) => Partial<Pick<DeliverDeps, 'mediaSources' | 'missingMedia'>>
  /** Receives what the publisher does. */
  observe?: DeliverDeps['observe']
  /** The boot of its machine; null: it cannot be told. Default: that of this machine. */
  bootId?: string | null
  /** How it knows which workers are gone. Default: it does not. */
  workers?: PublisherDeps['workers']
  /** Several engines may share one database. */
  on?: Engine
}

const sinceBoot = () => Number(process.hrtime.bigint()) / 1e6

export async function createEngine(options: EngineOptions): Promise<Engine> {
  const database = options.on ? null : await createDatabase()
  const databaseUrl = options.on?.databaseUrl ?? database?.url ?? ''
  const db = openDatabase(throughPooler(databaseUrl), { poolSize: 10 })
  const logged: Engine['logged'] = []
  const log = (level: string) => (fields: object, message: string) => {
    logged.push({ level, message, ...('error' in fields ? { error: fields.error } : {}) })
  }
  const time = options.on?.time ?? { monotonicMs: 0, wallMs: 0, suspendedMs: 0, databaseMs: 0, publishers: [] }
  const deps: PublisherDeps = {
    db,
    networks: networksOf(options.networks),
    httpFor: () => async () => ({ kind: 'failed', sent: false, message: 'No network here.' }),
    credentials: {
      open: (_, { secret }) => JSON.parse(secret.toString()),
      seal: (_, credentials) => ({ secret: Buffer.from(JSON.stringify(credentials)), secretKeyId: 'test' }),
    },
    endpoint: () => 'http://127.0.0.1:9',
    setting: () => '',
    ...options.outbound,
    ...options.tokens,
    mediaSources: async () => new Map(),
    missingMedia: async () => [],
    ...options.media?.(db),
    // Nothing waits for its turn, so that `drain` sees the end of everything at once.
    settings: {
      ...publisherDefaults,
      slots: 10_000,
      slotsPerNetwork: 1_000,
      perConnection: 1_000,
      ...options.settings,
    },
    signals: options.signals ?? (() => {}),
    observe: options.observe,
    clock: {
      // The same for all processes of this machine.
      monotonic: () => sinceBoot() + time.monotonicMs,
      boottime: () => sinceBoot() + time.monotonicMs + time.suspendedMs,
      wall: () => Date.now() + time.wallMs,
    },
    workers: options.workers,
    ...(options.bootId === undefined ? {} : { bootId: options.bootId }),
    log: { info: log('info'), warn: log('warn'), error: log('error') },
  }
  // Never started: the test says when it looks, and when it takes.
  const publisher = createPublisher(deps)
  time.publishers.push(publisher)

  const own = options.on ?? (await seed(db, options.networks))
  const engine: Engine = {
    db,
    databaseUrl,
    socialSetId: own.socialSetId,
    identityId: own.identityId,
    logged,
    look: () => publisher.lookNow(),
    ...{ problems: publisher.problems, clockAheadMs: publisher.clockAheadMs, witness: publisher.witness },
    renew: (signal = new AbortController().signal) => renewTokens(deps, signal),
    permalinks: (signal = new AbortController().signal) => lookForPermalinks(deps, signal),
    lateParts: (signal = new AbortController().signal) => publisher.lookForParts(signal),
    covers: (signal = new AbortController().signal) => setLateCovers(deps, signal),
    inboxes: (signal = new AbortController().signal) => lookIntoInboxes(deps, signal),
    take: () => publisher.takeNow(),
    async work() {
      await Promise.all(await publisher.takeNow())
    },
    newAccount: () => seed(db, options.networks),
    newBrand: () => seed(db, options.networks, own.socialSetId),
    async pileUp({ count, secondsAgo = 0, accountType = 'BLUESKY', socialSetId = own.socialSetId }) {
      await sql`
        with sets as (
          insert into post_sets
            (id, account_id, social_set_id, scheduled_at, schedule_requested_at, status, approval)
          select gen_random_uuid(), account_id, id, at, at, 'SCHEDULED', 'NONE'
          from social_sets, generate_series(1, ${count}) as number,
            lateral (select almanac_now() - (${secondsAgo} + number - 1) * interval '1 second' as at)
          where social_sets.id = ${socialSetId}
          returning id, social_set_id
        )
        insert into posts (id, post_set_id, social_set_id, position, account_type, caption, fields)
        select gen_random_uuid(), id, social_set_id, 0, ${accountType}, 'hello', '{}' from sets`.execute(db)
    },
    async schedule({
      at,
      accountTypes = ['BLUESKY'],
      caption = 'hello',
      socialSetId = own.socialSetId,
    }: ScheduleOptions = {}) {
      const id = newId()
      await db
        .insertInto('post_sets')
        .values({
          id,
          account_id: await accountOf(db, socialSetId),
          social_set_id: socialSetId,
          scheduled_at: at ? new Date(at) : sql<Date>`almanac_now()`,
          status: 'SCHEDULED',
          approval: 'NONE',
        })
        .execute()
      await db
        .insertInto('posts')
        .values(
          accountTypes.map((accountType, position) => ({
            id: newId(),
            post_set_id: id,
            social_set_id: socialSetId,
            position,
            account_type: accountType,
            caption,
            fields: '{}',
          })),
        )
        .execute()
      return id
    },
    async drain() {
      for (let rounds = 0; rounds < 100; rounds++) {
        await publisher.lookNow()
        const working = await publisher.takeNow()
        if (working.length === 0) return
        await Promise.all(working)
      }
      throw new Error('The engine did not come to rest.')
    },
    time,
    async advance(ms) {
      for (const each of time.publishers) await each.noteLeases()
      time.monotonicMs += ms
      time.wallMs += ms
      await engine.stepDatabase(ms)
      // As workers do that look meanwhile.
      await sql`update heartbeat set clock_seen_at = clock_seen_at + ${`${ms} milliseconds`}::interval,
        clock_boottime_ms = clock_boottime_ms + ${ms}`.execute(db)
    },
    async suspend(ms) {
      time.wallMs += ms
      time.suspendedMs += ms
      await engine.stepDatabase(ms)
    },
    async stepDatabase(ms) {
      time.databaseMs += ms
      await sql`create or replace function almanac_now() returns timestamptz language sql stable parallel safe
        return date_trunc('milliseconds', clock_timestamp()) + ${sql.lit(`${time.databaseMs} milliseconds`)}::interval`.execute(
        db,
      )
    },
    async set(id) {
      const { status } = await db
        .selectFrom('post_sets')
        .select('status')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
      const rows = await db
        .selectFrom('posts')
        .select(({ selectFrom }) =>
          // The last one that is known, as the API answers it.
          selectFrom('deliveries')
            .select('deliveries.result')
            .whereRef('deliveries.post_id', '=', 'posts.id')
            .where('deliveries.result', 'is not', null)
            .orderBy('deliveries.retry', 'desc')
            .limit(1)
            .as('result'),
        )
        .where('posts.post_set_id', '=', id)
        .orderBy('posts.position')
        .execute()
      return { status, results: rows.map((row) => row.result) }
    },
    delivery: (setId) =>
      db
        .selectFrom('deliveries')
        .selectAll()
        .where('post_set_id', '=', setId)
        .orderBy('retry', 'desc')
        .executeTakeFirstOrThrow(),
    async history(setId) {
      const rows = await db
        .selectFrom('history')
        .select('action')
        .where('post_set_id', '=', setId)
        .orderBy('sequence')
        .execute()
      return rows.map((row) => row.action)
    },
    start: publisher.start,
    stop: publisher.stop,
    async close() {
      time.publishers = time.publishers.filter((each) => each !== publisher)
      await publisher.stop({ graceMs: 1_000 })
      await db.destroy()
      await database?.drop()
    },
  }
  return engine
}

/**
 * A brand with an identity for each network by name, and a connection for each account type. In an account of its own, or in
 * that of another brand.
 */
async function seed(
  db: Database,
  networks: Network[],
  besides?: string,
): Promise<{ socialSetId: string; identityId: string }> {
  const accountId = besides === undefined ? await newAccount(db) : await accountOf(db, besides)
  const socialSetId = newId()
  await db
    .insertInto('social_sets')
    .values({ id: socialSetId, account_id: accountId, name: 'Brand', timezone: 'Europe/Berlin' })
    .execute()
  const identities = new Map<string, string>()
  for (const { manifest } of networks) {
    const identityId = identities.get(manifest.name) ?? newId()
    if (!identities.has(manifest.name)) {
      identities.set(manifest.name, identityId)
      const externalId = besides === undefined ? 'me' : identityId
      await insertIdentity(db, { id: identityId, accountId, network: manifest.name, externalId, token: 'one' })
    }
    for (const accountType of manifest.accountTypes) {
      await db
        .insertInto('connections')
        .values({
          id: newId(),
          account_id: accountId,
          social_set_id: socialSetId,
          identity_id: identityId,
          account_type: accountType,
          name: 'Me',
        })
        .execute()
    }
  }
  return { socialSetId, identityId: [...identities.values()][0] ?? '' }
}

async function newAccount(db: Database): Promise<string> {
  const id = newId()
  await db.insertInto('accounts').values({ id, name: 'Test', slug: id, plan: 'SCALE' }).execute()
  return id
}

async function accountOf(db: Database, socialSetId: string): Promise<string> {
  const query = db.selectFrom('social_sets').select('account_id').where('id', '=', socialSetId)
  return (await query.executeTakeFirstOrThrow()).account_id
}

/** Connects another identity of a network, in a brand of its own. Gives its id. */
export async function addIdentity(db: Database, { manifest }: Network, token: string): Promise<string> {
  const { id: accountId } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const [id, socialSetId] = [newId(), newId()] as const
  await db
    .insertInto('social_sets')
    .values({ id: socialSetId, account_id: accountId, name: 'Brand', timezone: 'UTC' })
    .execute()
  await insertIdentity(db, { id, accountId, network: manifest.name, externalId: id, token })
  await db
    .insertInto('connections')
    .values({
      id: newId(),
      account_id: accountId,
      social_set_id: socialSetId,
      identity_id: id,
      account_type: manifest.accountTypes[0] ?? 'BLUESKY',
      name: 'Me',
    })
    .execute()
  return id
}

async function insertIdentity(
  db: Database,
  identity: { id: string; accountId: string; network: string; externalId: string; token: string },
): Promise<void> {
  await db
    .insertInto('network_identities')
    .values({
      id: identity.id,
      account_id: identity.accountId,
      network: identity.network,
      external_id: identity.externalId,
      secret: Buffer.from(JSON.stringify({ token: identity.token })),
      secret_key_id: 'test',
    })
    .execute()
}
