import { sql } from 'kysely'
import { ACCOUNT_TYPES, type AccountType, type PostResult } from '#contract'
import { newId } from '#domain'
import { type Database, fromNow, now } from './database.ts'
import type { DeliveryRow } from './deliveries.ts'
import type { BrokenThread } from './delivery-parts.ts'
import { raiseVersions } from './raise-versions.ts'

/** Keeps the open connections of a social set as they are until the transaction ends. */
export async function shareConnections(trx: Database, socialSetId: string): Promise<void> {
  await sql`
    select id from connections where social_set_id = ${socialSetId} and closed_at is null order by id for share`.execute(
    trx,
  )
}

/** A failed delivery whose post is sent again. */
interface Retry {
  deliveryId: string
  accountType: AccountType
  /** What it goes through now. */
  connectionId: string
}

/** A delivery whose thread goes on. */
interface Continuation extends Retry {
  thread: BrokenThread
}

/**
 * Sends the posts of failed deliveries again, now: each gets a delivery of its own behind the one before, and its failure is
 * no longer counted. `moveUp` gives them their turns. The caller holds the rows of their sets, and has made sure that each is the
 * last delivery of its post.
 */
export async function insertRetries(
  trx: Database,
  retries: readonly Retry[],
  { giveUpAfterMs }: { giveUpAfterMs: number },
): Promise<void> {
  const column = <T>(read: (retry: Retry) => T) => retries.map(read)
  await sql`
    insert into deliveries (id, post_set_id, post_id, content_version, retry, account_type, connection_id, state,
      next_at, gives_up_at, account_id, lane, due_at, place)
    select again.id, failed.post_set_id, failed.post_id, failed.content_version, failed.retry + 1, failed.account_type,
      again.connection_id, 'PREPARING', ${now}, ${fromNow(giveUpAfterMs)}, post_sets.account_id, again.lane, ${now},
      'WAITING'
    from unnest(${column(() => newId())}::uuid[], ${column(({ deliveryId }) => deliveryId)}::uuid[],
      ${column(({ connectionId }) => connectionId)}::uuid[],
      ${column(({ accountType }) => ACCOUNT_TYPES[accountType].network)}::text[]) as again (id, of, connection_id, lane)
    join deliveries as failed on failed.id = again.of
    join post_sets on post_sets.id = failed.post_set_id`.execute(trx)
  await forgetFailures(
    trx,
    column(({ deliveryId }) => deliveryId),
  )
}

/** Something is done about them: they are not counted any more, and what fails again is. */
async function forgetFailures(trx: Database, deliveryIds: readonly string[]): Promise<void> {
  await trx
    .deleteFrom('post_failures')
    .where(sql<boolean>`delivery_id = any(${[...deliveryIds]}::uuid[])`)
    .execute()
}

/**
 * Goes on with threads that ended early, now: each gets a delivery of its own behind the one before, which begins with the first part
 * that is missing and has the id of the post from then on; that it ended is no longer counted. `moveUp` gives them their turns. The caller
 * holds the rows of their sets, and has made sure that each is the last delivery of its post.
 */
export async function insertContinuations(
  trx: Database,
  continuations: readonly Continuation[],
  { giveUpAfterMs }: { giveUpAfterMs: number },
): Promise<void> {
  const given = JSON.stringify(
    continuations.map(({ deliveryId, accountType, connectionId, thread: { live, missing } }) => ({
      ...{ id: newId(), of: deliveryId, connection_id: connectionId, lane: ACCOUNT_TYPES[accountType].network },
      ...{ parts: [...live, { title: missing, ofThread: true }], continues: live.length },
    })),
  )
  const again = sql`jsonb_to_recordset(${given}::jsonb) as again (
    id uuid, of uuid, connection_id uuid, lane text, parts jsonb, continues smallint)`
  const { rows } = await sql<{ id: string; provider_id: string | null }>`
    with named as (select id, provider_id from deliveries where id in (select of from ${again}) for update)
    update deliveries set provider_id = null from named where deliveries.id = named.id
    returning named.id, named.provider_id`.execute(trx)
  const ids = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as named (id uuid, provider_id text)`
  await sql`
    insert into deliveries (id, post_set_id, post_id, content_version, retry, account_type, connection_id, state,
      next_at, gives_up_at, account_id, lane, due_at, place, parts, continues, warnings, identity_id, provider_id,
      words_key, handles)
    select again.id, before.post_set_id, before.post_id, before.content_version, before.retry + 1, before.account_type,
      again.connection_id, 'PART_PREPARING', ${now}, ${fromNow(giveUpAfterMs)}, post_sets.account_id, again.lane, ${now},
      'WAITING', again.parts, again.continues, before.warnings, before.identity_id, named.provider_id, before.words_key,
      jsonb_build_object('providerId', before.result ->> 'providerId', 'permalink', before.result ->> 'permalink')
    from ${again}
    join deliveries as before on before.id = again.of
    join ${ids} on named.id = before.id
    join post_sets on post_sets.id = before.post_set_id`.execute(trx)
  await forgetFailures(
    trx,
    continuations.map(({ deliveryId }) => deliveryId),
  )
}

/** Locks the set of a delivery, as before each change of its result. */
export async function lockSetOf(trx: Database, { post_set_id: id }: Pick<DeliveryRow, 'post_set_id'>): Promise<void> {
  await sql`select from post_sets where id = ${id} for update`.execute(trx)
}

/**
 * The known result of a post whose thread goes on has the parts that are live by now, together with the version of its set. The caller
 * holds the set's row, by `lockSetOf`.
 */
export async function growThread(
  trx: Database,
  delivery: Pick<DeliveryRow, 'post_set_id' | 'post_id' | 'content_version' | 'retry'>,
  thread: NonNullable<PostResult['thread']>,
): Promise<void> {
  await raiseVersions(trx, [delivery.post_set_id])
  await trx
    .updateTable('deliveries')
    .set({ result: sql`result || jsonb_build_object('thread', ${JSON.stringify(thread)}::jsonb)`, updated_at: now })
    .where('post_id', '=', delivery.post_id)
    .where('content_version', '=', delivery.content_version)
    .where('retry', '=', delivery.retry - 1)
    .where('state', '=', 'DONE')
    .execute()
}
