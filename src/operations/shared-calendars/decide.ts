import {
  type AskedBody,
  entryAt,
  type GuestApprovals,
  type GuestApprovalsBody,
  type GuestChanges,
  type GuestDecisionBody,
  type GuestPostSet,
  type GuestUndoBody,
  type ProblemEntry,
  ProblemError,
} from '#contract'
import { isId } from '#domain'
import {
  addReviewNews,
  type DatabaseTransaction,
  findPostSet,
  lockPostSetRow,
  readRound,
  removeDecision,
  removeSharedDecision,
  type SharedFacts,
  writeSeen,
  writeSharedDecision,
} from '#persistence'
import { readDecision } from '../approvals/read-decision.ts'
import { giveVerdict, type Verdict, verdictOf, writeReview } from '../approvals/review.ts'
import { postSetNotFound } from '../post-sets/get.ts'
import { marked } from '../post-sets/lock.ts'
import { actorOf, countWrites, type Guest, type GuestDeps, type NamedGuest, requireMay, writeAsGuest } from './guest.ts'
import { changesSince, guestPostAnswer, isWaiting, type PostBelow, requireShown } from './post.ts'

/**
 * A guest's decision for the client about a post set that waits for it: approves it without changing its status, or
 * requests changes and turns it into a draft. `body` names the version that the guest has seen.
 *
 * @throws ProblemError in this order: `shared-calendar:not_allowed`, `shared-calendar:name_required`, `post-set:not_found`,
 *   `request:invalid_query`, `request:invalid_body`, `rate-limit:exceeded`, `post-set:version_conflict` whose entries say
 *   what has changed, `shared-calendar:not_waiting`
 */
export async function decideAsGuest(
  deps: GuestDeps & PostBelow,
  guest: Guest,
  id: string,
  body: AskedBody<GuestDecisionBody>,
): Promise<GuestPostSet> {
  requireMay(guest, 'decide')
  await requireShown(deps.db, guest, id)
  const { version, ...sent } = body.read()
  const { decision, message } = readDecision(sent)
  await countWrites(deps.db, guest)
  return writeAsGuest(deps, guest, 'decide', async (trx, sure) => {
    await decide(trx, sure, { id, version }, verdictOf(decision, message))
    return guestPostAnswer(trx, deps, sure, id)
  })
}

/**
 * Undoes the guest's own approval: the set waits for the client again, and its status stays. Possible until someone
 * has scheduled, parked, changed or decided on the set since, or it begins to publish.
 *
 * @throws ProblemError as `decideAsGuest` does, but `request:refused` for what is not, or no longer, to be taken back
 */
export async function undoAsGuest(
  deps: GuestDeps & PostBelow,
  guest: Guest,
  id: string,
  body: AskedBody<GuestUndoBody>,
): Promise<GuestPostSet> {
  requireMay(guest, 'decide')
  await requireShown(deps.db, guest, id)
  const { version } = body.read()
  await countWrites(deps.db, guest)
  return writeAsGuest(deps, guest, 'decide', async (trx, sure) => {
    await undoApproval(trx, sure, { id, version })
    return guestPostAnswer(trx, deps, sure, id)
  })
}

/**
 * Approves several post sets, each independently: a refused one does not prevent the others.
 *
 * @throws ProblemError in this order: `shared-calendar:not_allowed`, `shared-calendar:name_required`,
 *   `request:invalid_query`, `request:invalid_body`, `rate-limit:exceeded`
 */
export async function approveAsGuest(
  deps: GuestDeps,
  guest: Guest,
  body: AskedBody<GuestApprovalsBody>,
): Promise<GuestApprovals> {
  requireMay(guest, 'decide')
  const { posts } = body.read()
  const answer: GuestApprovals = { approved: [], refused: [] }
  for (const wanted of posts) {
    try {
      await countWrites(deps.db, guest)
      const work = (trx: DatabaseTransaction, sure: NamedGuest) => decide(trx, sure, wanted, verdictOf('approve', null))
      const { version } = await writeAsGuest(deps, guest, 'decide', work)
      answer.approved.push({ id: wanted.id, version })
    } catch (error) {
      if (!(error instanceof ProblemError) || OF_ALL.has(error.code)) throw error
      answer.refused.push({ id: wanted.id, code: error.code, message: error.message })
    }
  }
  return answer
}

/** What is wrong with the guest or the link is wrong with all that is asked for. */
const OF_ALL: ReadonlySet<string> = new Set([
  'shared-calendar:not_found',
  'shared-calendar:not_allowed',
  'shared-calendar:name_required',
  'rate-limit:exceeded',
])

/** Writes what a guest decides, with the set's row held. Answers the set as it is then. */
async function decide(
  trx: DatabaseTransaction,
  guest: NamedGuest,
  { id, version }: { id: string; version: number },
  verdict: Verdict,
): Promise<SharedFacts> {
  const { calendar } = guest
  const facts = await holdSeen(trx, guest, { id, version })
  if (!isWaiting(facts)) throw notWaiting()
  await giveVerdict(trx, await marked(trx, facts.id), actorOf(guest), { ...verdict, link: linkOf(guest) })
  await writeSharedDecision(trx, {
    sharedCalendarId: calendar.id,
    postSetId: facts.id,
    guest,
    decision: verdict.decision,
    message: verdict.message,
    contentVersion: facts.contentVersion,
  })
  const after = await requireShown(trx, guest, id)
  await writeSeen(trx, guest.id, after)
  return after
}

/** The set as it is now, with its row held, in the version that the guest has seen. */
async function holdSeen(
  trx: DatabaseTransaction,
  guest: NamedGuest,
  { id, version }: { id: string; version: number },
): Promise<SharedFacts> {
  if (!isId(id) || !(await lockPostSetRow(trx, guest.calendar, id))) throw postSetNotFound()
  const facts = await requireShown(trx, guest, id)
  if (facts.version !== version) throw await versionConflict(trx, guest, facts, version)
  return facts
}

/** The shared calendar as history names it. */
const linkOf = ({ calendar: { id, name } }: NamedGuest) => ({ id, name })

/** Writes that a guest's own approval is taken back, with the set's row held: it waits for the client again. */
async function undoApproval(trx: DatabaseTransaction, guest: NamedGuest, seen: { id: string; version: number }) {
  const facts = await holdSeen(trx, guest, seen)
  const sequence = facts.decision?.undoes ?? null
  if (sequence === null) throw notUndoable()
  const set = await marked(trx, facts.id)
  const actor = actorOf(guest)
  await writeReview(trx, set, actor, {
    ...{ approval: 'EXTERNAL_PENDING', status: set.status, action: 'review taken back', message: null },
    more: { link: linkOf(guest) },
  })
  await removeDecision(trx, facts.id, sequence)
  await removeSharedDecision(trx, { sharedCalendarId: guest.calendar.id, postSetId: facts.id })
  const { asked } = await readRound(trx, facts.id)
  const { accountId, socialSetId } = set
  const concerned = asked?.type === 'USER' && asked.id !== null ? [asked.id] : []
  const about = { accountId, socialSetId, postSetId: facts.id, actor, concerned }
  await addReviewNews(trx, [{ ...about, kind: 'APPROVED', takenBack: true }])
  await writeSeen(trx, guest.id, await requireShown(trx, guest, facts.id))
}

function notUndoable(): ProblemError {
  const detail = 'This approval can no longer be undone. Tell the team if you have changed your mind.'
  return new ProblemError('request:refused', detail)
}

function notWaiting(): ProblemError {
  const detail = 'This post is no longer waiting for your approval. Reload the calendar.'
  return new ProblemError('shared-calendar:not_waiting', detail)
}

/**
 * The version that the guest names is another than the one now: what is different, as far as guests see it, and since this guest has
 * seen it. What they name proves nothing: of a set that they never saw nothing is said.
 */
async function versionConflict(
  trx: DatabaseTransaction,
  guest: NamedGuest,
  facts: SharedFacts,
  version: number,
): Promise<ProblemError> {
  const row = await findPostSet(trx, guest.calendar, facts.id)
  const { seen: known } = facts
  const seen = known && { ...known, version: Math.max(version, known.before ?? known.version), isChanged: true }
  const changes = row && (await changesSince(trx, { id: facts.id, seen }, row))
  const entries = [
    ...(changes ? changeEntries(changes) : []),
    ...(isWaiting(facts) ? [] : [entryAt(['approval'], CONFLICT, 'It is no longer waiting for your approval.')]),
  ]
  const none = facts.seen ? 'Nothing that you see of it is different.' : ''
  const words = entries.map(({ message }) => message).join(' ') || none
  const detail = `The post has changed since you saw it. ${words === '' ? '' : `${words} `}Look at it again, then decide.`
  return new ProblemError(CONFLICT, detail, { entries })
}

const CONFLICT = 'post-set:version_conflict'

function changeEntries({ scheduledAt, posts }: GuestChanges): ProblemEntry[] {
  return [
    ...(scheduledAt ? [entryAt(['scheduledAt'], CONFLICT, 'It is to be published at another time.')] : []),
    ...posts.flatMap(({ accountType, what, fields }, at) => {
      const entry = (field: string | null, message: string) =>
        entryAt(['posts', at, ...(field === null ? [] : [field])], CONFLICT, message, { accountType })
      if (what !== 'changed') return [entry(null, `The post for ${accountType} was ${what}.`)]
      return fields.map((name) => {
        if (name === 'media') return entry(name, `Pictures or videos for ${accountType} are others.`)
        return entry(name, `${name === 'caption' ? 'The caption' : name} for ${accountType} is another.`)
      })
    }),
  ]
}
