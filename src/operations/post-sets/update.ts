import {
  type AskedBody,
  type AskedQuery,
  type Checked,
  checkPostSetUpdate,
  type HistoryChanges,
  type Loose,
  type PostSet,
  type PostSetChanges,
  type PostSetUpdate,
  type PostSetUpdateInput,
  ProblemError,
  type Repeat,
  refuseBody,
  type SaveQuery,
} from '#contract'
import {
  afterEdit,
  allMedia,
  type BrandRule,
  changesContent,
  diffPostSet,
  isId,
  newId,
  occurrencesOf,
  type PostContent,
  type PostSetContent,
  planPosts,
  wallTimeOf,
} from '#domain'
import { checkOptionNames } from '#networks'
import {
  addHistory,
  type DatabaseTransaction,
  deletePosts,
  holdTimezoneOf,
  insertSeries,
  type PostSetRow,
  updatePostSetRow,
  wasReviewed,
  writePosts,
} from '#persistence'
import { reportRequest } from '../approvals/review.ts'
import { requireByRule, ruleFor } from '../approvals/rule.ts'
import type { Seen } from '../asked.ts'
import { type Caller, requireReviewRight, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { endEdit } from '../kept-drafts/save.ts'
import { checkLastOccurrence, checkScheduledAt, goodTime, readSaving, type Saving } from '../read-body.ts'
import { type Changed, changedFrom, changeInTransaction } from './changed.ts'
import { countPostSets, requirePlan, requireRoom } from './check-plan.ts'
import { holdFacts, plannedPosts, requireValidPosts } from './check-posts.ts'
import { unlessExternalIdTaken } from './external-id.ts'
import { holdPostSet, requireChangeable } from './guards.ts'
import { refuseAtOnce } from './publish-now.ts'
import { repeatPostSet } from './repeat.ts'

/** What a request makes of a set. */
interface Change {
  before: PostSetRow
  after: PostSetContent
  /** What is different; empty when nothing is. */
  changes: PostSetChanges
  /** The body asks for another approval. */
  asksApproval: boolean
  /** The set begins a series. */
  repeat: Repeat | null
  /** When the other sets of that series publish. */
  others: readonly Date[]
}

interface UpdateRequest {
  body: AskedBody<PostSetUpdate>
  /** Of a key it has no parameters. */
  query: AskedQuery<SaveQuery>
  /** Null: the version does not matter. */
  seen: Seen
  /** It takes parking back and nothing else: a lock allows that too. */
  unparks?: boolean
  /** It takes a change of the caller's back, and nothing else has happened to the set since. */
  undoes?: boolean
  /** The same, and the content at least is what it was. */
  restores?: boolean
  /** It puts a file of the library in the place of another one, and does nothing else. */
  replaced?: HistoryChanges['updated']['replaced']
}

/**
 * Changes a post set: omitted fields stay, `posts` is the complete new list, `repeat` makes the set, as the request
 * leaves it, the first of a series. The set's row is locked from the first check of its state until the change is
 * written, so that the publisher cannot begin in between. A body that changes nothing writes nothing. If a member
 * changes the content of an approved set, it must be approved again; the brand's approval rule applies to members.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `post-set:not_found`, `post-set:read_only`,
 *   `post-set:locked` or `post-set:version_conflict`, `request:invalid_query`, `request:invalid_body` and what is wrong with references or
 *   repeat, `auth:insufficient_scope` of publishing, `post-set:approval_required`, what the plan does not include, `post-set:monthly_posts_exceeded`, `api-key:budget_exceeded`,
 *   `post-set:invalid_posts`, `post-set:publishes_at_once` for a member who has not said `?publishNow=true`,
 *   `kept-draft:changed`, `post-set:external_id_taken`
 */
export async function updatePostSet(
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  request: UpdateRequest,
): Promise<PostSet> {
  return changeInTransaction(deps, async (trx) => {
    const keptDraft = keptDraftOf(caller, request)
    if (keptDraft && isId(id)) await endEdit(trx, caller, { ...keptDraft, id })
    return applyUpdate(trx, deps, caller, id, request)
  })
}

/** Before the set is held. What is wrong with the query string is said in its turn. */
function keptDraftOf(caller: Caller, { query }: UpdateRequest): Saving['keptDraft'] {
  requireRight(caller, 'post-sets:write')
  try {
    return readSaving(query).keptDraft
  } catch (error) {
    if (error instanceof ProblemError) return null
    throw error
  }
}

/** The same in the caller's transaction. */
export async function applyUpdate(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  request: UpdateRequest,
): Promise<Changed> {
  const change = await checkUpdate(trx, deps, caller, id, request)
  const { before, changes, repeat } = change
  if (Object.keys(changes).length === 0 && !repeat) return { before, after: before }
  await writeChange(trx, caller, change, request.replaced)
  const changed = await changedFrom(trx, caller, before)
  if (repeat) await countPostSets(trx, caller, repeat.occurrences - 1)
  return changed
}

/** What a request would make of a set, refused for the same reasons. Nothing is written; the row is locked. */
export async function checkUpdate(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  id: string,
  { body, query, seen, unparks = false, undoes = false, restores = false }: UpdateRequest,
): Promise<Change> {
  requireRight(caller, 'post-sets:write')
  // Before the row of the set, as a change of the timezone does.
  if (isId(id) && (body.peek().repeat ?? null) !== null) await holdTimezoneOf(trx, { table: 'post_sets', id })
  const before = await holdPostSet(trx, caller, id)
  requireChangeable(before, caller, { seen, parks: unparks || isParking(body.peek()) })
  const { publishNow } = readSaving(query)
  const rule = await ruleFor(trx, caller, before.socialSetId)
  const change = readChange(deps, before, body, caller.member ? rule : null)
  if (change.after.status === 'SCHEDULED') requireRight(caller, 'post-sets:publish')
  if (change.changes.approval) await requireApprovalRight(trx, caller, change)
  const { after, changes } = change
  const touches = Boolean(changes.status ?? changes.scheduledAt ?? changes.posts ?? change.repeat)
  const edits = changesContent({ posts: changes.posts, repeat: change.repeat })
  requireByRule(rule, caller, { before, after, edits, touches, undoes, restores })
  await checkChange(trx, deps, caller, change)
  if (!publishNow && (changes.status ?? changes.scheduledAt)) await refuseAtOnce(trx, caller, after)
  return change
}

/**
 * What was approved, or sent back, leaves review only by a member who reviews. Anyone may ask again.
 *
 * @throws ProblemError `auth:insufficient_role`
 */
async function requireApprovalRight(
  trx: DatabaseTransaction,
  caller: Caller,
  { before, after }: Change,
): Promise<void> {
  requireReviewRight(caller, after.approval)
  if (!caller.member || after.approval !== 'NONE') return
  const decided = before.approval === 'APPROVED' || before.approval === 'DENIED'
  if (decided || (await wasReviewed(trx, before.id))) requireRight(caller, 'post-sets:review')
}

function isParking({ status, ...others }: Loose<PostSetUpdate>): boolean {
  return status === 'DRAFT' && Object.keys(others).length === 0
}

/** What a body says, with its posts as they would be; null where it has none. */
interface AskedChange {
  input: PostSetUpdateInput
  posts: PostContent[] | null
}

/** Everything that is wrong with the body of an update. */
function checkBody(
  { networks }: PostSetDeps,
  before: PostSetRow,
  body: unknown,
  { scheduledAt }: Loose<PostSetUpdate>,
): Checked<AskedChange> {
  const checked = checkPostSetUpdate(body, before)
  const inputs = checked.ok ? checked.value.posts : undefined
  const plan = inputs ? planPosts(inputs, before.posts, newId, before.brandFit) : null
  const entries = [
    ...(checked.ok ? [] : checked.entries),
    ...checkScheduledAt(scheduledAt, before.timezone),
    ...(plan && !plan.ok ? plan.entries : []),
    ...checkOptionNames(networks, inputs ?? []),
  ]
  if (!checked.ok || (plan && !plan.ok) || entries.length > 0) return { ok: false, entries }
  return { ok: true, value: { input: checked.value, posts: plan?.posts ?? null } }
}

/**
 * What the set would be. Throws 400 with all problems of the body.
 *
 * @param rule of the brand; null for a key, whose edits leave the approval as it is
 */
function readChange(
  deps: PostSetDeps,
  before: PostSetRow,
  body: AskedBody<PostSetUpdate>,
  rule: BrandRule | null,
): Change {
  const { input, posts } = body.readBy((...asked) => checkBody(deps, before, ...asked))
  const { scheduledAt, status, approval, externalId, repeat = null } = input
  const asked = {
    scheduledAt: scheduledAt === undefined ? before.scheduledAt : goodTime(scheduledAt, before.timezone),
    status: status ?? before.status,
    approval: approval ?? before.approval,
    externalId: externalId === undefined ? before.externalId : externalId,
    posts: posts ?? before.posts,
  }
  const asksApproval = asked.approval !== before.approval
  const edited = changesContent({ posts: diffPostSet(before, asked).posts, repeat })
  const returns = rule !== null && edited && !asksApproval
  const after = returns ? { ...asked, approval: afterEdit(rule, before.approval) } : asked
  const wall = scheduledAt === undefined ? null : wallTimeOf(scheduledAt)
  const [, ...others] = repeat ? occurrencesOf(after.scheduledAt, repeat, before.timezone, wall) : []
  refuseBody(checkLastOccurrence(others))
  return { before, after, changes: diffPostSet(before, after), asksApproval, repeat, others }
}

/**
 * Library items that are new to the set must exist at any status. What the plan includes is asked of
 * all posts, when the request changes, moves, repeats or schedules them. The rules of scheduled posts run when this change is what schedules them, moves them or changes them; not
 * for approval or parking, and not for what stays as it is.
 */
async function checkChange(
  trx: DatabaseTransaction,
  { networks }: PostSetDeps,
  caller: Caller,
  { before, after, changes, asksApproval, repeat }: Change,
): Promise<void> {
  const { socialSetId } = before
  const touched = changes.status || changes.scheduledAt || changes.posts || repeat
  const scheduled = after.status === 'SCHEDULED' && Boolean(touched)
  const looked = scheduled || changes.posts || repeat
  const known = new Map(before.posts.flatMap((post) => allMedia(post).map(({ mediaId, facts }) => [mediaId, facts])))
  const facts = looked ? await holdFacts(trx, socialSetId, after.posts, known) : known
  requirePlan(caller.plan, {
    approval: asksApproval,
    repeat: repeat !== null,
    posts: looked ? plannedPosts(after.posts, facts) : [],
  })
  if (repeat) await requireRoom(trx, caller, repeat.occurrences - 1)
  // What is scheduled already stays so, also when it is moved or mended.
  const byPerson = caller.member !== null && Boolean(changes.status || repeat)
  if (looked)
    await requireValidPosts(trx, networks, { socialSetId, posts: after.posts, facts, byPerson }, { scheduled })
}

async function writeChange(
  trx: DatabaseTransaction,
  caller: Caller,
  { before, after, changes, repeat, others }: Change,
  replaced?: UpdateRequest['replaced'],
): Promise<void> {
  const { id, socialSetId } = before
  const { accountId, actor } = caller
  const { posts } = changes
  const seriesId = repeat ? newId() : null
  if (repeat && seriesId) await insertSeries(trx, { id: seriesId, accountId, socialSetId, repeat })
  const update = updatePostSetRow(trx, id, {
    ...after,
    newPosts: posts ? after.posts : null,
    scheduleRequested: after.status === 'SCHEDULED' && (changes.status ?? changes.scheduledAt) !== undefined,
    startsSeries: seriesId,
  })
  await unlessExternalIdTaken(update)
  if (posts) {
    const touched = [...(posts.added ?? []), ...(posts.changed ?? [])].map((post) => post.id)
    await writePosts(trx, { id, socialSetId }, after.posts, new Set(touched))
    const kept = new Set(after.posts.flatMap((post) => allMedia(post).map((item) => item.id)))
    const media = before.posts.flatMap((post) => allMedia(post).map((item) => item.id))
    await deletePosts(trx, {
      postIds: (posts.removed ?? []).map((post) => post.id),
      mediaIds: media.filter((mediaId) => !kept.has(mediaId)),
    })
  }
  const action = changes.status ? (after.status === 'SCHEDULED' ? 'scheduled' : 'moved to drafts') : 'updated'
  const reported = {
    ...changes,
    ...(repeat ? { seriesId, repeat: { from: null, to: repeat } } : {}),
    ...(replaced ? { replaced } : {}),
  }
  await addHistory(trx, [{ accountId, postSetId: id, actor, action, changes: reported }])
  if (changes.approval)
    await reportRequest(trx, { accountId, socialSetId, postSetId: id, actor, approval: after.approval })
  if (!repeat || !seriesId) return
  await repeatPostSet(trx, caller, { id, seriesId, ...after }, others)
}
