import '../design/more-styles.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { MediaShape, MediaShown, MediaSort, SocialSet } from '#contract'
import { PageTitle } from '../design/page-title.tsx'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { changedSearch } from '../frame/search.ts'
import { socialSetsQuery, useSocialSet } from '../frame/social-sets.ts'
import type { LibraryFilters } from '../library/library-queries.ts'
import { BrandMedia } from './brand-media.tsx'
import classes from './media.module.css'

/** What is in the address, beside the brand. */
interface MediaSearch {
  set?: string
  q?: string
  kind?: string
  shape?: string
  shown?: string
  /** `this` or `last`: files of that month. */
  month?: string
  /** Id of a label. */
  label?: string
  sort?: string
  /** Id of the file that is looked at. */
  file?: string
}

type Change = { [Name in keyof MediaSearch]: MediaSearch[Name] | undefined }

/** The files of a brand. */
export function Page(): ReactNode {
  const { t } = useLingui()
  const { socialSet, missing, sets } = useSocialSet()
  const { error, refetch } = useQuery(socialSetsQuery)
  return (
    <div className={classes.page}>
      {socialSet ? <Media key={socialSet.id} socialSet={socialSet} /> : <PageTitle title={t`Media`} />}
      {(missing || sets?.length === 0) && (
        <EmptyState>
          <Trans>There is no such brand, or you may not see it.</Trans>
        </EmptyState>
      )}
      {!sets && error && (
        <ErrorState title={t`The brands could not be loaded`} error={error} onRetry={() => void refetch()} />
      )}
      {!sets && !error && <LoadingRows rows={3} height={200} />}
    </div>
  )
}

function Media({ socialSet }: { socialSet: SocialSet }) {
  const search: MediaSearch = useSearch({ from: '/member/media' })
  const navigate = useNavigate({ from: '/media' })
  const change = (next: (now: MediaSearch) => Change, replace: boolean) =>
    void navigate({ search: (now) => changedSearch<MediaSearch>(now, next(now)), replace, resetScroll: false })
  return (
    <BrandMedia
      socialSet={socialSet}
      filters={filtersOf(search)}
      // Of what the address says by then: another change may be on its way into it.
      onFilters={(filters) => change((now) => searchOf({ ...filtersOf(now), ...filters }), true)}
      opened={search.file ?? null}
      // Back closes what was opened.
      onOpen={(file) => change(() => ({ file: file ?? undefined }), file === null)}
    />
  )
}

const oneOf = <T extends string>(text: string | undefined, all: readonly T[]): T | null =>
  all.find((each) => each === text?.toUpperCase()) ?? null

const SHAPES: readonly MediaShape[] = ['SQUARE', 'PORTRAIT', 'VERTICAL', 'LANDSCAPE']
const SHOWN: readonly MediaShown[] = ['USED', 'UNUSED', 'NO_ALT_TEXT', 'DELETED']
const SORTS: readonly MediaSort[] = ['NEWEST', 'OLDEST', 'NAME', 'LARGEST']

function filtersOf({ q, kind, shape, shown, month, label, sort }: MediaSearch): LibraryFilters {
  return {
    search: q ?? '',
    type: oneOf(kind, ['IMAGE', 'VIDEO', 'DOCUMENT']),
    shape: oneOf(shape, SHAPES),
    shown: oneOf(shown, SHOWN),
    month: oneOf(month, ['THIS', 'LAST']),
    label: label ?? null,
    sort: oneOf(sort, SORTS) ?? 'NEWEST',
  }
}

function searchOf({ search, type, shape, shown, month, label, sort }: LibraryFilters) {
  return {
    q: search || undefined,
    kind: type?.toLowerCase(),
    shape: shape?.toLowerCase(),
    shown: shown?.toLowerCase(),
    month: month?.toLowerCase(),
    label: label ?? undefined,
    sort: sort === 'NEWEST' ? undefined : sort.toLowerCase(),
  }
}
