import { type Approval, type Decision, isWritable, LIMITS, type PostSetStatus, readOnlyWords } from '#contract'
import { stepOf } from '#domain'
import {
  type Actor,
  addDecision,
  addHistory,
  addReviewNews,
  type Database,
  type DatabaseTransaction,
  type MarkedPostSet,
  markReviewed,
  readRound,
} from '#persistence'
import { changePostSet } from '../post-sets/lock.ts'
import { Refusal } from '../refusal.ts'

/** What a review comes to. */
export interface Verdict {
  decision: Decision
  approval: Approval
  /** What the reviewer says; kept in history alone. */
  message: string | null
  /** Why an admin approves it for the whole team. */
  reason?: string
  /** Of a rule that binds: which approval of how many it is. */
  given?: { count: number; needed: number }
  /** It is one more approval, also where `approval` stays. */
  counts?: boolean
  /** The shared calendar of a guest. */
  link?: { id: string; name: string }
}

/** As history calls them. */
const ACTIONS = {
  approve: 'approved',
  'request-changes': 'changes requested',
} as const satisfies Record<Decision, string>

/**
 * The effect of a decision, unless a rule requires more approvals; `message` of a set that is sent back says what to
 * change.
 */
export function verdictOf(decision: Decision, message: string | null): Verdict {
  return { decision, approval: decision === 'approve' ? 'APPROVED' : 'DENIED', message }
}

/**
 * Writes the operator's decision about a post set in a reviewer's place. Its row is locked from the check of its
 * status on, so either the review or the publisher comes first, and the other one sees the result.
 *
 * @throws Refusal
 */
export async function review(db: Database, id: string, actor: Actor, verdict: Verdict): Promise<void> {
  await changePostSet(db, id, async (trx, set) => {
    if (!isWritable(set.status)) {
      throw new Refusal(`The post set ${readOnlyWords(set.status)} and can no longer be reviewed.`)
    }
    await giveVerdict(trx, set, actor, verdict)
  })
}

/** What is wrong with a reviewer's message; null if nothing is. */
export function messageProblem(message: string | null): string | null {
  if (message === null) return null
  if ([...message].length > LIMITS.metadataCodePoints) {
    return `A message has at most ${LIMITS.metadataCodePoints} characters.`
  }
  const printable = message.isWellFormed() && !/[^\P{Cc}\n\t]/u.test(message)
  return printable ? null : 'A message must not have control characters.'
}

/**
 * Writes a decision about a set whose row is locked, with its row of history, and reports it. One that changes
 * nothing and has no message writes nothing; one that only has a message is written to history only.
 */
export async function giveVerdict(
  trx: DatabaseTransaction,
  set: MarkedPostSet,
  actor: Actor,
  verdict: Verdict,
): Promise<void> {
  const { decision, approval, message, link, given, reason } = verdict
  const step = stepOf(set.approval)
  // What is sent back does not publish before it is scheduled again.
  const status = decision === 'request-changes' ? 'DRAFT' : set.status
  const { asked } = await readRound(trx, set.id)
  const more = {
    ...(step === 'CLIENT' && actor.type === 'USER' ? { forClient: true } : {}),
    ...(link ? { link } : {}),
    ...(given ? { given } : {}),
    ...(reason === undefined ? {} : { reason }),
  }
  const written = await writeReview(trx, set, actor, { ...verdict, status, action: ACTIONS[decision], more })
  if (written !== 'changed') return
  await addDecision(trx, set.id, { decision, step })
  const about = { accountId: set.accountId, socialSetId: set.socialSetId, postSetId: set.id, actor }
  if (approval === 'APPROVED' || approval === 'DENIED') {
    const kind = approval === 'APPROVED' ? 'APPROVED' : 'CHANGES_REQUESTED'
    const concerned = asked?.type === 'USER' && asked.id !== null ? [asked.id] : []
    await addReviewNews(trx, [{ ...about, kind, words: message ?? reason ?? null, concerned }])
  } else if (approval !== set.approval) {
    await reportRequest(trx, { ...about, approval })
  }
}

/** Reports that a set now waits for a review; does nothing if it does not. */
export async function reportRequest(
  trx: DatabaseTransaction,
  {
    approval,
    ...about
  }: { accountId: string; socialSetId: string; postSetId: string; actor: Actor; approval: Approval },
): Promise<void> {
  if (approval !== 'PENDING' && approval !== 'EXTERNAL_PENDING') return
  await addReviewNews(trx, [{ ...about, kind: 'REVIEW_REQUESTED', external: approval === 'EXTERNAL_PENDING' }])
}

interface WrittenReview {
  approval: Approval
  status: PostSetStatus
  action: 'approved' | 'changes requested' | 'review taken back'
  message: string | null
  /** The set gets another version although nothing of it is another: an approval more or less. */
  counts?: boolean
  more?: object
}

/** Writes the result of a review, or of its undo. */
export async function writeReview(
  trx: DatabaseTransaction,
  set: MarkedPostSet,
  actor: Actor,
  { approval, status, action, message, counts = false, more = {} }: WrittenReview,
): Promise<'changed' | 'said' | 'nothing'> {
  const changes = {
    ...(approval === set.approval ? {} : { approval: { from: set.approval, to: approval } }),
    ...(status === set.status ? {} : { status: { from: set.status, to: status } }),
  }
  const changed = counts || Object.keys(changes).length > 0
  if (!changed && message === null) return 'nothing'
  if (changed) await markReviewed(trx, set.id, { approval, status })
  const said = { ...(message === null ? {} : { message }), ...(changed ? more : {}) }
  await addHistory(trx, [
    { accountId: set.accountId, postSetId: set.id, actor, action, changes: { ...changes, ...said } },
  ])
  return changed ? 'changed' : 'said'
}
