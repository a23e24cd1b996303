import { refuseBody, type SharedComment } from '#contract'
import { newId } from '#domain'
import {
  type Actor,
  type CommentRow,
  type Database,
  findComment,
  insertComment,
  inTransaction,
  listComments,
  type PostSetRow,
  type Visible,
} from '#persistence'
import { postSetNotFound, requirePostSet } from '../post-sets/get.ts'
import { reportComment } from './report.ts'
import { readText, refuseLimit } from './require.ts'

/** A guest of a shared calendar, in front of a thread. */
export interface CommentGuest extends Visible {
  /** Of type REVIEWER, with the id and the name of the guest. */
  actor: Actor
  link: { id: string; name: string }
  /** Whether the link shows a post set. */
  shows(set: PostSetRow): boolean
}

/**
 * The comments of a post set that guests may read, oldest first. Everything from outside the team goes through here.
 *
 * @throws ProblemError `post-set:not_found` also for a set that the link does not show
 */
export async function readSharedComments(
  db: Database,
  guest: CommentGuest,
  postSetId: string,
): Promise<SharedComment[]> {
  const set = await requireShown(db, guest, postSetId)
  const rows = await listComments(db, set.id, 'GUESTS')
  return rows.map((row) => sharedAnswer(row, guest))
}

/**
 * Writes a guest's comment, which is shared; in the caller's transaction if `db` is one. The caller has checked that
 * the link lets guests comment.
 *
 * @throws ProblemError in this order: `post-set:not_found`, `request:invalid_body`, `comment:limit_reached`,
 *   `comment:too_fast`
 */
export async function writeSharedComment(
  db: Database,
  guest: CommentGuest,
  postSetId: string,
  { text: given }: { text: string },
): Promise<SharedComment> {
  const set = await requireShown(db, guest, postSetId)
  const { text, entries } = readText(given)
  refuseBody(entries)
  const { accountId, actor, link } = guest
  if (actor.type !== 'REVIEWER' || actor.id === null) throw new Error('A guest without an id was let in.')
  const author = { type: actor.type, id: actor.id, name: actor.name }
  return inTransaction(db, async (trx) => {
    const id = newId()
    const place = { accountId, socialSetId: set.socialSetId, postSetId: set.id }
    const comment = { id, ...place, audience: 'SHARED', author, link, text, mentions: [] } as const
    refuseLimit(await insertComment(trx, comment))
    await reportComment(trx, { ...place, actor, id, audience: 'SHARED', text, mentioned: [] })
    const row = await findComment(trx, guest, id, { reader: 'GUESTS' })
    if (!row) throw new Error('A comment that was just written is not there.')
    return sharedAnswer(row, guest)
  })
}

async function requireShown(db: Database, guest: CommentGuest, id: string): Promise<PostSetRow> {
  const set = await requirePostSet(db, guest, id)
  if (!guest.shows(set)) throw postSetNotFound()
  return set
}

function sharedAnswer(row: CommentRow, { actor }: CommentGuest): SharedComment {
  if (row.audience !== 'SHARED') throw new Error('An inner comment was about to be shown to a guest.')
  const guest = row.author.type === 'REVIEWER'
  return {
    id: row.id,
    at: row.createdAt.toISOString(),
    by: { name: row.author.name, guest, mine: guest && row.author.id === actor.id },
    text: row.text,
    editedAt: row.editedAt?.toISOString() ?? null,
    resolved: row.resolved !== null,
  }
}
