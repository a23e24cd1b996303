import { ProblemError, type QueryReader } from '#contract'
import { isId } from '#domain'
import {
  type Database,
  findPlaceForPosts,
  findSocialSet,
  type PlaceForPosts,
  type SocialSetPlace,
  type Visible,
} from '#persistence'
import type { Caller } from '../caller.ts'
import { doTogether, type Shared } from '../do-together.ts'
import { rawField } from '../read-body.ts'

/**
 * The social set of that id, when the caller may see it.
 *
 * @throws ProblemError `social-set:not_found` for one that is absent, another account's or outside of what is seen
 */
export async function requireSocialSet(db: Database, caller: Caller, id: string): Promise<SocialSetPlace> {
  const found = isId(id) ? await findSocialSet(db, caller, id) : null
  if (!found) throw socialSetNotFound()
  return found
}

export const socialSetNotFound = () => new ProblemError('social-set:not_found', 'There is no social set of this id.')

/**
 * The id of a social set in a query string, which may be none. Null when it is missing, which the reader reports.
 */
export function socialSetIdOfQuery(reader: QueryReader): string | null {
  const id = reader.text('socialSetId')
  if (id === null) reader.problem('socialSetId', 'is required')
  return id
}

/**
 * The social set that a query string names. Null when it names none, which the reader reports. Existence comes
 * before shape: a list that is not seen gets no other answer.
 *
 * @throws ProblemError `social-set:not_found`
 */
export async function socialSetOfQuery(
  db: Database,
  caller: Caller,
  reader: QueryReader,
): Promise<SocialSetPlace | null> {
  const named = socialSetIdOfQuery(reader)
  return named === null ? null : requireSocialSet(db, caller, named)
}

/**
 * The social set that a body names, before its shape is looked at. Null when it names none.
 *
 * @throws ProblemError `social-set:not_found`
 */
export async function socialSetOfBody(db: Database, caller: Caller, body: unknown): Promise<SocialSetPlace | null> {
  const named = rawField(body, 'socialSetId')
  return typeof named === 'string' ? requireSocialSet(db, caller, named) : null
}

/**
 * The social set of that id, with what a new post set must know of it.
 *
 * @throws ProblemError `social-set:not_found`
 */
export async function requirePlaceForPosts(db: Database, caller: Caller, id: string): Promise<PlaceForPosts> {
  const found = isId(id) ? await findTogether(db, caller, id) : null
  if (!found) throw socialSetNotFound()
  return found
}

type Find = (thing: string) => Promise<Shared<PlaceForPosts | null>>
const finding = new WeakMap<Database, Find>()

/** Those who put something into the same social set at the same time look it up together, outside of transactions. */
async function findTogether(db: Database, { accountId, socialSetIds }: Caller, id: string) {
  const visible = { accountId, socialSetIds }
  if (db.isTransaction) return findPlaceForPosts(db, visible, id)
  const find =
    finding.get(db) ?? doTogether((thing) => findPlaceForPosts(db, ...(JSON.parse(thing) as [Visible, string])))
  finding.set(db, find)
  return (await find(JSON.stringify([visible, id]))).outcome
}
