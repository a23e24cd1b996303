import {
  type AskedBody,
  type AskedQuery,
  type BulkEntry,
  checkPostSetsCreate,
  entryAt,
  given,
  givenQuery,
  isWritable,
  LIMITS,
  type PostInput,
  type PostSetCreate,
  type PostSetsCreate,
  type PostSetsCreated,
  type PostSetUpdate,
  ProblemError,
  placedName,
  steppedInto,
} from '#contract'
import { isId } from '#domain'
import { type DatabaseTransaction, findByExternalIds, findPostSet, inTransaction, type PostSetRow } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { answerEntriesOnce, type KeyedRequest } from '../idempotency/answer-once.ts'
import { type ErrorLog, problemOfOne } from '../one-of-many.ts'
import { applyCreate } from './create.ts'
import { postSetAnswer } from './serialize.ts'
import { applyUpdate } from './update.ts'

interface ManyDeps extends PostSetDeps {
  log: ErrorLog
}

/** One set of a request. Of what shape it is, is looked at when it is its turn. */
interface Entry {
  index: number
  set: PostSetCreate
}

/**
 * Creates many post sets in one request, each checked as if it were alone: all or none of them (`ATOMIC`), or every
 * one that can be created (`EACH`), in its own transaction. One whose `externalId` is already on the calendar stays
 * as it is, or becomes what is sent (`onConflict`).
 *
 * @param keyed of a request with an Idempotency-Key in mode EACH: what was made before is answered again
 * @throws ProblemError in this order: `auth:insufficient_scope`, `request:invalid_query`, `request:invalid_body`; in mode ATOMIC, what
 *   refuses the first set that is refused, with the problems of all; with a key what its answers are refused for
 */
export async function createPostSets(
  deps: ManyDeps,
  caller: Caller,
  { body, query, keyed }: { body: AskedBody<PostSetsCreate>; query: AskedQuery<undefined>; keyed: KeyedRequest | null },
): Promise<PostSetsCreated> {
  requireRight(caller, 'post-sets:write')
  query.read()
  const { mode, onConflict, postSets } = body.readBy(checkPostSetsCreate)
  const entries = postSets.map((set, index) => ({ index, set }))
  const updates = onConflict === 'UPDATE'
  if (mode === 'ATOMIC')
    return { data: await inTransaction(deps.db, (trx) => allOrNone(trx, deps, caller, entries, updates)) }
  const once = keyed && answerEntriesOnce(deps, caller, keyed)
  await once?.take()
  const data: BulkEntry[] = []
  for (const entry of entries) data.push(await alone(deps, caller, entry, { updates, once }))
  return { data }
}

/** All of them in one transaction. What refuses one is looked for in all, as far as the transaction can go on. */
async function allOrNone(
  trx: DatabaseTransaction,
  deps: ManyDeps,
  caller: Caller,
  entries: readonly Entry[],
  updates: boolean,
): Promise<BulkEntry[]> {
  const known = await knownOf(trx, caller, entries)
  const data: BulkEntry[] = []
  const problems: ProblemError[] = []
  for (const entry of entries) {
    try {
      data.push(await applyEntry(trx, deps, caller, entry, { known: known.of(entry), updates }))
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error
      problems.push(at(entry, error))
      // A name that was taken in this moment: the database takes no more of this transaction.
      if (error.code === 'post-set:external_id_taken') break
    }
  }
  const [first] = problems
  if (!first) return data
  const errors = problems.flatMap((problem) => problem.entries)
  const rest =
    problems.length === 1 ? '' : ` ${problems.length} of ${entries.length} sets are refused; errors lists why.`
  throw new ProblemError(first.code, `${first.message} Nothing was created.${rest}`, {
    entries: errors.slice(0, LIMITS.problems),
    headers: first.headers,
    ...(first.why ? { why: first.why } : {}),
  })
}

interface Alone {
  updates: boolean
  once: ReturnType<typeof answerEntriesOnce> | null
}

/** One of them in a transaction of its own. That it was refused keeps nothing from the others, also by an error of ours. */
async function alone(deps: ManyDeps, caller: Caller, entry: Entry, { updates, once }: Alone): Promise<BulkEntry> {
  const make = async (trx: DatabaseTransaction) => {
    const known = await knownOf(trx, caller, [entry])
    return applyEntry(trx, deps, caller, entry, { known: known.of(entry), updates })
  }
  const kept = async (trx: DatabaseTransaction) => ({ status: 200, headers: {}, body: JSON.stringify(await make(trx)) })
  // Of two who use a name at once, the second one finds the set of the first when it asks again.
  for (let again = false; ; again = true) {
    try {
      if (!once) return await inTransaction(deps.db, make)
      return JSON.parse((await once.entry(entry.index, kept)).answer.body ?? '') as BulkEntry
    } catch (error) {
      const words = {
        about: { index: entry.index },
        failed: 'A post set of many failed',
        advice: 'Send this set again.',
      }
      const problem = problemOfOne(error, deps.log, words)
      if (problem.code === 'post-set:external_id_taken' && !again) continue
      if (problem.code === 'request:in_progress' || problem.code === 'request:idempotency_key_reused') throw problem
      const { code, status, message, entries } = at(entry, problem)
      return { index: entry.index, status: 'REFUSED', problem: { code, status, message, errors: [...entries] } }
    }
  }
}

/** The sets of these names that are on the calendar already. */
async function knownOf(trx: DatabaseTransaction, caller: Caller, entries: readonly Entry[]) {
  const names = entries.flatMap(({ set }) => placedName(set) ?? []).filter(({ socialSetId }) => isId(socialSetId))
  const found = names.length === 0 ? [] : await findByExternalIds(trx, caller, names)
  const keyOf = ({ socialSetId, externalId }: (typeof names)[number]) => JSON.stringify([socialSetId, externalId])
  const ids = new Map(found.map((each) => [keyOf(each), each.id]))
  return {
    of({ set }: Entry): string | null {
      const name = placedName(set)
      return (name && ids.get(keyOf(name))) ?? null
    },
  }
}

async function applyEntry(
  trx: DatabaseTransaction,
  deps: ManyDeps,
  caller: Caller,
  { index, set }: Entry,
  { known, updates }: { known: string | null; updates: boolean },
): Promise<BulkEntry> {
  const answer = (status: BulkEntry['status'], row: PostSetRow): BulkEntry => {
    return { index, status, postSet: postSetAnswer(row, deps.urls, new Date()) }
  }
  const query = givenQuery({})
  const before = known === null ? null : await findPostSet(trx, caller, known)
  if (!before) return answer('CREATED', await applyCreate(trx, deps, caller, { body: given(set), query }))
  if (!updates || !isWritable(before.status)) return answer('UNCHANGED', before)
  const body = given(updateOf(set, before))
  const { before: held, after } = await applyUpdate(trx, deps, caller, before.id, { body, query, seen: null })
  return answer(after.version === held.version ? 'UNCHANGED' : 'UPDATED', after)
}

/**
 * What is sent, as a change of the set that is there: its posts and files are those of the same account types and files, so that what
 * is sent again changes nothing. That it asks for no approval takes none away.
 */
function updateOf({ socialSetId: _, approval, ...set }: PostSetCreate, before: PostSetRow): PostSetUpdate {
  const wanted = approval === 'NONE' ? set : { ...set, approval }
  if (!Array.isArray(set.posts)) return wanted
  const left = [...before.posts]
  const posts = set.posts.map((post: PostInput) => {
    const same = taken(left, ({ accountType }) => accountType === post?.accountType)
    if (!same) return post
    const thread = Array.isArray(post.thread)
      ? post.thread.map((part, nth) => ({
          ...part,
          ...(same.thread[nth] ? { id: same.thread[nth].id } : {}),
          media: withIds(part.media, same.thread[nth]?.media ?? []),
        }))
      : null
    return { ...post, id: same.id, media: withIds(post.media, same.media), ...(thread ? { thread } : {}) }
  })
  return { ...wanted, posts }
}

/** Files with the ids of those that are there. */
function withIds(media: PostInput['media'], there: readonly { id: string; mediaId: string }[]): PostInput['media'] {
  if (!Array.isArray(media)) return media
  const left = [...there]
  return media.map((item) => {
    const file = taken(left, ({ mediaId }) => mediaId === item?.mediaLibraryId)
    return file ? { ...item, id: file.id } : item
  })
}

/** The first one that is meant, which is taken out of the list. */
function taken<T>(list: T[], isMeant: (one: T) => boolean): T | undefined {
  const place = list.findIndex(isMeant)
  return place === -1 ? undefined : list.splice(place, 1)[0]
}

/** A problem of one set, as one of the request. */
function at({ index }: Entry, { code, message, entries, headers, why }: ProblemError): ProblemError {
  const steps = ['postSets', index]
  const own = entries.length > 0 ? entries : [entryAt([], code, message)]
  return new ProblemError(code, `postSets[${index}]: ${message}`, {
    entries: own.map((entry) => ({ ...entry, ...steppedInto(steps, entry) })),
    headers: { ...headers },
    ...(why ? { why } : {}),
  })
}
