import { type ChildProcess, fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createSecretBox, newId, newWebhookSecret, placeOfWebhook } from '#domain'
import { givePositions } from '#events'
import { createGuardedFetch, type GuardedFetchOptions, trustOf } from '#media'
import { addHistory, type Database, insertAccount, insertApiKey, insertSocialSet, openDatabase } from '#persistence'
import { createWebhookSender, type SenderDeps, type WebhookSender, webhookDefaults } from '#webhooks'
import { createDatabase } from '../database/database.ts'
import type { Behavior, Received, ReceiverNews, ReceiverOrder } from './webhook-receiver-program.ts'
import type { WebhookWorkerSetup } from './webhook-worker.ts'

/** A receiver of webhooks in another process. */
export interface WebhookReceiver {
  /** `127.0.0.1:port`: to be named as trusted. */
  host: string
  /** The same with a certificate that no one vouches for. */
  secureHost: string
  received: Received[]
  of(path: string): Received[]
  /** How a path answers from now on. */
  on(path: string, behavior: Behavior, secrets?: string[]): Promise<void>
  /** Waits until something of what came is so. */
  until(is: (received: Received[]) => boolean, timeout?: number): Promise<void>
  close(): Promise<void>
}

export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const child = fork(join(import.meta.dirname, 'webhook-receiver-program.ts'))
  const received: Received[] = []
  const listeners = new Set<() => void>()
  const ordered: string[] = []
  const ports = await new Promise<{ http: number; https: number }>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The receiver has ended.')))
    child.on('message', (news: ReceiverNews) => {
      if ('ports' in news) resolve(news.ports)
      else if ('ordered' in news) ordered.push(news.ordered)
      else received.push(news.received)
      for (const listener of listeners) listener()
    })
  })
  const when = (is: () => boolean, timeout = 30_000) =>
    new Promise<void>((resolve, reject) => {
      const late = () => reject(new Error(`It did not come about in ${timeout} ms: ${received.length} came.`))
      const timer = setTimeout(late, timeout)
      const look = () => {
        if (!is()) return
        clearTimeout(timer)
        listeners.delete(look)
        resolve()
      }
      listeners.add(look)
      look()
    })
  return {
    host: `127.0.0.1:${ports.http}`,
    secureHost: `127.0.0.1:${ports.https}`,
    received,
    of: (path) => received.filter((request) => request.path === path),
    async on(path, behavior, secrets = []) {
      const count = ordered.length
      child.send({ path, behavior, secrets } satisfies ReceiverOrder)
      await when(() => ordered.length > count)
    },
    until: (is, timeout) => when(() => is(received), timeout),
    close: () => ended(child),
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const over = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  child.kill('SIGKILL')
  await over
}

interface EndpointOptions {
  url: string
  keyId?: string | null
  types?: string[]
  socialSetIds?: string[]
  ignoreOwn?: boolean
  ignoreKeyIds?: string[]
  accountId?: string
  createdBy?: string | null
}

/** An account with endpoints, in a database of its own. */
export interface WebhookFixture {
  db: Database
  url: string
  accountId: string
  socialSetId: string
  secretKey: Buffer
  addSocialSet(): Promise<string>
  addKey(options?: { socialSetIds?: string[] | null; createdBy?: string | null }): Promise<string>
  addEndpoint(options: EndpointOptions): Promise<{ id: string; secret: string }>
  /** So many things happen, with positions or without. */
  happen(count: number, options?: { socialSetId?: string | null; keyId?: string; ticks?: boolean }): Promise<void>
  tick(): Promise<void>
  /** A sender of this process, which is not started. Its pauses are short. */
  sender(options?: SenderOptions): WebhookSender
  endpoint(id: string): Promise<EndpointRow>
  states(webhookId: string): Promise<Record<string, number>>
  close(): Promise<void>
}

interface SenderOptions extends Partial<Omit<SenderDeps, 'db' | 'fetch' | 'trusts' | 'box'>> {
  trustedHosts?: string[]
  lookup?: GuardedFetchOptions['lookup']
  through?: GuardedFetchOptions['through']
}

interface EndpointRow {
  closed_at: Date | null
  closed_why: string | null
  closed_position: number | null
  failures: number
  failing_since: Date | null
  lease_owner: string | null
  lane_at: Date
}

/** As the defaults, with pauses that a test can wait for. */
export const quickSettings = {
  ...webhookDefaults,
  tickMs: 50,
  sendPausesMs: [100, 200, 300, 400, 500, 600, 700, 800, 900],
  lanePausesMs: [100, 50, 200, 200, 200, 200],
  slowMs: 300,
  slowestMs: 1_000,
}

/** @param at a database that is there already, which stays; default: one of its own */
export async function createWebhookFixture(at?: { url: string; secretKey?: Buffer }): Promise<WebhookFixture> {
  const database = at ? { ...at, drop: async () => {} } : await createDatabase()
  const db = openDatabase(database.url, { poolSize: 10 })
  const secretKey = at?.secretKey ?? randomBytes(32)
  const box = createSecretBox([secretKey])
  const accountId = newId()
  await insertAccount(db, { id: accountId, name: 'Account', slug: accountId, plan: 'SCALE' })
  const closing: (() => Promise<void>)[] = []
  const fixture: WebhookFixture = {
    ...{ db, url: database.url, accountId, socialSetId: '', secretKey },
    async addSocialSet() {
      const id = newId()
      await insertSocialSet(db, { id, accountId, name: `Brand ${id}`, timezone: 'UTC' })
      return id
    },
    async addKey({ socialSetIds = null, createdBy = null } = {}) {
      const id = newId()
      const key = { id, accountId, name: 'Key', prefix: 'alm_key', secretHash: randomBytes(32), createdBy }
      await insertApiKey(db, { ...key, scopes: [], socialSetIds, expiresAt: null, agent: null })
      return id
    },
    async addEndpoint(options) {
      const id = newId()
      const secret = newWebhookSecret()
      const sealed = box.seal(Buffer.from(secret), placeOfWebhook(id))
      await db
        .insertInto('webhooks')
        .values({
          ...{ id, account_id: options.accountId ?? accountId, url: options.url, created_by_name: 'Ada' },
          ...{ key_id: options.keyId ?? null, created_by: options.createdBy ?? null },
          ...{ types: (options.types ?? []) as never, social_set_ids: options.socialSetIds ?? [] },
          ...{ ignore_own: options.ignoreOwn ?? true, ignore_key_ids: options.ignoreKeyIds ?? [] },
          ...{ secret: sealed.bytes, secret_key_id: sealed.keyId },
        })
        .execute()
      return { id, secret }
    },
    async happen(count, { socialSetId = fixture.socialSetId, keyId, ticks = true } = {}) {
      const actor = keyId ? { actor: { kind: 'API_KEY', name: 'Key', keyId } } : {}
      await sql`
        insert into happened (account_id, social_set_id, what, data)
        select ${accountId}, ${socialSetId}::uuid, 'media.deleted', ${JSON.stringify(actor)}::jsonb || jsonb_build_object('number', number)
        from generate_series(1, ${count}::integer) as number`.execute(db)
      if (ticks) await fixture.tick()
    },
    async tick() {
      while ((await givePositions(db)) > 0);
    },
    sender({ trustedHosts = [], lookup, through, settings = quickSettings, ...options } = {}) {
      const fetch = createGuardedFetch({ trustedHosts, through, ...(lookup ? { lookup } : {}) })
      const log = { info() {}, warn() {}, error: (fields: object, words: string) => console.error(words, fields) }
      const sender = createWebhookSender({
        db,
        box,
        fetch,
        trusts: trustOf(trustedHosts),
        userAgent: 'Almanac/0.1',
        settings,
        log,
        ...options,
      })
      closing.push(async () => {
        await sender.stop({ graceMs: 0 })
        await fetch.close()
      })
      return sender
    },
    endpoint: (id) => db.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    async states(webhookId) {
      const { rows } = await sql<{ state: string; count: number }>`
        select state, count(*)::int as count from webhook_sends where webhook_id = ${webhookId} group by state`.execute(
        db,
      )
      return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
    },
    async close() {
      for (const close of closing.splice(0)) await close()
      await db.destroy()
      await database.drop()
    },
  }
  fixture.socialSetId = await fixture.addSocialSet()
  return fixture
}

/** A post set, and a way to change it as a key does. */
export async function addPostSet({ db, accountId, socialSetId }: WebhookFixture) {
  const id = newId()
  await sql`
    insert into all_post_sets (id, account_id, social_set_id, scheduled_at, status, approval)
    values (${id}, ${accountId}, ${socialSetId}, '2030-06-01T10:00Z', 'DRAFT', 'NONE')`.execute(db)
  return {
    id,
    async change(keyId: string): Promise<void> {
      await db.transaction().execute(async (trx) => {
        await sql`update all_post_sets set version = version + 1 where id = ${id}`.execute(trx)
        const actor = { type: 'API_KEY', id: keyId, name: 'Flow' } as const
        const changes = { scheduledAt: { from: '2030-06-01T10:00:00.000Z', to: '2030-06-01T11:00:00.000Z' } }
        await addHistory(trx, [{ accountId, postSetId: id, actor, action: 'updated', changes }])
      })
    },
  }
}

/** Ticks and sends in another process, which can be killed. */
export interface WebhookWorker {
  kill(): Promise<void>
}

export async function startWebhookWorker(setup: WebhookWorkerSetup): Promise<WebhookWorker> {
  const child = fork(join(import.meta.dirname, 'webhook-worker.ts'), [JSON.stringify(setup)])
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The worker has ended.')))
    child.once('message', () => resolve())
  })
  return { kill: () => ended(child) }
}
