import type { ApprovalRule, ApprovalRuleBody, HashtagGroup, SavedTime } from '#contract'
import { call } from '../api/client.ts'
import { queryClient } from '../api/query-client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** Changes the saved times of a brand from what they are now, so that what others changed meanwhile stays. */
export async function changeSavedTimes(id: string, change: (now: readonly SavedTime[]) => SavedTime[]): Promise<void> {
  const { times } = await call('GET /social-sets/:id/saved-times', { params: { id } })
  await call('PUT /social-sets/:id/saved-times', { params: { id }, body: { times: change(times) } })
  await readAgain(id)
}

export const isSame = (one: SavedTime, other: SavedTime) => one.weekday === other.weekday && one.time === other.time

export async function changeApprovalRule(id: string, body: ApprovalRuleBody): Promise<ApprovalRule> {
  const rule = await call('PUT /social-sets/:id/approval-rule', { params: { id }, body })
  await readAgain(id)
  return rule
}

export type HashtagFields = Pick<HashtagGroup, 'name' | 'tags'>

/** The list follows: the form is empty for the next group, and what was deleted can be undone, before it shows that. */
export async function createHashtagGroup(socialSetId: string, fields: HashtagFields): Promise<void> {
  await call('POST /hashtag-groups', { body: { socialSetId, ...fields } })
  void readAgain(socialSetId)
}

export async function updateHashtagGroup({ id, socialSetId }: HashtagGroup, fields: HashtagFields): Promise<void> {
  await call('PATCH /hashtag-groups/:id', { params: { id }, body: fields })
  await readAgain(socialSetId)
}

export async function removeHashtagGroup({ id, socialSetId }: HashtagGroup): Promise<void> {
  await call('DELETE /hashtag-groups/:id', { params: { id } })
  void readAgain(socialSetId)
}

function readAgain(socialSetId: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: queryKeys.socialSets.one(socialSetId) })
}
