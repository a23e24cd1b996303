import { type AskedBody, refuseBody, type SeriesDates, type SeriesPlan } from '#contract'
import { plannedOccurrences, wallTimeOf } from '#domain'
import { readPlaced } from '../asked.ts'
import type { Caller } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { checkLastOccurrence, checkScheduledAt, goodTime } from '../read-body.ts'

/**
 * The dates of a series, computed by the rule that creates it. Writes nothing.
 *
 * @throws ProblemError in this order: `social-set:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function readSeriesDates(
  { db }: Pick<PostSetDeps, 'db'>,
  caller: Caller,
  body: AskedBody<SeriesPlan>,
): Promise<SeriesDates> {
  const { socialSet, asked } = await readPlaced(db, caller, body, (raw, zone) =>
    checkScheduledAt(raw.scheduledAt, zone),
  )
  const { timezone } = socialSet
  const { scheduledAt, repeat } = asked
  const dates = plannedOccurrences(goodTime(scheduledAt, timezone), repeat, timezone, wallTimeOf(scheduledAt))
  refuseBody(checkLastOccurrence(dates.map(({ time }) => time)))
  return { dates: dates.map(({ time, shiftedByDst }) => ({ at: time.toISOString(), shiftedByDst })) }
}
