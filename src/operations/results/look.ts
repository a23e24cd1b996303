import { type AskedBody, type LookedPostSet, type PostsOfSet, why } from '#contract'
import { type Database, readResults, wakeDelivery } from '#persistence'
import { type Caller, requireRight } from '../caller.ts'
import { postSetNotFound, requirePostSet } from '../post-sets/get.ts'
import { refusedAs } from '../refused.ts'
import { lookProblem } from './possible.ts'
import { asked } from './retry.ts'

/**
 * Asks the network right now about posts of a set that it has not confirmed: those that are named, or all. These
 * lookups do not replace planned ones.
 *
 * @throws ProblemError in this order: `auth:insufficient_role`, `post-set:not_found`, `request:invalid_query`,
 *   `request:invalid_body`, `request:refused` when nothing can be asked
 */
export async function lookAtPostSet(
  { db }: { db: Database },
  caller: Caller,
  id: string,
  body: AskedBody<PostsOfSet>,
): Promise<LookedPostSet> {
  requireRight(caller, 'post-sets:publish')
  await requirePostSet(db, caller, id)
  const { postIds = null } = body.read()
  const [set] = await readResults(db, [id], { captionCodePoints: 0 })
  if (!set) throw postSetNotFound()
  const answer: LookedPostSet = { asking: [], left: [] }
  for (const post of asked(set, postIds)) {
    const { postId, accountType, deliveryId } = post
    const problem = lookProblem(post)
    if (problem === undefined && postIds === null) continue
    const left = problem === undefined ? why('why:nothing_to_ask') : problem
    const woken = left === null && deliveryId !== null && (await wakeDelivery(db, deliveryId))
    if (woken) answer.asking.push({ postId, accountType })
    else answer.left.push({ postId, accountType, why: left ?? why('why:being_asked') })
  }
  if (answer.asking.length > 0) return answer
  const [first] = answer.left
  throw refusedAs(first?.why ?? why('why:nothing_waits'))
}
