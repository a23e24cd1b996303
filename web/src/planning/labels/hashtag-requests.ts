import type { HashtagGroup } from '#contract'
import { change, readAgain } from '../../api/change.ts'
import { call } from '../../api/client.ts'

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
