import { POST_SET_WARNINGS, type PostSetStatus, ProblemError } from '#contract'
import { type Database, databaseNow } from '#persistence'
import type { Caller } from '../caller.ts'

/**
 * A scheduled set whose time has passed publishes at once. Programs say "now" so; people may not have looked at the
 * clock, and are asked first.
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
