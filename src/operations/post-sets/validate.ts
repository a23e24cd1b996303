import {
  type AskedBody,
  type AskedQuery,
  entryAt,
  LIMITS,
  POST_SET_WARNINGS,
  type PostSetCreate,
  type PostSetValidation,
  type ProblemEntry,
} from '#contract'
import { planProblems } from '#domain'
import { ruleFor, ruleProblem } from '../approvals/rule.ts'
import type { Caller } from '../caller.ts'
import type { PostSetDeps } from '../deps.ts'
import { budgetProblems } from '../keys/budget.ts'
import { monthlyPostsProblems } from './check-plan.ts'
import { checkRules, missingMedia, plannedPosts, readFacts } from './check-posts.ts'
import { checkCreate, placeOfNew, type WantedPostSet } from './read-create.ts'

/**
 * Reports what would be refused in the body of a new post set, with the same checks, and writes nothing. For a
 * draft, the rules of its networks are warnings: they stop it from being scheduled. At most 100 of each are
 * returned. The scopes of the key do not matter.
 *
 * @throws ProblemError `social-set:not_found`, `request:invalid_query`
 */
export async function validatePostSet(
  deps: PostSetDeps,
  caller: Caller,
  { body, query }: { body: AskedBody<PostSetCreate>; query: AskedQuery<undefined> },
): Promise<PostSetValidation> {
  const place = await placeOfNew(deps.db, caller, body)
  query.read()
  const read = body.readBy((...asked) => ({ ok: true, value: checkCreate(deps, place, ...asked) }))
  if (!read.ok) return { valid: false, problems: read.entries.slice(0, LIMITS.problems), warnings: [], counts: [] }
  const wanted = read.value
  const { socialSet, status, approval, repeat, posts } = wanted
  const facts = await readFacts(deps.db, socialSet.id, posts)
  const rules = await checkRules(deps.db, deps.networks, {
    socialSetId: socialSet.id,
    posts,
    facts,
    connections: socialSet.connections,
    byPerson: caller.member !== null,
  })
  const ofPlan = planProblems(caller.plan, {
    approval: approval !== 'NONE',
    repeat: repeat !== null,
    posts: plannedPosts(posts, facts),
  })
  const scheduled = status === 'SCHEDULED'
  const byRule = ruleProblem(await ruleFor(deps.db, caller, socialSet.id), caller, {
    before: null,
    after: { approval, status },
    edits: true,
    touches: true,
  })
  const problems = [
    ...(byRule === null ? [] : [entryAt(['status'], 'post-set:approval_required', byRule)]),
    ...ofPlan,
    ...(await monthlyPostsProblems(deps.db, caller, wanted.times.length)),
    ...(await budgetProblems(deps.db, caller, wanted.times.length)),
    ...missingMedia({ socialSetId: socialSet.id, posts, facts }),
    ...(scheduled ? rules.problems : []),
  ]
  const warnings = [...(scheduled ? checkPast(wanted) : rules.problems), ...rules.warnings]
  const most = LIMITS.problems
  return {
    valid: problems.length === 0,
    problems: problems.slice(0, most),
    warnings: warnings.slice(0, most),
    counts: rules.counts,
  }
}

function checkPast({ socialSet, times: [first] }: WantedPostSet): ProblemEntry[] {
  const code = 'post-set:publishes_at_once'
  return first > socialSet.now ? [] : [entryAt(['scheduledAt'], code, `${POST_SET_WARNINGS[code]}.`)]
}
