import { type AskedBody, given, givenQuery, ProblemError, type SeriesMove, type SeriesMoved, why } from '#contract'
import { type Moved, movedBy, type WallChange, wallChangeOf, wallTimeOf } from '#domain'
import { type DatabaseTransaction, databaseNow, type PostSetRow } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { checkScheduledAt, goodTime } from '../read-body.ts'
import type { ChangeOptions } from './changed.ts'
import { requireChangeable } from './guards.ts'
import { holdScope, othersOf, whyKept } from './series-scope.ts'
import { applyUpdate, checkUpdate } from './update.ts'

interface MoveContext {
  trx: DatabaseTransaction
  deps: PostSetDeps
  caller: Caller
  preview: boolean
  now: Date
}

/**
 * Moves a post set to a time and, depending on the scope, others of its series by the same change of wall-clock time
 * in the social set's zone, all in one transaction. The named set is refused as by an update; others that cannot be
 * moved stay and are reported. None of these is moved to a time at which it would publish at once. A preview writes
 * nothing.
 *
 * @throws ProblemError what `updatePostSet` throws
 */
export async function movePostSet(
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  { body, seen }: ChangeOptions & { body: AskedBody<SeriesMove> },
): Promise<SeriesMoved> {
  requireRight(caller, 'post-sets:write')
  return deps.db.transaction().execute(async (trx) => {
    const set = await holdScope(trx, caller, id)
    requireChangeable(set, caller, { seen, parks: false })
    const asked = body.read((raw) => checkScheduledAt(raw.scheduledAt, set.timezone))
    const { scheduledAt: text, scope, preview = false } = asked
    const time = goodTime(text, set.timezone)
    const wall = wallTimeOf(text)
    const change = wallChangeOf(set.scheduledAt, time, set.timezone, wall)
    const shiftedByDst = wall !== null && !change.blank && movedBy(set.scheduledAt, change, set.timezone).shiftedByDst

    const others = await othersOf(trx, caller, set, scope)
    const context = { trx, deps, caller, preview, now: await databaseNow(trx) }
    const answer: SeriesMoved = { moved: [], left: [] }
    const first = await moveOne(context, set, { time, shiftedByDst })
    if (first) answer.moved.push(first)
    for (const other of others) {
      const left = await leaveOrMove(context, other, change)
      if ('why' in left) answer.left.push(left)
      else answer.moved.push(left)
    }
    return answer
  })
}

type MovedSet = SeriesMoved['moved'][number]

/** Moves one set, or checks that it could be moved; null when it is there already. */
async function moveOne(
  { trx, deps, caller, preview }: MoveContext,
  set: PostSetRow,
  { time, shiftedByDst }: Moved,
): Promise<MovedSet | null> {
  const request = { body: given({ scheduledAt: time.toISOString() }), query: givenQuery({}), seen: null }
  const { version } = preview
    ? (await checkUpdate(trx, deps, caller, set.id, request)).before
    : (await applyUpdate(trx, deps, caller, set.id, request)).after
  if (time.getTime() === set.scheduledAt.getTime()) return null
  return { id: set.id, from: set.scheduledAt.toISOString(), to: time.toISOString(), version, shiftedByDst }
}

async function leaveOrMove(
  context: MoveContext,
  set: PostSetRow,
  change: WallChange,
): Promise<MovedSet | SeriesMoved['left'][number]> {
  const { id, status } = set
  const kept = whyKept(set)
  if (kept) return { id, why: kept }
  const moved = movedBy(set.scheduledAt, change, set.timezone)
  if (status === 'SCHEDULED' && moved.time <= context.now) {
    return { id, why: why('why:in_the_past') }
  }
  try {
    return (await moveOne(context, set, moved)) ?? { id, why: why('why:there_already') }
  } catch (error) {
    // Refused before anything of it was written: the others go on.
    if (error instanceof ProblemError)
      return { id, why: error.why ?? { code: error.code, message: error.message, values: {} } }
    throw error
  }
}
