import { ShowMore } from '../design/show-more.tsx'
import '../design/more-styles.ts'
import { Trans, useLingui } from '@lingui/react/macro'
import { Button, NativeSelect } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type ReactNode, useCallback, useState } from 'react'
import type { ApprovalItem, ApprovalTab, SocialSet } from '#contract'
import { announce } from '../design/announce.tsx'
import { PageTitle } from '../design/page-title.tsx'
import rows from '../design/rows.module.css'
import { ErrorState, LoadingRows } from '../design/states.tsx'
import { useStillList } from '../design/still.ts'
import { lastUndo } from '../design/undo-stack.ts'
import { changedSearch } from '../frame/search.ts'
import { socialSetsQuery } from '../frame/social-sets.ts'
import { useIsWide } from '../frame/use-is-wide.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { Answered, ApprovalRow, type RowAnswer } from './approval-row.tsx'
import classes from './approvals.module.css'
import { type ApprovalsSearch, itemsOf, readTab, TABS, useApprovals } from './approvals-query.ts'
import { ApproveBar } from './approve-bar.tsx'
import { useApprovalCounts } from './counts.ts'
import { NoApprovals } from './no-approvals.tsx'
import { ReviewView } from './review-view.tsx'
import { useListKeys } from './use-list-keys.ts'

const ELSEWHERE: RowAnswer = { how: 'elsewhere', entry: undefined }

/** What waits for the member's approval, what the member asked for, and what was decided. */
export function Page(): ReactNode {
  const { t } = useLingui()
  const search: ApprovalsSearch = useSearch({ from: '/member/approvals' })
  const navigate = useNavigate({ from: '/approvals' })
  const wide = useIsWide()
  const { data: brands = [] } = useQuery(socialSetsQuery)
  const tab = readTab(search)
  const query = useApprovals(tab, search.brand ?? null)
  const items = itemsOf(query)
  // What waits stays where it is for a while after it was decided. The others say what is so now.
  const still = useStillList(items, `${tab} ${search.brand} ${query.isPending}`)
  const listed = tab === 'decided' ? items : still
  const [decided, setDecided] = useState<ReadonlyMap<string, RowAnswer>>(new Map())
  const noteDecided = (ids: readonly string[], how: RowAnswer['how']) => {
    // Of several there is one way back for all, in its own message.
    const entry = ids.length === 1 ? lastUndo() : undefined
    setDecided((before) => new Map([...before, ...ids.map((id) => [id, { how, entry }] as const)]))
  }
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const change = useCallback(
    (next: { [Name in keyof ApprovalsSearch]: ApprovalsSearch[Name] | undefined }, replace = true) => {
      // Another post is read from its beginning.
      window.scrollTo(0, 0)
      void navigate({
        search: (now: ApprovalsSearch) => changedSearch<ApprovalsSearch>(now, next),
        replace,
        resetScroll: false,
      })
    },
    [navigate],
  )
  // A wide screen has the first one beside the list; a narrow one has either.
  const shown = search.post ?? (wide ? items[0]?.id : undefined)
  const place = items.findIndex(({ id }) => id === shown)
  const open = useCallback(
    (id: string) => {
      change({ post: id }, wide)
      // On a narrow screen the list has gone, and the link with it.
      if (!wide) requestAnimationFrame(() => focusOn(undefined))
    },
    [change, wide],
  )
  const step = (by: 1 | -1) => {
    const next = items[place === -1 ? 0 : place + by]
    if (!next) return announce(by === 1 ? t`This is the last one.` : t`This is the first one.`)
    change({ post: next.id })
    rowOf(next.id)?.scrollIntoView({ block: 'nearest' })
    announce(nameOf(next))
  }
  useListKeys(step)
  /** What was decided leaves the list of what waits: the one behind it is next. */
  const onDecided = (id: string, how: RowAnswer['how']) => {
    noteDecided([id], how)
    if (tab !== 'waiting') return
    const at = listed.findIndex((item) => item.id === id)
    const waits = (item: ApprovalItem) => item.id !== id && items.some((other) => other.id === item.id)
    const next = listed.slice(at + 1).find(waits) ?? listed.slice(0, Math.max(0, at)).findLast(waits)
    change({ post: next?.id })
    // The focus goes there: it is said aloud with it.
    requestAnimationFrame(() => focusOn(wide ? next?.id : undefined))
  }
  const toggle = (id: string) => {
    const next = new Set(selected)
    if (!next.delete(id)) next.add(id)
    setSelected(next)
  }
  const chosen = tab === 'waiting' ? items.filter(({ id }) => selected.has(id)) : []
  const goTo = (next: ApprovalTab) => {
    setSelected(new Set())
    change({ tab: next === 'waiting' ? undefined : next, post: undefined })
  }
  const hasList = wide || shown === undefined
  // Where the list is not beside the post, the way back is.
  const justDecided = [...decided].flatMap(([id, answer]) => {
    const item = listed.find((each) => each.id === id)
    return item && !items.some((each) => each.id === id) ? [{ item, answer }] : []
  })
  const last = tab === 'waiting' ? justDecided.at(-1) : undefined
  return (
    <div className={rows.page}>
      <PageTitle title={t`Approvals`} />
      {hasList && (
        <div className={rows.filters}>
          <Tabs tab={tab} onTab={goTo} />
          {brands.length > 1 && (
            <NativeSelect
              aria-label={t`Brand`}
              value={search.brand ?? ''}
              data={[
                { value: '', label: t`All brands` },
                ...brands.map(({ id, name }) => ({ value: id, label: name })),
              ]}
              onChange={({ currentTarget: { value } }) => change({ brand: value || undefined, post: undefined })}
            />
          )}
        </div>
      )}
      {query.error && !query.data ? (
        <ErrorState
          title={t`The approvals could not be loaded`}
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : query.isPending ? (
        <LoadingRows rows={6} height={72} label={t`Loading the approvals…`} />
      ) : listed.length === 0 && search.post === undefined ? (
        <NoApprovals tab={tab} />
      ) : (
        <div className={classes.columns}>
          {hasList && (
            <section className={classes.inbox} aria-label={t`Posts`}>
              <List
                items={listed}
                shown={shown}
                answerOf={({ id }) =>
                  tab !== 'waiting' || items.some((item) => item.id === id) ? null : (decided.get(id) ?? ELSEWHERE)
                }
                selected={tab === 'waiting' ? selected : null}
                brandOf={(item) =>
                  brands.length > 1 ? (brands.find(({ id }) => id === item.socialSetId) ?? null) : null
                }
                onOpen={open}
                onToggle={toggle}
              />
              <ShowMore query={query} />
            </section>
          )}
          {shown !== undefined && (
            <div className={classes.review}>
              {!hasList && (
                <div className={classes.back}>
                  <Button
                    variant="subtle"
                    color="gray"
                    size="compact-md"
                    leftSection={<IconArrowLeft size={16} aria-hidden />}
                    onClick={() => change({ post: undefined })}
                  >
                    <Trans>All approvals</Trans>
                  </Button>
                  {last && <Answered {...last} />}
                </div>
              )}
              <ReviewView key={shown} postSetId={shown} onDecided={(how) => onDecided(shown, how)} />
            </div>
          )}
        </div>
      )}
      {tab === 'waiting' && (
        <ApproveBar
          items={chosen}
          onApproved={(ids) => noteDecided(ids, 'approved')}
          onClear={() => setSelected(new Set())}
        />
      )}
    </div>
  )
}

/** Puts the focus on a post of the list, or on the main part of the page. */
function focusOn(id: string | undefined): void {
  const place = (id && rowOf(id)) || document.querySelector<HTMLElement>('main')
  place?.focus()
}

/** The link of a post in the list. */
function rowOf(id: string): HTMLElement | null {
  return document.querySelector(`[data-item="approval-${CSS.escape(id)}"] a`)
}

function Tabs({ tab, onTab }: { tab: ApprovalTab; onTab: (tab: ApprovalTab) => void }) {
  const { t } = useLingui()
  const counts = useApprovalCounts()
  const words: Record<ApprovalTab, { label: string; number: number | undefined }> = {
    waiting: { label: t`Waiting for me`, number: counts?.waiting },
    requested: { label: t`Requested by me`, number: counts?.requested },
    decided: { label: t`Decided`, number: undefined },
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no place in a row of buttons
    <div className={rows.segments} role="group" aria-label={t`Which approvals`}>
      {TABS.map((name) => (
        <button key={name} type="button" aria-pressed={tab === name} onClick={() => onTab(name)}>
          {words[name].label}{' '}
          {words[name].number !== undefined && <span className={rows.number}>{words[name].number}</span>}
        </button>
      ))}
    </div>
  )
}

interface ListProps {
  items: readonly ApprovalItem[]
  shown: string | undefined
  /** Null where none can be chosen. */
  selected: ReadonlySet<string> | null
  brandOf: (item: ApprovalItem) => SocialSet | null
  /** What became of one that does not wait any more and is still there; null of the others. */
  answerOf: (item: ApprovalItem) => RowAnswer | null
  onOpen: (id: string) => void
  onToggle: (id: string) => void
}

function List({ items, shown, selected, brandOf, answerOf, onOpen, onToggle }: ListProps) {
  return (
    <ul className={classes.list}>
      {items.map((item) => (
        <ApprovalRow
          key={item.id}
          item={item}
          brand={brandOf(item)}
          current={item.id === shown}
          answer={answerOf(item)}
          selected={selected === null ? null : selected.has(item.id)}
          onOpen={onOpen}
          onToggle={onToggle}
        />
      ))}
    </ul>
  )
}
