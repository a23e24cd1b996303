import {
  type AskedBody,
  type AskedQuery,
  type ChangedSocialSet,
  entryAt,
  refuseBody,
  type SocialSetUpdateBody,
  type TimezoneChange,
  type TimezoneMoves,
  type TimezoneQuery,
} from '#contract'
import { isId, planTimezoneChange, type TimezonePlan } from '#domain'
import {
  type Database,
  type DatabaseTransaction,
  databaseNow,
  listMovableNotes,
  listMovablePostSets,
  lockRemovedTimes,
  lockSocialSet,
  moveNotes,
  movePostSets,
  moveRemoved,
  readCalendarsAgain,
  updateSocialSet as writeSocialSet,
} from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { refusalAt } from '../members/read-person.ts'
import { readTimezone } from './create.ts'
import { readSocialSet, readSocialSetAnswer } from './create-by-member.ts'
import { requireSocialSet, socialSetNotFound } from './require.ts'

/** What is due so soon is not moved: a publisher may have it in hand. */
const SOON_MS = 60_000

/**
 * Renames a social set or changes its time zone. With the time zone, either the moments stay (`instants`), or the
 * clock times do (`clock`): then drafts, scheduled sets and notes get new moments, including deleted ones that can
 * be restored, all in one transaction, with a row of history for each set of the calendar. Sets that are publishing,
 * published or due within a minute keep their moment.
 *
 * @throws ProblemError `auth:insufficient_role`, `social-set:not_found`, `request:invalid_query`, `request:invalid_body`
 */
export async function updateSocialSet(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  body: AskedBody<SocialSetUpdateBody>,
): Promise<ChangedSocialSet> {
  requireRight(caller, 'social-sets:manage')
  return db.transaction().execute(async (trx) => {
    const before = isId(id) ? await lockSocialSet(trx, caller, id) : null
    if (!before) throw socialSetNotFound()
    const { keep, color = before.color, fit = before.fit, ...input } = body.read()
    const after = { ...readSocialSet(input, before), color, fit }
    const zone = { from: before.timezone, to: after.timezone }
    const changes = zone.from !== zone.to
    if (changes && keep === undefined) {
      const words = 'Another timezone needs a choice of what it keeps: clock times or moments.'
      refuseBody([entryAt(['keep'], 'request:invalid_body', words)])
    }
    const plan = changes && keep === 'clock' ? await planMoves(trx, before.id, zone, { lock: true }) : null
    if (plan) {
      await movePostSets(trx, { accountId: caller.accountId, actor: caller.actor, timezone: zone }, plan.postSets)
      await moveNotes(
        trx,
        { ...{ accountId: caller.accountId, socialSetId: before.id }, actor: caller.actor },
        plan.notes,
      )
      // What was deleted comes back at the same clock time. After the rows above: what leaves the calendar is seen here.
      const removed = await lockRemovedTimes(trx, before.id)
      await moveRemoved(trx, planTimezoneChange(removed, { ...zone, soon: await readSoon(trx) }))
    }
    await writeSocialSet(trx, before.id, after)
    // Days and times without a zone are others now.
    if (changes) await readCalendarsAgain(trx, before.id, { onlyFull: false })
    const socialSet = await readSocialSetAnswer(trx, caller.accountId, before.id)
    return { socialSet, moved: plan ? movesOf(plan) : null }
  })
}

/**
 * What a change of the time zone would move if clock times were kept.
 *
 * @throws ProblemError `auth:insufficient_role`, `social-set:not_found`, `request:invalid_query`
 */
export async function previewTimezoneChange(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  query: AskedQuery<TimezoneQuery>,
): Promise<TimezoneChange> {
  requireRight(caller, 'social-sets:manage')
  const socialSet = await requireSocialSet(db, caller, id)
  const named = query.read().timezone
  refuseBody(refusalAt('timezone', () => readTimezone(named)))
  const timezone = readTimezone(named)
  const zone = { from: socialSet.timezone, to: timezone }
  return { ...zone, moves: movesOf(await planMoves(db, socialSet.id, zone, { lock: false })) }
}

async function planMoves(
  db: Database | DatabaseTransaction,
  socialSetId: string,
  zone: { from: string; to: string },
  options: { lock: boolean },
): Promise<TimezonePlan> {
  const postSets = await listMovablePostSets(db, socialSetId, { ...options, notBefore: await readSoon(db) })
  const notes = await listMovableNotes(db, socialSetId, options)
  // After the rows are held: waiting for them may have taken a while.
  return planTimezoneChange({ postSets, notes }, { ...zone, soon: await readSoon(db) })
}

async function readSoon(db: Database): Promise<Date> {
  return new Date((await databaseNow(db)).getTime() + SOON_MS)
}

function movesOf({ postSets, notes, inGap, staying }: TimezonePlan): TimezoneMoves {
  return { postSets: postSets.length, notes: notes.length, inGap, staying }
}
