import type { ApprovalItem, ApprovalRuleBody, ApprovalsPage, ApprovalTab } from '#contract'
import { done } from '../browser/dashboard-api.ts'
import { type Answer, type Api, BLUESKY_POST, type Body } from './api.ts'
import type { Person } from './members.ts'

export const APPROVE = { decision: 'approve' }
export const CHANGES = { decision: 'request-changes', message: 'Shorter, please.' }
export const FUTURE = '2090-06-01T10:00:00Z'

/** Gives a brand of a test a rule of approval. */
export async function setRule(
  api: Api,
  rule: Partial<ApprovalRuleBody>,
  socialSetId: string = api.socialSetId,
): Promise<void> {
  await api.db
    .updateTable('social_sets')
    .set({
      approval_rule: rule.rule ?? 'OPTIONAL',
      approval_reviewers: rule.reviewers ?? 1,
    })
    .where('id', '=', socialSetId)
    .execute()
}

/** What members do in reviews. Answers are given as they came, where a test may want the problem. */
export function reviewsOf(person: Person) {
  return {
    /** Creates a draft that waits for a review. */
    ask: (api: Api, more: object = {}): Promise<Body> =>
      done(
        person.request('POST', '/post-sets', {
          body: api.draft({ approval: 'PENDING', scheduledAt: FUTURE, posts: [BLUESKY_POST], ...more }),
        }),
        201,
      ),
    read: (id: string): Promise<ApprovalItem> => done(person.request('GET', `/post-sets/${id}/review`)),
    decide: (id: string, body: object, version: number | '*' = '*'): Promise<Answer> =>
      person.request('POST', `/post-sets/${id}/review`, {
        body,
        headers: { 'if-match': version === '*' ? '*' : `"${version}"` },
      }),
    /** What no one is left to approve, for the whole team. */
    approveAlone: (id: string, reason = 'The others are away.'): Promise<Answer> =>
      person.request('POST', `/post-sets/${id}/review`, {
        body: { decision: 'approve', reason },
        headers: { 'if-match': '*' },
      }),
    approve: (id: string): Promise<Body> =>
      done(person.request('POST', `/post-sets/${id}/review`, { body: APPROVE, headers: { 'if-match': '*' } })),
    patch: (id: string, body: object): Promise<Answer> => person.request('PATCH', `/post-sets/${id}`, { body }),
    /** Changes the caption of the first post. */
    async edit(id: string, caption: string, more: object = {}): Promise<Answer> {
      const { posts } = await done(person.request('GET', `/post-sets/${id}`))
      return person.request('PATCH', `/post-sets/${id}`, { body: { posts: [{ ...posts[0], caption }], ...more } })
    },
    list: (tab: ApprovalTab, query: Record<string, string> = {}): Promise<ApprovalsPage> =>
      done(person.request('GET', `/approvals?${new URLSearchParams({ tab, ...query })}`)),
    counts: (): Promise<Body> => done(person.request('GET', '/approvals/counts')),
  }
}

export const idsOf = ({ data }: ApprovalsPage) => data.map(({ id }) => id)
