import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { SocialSet } from '#contract'
import { dayOf } from '../planning/dates/dates.ts'
import { postSetQuery } from '../post-set/post-set-queries.ts'
import type { useCalendarAddress } from './address.ts'

/**
 * The address always names the social set: everyone who gets it sees the same one. A link to a post set names no day: it
 * leads to the month of the set, and to its social set if that is another one, or if all are shown (null).
 */
export function useDeepLink({ search, go }: ReturnType<typeof useCalendarAddress>, socialSet: SocialSet | null): void {
  const { post, date, set } = search
  const asked = post !== undefined && post !== 'new' && date === undefined
  const { data } = useQuery({ ...postSetQuery(post ?? ''), enabled: asked })
  const { id, timezone } = socialSet ?? {}
  useEffect(() => {
    if (set === undefined && id !== undefined) go({ set: id, replace: true })
  }, [set, id, go])
  useEffect(() => {
    if (!asked || data?.id !== post || !data) return
    if (data.socialSetId !== id) return go({ set: data.socialSetId, replace: true })
    if (timezone !== undefined) go({ date: dayOf(data.scheduledAt, timezone), replace: true })
  }, [asked, data, post, id, timezone, go])
}
