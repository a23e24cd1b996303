import { useQuery } from '@tanstack/react-query'
import { type ReactNode, Suspense } from 'react'
import type { SocialSet } from '#contract'
import { call } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'
import { useMay } from '../api/session.ts'
import { lazyWithWords } from '../language/lazy-with-words.ts'
import { useDismissed } from './dismissed.ts'

// Most calendars have a post.
const FirstSteps = lazyWithWords(() => import('./first-steps.tsx').then(({ FirstSteps }) => ({ default: FirstSteps })))

interface FirstRunProps {
  socialSet: SocialSet
  /** The calendar shows nothing, and no filter is to blame. */
  empty: boolean
  /** What is shown to everyone else. */
  children: ReactNode
}

/** Leads to the first post of a brand, over a calendar that has never had one, until it is hidden. */
export function FirstRun({ socialSet, empty, children }: FirstRunProps) {
  const mayWrite = useMay('post-sets:write')
  const mayConnect = useMay('connections:manage')
  const [hidden, hide] = useDismissed(`first-run.${socialSet.id}`)
  const may = mayWrite && (mayConnect || socialSet.accounts.length > 0)
  const { data } = useQuery({
    queryKey: queryKeys.postSets.list({ any: socialSet.id }),
    queryFn: ({ signal }) => call('GET /post-sets', { query: { socialSetId: socialSet.id, size: 1 }, signal }),
    enabled: empty && may && !hidden,
  })
  const first = empty && may && !hidden && data?.pagination.total === 0
  return first ? (
    <Suspense>
      <FirstSteps socialSet={socialSet} onHide={hide} />
    </Suspense>
  ) : (
    children
  )
}
