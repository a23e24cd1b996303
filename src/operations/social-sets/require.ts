import { ProblemError } from '#contract'
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

/**
 * The social set with that id, if the caller may see it.
 *
 * @throws ProblemError `social-set:not_found` for one that is absent, another account's or outside of what is seen
 */
export async function requireSocialSet(db: Database, caller: Caller, id: string): Promise<SocialSetPlace> {
  const found = isId(id) ? await findSocialSet(db, caller, id) : null
  if (!found) throw socialSetNotFound()
  return found
}

export const socialSetNotFound = () => new ProblemError('social-set:not_found', 'No social set has this id.')

/**
 * The social set with that id, with what is needed to create a post set in it.
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
