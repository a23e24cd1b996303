import { entryAt, POST_SET_WARNINGS, type PostSetValidation, type ProblemEntry } from '#contract'
import { planProblems } from '#domain'
import { databaseNow, usageOf } from '#persistence'
import type { Caller } from '../caller.ts'
import { monthlyPostsEntry } from './check-plan.ts'
import { checkRules, holdFacts, missingMedia, plannedPosts } from './check-posts.ts'
import type { PostSetDeps } from './deps.ts'
import { readCreate, type WantedPostSet } from './read-create.ts'

/**
 * Says of the body of a new post set what would be refused, by the same checks, and writes nothing. Of a draft the rules
 * of its networks are warnings: they stop it from being scheduled. The scopes of the key do not matter.
 *
 * @throws ProblemError `social-set:not_found`
 */
export async function validatePostSet(deps: PostSetDeps, caller: Caller, body: unknown): Promise<PostSetValidation> {
  const read = await readCreate(deps.db, caller, body)
  if (!read.ok) return { valid: false, problems: read.entries, warnings: [] }
  const { wanted } = read
  const { socialSet, status, approval, repeat, posts } = wanted
  const { facts, rules } = await deps.db.transaction().execute(async (trx) => {
    const held = await holdFacts(trx, socialSet.id, posts, new Map())
    const check = { socialSetId: socialSet.id, posts, facts: held }
    return { facts: held, rules: await checkRules(trx, deps.networks, check) }
  })
  const ofPlan = planProblems(caller.plan, {
    approval: approval !== 'NONE',
    repeat: repeat !== null,
    posts: plannedPosts(posts, facts),
  })
  const scheduled = status === 'SCHEDULED'
  const problems = [
    ...ofPlan,
    ...(await checkMonth(deps, caller, wanted)),
    ...missingMedia({ socialSetId: socialSet.id, posts, facts }),
    ...(scheduled ? rules.problems : []),
  ]
  const warnings = [...(scheduled ? await checkPast(deps, wanted) : rules.problems), ...rules.warnings]
  return { valid: problems.length === 0, problems, warnings }
}

async function checkMonth({ db }: PostSetDeps, { accountId, plan }: Caller, { times }: WantedPostSet) {
  if (plan.monthlyPosts === null) return []
  const { postSets } = await usageOf(db, accountId)
  return postSets + times.length <= plan.monthlyPosts
    ? []
    : [monthlyPostsEntry(plan.monthlyPosts, postSets, times.length)]
}

async function checkPast({ db }: PostSetDeps, { times: [first] }: WantedPostSet): Promise<ProblemEntry[]> {
  const code = 'post-set:publishes_at_once'
  return first > (await databaseNow(db)) ? [] : [entryAt(['scheduledAt'], code, `${POST_SET_WARNINGS[code]}.`)]
}
