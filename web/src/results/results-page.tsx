import '../design/more-styles.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { Alert, Button } from '@mantine/core'
import { IconActivity } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useEffect, useState } from 'react'
import { useMay } from '../api/session.ts'
import { PageTitle } from '../design/page-title.tsx'
import rows from '../design/rows.module.css'
import { EmptyState, ErrorState, LoadingRows } from '../design/states.tsx'
import { isRetryAdvised, isSafeToRetry } from '../failures/failure-words.ts'
import { markSeen, useUnseen } from '../failures/queries.ts'
import { RouterButton } from '../frame/links.tsx'
import { nameOf } from '../planning/posts/subject.ts'
import { listFailures } from '../post-set-actions/failures-listed.ts'
import { type RetryAnswer, useRetry } from '../post-set-actions/use-retry.tsx'
import { DEFAULT_DAYS, GROUPS, type ResultsSearch, readFilters, readGroup, useBrands } from './filters.ts'
import { ResultsFilters } from './results-filters.tsx'
import { ResultsGroup } from './results-group.tsx'
import { itemsOf, totalOf, useResultGroup } from './results-query.ts'
import { RetryAnswers } from './retry-answers.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { useDone } from './use-done.ts'

/** The results of posts, in all brands: first what needs the member. */
export function Page(): ReactNode {
  const { t } = useLingui()
  const search = useSearch({ from: '/member/results' })
  const navigate = useNavigate({ from: '/results' })
  const brands = useBrands()
  const filters = readFilters(search)
  const only = readGroup(search)
  const groups = {
    'needs-you': useResultGroup('needs-you', filters),
    'not-confirmed': useResultGroup('not-confirmed', filters),
    inbox: useResultGroup('inbox', filters),
    published: useResultGroup('published', filters),
    done: useResultGroup('done', filters),
  }
  useEffect(listFailures, [])
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [retried, setRetried] = useState<{ at: number; answers: readonly RetryAnswer[] } | null>(null)
  const mayPublish = useMay('post-sets:publish')
  const see = useCallback(
    (id: string) =>
      void navigate({ to: '/scheduling/calendar/$view', params: { view: 'month' }, search: { post: id } }),
    [navigate],
  )
  const retry = useRetry({ see })
  const done = useDone()
  const failed = itemsOf(groups['needs-you'])
  const safe = mayPublish ? failed.filter(isSafeToRetry) : []
  const chosen = mayPublish ? failed.filter(({ id }) => selected.has(id)) : []
  const retriable = chosen.filter(isSafeToRetry)

  const narrowed = filters.network !== null || (only !== null && only !== 'needs-you')
  const tooFew = filters.days !== null && filters.days < DEFAULT_DAYS
  useMarkSeen(groups['needs-you'].data?.pages[0]?.newestFailureAt ?? null, {
    brand: filters.brand,
    shown: !narrowed && !tooFew,
  })

  const change = (next: ResultsSearch) => void navigate({ search: next, replace: true, resetScroll: false })
  const queries = Object.values(groups)
  const error = queries.find((query) => query.error && !query.data)?.error
  const loading = queries.some((query) => query.isPending)
  // What is done is shown to those who ask for it.
  const shownGroups = GROUPS.filter((group) => (only === null ? group !== 'done' : group === only))
  const nothing = !loading && (only === null ? GROUPS : [only]).every((group) => itemsOf(groups[group]).length === 0)
  const filtered = filters.brand !== null || filters.network !== null || only !== null || search.days !== undefined

  return (
    <div className={rows.page}>
      <PageTitle title={t`Results`} />
      <ResultsFilters
        search={search}
        brands={brands}
        totals={{
          'needs-you': totalOf(groups['needs-you']),
          'not-confirmed': totalOf(groups['not-confirmed']),
          inbox: totalOf(groups.inbox),
          published: totalOf(groups.published),
          done: totalOf(groups.done),
        }}
        onChange={change}
      />
      {retried && <RetryAnswers key={retried.at} {...retried} onClose={() => setRetried(null)} />}
      {error ? (
        <ErrorState
          title={t`The results could not be loaded`}
          error={error}
          onRetry={() => {
            for (const query of queries) void query.refetch()
          }}
        />
      ) : loading ? (
        <LoadingRows rows={6} height={64} label={t`Loading the results…`} />
      ) : nothing ? (
        <Nothing filtered={filtered} onClear={() => change({})} />
      ) : (
        <>
          {!mayPublish && failed.length > 0 && (
            <Alert color="gray" p="xs" mt="xs">
              <Trans>Owners, admins and editors can retry what failed.</Trans>
            </Alert>
          )}
          {shownGroups.map((group) => (
            <ResultsGroup
              key={group}
              group={group}
              query={groups[group]}
              brands={brands}
              // Of a group alone, that it has nothing is said below its name.
              optional={only === null && group !== 'needs-you'}
              retry={retry}
              done={done}
              selection={{
                advised: group === 'needs-you' ? safe.filter(isRetryAdvised) : [],
                selected,
                select: setSelected,
              }}
            />
          ))}
        </>
      )}
      {chosen.length > 0 && (
        <SelectionBar
          number={chosen.length}
          safe={retriable.length}
          busy={chosen.some(({ id }) => retry.busy.has(id))}
          marking={chosen.some(({ id }) => done.busy.has(id))}
          onDone={async () => {
            await done.mark(chosen, true, document.querySelector<HTMLElement>('section h2[tabindex]'))
            setSelected(new Set())
          }}
          onClear={() => setSelected(new Set())}
          onRetry={async () => {
            setRetried(null)
            const answers = await retry.retryAll(retriable.map((item) => ({ id: item.id, name: nameOf(item) })))
            if (!answers) return
            setRetried({ at: Date.now(), answers })
            setSelected(new Set())
          }}
        />
      )}
    </div>
  )
}

/** What failed has been seen when it was shown: not behind a filter, and not in a window out of sight. */
function useMarkSeen(until: string | null, { brand, shown }: { brand: string | null; shown: boolean }): void {
  const unseen = useUnseen()
  useEffect(() => {
    if (!shown || until === null || unseen === 0) return
    const mark = () => {
      // When it fails, the number stays: nothing is lost.
      if (document.visibilityState === 'visible') markSeen(until, brand).catch(() => {})
    }
    mark()
    document.addEventListener('visibilitychange', mark)
    return () => document.removeEventListener('visibilitychange', mark)
  }, [until, brand, shown, unseen])
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return filtered ? (
    <EmptyState
      action={
        <Button variant="default" onClick={onClear}>
          <Trans>Clear filters</Trans>
        </Button>
      }
    >
      <Trans>No results match the filters.</Trans>
    </EmptyState>
  ) : (
    <EmptyState
      icon={<IconActivity size={32} aria-hidden />}
      action={
        <RouterButton to="/scheduling/calendar/$view" params={{ view: 'month' }} search={{}}>
          <Trans>Go to the calendar</Trans>
        </RouterButton>
      }
    >
      <Trans>Nothing was due in the last 30 days. When a post has gone out, you see here what became of it.</Trans>
    </EmptyState>
  )
}
