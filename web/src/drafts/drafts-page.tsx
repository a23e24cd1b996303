import '../design/more-styles.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo } from 'react'
import type { SocialSet } from '#contract'
import { usePreferences } from '../api/session.ts'
import { PageTitle } from '../design/page-title.tsx'
import rows from '../design/rows.module.css'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { socialSetsQuery, useAllBrands, useSocialSet } from '../frame/social-sets.ts'
import { makeMarks } from '../planning/brands/brand-marks.tsx'
import { PostSetActionsProvider } from '../post-set-actions/post-set-actions-provider.tsx'
import { useViewerZone } from '../time/viewer.ts'
import { DraftsList, type DraftsOver } from './drafts-list.tsx'

/** What is written and does not go out: drafts of a brand, or of all, and the way to schedule them. */
export function Page(): ReactNode {
  const { t } = useLingui()
  const { socialSet, missing, sets } = useSocialSet()
  const all = useAllBrands()
  const { error, refetch } = useQuery(socialSetsQuery)
  return (
    <div className={rows.page}>
      <PageTitle title={t`Drafts`} />
      {all && sets ? <AllDrafts sets={sets} /> : socialSet && <Drafts key={socialSet.id} socialSet={socialSet} />}
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

function AllDrafts({ sets }: { sets: readonly SocialSet[] }) {
  const zone = useViewerZone()
  const preferences = usePreferences()
  const over = useMemo(() => {
    const brands = new Map(sets.map((set) => [set.id, set]))
    return { brands, zone, ...makeMarks({ brands, zone, preferences }) }
  }, [sets, zone, preferences])
  return <Drafts socialSet={null} over={over} />
}

function Drafts({ socialSet, over }: { socialSet: SocialSet | null; over?: DraftsOver }) {
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
    <PostSetActionsProvider socialSet={socialSet} {...(over ? { over } : {})} onFocus={onFocus} onLeave={onLeave}>
      <DraftsList socialSet={socialSet} {...(over ? { over } : {})} onClosed={onFocus} />
    </PostSetActionsProvider>
  )
}
