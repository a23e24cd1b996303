import {
  entryAt,
  type GuestApprovals,
  GuestApprovalsBody,
  type GuestChanges,
  GuestDecisionBody,
  type GuestPostSet,
  type ProblemEntry,
  ProblemError,
} from '#contract'
import { isId } from '#domain'
import {
  type DatabaseTransaction,
  findPostSet,
  lockPostSetRow,
  type SharedFacts,
  writeSeen,
  writeSharedDecision,
} from '#persistence'
import { approval, giveVerdict, messageProblem, refusal, type Verdict } from '../approvals/review.ts'
import { postSetNotFound } from '../post-sets/get.ts'
import { marked } from '../post-sets/lock.ts'
import { readShape, refuseBody, refuseQuery } from '../read-body.ts'
import { actorOf, countWrites, type Guest, type GuestDeps, type NamedGuest, requireMay, writeAsGuest } from './guest.ts'
import { type Below, changesSince, guestPostAnswer, isWaiting, requireShown } from './post.ts'

/**
 * Decides for the client about a post set that waits for that: approves it and leaves its status, or requests changes and
 * makes a draft of it. `body` is a `GuestDecisionBody`, with the version that the guest has seen.
 *
 * @throws ProblemError in this order: `shared-calendar:not_allowed`, `shared-calendar:name_required`, `post-set:not_found`,
 *   `request:invalid_query`, `request:invalid_body`, `rate-limit:exceeded`, `post-set:version_conflict` whose entries say
 *   what has changed, `shared-calendar:not_waiting`
 */
export async function decideAsGuest(
  deps: GuestDeps & Below,
  guest: Guest,
  id: string,
  { body, query }: { body: unknown; query: string },
): Promise<GuestPostSet> {
  requireMay(guest, 'decide')
  await requireShown(deps.db, guest, id)
  refuseQuery(query)
  const { version, ...read } = readShape(GuestDecisionBody, body)
  const verdict = readVerdict(read)
  await countWrites(deps.db, guest)
  return writeAsGuest(deps, guest, 'decide', async (trx, sure) => {
    await decide(trx, sure, { id, version }, verdict)
    return guestPostAnswer(trx, deps, sure, id)
  })
}

/**
 * Approves several post sets, each by itself: what is refused keeps no other from being approved. `body` is a
 * `GuestApprovalsBody`.
 *
 * @throws ProblemError in this order: `shared-calendar:not_allowed`, `shared-calendar:name_required`,
 *   `request:invalid_query`, `request:invalid_body`, `rate-limit:exceeded`
 */
export async function approveAsGuest(
  deps: GuestDeps,
  guest: Guest,
  { body, query }: { body: unknown; query: string },
): Promise<GuestApprovals> {
  requireMay(guest, 'decide')
  refuseQuery(query)
  const { posts } = readShape(GuestApprovalsBody, body)
  const answer: GuestApprovals = { approved: [], refused: [] }
  for (const wanted of posts) {
    try {
      await countWrites(deps.db, guest)
      const work = (trx: DatabaseTransaction, sure: NamedGuest) => decide(trx, sure, wanted, approval(null))
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

function readVerdict({ decision, message: text }: { decision: string; message?: string | null }): Verdict {
  const message = text?.replaceAll('\r\n', '\n').trim() || null
  const missing = decision === 'request-changes' && message === null ? 'Say what is to be changed.' : null
  const wrong = missing ?? messageProblem(message)
  refuseBody(wrong === null ? [] : [entryAt(['message'], 'request:invalid_body', wrong)])
  return decision === 'approve' ? approval(message) : refusal(message)
}

/** Writes what a guest decides, with the set's row held. Answers the set as it is then. */
async function decide(
  trx: DatabaseTransaction,
  guest: NamedGuest,
  { id, version }: { id: string; version: number },
  verdict: Verdict,
): Promise<SharedFacts> {
  const { calendar } = guest
  if (!isId(id) || !(await lockPostSetRow(trx, calendar, id))) throw postSetNotFound()
  const facts = await requireShown(trx, guest, id)
  if (facts.version !== version) throw await versionConflict(trx, guest, facts, version)
  if (!isWaiting(facts)) throw notWaiting()
  const link = { id: calendar.id, name: calendar.name }
  await giveVerdict(trx, await marked(trx, facts.id), actorOf(guest), { ...verdict, link })
  await writeSharedDecision(trx, {
    sharedCalendarId: calendar.id,
    postSetId: facts.id,
    guest,
    approval: verdict.parks ? 'DENIED' : 'APPROVED',
    message: verdict.message,
    contentVersion: facts.contentVersion,
  })
  const after = await requireShown(trx, guest, id)
  await writeSeen(trx, guest.id, after)
  return after
}

function notWaiting(): ProblemError {
  const detail = 'This post does not wait for your approval any more. Load the calendar again.'
  return new ProblemError('shared-calendar:not_waiting', detail)
}

/** The version that the guest names is another than the one now: what is different, as far as guests see it. */
async function versionConflict(
  trx: DatabaseTransaction,
  guest: NamedGuest,
  facts: SharedFacts,
  version: number,
): Promise<ProblemError> {
  const row = await findPostSet(trx, guest.calendar, facts.id)
  const seen = { version, contentVersion: 0, isChanged: true }
  const changes = row && (await changesSince(trx, { id: facts.id, seen }, row))
  const entries = [
    ...(changes ? changeEntries(changes) : []),
    ...(isWaiting(facts) ? [] : [entryAt(['approval'], CONFLICT, 'It does not wait for your approval any more.')]),
  ]
  const words = entries.map(({ message }) => message).join(' ') || 'Nothing that you see of it is different.'
  const detail = `The post has changed since you saw it. ${words} Look at it again, then decide.`
  return new ProblemError(CONFLICT, detail, { entries })
}

const CONFLICT = 'post-set:version_conflict'

function changeEntries({ scheduledAt, posts }: GuestChanges): ProblemEntry[] {
  return [
    ...(scheduledAt ? [entryAt(['scheduledAt'], CONFLICT, 'It is to be published at another time.')] : []),
    ...posts.flatMap(({ accountType, what, caption, media, fields }, at) => {
      const entry = (field: string | null, message: string) =>
        entryAt(['posts', at, ...(field === null ? [] : [field])], CONFLICT, message, { accountType })
      if (what !== 'changed') return [entry(null, `The post for ${accountType} was ${what}.`)]
      return [
        ...(caption ? [entry('caption', `The caption for ${accountType} is another.`)] : []),
        ...(media ? [entry('media', `Pictures or videos for ${accountType} are others.`)] : []),
        ...fields.map((field) => entry(field, `${field} for ${accountType} is another.`)),
      ]
    }),
  ]
}
