import { plural } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, Checkbox } from '@mantine/core'
import { IconPencil } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import type { SocialSet } from '#contract'
import * as LIMITS from '#contract/limits'
import { lazyWithWords } from '../api/code.ts'
import { useMay } from '../api/session.ts'
import { Part } from '../design/part.tsx'
import rows from '../design/rows.module.css'
import { ShowMore } from '../design/show-more.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { RouterButton } from '../frame/links.tsx'
import { changedSearch } from '../frame/search.ts'
import { useBrandSearch } from '../frame/social-sets.ts'
import type { BrandMarks } from '../planning/brands/brand-marks.tsx'
import { DraftRow } from './draft-row.tsx'
import { DRAFT_APPROVALS } from './draft-words.ts'
import { DraftsBar } from './drafts-bar.tsx'
import { DraftsFilters, type DraftsSearch } from './drafts-filters.tsx'
import { useDrafts } from './drafts-query.ts'
import { UnsavedList } from './unsaved-list.tsx'
import { useAuthors } from './use-authors.ts'
import { useStaying } from './use-staying.ts'

const PostSetPanel = lazyWithWords(() =>
  import('../post-set/post-set-panel.tsx').then(({ PostSetPanel }) => ({ default: PostSetPanel })),
)

/** All brands, by their ids, and by whose clock their drafts are listed. */
export interface DraftsOver extends BrandMarks {
  brands: ReadonlyMap<string, SocialSet>
  zone: string
}

interface DraftsListProps {
  /** Null where the list is over all brands. */
  socialSet: SocialSet | null
  over?: DraftsOver
  /** The panel of a draft was closed. */
  onClosed: (id: string) => void
}

/** The drafts of a brand, or of all, with what narrows them and what is done to them. */
export function DraftsList({ socialSet, over, onClosed }: DraftsListProps) {
  const { t } = useLingui()
  const search: DraftsSearch = useSearch({ from: '/member/drafts' })
  const navigate = useNavigate({ from: '/drafts' })
  const query = useDrafts({
    socialSetId: socialSet?.id ?? null,
    search: search.q ?? '',
    label: search.label ?? null,
    approval: DRAFT_APPROVALS.find((approval) => approval === search.approval) ?? null,
    sort: search.sort === 'newest' ? 'newest' : 'time',
  })
  const drafts = useStaying(query.data?.pages.flatMap(({ data }) => data) ?? [], query.dataUpdatedAt)
  const authors = useAuthors(socialSet?.id ?? null, drafts)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const chosen = drafts.filter(({ id }) => selected.has(id))
  const total = query.data?.pages[0]?.pagination.total ?? 0
  const filtered = [search.label, search.approval].some((value) => value !== undefined) || isSearching(search)
  const change = (next: { [Name in keyof DraftsSearch]: DraftsSearch[Name] | undefined }) =>
    void navigate({ search: (now) => changedSearch<DraftsSearch>(now, next), replace: true, resetScroll: false })
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    setSelected(next)
  }
  const open = search.post
  // The same between renders: a panel whose draft is gone closes by itself, once. Back does not open it again.
  const close = useCallback(() => {
    void navigate({
      search: (now) => changedSearch<DraftsSearch>(now, { post: undefined }),
      replace: true,
      resetScroll: false,
    })
    if (open !== undefined) onClosed(open)
  }, [navigate, onClosed, open])
  const opened = drafts.find(({ id }) => id === open)
  const written = socialSet ?? over?.brands
  // Of one that is not listed here, its panel finds the brand.
  const panelOf = socialSet ?? (opened && over?.brands.get(opened.socialSetId)) ?? over?.brands.values().next().value
  const all = drafts.length > 0 && chosen.length === drafts.length
  return (
    <>
      <DraftsFilters search={search} onChange={change} />
      {!filtered && written && <UnsavedList brands={written} />}
      {query.error && !query.data ? (
        <ErrorState
          title={t`The drafts could not be loaded`}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : query.isPending ? (
        <LoadingRows rows={6} height={64} label={t`Loading the drafts…`} />
      ) : drafts.length === 0 ? (
        <Nothing filtered={filtered} onClear={() => change({ q: undefined, label: undefined, approval: undefined })} />
      ) : (
        <section aria-label={t`Drafts`}>
          <div className={rows.head}>
            <Checkbox
              size="xs"
              label={t`Select all`}
              checked={all}
              indeterminate={chosen.length > 0 && !all}
              onChange={() => setSelected(new Set(all ? [] : drafts.map(({ id }) => id)))}
            />
            <span className={rows.number} role="status">
              {plural(total, { one: '# draft', other: '# drafts' })}
            </span>
          </div>
          <ul className={rows.list}>
            {drafts.map((draft) => (
              <DraftRow
                key={draft.id}
                draft={draft}
                zone={over?.zone ?? socialSet?.timezone ?? 'UTC'}
                over={over ?? null}
                author={authors.get(draft.id) ?? null}
                selected={selected.has(draft.id)}
                onToggle={toggle}
              />
            ))}
          </ul>
          <ShowMore query={query} />
        </section>
      )}
      <Part>
        {search.post !== undefined && panelOf && (
          <PostSetPanel
            key={search.post}
            socialSet={panelOf}
            postSetId={search.post}
            order={drafts.map(({ id }) => id)}
            onOpen={(post) => change({ post })}
            onClose={close}
          />
        )}
      </Part>
      {chosen.length > 0 && <DraftsBar drafts={chosen} onClear={() => setSelected(new Set())} />}
    </>
  )
}

function isSearching({ q = '' }: DraftsSearch): boolean {
  return q.trim().length >= LIMITS.searchCodePoints
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const ofBrand = useBrandSearch()
  const mayWrite = useMay('post-sets:write')
  if (filtered) {
    return (
      <EmptyState
        action={
          <Button variant="default" onClick={onClear}>
            <Trans>Clear filters</Trans>
          </Button>
        }
      >
        <Trans>No draft matches the filters.</Trans>
      </EmptyState>
    )
  }
  return (
    <EmptyState
      icon={<IconPencil size={32} aria-hidden />}
      action={
        mayWrite && (
          <RouterButton to="/scheduling/calendar/$view" params={{ view: 'month' }} search={{ ...ofBrand, post: 'new' }}>
            <Trans>New post</Trans>
          </RouterButton>
        )
      }
    >
      <Trans>There are no drafts. What you write and do not schedule yet is kept here.</Trans>
    </EmptyState>
  )
}
