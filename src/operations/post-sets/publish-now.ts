import { POST_SET_WARNINGS, type PostSetStatus, ProblemError } from '#contract'
import { type Database, databaseNow } from '#persistence'
import type { Caller } from '../caller.ts'

/**
 * Refuses to schedule a set whose time has passed, since it publishes at once. Programs use this to say "now";
 * people may not have noticed the time, and are asked first.
 *
 * @throws ProblemError `post-set:publishes_at_once`
 */
export async function refuseAtOnce(
  db: Database,
  { member }: Pick<Caller, 'member'>,
  { status, scheduledAt }: { status: PostSetStatus; scheduledAt: Date },
): Promise<void> {
  if (!member || status !== 'SCHEDULED' || scheduledAt > (await databaseNow(db))) return
  const code = 'post-set:publishes_at_once'
  throw new ProblemError(code, `${POST_SET_WARNINGS[code]}.`)
}
