import { type AskedBody, type GuestComment, type GuestCommentBody, type GuestComments, ProblemError } from '#contract'
import { actorOf, countWrites, type Guest, type GuestDeps, requireMay, writeAsGuest } from './guest.ts'
import { requireShown } from './post.ts'
import type { ThreadGuest } from './shared-thread.ts'

/**
 * The comments of a post set that guests and the team share, in order.
 *
 * @throws ProblemError `post-set:not_found`
 */
export async function listGuestComments(deps: GuestDeps, guest: Guest, id: string): Promise<GuestComments> {
  const set = await requireShown(deps.db, guest, id)
  return { data: (await deps.thread?.read(deps.db, threadGuest(deps, guest), set.id)) ?? [] }
}

/**
 * Adds a guest's comment on a post set, for the team and the link's guests.
 *
 * @throws ProblemError in this order: `shared-calendar:not_allowed`, `shared-calendar:name_required`, `post-set:not_found`,
 *   `request:invalid_query`, `request:invalid_body`, `rate-limit:exceeded`
 */
export async function addGuestComment(
  deps: GuestDeps,
  guest: Guest,
  id: string,
  body: AskedBody<GuestCommentBody>,
): Promise<GuestComment> {
  requireMay(guest, 'comment')
  await requireShown(deps.db, guest, id)
  const { text } = body.read()
  await countWrites(deps.db, guest)
  const { thread } = deps
  return writeAsGuest(deps, guest, 'comment', async (trx, sure) => {
    const set = await requireShown(trx, sure, id)
    if (!thread) throw new ProblemError('shared-calendar:not_allowed', 'There are no comments here.')
    return thread.write(trx, threadGuest(deps, sure), set.id, { text })
  })
}

function threadGuest({ plans }: GuestDeps, guest: Guest): ThreadGuest {
  const { id, name, accountId, socialSetIds, plan } = guest.calendar
  return {
    accountId,
    socialSetIds,
    plan: plans[plan],
    actor: actorOf({ ...guest, name: guest.name ?? '' }),
    link: { id, name },
    shows: () => true,
  }
}
