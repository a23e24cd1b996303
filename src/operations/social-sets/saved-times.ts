import {
  type AskedBody,
  type AskedQuery,
  type CalendarSlots,
  type CalendarSlotsQuery,
  entryAt,
  type FreeSlots,
  type FreeSlotsQuery,
  LIMITS,
  type ProblemEntry,
  refuseBody,
  type SavedTime,
  type SavedTimes,
  type SavedTimesBody,
} from '#contract'
import { daysAfter, isId, slotsBetween } from '#domain'
import {
  type Database,
  findSavedTimes,
  freeOf,
  freeOfAll,
  listSavedTimes,
  type SavedTimesRow,
  writeSavedTimes,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { goodTime } from '../read-body.ts'
import { checkRange, readTime } from '../read-query.ts'
import { requireSocialSet, socialSetNotFound } from './require.ts'

interface Deps {
  db: Database
}

const TIME_OF_DAY = /^([01]\d|2[0-3]):[0-5]\d$/

/**
 * The times of the week at which a social set posts.
 *
 * @throws ProblemError `social-set:not_found`
 */
export async function readSavedTimes({ db }: Deps, caller: Caller, id: string): Promise<SavedTimes> {
  const { timezone, times } = await requireSavedTimes(db, caller, id)
  return { timezone, times }
}

/**
 * Replaces the saved times of a social set. No post is moved.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `social-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`
 */
export async function changeSavedTimes(
  { db }: Deps,
  caller: Caller,
  id: string,
  body: AskedBody<SavedTimesBody>,
): Promise<SavedTimes> {
  requireRight(caller, 'post-sets:publish')
  await requireSocialSet(db, caller, id)
  const read = body.read().times
  refuseBody(read.flatMap(({ time }, at) => (TIME_OF_DAY.test(time) ? [] : [timeProblem(at)])))
  const times = inOrder(read)
  const written = await writeSavedTimes(db, caller, { id, times })
  if (!written) throw socialSetNotFound()
  return { timezone: written.timezone, times }
}

function timeProblem(at: number): ProblemEntry {
  const words = 'must be a time of day from 00:00 to 23:59, such as 09:30.'
  return entryAt(['times', at, 'time'], 'request:invalid_body', `times[${at}].time ${words}`)
}

/** From Monday on, each once. */
function inOrder(times: readonly SavedTime[]): SavedTime[] {
  const byKey = new Map(times.map(({ weekday, time }) => [`${weekday} ${time}`, { weekday, time }]))
  return [...byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, time]) => time)
}

/**
 * The next saved times at which a social set has no post set. Searches at most 26 weeks after `from`.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function listFreeSlots(
  { db }: Deps,
  caller: Caller,
  id: string,
  query: AskedQuery<FreeSlotsQuery>,
): Promise<FreeSlots> {
  const saved = await requireSavedTimes(db, caller, id)
  const { timezone } = saved
  const { from, limit } = readWanted(query, saved)
  const until = new Date(
    Math.min(
      daysAfter(from, 7 * LIMITS.freeSlots.weeks, timezone).getTime(),
      new Date(LIMITS.scheduledAt.before).getTime(),
    ),
  )
  const slots = slotsBetween(saved.times, { from, until, timezone })
  const wallAt = new Map(slots.map(({ at, wall }) => [at.getTime(), wall]))
  const moments = slots.map(({ at }) => at)
  const free = moments.length === 0 ? [] : await freeOf(db, { socialSetId: saved.id, moments, limit })
  return {
    timezone,
    slots: free.map((at) => ({ at: at.toISOString(), wall: wallAt.get(at.getTime()) ?? '' })),
  }
}

/** A week, and the hour more that a week can have. */
const SLOTS_DAYS = 8
/** Saved times of a week that are looked at: those of a hundred social sets that post seven times a day. */
const MOST_SLOTS = 5_000

/**
 * The saved times of all social sets that the caller sees, between two times and still to come, at which the social set has no post
 * set. By time. Of very many social sets, those of the first by name.
 *
 * @throws ProblemError `request:invalid_query`
 */
export async function listAllFreeSlots(
  { db }: Deps,
  caller: Caller,
  query: AskedQuery<CalendarSlotsQuery>,
): Promise<CalendarSlots> {
  const asked = query.read((read, problem) => checkRange(read, problem, { timezone: 'UTC', days: SLOTS_DAYS }))
  const [start, until] = [goodTime(asked.from, 'UTC'), goodTime(asked.to, 'UTC')]
  const moments: { socialSetId: string; at: Date }[] = []
  for (const { id, times, timezone, now } of await listSavedTimes(db, caller)) {
    if (moments.length + times.length > MOST_SLOTS) break
    const soon = new Date(now.getTime() + 1)
    const slots = slotsBetween(times, { from: start > soon ? start : soon, until, timezone })
    moments.push(...slots.map(({ at }) => ({ socialSetId: id, at })))
  }
  const free = moments.length === 0 ? [] : await freeOfAll(db, moments)
  return { slots: free.map(({ socialSetId, at }) => ({ socialSetId, at: at.toISOString() })) }
}

function readWanted(
  query: AskedQuery<FreeSlotsQuery>,
  { timezone, now }: SavedTimesRow,
): { from: Date; limit: number } {
  const { from, limit = LIMITS.freeSlots.default } = query.read((read, problem) => {
    const time = readTime(read, 'from', problem, timezone)
    if (time && time >= new Date(LIMITS.scheduledAt.before)) problem('from', 'must lie before the year 2101')
  })
  const time = from === undefined ? null : goodTime(from, timezone)
  // What is due at this moment is no slot to come.
  const soon = new Date(now.getTime() + 1)
  return { from: time && time > soon ? time : soon, limit }
}

async function requireSavedTimes(db: Database, caller: Caller, id: string): Promise<SavedTimesRow> {
  const found = isId(id) ? await findSavedTimes(db, caller, id) : null
  if (!found) throw socialSetNotFound()
  return found
}
