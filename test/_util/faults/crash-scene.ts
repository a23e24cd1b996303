import { sql } from 'kysely'
import type { AccountType } from '#contract'
import { newId } from '#domain'
import { type MediaStore, probe } from '#media'
import type { NetworkIdentity, Networks } from '#networks'
import { createCredentialBox, holdByOperator, Refusal, releaseByOperator, retryDelivery } from '#operations'
import { believeDatabaseClock, type Database, migrate, openDatabase } from '#persistence'
import type { Step } from '#publishing'
import type { Sandbox } from '#sandbox'
import { createDatabase } from '../database/database.ts'
import { createDatabaseBefore } from '../database/database-before.ts'
import { secretBoxOf, startWorker, type WorkerSetup } from '../engine/worker.ts'
import type { Wall } from '../networks/wall.ts'
import { DEADLINE_MS, type WaitingWorker, type WorkerProcess } from './crash-process.ts'

export interface SceneOptions {
  network: 'bluesky' | 'bluesky-server' | 'instagram' | 'google-business'
  step: Step
  /** How often the step is passed before the worker is stopped there. Default 1. */
  occurrence?: number
  /** Makes the simulator misbehave, so that lookups come about. */
  fault?: string
  /** With a first comment, whose fault this is; null: none. */
  comment?: { fault: string | null }
  /** With 24 parts behind it, on the wall of the stage. */
  parts?: true
  /** Its database is as it was before this migration, until it is `upgraded`. */
  before?: string
  /** How often a post is tried before it is given up. Default: the publisher's. */
  maxAttempts?: number
}

export interface Outcome {
  status: string
  result: string | undefined
  /** Why it failed. */
  reason?: string | undefined
  /** How many posts with the caption the network holds. */
  posts: number
  /** How many first comments the posts have, when one was wanted. */
  comments?: number
  /** What is written behind the post, in order. */
  parts?: readonly string[]
}

/** One post set on a database of its own, with a worker that is stopped at a step. */
export interface Scene {
  /** A worker in a process that can be stopped. Resolves when it has come to its step and waits there. */
  startWorker(process: WorkerProcess): Promise<WaitingWorker>
  /** Another one in such a process, that waits nowhere. */
  startBeside(process: WorkerProcess): void
  /** Brings its database to the present. */
  upgrade(): Promise<void>
  /** What the row of its delivery says now. */
  state(): Promise<string>
  /** Another worker, in this process, that is never stopped. */
  startOther(): Promise<void>
  /** Waits until the delivery waits for a time that the network named, and moves the database's clock past it. */
  skipWait(ms: number): Promise<void>
  /** Stops publishing for the social set; answers how to let it go on. */
  hold(): Promise<() => Promise<unknown>>
  /** Waits until the set is PUBLISHED, and nothing of it is sent again, and reports how it ended. */
  outcome(): Promise<Outcome>
  /** Sends what failed again, as the operator. Answers why not; null when it is sent. */
  retry(): Promise<string | null>
  close(): Promise<void>
}

/** What the scenes of a stage share. */
export interface Stage {
  store: MediaStore
  mediaDir: string
  networks: Networks
  databases: Set<Database>
  secretKey: string
  sandbox: Sandbox
  publicUrl: string
  /** The account on the real Bluesky server, where there is one. */
  onServer: { identity: NetworkIdentity; trustedHosts: string[]; texts(): Promise<string[]> } | null
  photo: string
  wall: Wall
}

function accountOnServer({ onServer }: Stage): NonNullable<Stage['onServer']> {
  if (!onServer) throw new Error('This stage has no real server.')
  return onServer
}

export const exactlyOnce: Outcome = { status: 'PUBLISHED', result: 'POSTED', posts: 1 }

const settings: WorkerSetup['settings'] = {
  leaseMs: 1_000,
  tickMs: 100,
  listingDelayMs: 0,
  retryPausesMs: [100],
  lookupsMs: [100, 300, 600, 1_000, 2_000, 4_000, 8_000],
  followUpLookupsMs: [100, 300, 600, 1_000, 2_000],
}
const accountTypes: Record<SceneOptions['network'], AccountType> = {
  bluesky: 'BLUESKY',
  'bluesky-server': 'BLUESKY',
  instagram: 'INSTAGRAM',
  'google-business': 'GMB',
}

export async function openScene(stage: Stage, options: SceneOptions): Promise<Scene> {
  const database = options.before === undefined ? await createDatabase() : await createDatabaseBefore(options.before)
  const db = openDatabase(database.url, { poolSize: 3 })
  stage.databases.add(db)
  const setup: WorkerSetup = {
    databaseUrl: database.url,
    mediaDir: stage.mediaDir,
    publicUrl: stage.publicUrl,
    sandboxUrl: `${stage.publicUrl}/sandbox`,
    secretKey: stage.secretKey,
    trustedHosts: stage.onServer?.trustedHosts ?? [],
    ...(options.parts ? { wallUrl: `${stage.publicUrl}/wall` } : {}),
    settings: { ...settings, ...(options.maxAttempts ? { maxAttempts: options.maxAttempts } : {}) },
  }
  const caption = `Scene ${newId()}${options.fault ? ` [[fault:${options.fault}]]` : ''}`
  const comment = `Comment ${newId()}${options.comment?.fault ? ` [[fault:${options.comment.fault}]]` : ''}`
  const setId = await schedule(stage, db, options, { caption, comment })
  let other: { stop(): Promise<void> } | undefined

  async function comments(): Promise<number> {
    const response = await fetch(`${stage.publicUrl}/sandbox/${options.network}/posts`)
    const posts = ((await response.json()) as { text: string; permalink: string }[]).filter(
      ({ text }) => text === caption,
    )
    const pages = await Promise.all(posts.map(async ({ permalink }) => (await fetch(permalink)).text()))
    return pages.join('').split(comment).length - 1
  }

  async function held(): Promise<string[]> {
    if (options.network === 'bluesky-server') return accountOnServer(stage).texts()
    const response = await fetch(`${stage.publicUrl}/sandbox/${options.network}/posts`)
    const posts = (await response.json()) as { text: string }[]
    return posts.map((post) => post.text)
  }

  return {
    startWorker: (process) => process.work(setup, options.step, options.occurrence ?? 1),
    startBeside: (process) => process.run(setup),
    upgrade: () => migrate(database.url),
    async state() {
      const rows = db.selectFrom('deliveries').select('state').where('post_set_id', '=', setId)
      return (await rows.executeTakeFirstOrThrow()).state
    },
    async startOther() {
      other = await startWorker(setup, () => {})
    },
    async skipWait(ms) {
      const waits = () =>
        db
          .selectFrom('deliveries')
          .select('id')
          .where('lease_owner', 'is', null)
          .where('last_message', 'is not', null)
          .executeTakeFirst()
      for (const deadline = Date.now() + DEADLINE_MS; !(await waits()); ) {
        if (Date.now() > deadline) throw new Error('The delivery did not come to wait.')
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      await sql`create or replace function almanac_now() returns timestamptz language sql stable parallel safe
        return date_trunc('milliseconds', clock_timestamp()) + ${sql.lit(`${ms} milliseconds`)}::interval`.execute(db)
      await believeDatabaseClock(db)
    },
    async hold() {
      const { social_set_id: id } = await db.selectFrom('post_sets').select('social_set_id').executeTakeFirstOrThrow()
      const operator = { type: 'OPERATOR', id: null, name: 'operator' } as const
      await holdByOperator({ db }, { id, reason: 'Wait' }, operator)
      return () => releaseByOperator({ db }, { id, late: 'publish' }, operator)
    },
    async retry() {
      const last = db.selectFrom('deliveries').select('id').where('post_set_id', '=', setId).orderBy('retry', 'desc')
      const { id } = await last.executeTakeFirstOrThrow()
      return retryDelivery({ db }, id, { type: 'OPERATOR', id: null, name: 'operator' }).then(
        () => null,
        (error: unknown) => {
          if (error instanceof Refusal) return error.message
          throw error
        },
      )
    },
    async outcome() {
      const deadline = Date.now() + DEADLINE_MS
      for (;;) {
        const row = await db
          .selectFrom('post_sets')
          .innerJoin('deliveries', 'deliveries.post_set_id', 'post_sets.id')
          .select([
            'post_sets.status',
            'deliveries.state',
            'deliveries.result',
            'deliveries.parts',
            'deliveries.last_message',
          ])
          .where('post_sets.id', '=', setId)
          .orderBy('deliveries.retry', 'desc')
          .executeTakeFirst()
        if ((row?.status === 'PUBLISHED' && row.state === 'DONE') || Date.now() > deadline) {
          const result = row?.result?.status === 'FAILED' ? row.result.message : row?.result?.status
          const posts = (await held()).filter((text) => text === caption).length
          return {
            status: row?.status ?? 'nothing',
            result: result ?? `${row?.state}: ${row?.last_message}`,
            ...(row?.result?.reason ? { reason: row.result.reason } : {}),
            posts,
            ...(options.comment ? { comments: await comments() } : {}),
            ...(options.parts ? { parts: stage.wall.read(row?.result?.providerId ?? '') } : {}),
          }
        }
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    },
    async close() {
      await other?.stop()
      stage.databases.delete(db)
      await db.destroy()
      await database.drop()
    },
  }
}

/** An account, a connection and a set that is due, with a photo where the network wants one. */
async function schedule(
  stage: Stage,
  db: Database,
  options: SceneOptions,
  { caption, comment }: { caption: string; comment: string },
): Promise<string> {
  const accountType = accountTypes[options.network]
  const onServer = options.network === 'bluesky-server'
  const [accountId, socialSetId, identityId, connectionId, setId, postId, mediaId] = Array.from(
    { length: 7 },
    newId,
  ) as [string, string, string, string, string, string, string]
  const network = stage.networks.serving(accountType)
  if (!network) throw new Error(`There is no network for ${accountType}.`)
  const identity = onServer
    ? accountOnServer(stage).identity
    : stage.sandbox.identityFor(network, { id: connectionId, accountType, name: 'Brand' })
  const sealed = createCredentialBox(secretBoxOf(stage)).seal(identityId, identity.credentials)
  const probed = await probe(stage.store, stage.photo)
  if (probed.kind !== 'ok') throw new Error(probed.message)
  await db.insertInto('accounts').values({ id: accountId, name: 'Brand', slug: accountId, plan: 'SCALE' }).execute()
  await db
    .insertInto('social_sets')
    .values({ id: socialSetId, account_id: accountId, name: 'Brand', timezone: 'UTC' })
    .execute()
  await db
    .insertInto('network_identities')
    .values({
      id: identityId,
      account_id: accountId,
      network: network.manifest.name,
      external_id: identity.externalId,
      sandbox: !onServer,
      endpoints: JSON.stringify(identity.endpoints ?? {}),
      secret: sealed.secret,
      secret_key_id: sealed.secretKeyId,
      expires_at: identity.expiresAt,
    })
    .execute()
  await db
    .insertInto('connections')
    .values({
      id: connectionId,
      account_id: accountId,
      social_set_id: socialSetId,
      identity_id: identityId,
      account_type: accountType,
      name: identity.name,
      username: identity.username,
    })
    .execute()
  await db
    .insertInto('post_sets')
    .values({
      id: setId,
      account_id: accountId,
      social_set_id: socialSetId,
      scheduled_at: sql<Date>`almanac_now()`,
      status: 'SCHEDULED',
      approval: 'NONE',
    })
    .execute()
  const firstComment = options.comment ? comment : null
  const fields: Partial<Record<AccountType, object>> = {
    INSTAGRAM: { type: 'IMAGE', collaborators: [], firstComment },
    GMB: { ctaType: 'NONE', ctaUrl: null },
  }
  await db
    .insertInto('posts')
    .values({
      id: postId,
      post_set_id: setId,
      social_set_id: socialSetId,
      position: 0,
      account_type: accountType,
      caption,
      fields: JSON.stringify(fields[accountType] ?? {}),
    })
    .execute()
  // The file is shared by all scenes; its key is unique in the database of each.
  await db
    .insertInto('media_items')
    .values({
      id: mediaId,
      account_id: accountId,
      social_set_id: socialSetId,
      name: 'photo',
      facts: JSON.stringify(probed.facts),
      bytes: probed.facts.bytes,
      sha256: Buffer.alloc(32),
      storage_key: stage.photo,
      source: 'URL',
    })
    .execute()
  await db.insertInto('post_media').values({ id: newId(), post_id: postId, media_id: mediaId, position: 0 }).execute()
  return setId
}
