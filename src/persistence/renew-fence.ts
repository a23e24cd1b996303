import { sql } from 'kysely'
import { type FenceMark, withMarks } from './call-marks.ts'
import { believedNow, type Database, fromNow } from './database.ts'
import type { DeliveryRow } from './deliveries.ts'
import { FENCED, listed } from './delivery-states.ts'
import { startIsHeld } from './held-start.ts'

/**
 * Renews the lease of a fence whose call has not begun, as a fence of its own: marks of the one before do not say when this one's call
 * is over. Null when another worker has taken over, or the start is held.
 */
export async function renewFence(
  db: Database,
  id: string,
  lease: { owner: string; ms: number },
  { mark, notAfter }: { mark: FenceMark | null; notAfter: Date | undefined },
): Promise<DeliveryRow | null> {
  const fencing = sql<DeliveryRow>`
    update deliveries set fenced_at = ${believedNow(notAfter)}, lease_until = ${fromNow(lease.ms)}, lease_ms = ${lease.ms}
    where id = ${id} and lease_owner = ${lease.owner} and state in ${listed(FENCED)}
      and not ${startIsHeld}
    returning deliveries.*`
  const marked = mark ? withMarks<DeliveryRow>(fencing, JSON.stringify([{ id, ...mark }])) : fencing
  const { rows } = await marked.execute(db)
  return rows[0] ?? null
}
