import { sql } from 'kysely'
import type { PostResult } from '#contract'
import { type Database, now } from './database.ts'
import { ALONE, type DeliveryRow, type Many, TOGETHER } from './deliveries.ts'
import type { StoredPart } from './delivery-parts.ts'
import { FENCE_READ, type FenceRead, isStepFenceAsRead, readFence } from './fence-read.ts'
import { raiseVersions } from './raise-versions.ts'
import { free } from './release-delivery.ts'
import { executeBuilt } from './statements.ts'

/**
 * How a delivery ended. `mayBeLive`: it failed, and the network may have taken the post all the same. `parts`: what came of all of
 * them, where there were several and it is known. `waitsForCover`: its cover comes by looks of its own. `inbox`: it waits in the inbox of
 * its account, under this id. `looksForPart`: its last part is unsure, and looked for with the handles that it has.
 */
export interface DeliveryEnd {
  result: PostResult
  mayBeLive: boolean
  waitsForCover?: boolean
  inbox?: string | undefined
  looksForPart?: boolean
  parts?: readonly StoredPart[]
}

/** What every delivery becomes at its end. Handles serve its steps alone, and may hold addresses that open something. */
const over = { state: 'DONE', handles: '{}', finished_at: now, updated_at: now, ...free, place: null } as const

/** What a delivery becomes at its end. */
export const ended = (end: DeliveryEnd) =>
  ({ ...over, result: JSON.stringify(end.result), surely_absent: isSurelyAbsent(end) }) as const

const isSurelyAbsent = ({ result, mayBeLive }: DeliveryEnd) => (result.status === 'FAILED' ? !mayBeLive : null)

/** A delivery that has ended. */
interface EndOf {
  delivery: Pick<DeliveryRow, 'id' | 'post_set_id' | 'retry'> & FenceRead
  owner: string
  end: DeliveryEnd
  /** It ends this late at the most, no matter what the database's clock says. */
  notAfter?: Date | undefined
}

interface StepRow {
  id: string
  set_id: string
  lease_owner: string
  result: string
  surely_absent: boolean | null
  parts: string | null
  cover_looks: number | null
  inbox_id: string | null
  part_looks: number | null
  not_after: Date | null
}

/** A delivery that was finished. */
export interface Finished {
  accountId: string
  /** Another one of its connection waits for its turn: `moveUp` gives it the one that is free now. */
  leavesWaiting: boolean
}

const leavesWaiting = sql<boolean>`exists (
  select from deliveries as next
  where next.connection_id = deliveries.connection_id and next.place = 'WAITING' and next.state <> 'DONE')`

/**
 * Finishes deliveries with their results, in the caller's transaction, which has the row locks of their sets from then on: each
 * set is locked before its deliveries. Answers those that it finished, by their ids: not what another worker has taken over,
 * and of several not what is locked.
 *
 * @param ends of deliveries of which none is there twice: an answer does not say whose lease it is for
 * @throws for which `isTaken` is true, when the id that a result names is another delivery's
 */
export async function finishDeliveries(
  trx: Database,
  ends: readonly EndOf[],
  many: Many = ends.length === 1 ? ALONE : TOGETHER,
): Promise<Map<string, Finished>> {
  const steps = JSON.stringify(
    ends.map(({ delivery, owner, end, notAfter }) => ({
      ...{ id: delivery.id, set_id: delivery.post_set_id, lease_owner: owner, not_after: notAfter ?? null },
      ...{ result: end.result, surely_absent: isSurelyAbsent(end), parts: end.parts, ...readFence(delivery) },
      ...{ cover_looks: end.waitsForCover ? 0 : null, inbox_id: end.inbox ?? null },
      part_looks: end.looksForPart ? 0 : null,
    })),
  )
  const { rows } = await executeBuilt(trx, `ends ${many.name}`, { steps }, (given) => updateOfEnds(trx, given, many))
  const finished = new Map(rows.map(({ id, ...about }) => [id, about]))
  const retried = ends.flatMap(({ delivery }) =>
    delivery.retry > 0 && finished.has(delivery.id) ? [delivery.post_set_id] : [],
  )
  await raiseVersions(trx, [...new Set(retried)])
  return finished
}

function updateOfEnds(db: Database, { steps }: { steps: string }, { most, locked }: Many) {
  const step = sql<StepRow>`(
    select * from jsonb_to_recordset(${steps}::jsonb) as given (
      id uuid, set_id uuid, lease_owner text, result jsonb, surely_absent boolean, parts jsonb, cover_looks smallint,
      inbox_id text, part_looks smallint, not_after timestamptz, ${FENCE_READ})
    limit ${most}
  )`.as<'step'>('step')
  const endedAt = sql<Date>`least(${now}, step.not_after)`
  const locking = sql<{ id: string; account_id: string }>`(
    select id, account_id from post_sets
    where id in (select set_id from jsonb_to_recordset(${steps}::jsonb) as given (set_id uuid) limit ${most})
    for update ${locked}
  )`
  return db
    .with(
      (cte) => cte('post_set').materialized(),
      () => locking,
    )
    .updateTable('deliveries')
    .from(['post_set', step])
    .set(({ ref }) => ({
      ...{ ...over, finished_at: endedAt, updated_at: endedAt },
      ...{ result: ref('step.result'), surely_absent: ref('step.surely_absent'), cover_looks: ref('step.cover_looks') },
      part_looks: ref('step.part_looks'),
      handles: sql<string>`case when step.part_looks is null then '{}' else deliveries.handles end`,
    }))
    .set({
      inbox_id: sql<string | null>`step.inbox_id`,
      inbox_looks: sql<number | null>`case when step.inbox_id is not null then 0 end`,
      provider_id: sql<string>`coalesce(step.result ->> 'providerId', deliveries.provider_id)`,
      parts: sql<string>`coalesce(step.parts, deliveries.parts)`,
    })
    .whereRef('post_set.id', '=', 'step.set_id')
    .whereRef('deliveries.id', '=', 'step.id')
    .whereRef('deliveries.lease_owner', '=', 'step.lease_owner')
    .where('deliveries.state', '!=', 'DONE')
    .where(isStepFenceAsRead)
    .returning(['deliveries.id', 'post_set.account_id as accountId', leavesWaiting.as('leavesWaiting')])
}
