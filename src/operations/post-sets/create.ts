import type { AskedBody, AskedQuery, PostSet, PostSetCreate, SaveQuery } from '#contract'
import { allMedia, newId } from '#domain'
import {
  createPostSetRow,
  type Database,
  type DatabaseTransaction,
  findPostSet,
  insertSeries,
  inTransaction,
  type PostSetRow,
} from '#persistence'
import { reportRequest } from '../approvals/review.ts'
import { requireByRule, ruleFor } from '../approvals/rule.ts'
import { type Caller, requireReviewRight, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { wasSavedBefore } from '../kept-drafts/save.ts'
import { readSaving, type Saving } from '../read-body.ts'
import { countPostSets, isCounted, requirePlan, requireRoom } from './check-plan.ts'
import { holdFacts, plannedPosts, requireValidPosts } from './check-posts.ts'
import { unlessExternalIdTaken } from './external-id.ts'
import { postSetNotFound } from './get.ts'
import { refuseAtOnce } from './publish-now.ts'
import { checkCreate, placeOfNew, type WantedPostSet, withTimesNow, withTimesOf } from './read-create.ts'
import { repeatPostSet } from './repeat.ts'
import { postSetAnswer } from './serialize.ts'

/**
 * Creates a post set, as a draft or scheduled; with a repeat rule a series of them, all or nothing. A time in the
 * past publishes at once. Returns the first set.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `social-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body` or `post-set:unknown_reference`, `auth:insufficient_scope` of publishing,
 *   `post-set:approval_required`, what the plan does not include, `post-set:monthly_posts_exceeded`, `api-key:budget_exceeded`,
 *   `post-set:invalid_posts`, `post-set:publishes_at_once` for a member who has not said `?publishNow=true`, `post-set:external_id_taken`
 */
export async function createPostSet(
  deps: PostSetDeps,
  caller: Caller,
  { body, query }: { body: AskedBody<PostSetCreate>; query: AskedQuery<SaveQuery> },
): Promise<PostSet> {
  const { wanted, saving } = await readCreate(deps, caller, { body, query })
  const row = takesOneStatement(caller, wanted, saving)
    ? await createAlone(deps, caller, wanted, saving)
    : await inTransaction(deps.db, (trx) => createTogether(trx, deps, caller, wanted, saving))
  return postSetAnswer(row, deps.urls, new Date())
}

/** The same in the caller's transaction. */
export async function applyCreate(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  request: { body: AskedBody<PostSetCreate>; query: AskedQuery<SaveQuery> },
): Promise<PostSetRow> {
  const { wanted, saving } = await readCreate({ ...deps, db: trx }, caller, request)
  return createTogether(trx, deps, caller, wanted, saving)
}

async function readCreate(
  deps: PostSetDeps,
  caller: Caller,
  { body, query }: { body: AskedBody<PostSetCreate>; query: AskedQuery<SaveQuery> },
): Promise<{ wanted: WantedPostSet; saving: Saving }> {
  requireRight(caller, 'post-sets:write')
  const place = await placeOfNew(deps.db, caller, body)
  const saving = readSaving(query)
  const wanted = body.readBy((...asked) => checkCreate(deps, place, ...asked))
  if (wanted.status === 'SCHEDULED') requireRight(caller, 'post-sets:publish')
  requireReviewRight(caller, wanted.approval)
  return { wanted, saving }
}

/**
 * Without media that must stay, occurrences that follow, a review to ask for, a month or a day that is counted behind all else, and
 * something typed that ends with it.
 */
function takesOneStatement(caller: Caller, { posts, repeat, approval }: WantedPostSet, { keptDraft }: Saving): boolean {
  const asks = approval === 'PENDING' || approval === 'EXTERNAL_PENDING'
  return (
    keptDraft === null &&
    repeat === null &&
    !asks &&
    !isCounted(caller) &&
    posts.every((post) => allMedia(post).length === 0)
  )
}

/** By one statement, which needs no transaction around it and makes no one wait for its locks. */
async function createAlone(
  deps: PostSetDeps,
  caller: Caller,
  wanted: WantedPostSet,
  { publishNow }: Saving,
): Promise<PostSetRow> {
  const { db } = deps
  for (let now = wanted; ; now = await withTimesNow(db, caller, now)) {
    await check(db, deps, caller, { wanted: now, publishNow })
    const row = await write(db, caller, now, { id: newId(), startsSeries: null })
    if (row) return row
  }
}

async function createTogether(
  trx: DatabaseTransaction,
  deps: PostSetDeps,
  caller: Caller,
  wanted: WantedPostSet,
  { publishNow, keptDraft }: Saving,
): Promise<PostSetRow> {
  if (keptDraft && (await wasSavedBefore(trx, caller, wanted.socialSet.id, keptDraft))) {
    const first = await findPostSet(trx, caller, keptDraft.id)
    if (!first) throw postSetNotFound()
    return first
  }
  const now = await withTimesOf(trx, caller, wanted)
  const { socialSet, status, approval, repeat, posts, times } = now
  const { accountId } = caller
  await check(trx, deps, caller, { wanted: now, publishNow })
  const seriesId = repeat ? newId() : null
  if (repeat && seriesId) await insertSeries(trx, { id: seriesId, accountId, socialSetId: socialSet.id, repeat })
  const row = await write(trx, caller, now, { id: keptDraft?.id ?? newId(), startsSeries: seriesId })
  if (!row) throw new Error('The timezone of a social set has changed while it was held.')
  const { id } = row
  await reportRequest(trx, { accountId, socialSetId: socialSet.id, postSetId: id, actor: caller.actor, approval })
  if (seriesId) await repeatPostSet(trx, caller, { id, seriesId, status, approval, posts }, times.slice(1))
  if (isCounted(caller)) await countPostSets(trx, caller, times.length)
  return row
}

async function check(
  db: Database,
  { networks }: PostSetDeps,
  caller: Caller,
  { wanted, publishNow }: { wanted: WantedPostSet; publishNow: boolean },
): Promise<void> {
  const { socialSet, status, approval, repeat, posts, times } = wanted
  const rule = await ruleFor(db, caller, socialSet.id)
  requireByRule(rule, caller, { before: null, after: { approval, status }, edits: true, touches: true })
  const facts = await holdFacts(db, socialSet.id, posts, new Map())
  requirePlan(caller.plan, {
    approval: approval !== 'NONE',
    repeat: repeat !== null,
    posts: plannedPosts(posts, facts),
  })
  await requireRoom(db, caller, times.length)
  const byPerson = caller.member !== null
  const toCheck = { socialSetId: socialSet.id, posts, facts, connections: socialSet.connections, byPerson }
  await requireValidPosts(db, networks, toCheck, { scheduled: status === 'SCHEDULED' })
  if (!publishNow) await refuseAtOnce(db, caller, { status, scheduledAt: times[0] })
}

/**
 * Writes the first set. Where nothing is limited the month counts all of them with it. Null, and nothing is written, when
 * the timezone of the social set is another one than that by which the times were read.
 */
async function write(
  db: Database,
  caller: Caller,
  { status, approval, repeat, posts, times, socialSet, externalId }: WantedPostSet,
  { id, startsSeries }: { id: string; startsSeries: string | null },
): Promise<PostSetRow | null> {
  const { accountId, actor } = caller
  const [scheduledAt] = times
  const set = {
    id,
    accountId,
    socialSetId: socialSet.id,
    scheduledAt,
    status,
    approval,
    startsSeries,
    externalId,
    posts,
  }
  const changes = {
    status,
    scheduledAt: scheduledAt.toISOString(),
    approval,
    accountTypes: posts.map(({ accountType }) => accountType),
    ...(repeat ? { seriesId: startsSeries, repeat } : {}),
    ...(externalId === null ? {} : { externalId }),
  }
  const count = isCounted(caller) ? 0 : times.length
  const { timezone } = socialSet
  const event = { action: 'created', changes } as const
  return unlessExternalIdTaken(createPostSetRow(db, set, { timezone, actor, event, count }))
}
