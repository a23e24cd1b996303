import { refuseBody, type SeriesDates, SeriesPlan } from '#contract'
import { plannedOccurrences, wallTimeOf } from '#domain'
import type { Caller } from '../caller.ts'
import { checkLastOccurrence, checkScheduledAt, readScheduledAt, readShape, refuseQuery } from '../read-body.ts'
import { requireSocialSet, socialSetOfBody } from '../social-sets/require.ts'
import type { PostSetDeps } from './deps.ts'

/**
 * When the sets of a series would be, by the rule that makes them. Writes nothing.
 *
 * @throws ProblemError in this order: `social-set:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function readSeriesDates(
  { db }: Pick<PostSetDeps, 'db'>,
  caller: Caller,
  { body, query }: { body: unknown; query: string },
): Promise<SeriesDates> {
  await socialSetOfBody(db, caller, body)
  refuseQuery(query)
  const { socialSetId, scheduledAt, repeat } = readShape(SeriesPlan, body)
  const { timezone } = await requireSocialSet(db, caller, socialSetId)
  refuseBody(checkScheduledAt(body, timezone))
  const dates = plannedOccurrences(readScheduledAt(scheduledAt, timezone), repeat, timezone, wallTimeOf(scheduledAt))
  refuseBody(checkLastOccurrence(dates.map(({ time }) => time)))
  return { dates: dates.map(({ time, shiftedByDst }) => ({ at: time.toISOString(), shiftedByDst })) }
}
