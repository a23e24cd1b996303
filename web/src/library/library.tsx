import { plural, t } from '@lingui/core/macro'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button } from '@mantine/core'
import { type ReactNode, useCallback } from 'react'
import type { AccountType, LibraryFile, SocialSet } from '#contract'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import classes from './library.module.css'
import { LibraryFilters } from './library-filters.tsx'
import { LibraryGrid } from './library-grid.tsx'
import { type LibraryFilters as Filters, filesOfQuery, isNarrowed, NO_FILTERS, useLibrary } from './library-queries.ts'

interface LibraryProps {
  socialSet: SocialSet
  filters: Filters
  /** What changes of them; the rest stays as it is by then. */
  onFilters: (change: Partial<Filters>) => void
  /** Ids of files. */
  selected: ReadonlySet<string>
  onToggle: (file: LibraryFile) => void
  onOpen?: (file: LibraryFile) => void
  onDelete?: (file: LibraryFile) => void
  /** Id of a file that is not shown. */
  without?: string
  /** What the files are for: says of each file which of them do not take it. */
  accountTypes?: readonly AccountType[]
  /** What is shown while there is no file at all. */
  empty: ReactNode
}

const NO_NETWORKS: readonly AccountType[] = []

/** The files of a brand: the screen and the picker are this. */
export function Library(props: LibraryProps) {
  const { socialSet, filters, onFilters, selected, onToggle, onOpen, onDelete, empty } = props
  const { accountTypes = NO_NETWORKS, without } = props
  const { t } = useLingui()
  const query = useLibrary(socialSet.id, filters, accountTypes)
  const all = filesOfQuery(query)
  const files = all.filter(({ id }) => id !== without)
  const hidden = all.length - files.length
  const [first] = query.data?.pages ?? []
  const { isFetchingNextPage, fetchNextPage } = query
  const more = useCallback(() => {
    if (!isFetchingNextPage) void fetchNextPage()
  }, [isFetchingNextPage, fetchNextPage])
  return (
    <div className={classes.library}>
      <LibraryFilters filters={filters} onChange={onFilters} picks={onOpen === undefined} />
      {query.error && !query.data ? (
        <ErrorState
          title={t`The library could not be loaded`}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : query.isPending ? (
        <LoadingRows rows={3} height={200} label={t`Loading the library…`} />
      ) : files.length === 0 ? (
        isNarrowed(filters) ? (
          <EmptyState
            action={
              <Button variant="default" onClick={() => onFilters({ ...NO_FILTERS, sort: filters.sort })}>
                <Trans>Clear filters</Trans>
              </Button>
            }
          >
            <Trans>No file matches the filters.</Trans>
          </EmptyState>
        ) : (
          empty
        )
      ) : (
        <>
          <p className={classes.count} role="status">
            {countWords((first?.total ?? all.length) - hidden, first?.totalIsExact ?? true)}
          </p>
          <LibraryGrid
            files={files}
            total={first?.totalIsExact && first.total !== null ? first.total - hidden : null}
            selected={selected}
            onToggle={onToggle}
            onOpen={onOpen}
            onDelete={onDelete}
            networks={accountTypes.length}
            hasMore={query.hasNextPage && !query.isFetchNextPageError}
            onMore={more}
          />
          {query.isFetchNextPageError && (
            <Button variant="default" mt="xs" onClick={() => void query.fetchNextPage()}>
              <Trans>Show more</Trans>
            </Button>
          )}
        </>
      )}
    </div>
  )
}

function countWords(total: number, isExact: boolean): string {
  if (isExact) return plural(total, { one: '# file', other: '# files' })
  return t`More than ${total} files`
}
