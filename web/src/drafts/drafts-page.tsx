import '../design/more-styles.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback } from 'react'
import type { SocialSet } from '#contract'
import { PageTitle } from '../design/page-title.tsx'
import rows from '../design/rows.module.css'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { socialSetsQuery, useSocialSet } from '../frame/social-sets.ts'
import { PostSetActionsProvider } from '../post-set-actions/post-set-actions-provider.tsx'
import { DraftsList } from './drafts-list.tsx'

/** What is written and does not go out: drafts of a brand, and the way to schedule them. */
export function Page(): ReactNode {
  const { t } = useLingui()
  const { socialSet, missing, sets } = useSocialSet()
  const { error, refetch } = useQuery(socialSetsQuery)
  return (
    <div className={rows.page}>
      <PageTitle title={t`Drafts`} />
      {socialSet && <Drafts key={socialSet.id} socialSet={socialSet} />}
      {(missing || sets?.length === 0) && (
        <EmptyState>
          <Trans>There is no such brand, or you may not see it.</Trans>
        </EmptyState>
      )}
      {!sets && error && (
        <ErrorState title={t`The brands could not be loaded`} error={error} onRetry={() => void refetch()} />
      )}
      {!sets && !error && <LoadingRows rows={6} height={64} />}
    </div>
  )
}

function Drafts({ socialSet }: { socialSet: SocialSet }) {
  // After an action the focus is on the row, or on the main part when the row has gone with it.
  const onFocus = useCallback((id: string) => {
    requestAnimationFrame(() => {
      const row = document.querySelector<HTMLElement>(`[data-item="draft-${CSS.escape(id)}"] a`)
      const place = row ?? document.querySelector<HTMLElement>('main')
      place?.focus()
    })
  }, [])
  const onLeave = useCallback(() => document.querySelector<HTMLElement>('main')?.focus(), [])
  return (
    <PostSetActionsProvider socialSet={socialSet} onFocus={onFocus} onLeave={onLeave}>
      <DraftsList socialSet={socialSet} onClosed={onFocus} />
    </PostSetActionsProvider>
  )
}
