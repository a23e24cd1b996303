import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SocialSet } from '#contract'
import { call } from '../api/client.ts'
import { lazyWithWords } from '../api/code.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay } from '../api/session.ts'
import { Part } from '../design/part.tsx'
import { useDismissed } from './dismissed.ts'

// Most calendars have a post.
const FirstSteps = lazyWithWords(() => import('./first-steps.tsx').then(({ FirstSteps }) => ({ default: FirstSteps })))

/**
 * Leads to the first post of a brand, over a calendar that has never had one, until it is hidden. Null for everyone else.
 *
 * @param empty the calendar shows nothing, and no filter is to blame
 */
export function useFirstSteps(socialSet: SocialSet | null, empty: boolean): ReactNode {
  const mayWrite = useMay('post-sets:write')
  const mayConnect = useMay('connections:manage')
  const [hidden, hide] = useDismissed(`first-run.${socialSet?.id}`)
  const may = socialSet !== null && mayWrite && (mayConnect || socialSet.accounts.length > 0)
  const { data } = useQuery({
    queryKey: queryKeys.postSets.list({ any: socialSet?.id }),
    queryFn: ({ signal }) => call('GET /post-sets', { query: { socialSetId: socialSet?.id ?? '', size: 1 }, signal }),
    enabled: empty && may && !hidden,
  })
  if (!empty || !may || !socialSet || hidden || data?.pagination.total !== 0) return null
  return (
    <Part>
      <FirstSteps socialSet={socialSet} onHide={hide} />
    </Part>
  )
}
