import type { AskedBody, HeldStartDue, ResumeBody, ResumedStart } from '#contract'
import { countWithNetworks, type Database } from '#persistence'
import { type Caller, requireOperator } from '../caller.ts'
import { readDueWhileHeld, resumeStart } from './resume.ts'

/**
 * What an operator decides about when resuming a held start.
 *
 * @throws ProblemError `route:not_found` for others
 * @throws Refusal when no start is held
 */
export async function readHeldStartDue({ db }: { db: Database }, caller: Caller): Promise<HeldStartDue> {
  requireOperator(caller)
  const { lastRanAt, total } = await readDueWhileHeld({ db })
  return {
    lastRanAt: lastRanAt?.toISOString() ?? null,
    postSets: total,
    withNetworks: await countWithNetworks(db, null),
  }
}

/**
 * Resumes a held start.
 *
 * @throws ProblemError `route:not_found` for others than operators, `request:invalid_query`, `request:invalid_body`
 * @throws Refusal when no start is held, or another number of post sets is due now
 */
export async function resumeHeldStart(
  { db }: { db: Database },
  caller: Caller,
  body: AskedBody<ResumeBody>,
): Promise<ResumedStart> {
  requireOperator(caller)
  const { late, postSets = null } = body.read()
  const { closed: _, ...resumed } = await resumeStart({ db }, { late, postSets }, caller.actor)
  return resumed
}
