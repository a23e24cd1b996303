import { checkPostSetUpdate, isWritable, type PostSet, ProblemError } from '#contract'
import { diffPostSet, isId, newId, type PostSetChanges, type PostSetContent, planPosts } from '#domain'
import {
  addHistory,
  type DatabaseTransaction,
  deletePosts,
  findPostSet,
  lockPostSetRow,
  type PostSetRow,
  updatePostSetRow,
  writePosts,
} from '#persistence'
import { type Caller, requireScope } from '../caller.ts'
import { postSetAnswer } from './answer.ts'
import { requireValidPosts } from './check-posts.ts'
import type { PostSetDeps } from './deps.ts'
import { postSetNotFound } from './get.ts'
import { checkScheduledAt, readScheduledAt, refuseBody } from './read-body.ts'

/**
 * Changes a post set: what the body leaves out stays, `posts` is the complete new list. The set's row is held from the
 * first look at its state until the change is written, so that the publisher cannot begin in between. A body that
 * changes nothing writes nothing.
 *
 * @throws ProblemError in this order: `auth:insufficient_scope`, `post-set:not_found`, `post-set:read_only` or
 *   `post-set:locked`, `request:invalid_body` and what is wrong with references, `auth:insufficient_scope` of
 *   publishing, `post-set:invalid_posts`
 */
export async function updatePostSet(deps: PostSetDeps, caller: Caller, id: string, body: unknown): Promise<PostSet> {
  requireScope(caller, 'post-sets:write')
  if (!isId(id)) throw postSetNotFound()
  const row = await deps.db.transaction().execute(async (trx) => {
    if (!(await lockPostSetRow(trx, caller, id))) throw postSetNotFound()
    const current = await findPostSet(trx, caller, id)
    if (!current) throw new Error('A post set whose row is held is not there.')
    requireChangeable(current, body)
    const after = readChange(current, body)
    if (after.status === 'SCHEDULED') requireScope(caller, 'post-sets:publish')
    const changes = diffPostSet(current, after)
    await checkChange(trx, deps, current, after, changes)
    if (Object.keys(changes).length === 0) return current
    await writeChange(trx, caller, current, after, changes)
    return findPostSet(trx, caller, id)
  })
  if (!row) throw new Error('A post set that was just changed is not there.')
  return postSetAnswer(row, deps.urls, new Date())
}

/** A locked set may be parked as a draft, by a request that says nothing else. */
function requireChangeable(current: PostSetRow, body: unknown): void {
  if (!isWritable(current.status)) {
    const done = current.status === 'PUBLISHED' ? 'has been published' : 'is being published'
    throw new ProblemError('post-set:read_only', `The post set ${done} and cannot be changed any more.`)
  }
  if (!current.isLocked || isParking(body)) return
  throw new ProblemError(
    'post-set:locked',
    'The post set is locked in the product. It can only be parked: send status DRAFT and nothing else.',
  )
}

function isParking(body: unknown): boolean {
  return JSON.stringify(body) === '{"status":"DRAFT"}'
}

/** What the set would be. Throws 400 with all problems of the body. */
function readChange(current: PostSetRow, body: unknown): PostSetContent {
  const checked = checkPostSetUpdate(body, current)
  const inputs = checked.ok ? checked.value.posts : undefined
  const plan = inputs ? planPosts(inputs, current.posts, newId) : null
  refuseBody([
    ...(checked.ok ? [] : checked.entries),
    ...checkScheduledAt(body, current.timezone),
    ...(plan && !plan.ok ? plan.entries : []),
  ])
  if (!checked.ok || (plan && !plan.ok)) throw new Error('A body that cannot be used was not refused.')
  const { scheduledAt, status, approval } = checked.value
  return {
    scheduledAt: scheduledAt === undefined ? current.scheduledAt : readScheduledAt(scheduledAt, current.timezone),
    status: status ?? current.status,
    approval: approval ?? current.approval,
    posts: plan?.posts ?? current.posts,
  }
}

/**
 * Library items that are new to the set must exist at any status. The rules of scheduled posts run when this change is
 * what schedules them, moves them or changes them; not for approval or parking, and not for what stays as it is.
 */
async function checkChange(
  trx: DatabaseTransaction,
  { networks }: PostSetDeps,
  current: PostSetRow,
  after: PostSetContent,
  changes: PostSetChanges,
): Promise<void> {
  const touched = changes.status || changes.scheduledAt || changes.posts
  const scheduled = after.status === 'SCHEDULED' && touched !== undefined
  if (!scheduled && !changes.posts) return
  const { socialSetId } = current
  const knownFacts = new Map(current.posts.flatMap(({ media }) => media.map(({ mediaId, facts }) => [mediaId, facts])))
  await requireValidPosts(trx, networks, { socialSetId, posts: after.posts, knownFacts, scheduled })
}

async function writeChange(
  trx: DatabaseTransaction,
  { accountId, actor }: Caller,
  current: PostSetRow,
  after: PostSetContent,
  changes: PostSetChanges,
): Promise<void> {
  const { posts } = changes
  await updatePostSetRow(trx, current.id, {
    ...after,
    newContent: posts !== undefined,
    scheduleRequested: after.status === 'SCHEDULED' && (changes.status ?? changes.scheduledAt) !== undefined,
  })
  if (posts) {
    const touched = [...(posts.added ?? []), ...(posts.changed ?? [])].map(({ id }) => id)
    await writePosts(trx, current.id, after.posts, new Set(touched))
    const kept = new Set(after.posts.flatMap(({ media }) => media.map(({ id }) => id)))
    const media = current.posts.flatMap((post) => post.media.map(({ id }) => id))
    await deletePosts(trx, {
      postIds: (posts.removed ?? []).map(({ id }) => id),
      mediaIds: media.filter((id) => !kept.has(id)),
    })
  }
  const action = changes.status ? (after.status === 'SCHEDULED' ? 'scheduled' : 'moved to drafts') : 'updated'
  await addHistory(trx, [{ accountId, postSetId: current.id, actor, action, changes: { ...changes } }])
}
