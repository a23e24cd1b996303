import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { AccountType, Hold } from '#contract'
import { holdsQuery } from '../frame/stops.ts'
import { placeOf } from '../holds/hold-words.ts'

type Posts = readonly { accountType: AccountType }[]

/** What keeps posts of a brand from going out: its whole, or the first of their accounts that is stopped. */
export function stopOf(holds: readonly Hold[], socialSetId: string, posts: Posts): Hold | null {
  const isOfAll = ({ scope, socialSetId: of }: Hold) =>
    scope === 'ACCOUNT' || (scope === 'SOCIAL_SET' && of === socialSetId)
  const isOfOne = ({ socialSetId: of, accountType: type }: Hold) =>
    of === socialSetId && posts.some(({ accountType }) => accountType === type)
  return holds.find(isOfAll) ?? holds.find(isOfOne) ?? null
}

export function useStop(socialSetId: string, posts: Posts): Hold | null {
  return stopOf(useQuery(holdsQuery).data?.data ?? [], socialSetId, posts)
}

/** Says so where the post is about to be sent. */
export function stoppedWords(hold: Hold): string {
  const place = placeOf(hold)
  return hold.accountType === null
    ? t`Publishing is stopped for ${place}. This goes out once it resumes.`
    : t`Publishing is stopped for ${place}. There it goes out once it resumes.`
}
