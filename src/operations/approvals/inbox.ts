import {
  type ActorShown,
  APPROVALS_PAGE,
  type ApprovalCounts,
  type ApprovalItem,
  type ApprovalsPage,
  type ApprovalsQuery,
  type AskedQuery,
  type DecisionShown,
  isWritable,
  kindsOfPosts,
  LIMITS,
} from '#contract'
import { approvalBar, excerptOf, isBinding, needsReason, refusalBar, stepOf } from '#domain'
import type { UrlSigner } from '#media'
import {
  type ApprovalRow,
  countApprovals,
  type DecisionRow,
  type PersonRow,
  pageOfApprovals,
  readApprovals,
} from '#persistence'
import { placeNamed } from '../asked.ts'
import { type Caller, requireMember } from '../caller.ts'
import type { OperationDeps } from '../deps.ts'
import { postSetNotFound, requirePostSet } from '../post-sets/get.ts'
import { URL_HOURS } from '../post-sets/serialize.ts'
import { checkCursor, placeOfCursor } from '../read-query.ts'
import { effectiveRule } from './rule.ts'

type Deps = Pick<OperationDeps, 'db' | 'urls'>

const READ = { captionCodePoints: LIMITS.excerpt.readCodePoints }

/**
 * A page of what waits for the member, of what the member requested, or of what was decided.
 *
 * @throws ProblemError `auth:not_signed_in`, `social-set:not_found`, `request:invalid_query`
 */
export async function listApprovals(
  { db, urls }: Deps,
  caller: Caller,
  query: AskedQuery<ApprovalsQuery>,
): Promise<ApprovalsPage> {
  const { userId } = requireMember(caller)
  await placeNamed(db, caller, query)
  const { tab, cursor, socialSetId = null, size = APPROVALS_PAGE.defaultSize } = query.read(checkCursor)
  const after = placeOfCursor(cursor)
  const wanted = { ...wantedBy(caller), socialSetId }
  const found = await pageOfApprovals(db, caller, tab, wanted, { after, limit: size + 1 })
  const page = found.slice(0, size)
  const rows = await readApprovals(
    db,
    page.map(({ id }) => id),
    { userId, ...READ },
  )
  const items = new Map(rows.map((row) => [row.id, itemAnswer(row, caller, urls, new Date())]))
  const last = found.length > size ? page.at(-1) : undefined
  return {
    data: page.flatMap(({ id }) => items.get(id) ?? []),
    next: last ? `${last.at.toISOString()}_${last.id}` : null,
  }
}

/**
 * How many sets wait for the member, and how many of the member's requests are open.
 *
 * @throws ProblemError `auth:not_signed_in`, `request:invalid_query`
 */
export async function readApprovalCounts(
  { db }: Pick<Deps, 'db'>,
  caller: Caller,
  query: AskedQuery<undefined>,
): Promise<ApprovalCounts> {
  requireMember(caller)
  query.read()
  const data = await countApprovals(db, caller, wantedBy(caller))
  const sum = (name: 'waiting' | 'urgent' | 'requested') => data.reduce((all, row) => all + row[name], 0)
  return { waiting: sum('waiting'), urgent: sum('urgent'), requested: sum('requested'), data }
}

/**
 * The review of one post set.
 *
 * @throws ProblemError `auth:not_signed_in`, `post-set:not_found`, `request:invalid_query`
 */
export async function readReview(
  { db, urls }: Deps,
  caller: Caller,
  id: string,
  query: AskedQuery<undefined>,
): Promise<ApprovalItem> {
  const { userId } = requireMember(caller)
  const set = await requirePostSet(db, caller, id)
  query.read()
  const [row] = await readApprovals(db, [set.id], { userId, ...READ })
  if (!row) throw postSetNotFound()
  return itemAnswer(row, caller, urls, new Date())
}

function wantedBy(caller: Caller) {
  const { rights } = caller
  const { userId } = requireMember(caller)
  return { userId, reviews: rights.includes('post-sets:review'), alone: rights.includes('post-sets:approve-alone') }
}

function itemAnswer(row: ApprovalRow, caller: Caller, urls: Pick<UrlSigner, 'sign'>, now: Date): ApprovalItem {
  const { userId } = requireMember(caller)
  const { status, approval, caption, picture, asked, decision, yourDecision, soon, given, author, forms, ...more } = row
  const { changedBy, yourChange, ...item } = more
  const rule = effectiveRule(caller.plan, row.rule)
  const waits = isWritable(status) && (approval === 'PENDING' || approval === 'EXTERNAL_PENDING')
  const mine = isUser(author, userId)
  const facts = {
    rule,
    status,
    approval,
    reviews: caller.rights.includes('post-sets:review'),
    changedLast: changedBy === userId,
    hasApproved: given.some(({ by }) => isUser(by, userId)),
  }
  const bar = approvalBar(facts)
  const alone = caller.rights.includes('post-sets:approve-alone')
  return {
    ...item,
    scheduledAt: row.scheduledAt.toISOString(),
    status,
    approval,
    urgent: waits && soon,
    excerpt: excerptOf(caption, LIMITS.excerpt.codePoints),
    thumbnailUrl: picture && urls.sign(picture, URL_HOURS, now),
    kinds: kindsOfPosts(forms),
    author: shown(author),
    mine,
    asked: waits && asked ? byAnswer(asked, userId) : null,
    rule: rule.rule,
    approvals: {
      needed: isBinding(rule) ? rule.reviewers : 1,
      given: given.map((one) => byAnswer(one, userId)),
    },
    step: stepOf(approval),
    needsReason: alone && needsReason(approval, { bar, left: row.reviewersLeft }),
    yourChange: yourChange && {
      version: yourChange.version,
      changedBy: shown(yourChange.changedBy),
      at: new Date(yourChange.at).toISOString(),
    },
    cannotApprove: bar,
    cannotRequestChanges: refusalBar(facts),
    decision: decision && decisionAnswer(decision, userId),
    yourDecision: yourDecision && decisionAnswer(yourDecision, userId),
  }
}

const isUser = (person: PersonRow | null, userId: string) => person?.type === 'USER' && person.id === userId

/** Without a name it was made before there was a history. */
const shown = (person: PersonRow | null): ActorShown =>
  person ? { type: person.type, name: person.name } : { type: 'OPERATOR', name: 'Almanac' }

function byAnswer({ by, at }: { by: PersonRow; at: string }, userId: string) {
  return { by: shown(by), byYou: isUser(by, userId), at: new Date(at).toISOString() }
}

function decisionAnswer({ by, at, ...decision }: DecisionRow, userId: string): DecisionShown {
  return { ...decision, ...byAnswer({ by, at }, userId) }
}
