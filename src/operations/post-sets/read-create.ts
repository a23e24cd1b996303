import {
  type Approval,
  bodyProblem,
  checkPostSetCreate,
  type ProblemEntry,
  type Repeat,
  type WritableStatus,
} from '#contract'
import { newId, occurrencesOf, type PostContent, planPosts, wallTimeOf } from '#domain'
import { checkOptionNames } from '#networks'
import { type DatabaseTransaction, holdTimezone, type PlaceForPosts } from '#persistence'
import type { Caller } from '../caller.ts'
import { checkLastOccurrence, checkScheduledAt, readScheduledAt } from '../read-body.ts'
import { placeOfBody } from '../social-sets/require.ts'
import type { PostSetDeps } from './deps.ts'

/** `db` may be a transaction. */
export type ReadDeps = Pick<PostSetDeps, 'db' | 'networks'>

/** A post set that a body asks for. */
export interface WantedPostSet {
  socialSet: PlaceForPosts
  /** When it publishes; with a repeat rule all times, the first one first. */
  times: readonly [Date, ...Date[]]
  status: WritableStatus
  approval: Approval
  repeat: Repeat | null
  posts: readonly PostContent[]
}

/**
 * Reads the body of a new post set: what it asks for, or everything that is wrong with its shape.
 *
 * @throws ProblemError `social-set:not_found`: existence comes before shape
 */
export async function readCreate(
  deps: ReadDeps,
  caller: Caller,
  body: unknown,
): Promise<{ ok: true; wanted: WantedPostSet } | { ok: false; entries: ProblemEntry[] }> {
  const socialSet = await placeOfBody(deps.db, caller, body)
  const timezone = socialSet?.timezone ?? 'UTC'
  const checked = checkPostSetCreate(body)
  const plan = checked.ok ? planPosts(checked.value.posts, [], newId) : null
  const entries = [
    ...(checked.ok ? [] : checked.entries),
    ...checkScheduledAt(body, timezone),
    ...(plan && !plan.ok ? plan.entries : []),
    ...(checked.ok ? checkOptionNames(deps.networks, checked.value.posts) : []),
  ]
  if (entries.length > 0) return { ok: false, entries }
  if (!socialSet || !checked.ok || !plan?.ok) throw new Error('A body that cannot be used was not refused.')
  const { status, approval, repeat } = checked.value
  const first = readScheduledAt(checked.value.scheduledAt, timezone)
  const wall = wallTimeOf(checked.value.scheduledAt)
  const [, ...others] = repeat ? occurrencesOf(first, repeat, timezone, wall) : []
  const last = checkLastOccurrence(others)
  if (last.length > 0) return { ok: false, entries: last }
  return { ok: true, wanted: { socialSet, times: [first, ...others], status, approval, repeat, posts: plan.posts } }
}

/** The same by the timezone of the social set as it is now. */
export async function readAgain(
  deps: ReadDeps,
  caller: Caller,
  body: unknown,
  wanted: WantedPostSet,
): Promise<WantedPostSet> {
  const read = await readCreate(deps, caller, body)
  if (!read.ok) throw bodyProblem(read.entries)
  const { socialSet, times } = read.wanted
  return { ...wanted, socialSet, times }
}

/** The same by the timezone of the social set, which then stays as it is until the transaction ends. */
export async function withTimesOf(
  trx: DatabaseTransaction,
  { networks }: Pick<ReadDeps, 'networks'>,
  caller: Caller,
  body: unknown,
  wanted: WantedPostSet,
): Promise<WantedPostSet> {
  const { id, timezone } = wanted.socialSet
  return (await holdTimezone(trx, id)) === timezone ? wanted : readAgain({ db: trx, networks }, caller, body, wanted)
}
