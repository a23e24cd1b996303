import type { AccountType } from '#contract'
import type { Api } from '../api/api.ts'
import type { Person } from '../api/members.ts'

/** Connects the demo account of a new social set, whose name it gets. */
export async function demoConnection(
  api: Api,
  owner: Person,
  { accountType, name }: { accountType: AccountType; name: string },
): Promise<{ id: string; socialSetId: string }> {
  const socialSetId = await api.newSocialSet({ name })
  await owner.request('POST', '/connections/sandbox', { body: { socialSetId, accountTypes: [accountType] } })
  const { connections } = (await owner.request('GET', `/connections?socialSetId=${socialSetId}`)).body
  return { id: connections[0].id, socialSetId }
}
