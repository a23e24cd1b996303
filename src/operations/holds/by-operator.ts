import { type Hold, LATE_CHOICES, type PlacedHold, type ReleasedHold } from '#contract'
import { isId } from '#domain'
import { type Actor, type Database, findHoldOn, findHoldTarget, type HoldTarget, listOpenHolds } from '#persistence'
import { accountOrRefusal, Refusal } from '../refusal.ts'
import { hold, holdAnswer, reasonProblem } from './place.ts'
import { release } from './release.ts'

/**
 * Stops publishing for the account, social set or connection with that id.
 *
 * @throws Refusal; what `hold` throws
 */
export async function holdByOperator(
  { db }: { db: Database },
  input: { id: string; reason: string },
  actor: Actor,
): Promise<PlacedHold> {
  const target = await targetOrRefusal(db, input.id)
  const problem = reasonProblem(input.reason)
  if (problem !== null) throw new Refusal(problem)
  return hold(db, target, input.reason, actor)
}

/**
 * Resumes publishing for the account, social set or connection with that id, even a closed one; `late` as in
 * LATE_CHOICES, case-insensitive. `count`: the confirmed number of sets to publish that may have gone out already.
 *
 * @throws Refusal
 */
export async function releaseByOperator(
  { db }: { db: Database },
  input: { id: string; late: string; count?: number },
  actor: Actor,
): Promise<ReleasedHold> {
  const late = LATE_CHOICES.find((choice) => choice === input.late.toUpperCase())
  if (!late)
    throw new Refusal(`What is late is published or parked: --late publish, or --late park, not ${input.late}.`)
  const open = isId(input.id) ? await findHoldOn(db, input.id) : null
  const released = open && (await release(db, open, { late, mayHaveGoneOut: input.count ?? 0 }, actor))
  if (released) return released
  await targetOrRefusal(db, input.id)
  throw new Refusal(`Publishing is not stopped for ${input.id} itself. almanac holds lists what is.`)
}

/**
 * The open holds, of one account or of all.
 *
 * @throws Refusal
 */
export async function listHoldsForOperator(
  { db }: { db: Database },
  accountId: string | null,
): Promise<(Hold & { accountId: string })[]> {
  if (accountId !== null) await accountOrRefusal(db, accountId)
  return (await listOpenHolds(db, accountId)).map((row) => ({ accountId: row.accountId, ...holdAnswer(row) }))
}

async function targetOrRefusal(db: Database, id: string): Promise<HoldTarget> {
  const target = isId(id) ? await findHoldTarget(db, id) : null
  if (!target) throw new Refusal(`There is no account, social set or open connection ${id}.`)
  return target
}
