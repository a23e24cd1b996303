import type { ApprovalRule, ApprovalRuleBody, HashtagGroup, SavedTime } from '#contract'
import { change, readAgain } from '../api/change.ts'
import { call } from '../api/client.ts'

/** Changes the saved times of a brand from what they are now, so that what others changed meanwhile stays. */
export async function changeSavedTimes(id: string, wanted: (now: readonly SavedTime[]) => SavedTime[]): Promise<void> {
  const { times } = await call('GET /social-sets/:id/saved-times', { params: { id } })
  await change('PUT /social-sets/:id/saved-times', { params: { id }, body: { times: wanted(times) } })
}

export const isSame = (one: SavedTime, other: SavedTime) => one.weekday === other.weekday && one.time === other.time

export async function changeApprovalRule(id: string, body: ApprovalRuleBody): Promise<ApprovalRule> {
  const rule = await change('PUT /social-sets/:id/approval-rule', { params: { id }, body })
  return rule
}

export type HashtagFields = Pick<HashtagGroup, 'name' | 'tags'>

/** The list follows: the form is empty for the next group, and what was deleted can be undone, before it shows that. */
export async function createHashtagGroup(socialSetId: string, fields: HashtagFields): Promise<void> {
  await call('POST /hashtag-groups', { body: { socialSetId, ...fields } })
  void readAgain('POST /hashtag-groups')
}

export async function updateHashtagGroup({ id }: HashtagGroup, fields: HashtagFields): Promise<void> {
  await change('PATCH /hashtag-groups/:id', { params: { id }, body: fields })
}

export async function removeHashtagGroup({ id }: HashtagGroup): Promise<void> {
  await call('DELETE /hashtag-groups/:id', { params: { id } })
  void readAgain('DELETE /hashtag-groups/:id')
}
