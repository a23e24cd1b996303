import {
  type Approval,
  type AskedBody,
  type Checked,
  checkPostSetCreate,
  type Loose,
  type PostSetCreate,
  type Repeat,
  refuseBody,
  type WritableStatus,
} from '#contract'
import { newId, occurrencesOf, type PostContent, planPosts, wallTimeOf } from '#domain'
import { checkOptionNames } from '#networks'
import { type Database, type DatabaseTransaction, holdTimezone, type PlaceForPosts } from '#persistence'
import type { Caller } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { checkLastOccurrence, checkScheduledAt, goodTime } from '../read-body.ts'
import { requirePlaceForPosts, socialSetNotFound } from '../social-sets/require.ts'

/** A post set that a body asks for. */
export interface WantedPostSet {
  socialSet: PlaceForPosts
  /** As it was written: without an offset it is by the clocks of the social set. */
  scheduledAt: string
  /** When it publishes; with a repeat rule all times, the first one first. */
  times: readonly [Date, ...Date[]]
  status: WritableStatus
  approval: Approval
  repeat: Repeat | null
  /** The name that a program gives to it, to the first one of a series. */
  externalId: string | null
  posts: readonly PostContent[]
}

/**
 * The social set in the body of a new post set. Existence is checked before shape. Null if it names none.
 *
 * @throws ProblemError `social-set:not_found`
 */
export async function placeOfNew(
  db: Database,
  caller: Caller,
  body: AskedBody<PostSetCreate>,
): Promise<PlaceForPosts | null> {
  const { socialSetId } = body.peek()
  return typeof socialSetId === 'string' ? requirePlaceForPosts(db, caller, socialSetId) : null
}

/** The parsed body of a new post set, or all problems of its shape. */
export function checkCreate(
  { networks }: Pick<PostSetDeps, 'networks'>,
  place: PlaceForPosts | null,
  body: unknown,
  fields: Loose<PostSetCreate>,
): Checked<WantedPostSet> {
  const checked = checkPostSetCreate(body)
  const plan = checked.ok ? planPosts(checked.value.posts, [], newId, place?.fit ?? 'REFUSE') : null
  const entries = [
    ...(checked.ok ? [] : checked.entries),
    ...checkScheduledAt(fields.scheduledAt, place?.timezone ?? 'UTC'),
    ...(plan && !plan.ok ? plan.entries : []),
    ...(checked.ok ? checkOptionNames(networks, checked.value.posts) : []),
  ]
  if (!checked.ok || !plan?.ok || entries.length > 0) return { ok: false, entries }
  // It names one, then: as a string, which was found.
  if (!place) throw socialSetNotFound()
  const { scheduledAt, status, approval, repeat, externalId } = checked.value
  const times = timesOf({ scheduledAt, repeat }, place.timezone)
  const late = checkLastOccurrence(times.slice(1))
  if (late.length > 0) return { ok: false, entries: late }
  const value = { socialSet: place, scheduledAt, times, status, approval, repeat, externalId, posts: plan.posts }
  return { ok: true, value }
}

function timesOf(
  { scheduledAt, repeat }: Pick<WantedPostSet, 'scheduledAt' | 'repeat'>,
  timezone: string,
): [Date, ...Date[]] {
  const first = goodTime(scheduledAt, timezone)
  const [, ...others] = repeat ? occurrencesOf(first, repeat, timezone, wallTimeOf(scheduledAt)) : []
  return [first, ...others]
}

/**
 * The same with times in the current time zone of the social set.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_body` when it is out of range there
 */
export async function withTimesNow(db: Database, caller: Caller, wanted: WantedPostSet): Promise<WantedPostSet> {
  const socialSet = await requirePlaceForPosts(db, caller, wanted.socialSet.id)
  refuseBody(checkScheduledAt(wanted.scheduledAt, socialSet.timezone))
  const times = timesOf(wanted, socialSet.timezone)
  refuseBody(checkLastOccurrence(times.slice(1)))
  return { ...wanted, socialSet, times }
}

/** The same with times in the time zone of the social set, which is locked until the transaction ends. */
export async function withTimesOf(
  trx: DatabaseTransaction,
  caller: Caller,
  wanted: WantedPostSet,
): Promise<WantedPostSet> {
  const { id, timezone } = wanted.socialSet
  return (await holdTimezone(trx, id)) === timezone ? wanted : withTimesNow(trx, caller, wanted)
}
