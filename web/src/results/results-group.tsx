import { useLingui } from '@lingui/react/macro'
import { Checkbox } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCircleCheck, IconHelpCircle, IconInbox } from '@tabler/icons-react'
import { useId } from 'react'
import type { ResultGroup, SocialSet } from '#contract'
import rows from '../design/rows.module.css'
import { ShowMore } from '../design/show-more.tsx'
import type { Retry } from '../post-set-actions/use-retry.tsx'
import type { Selection } from './filters.ts'
import { PublishedRow } from './published-row.tsx'
import { ResultRow } from './result-row.tsx'
import classes from './results.module.css'
import { type GroupQuery, itemsOf, totalOf } from './results-query.ts'
import type { Done } from './use-done.ts'

interface ResultsGroupProps {
  group: ResultGroup
  query: GroupQuery
  brands: readonly SocialSet[]
  /** Not shown when there is nothing in it. */
  optional: boolean
  retry: Retry
  done: Done
  selection: Selection
}

/** One group under its heading. */
export function ResultsGroup({ group, query, brands, optional, retry, done, selection }: ResultsGroupProps) {
  const { t } = useLingui()
  const heading = useId()
  const items = itemsOf(query)
  if (optional && items.length === 0) return null
  const { title, none, Icon, tone } = {
    'needs-you': { title: t`Needs you`, none: t`Nothing needs you.`, Icon: IconAlertTriangle, tone: classes.danger },
    'not-confirmed': {
      title: t`Not confirmed yet`,
      none: t`Everything is confirmed.`,
      Icon: IconHelpCircle,
      tone: classes.warn,
    },
    inbox: { title: t`In the inbox`, none: t`Nothing waits in an inbox.`, Icon: IconInbox, tone: classes.warn },
    published: { title: t`Published`, none: t`Nothing was published.`, Icon: IconCircleCheck, tone: classes.ok },
    done: { title: t`Marked as done`, none: t`Nothing is marked as done.`, Icon: IconCheck, tone: undefined },
  }[group]
  return (
    <section aria-labelledby={heading}>
      <div className={rows.head}>
        <h2 id={heading} tabIndex={-1}>
          <Icon size={16} className={tone} aria-hidden /> {title} <span className={rows.number}>{totalOf(query)}</span>
        </h2>
        {selection.advised.length > 1 && <SelectAll {...selection} />}
      </div>
      {items.length === 0 ? (
        <p className={rows.none}>{none}</p>
      ) : (
        <ul className={rows.list}>
          {items.map((item) => {
            const brand = brands.length > 1 ? (brands.find(({ id }) => id === item.socialSetId)?.name ?? null) : null
            return group === 'published' ? (
              <PublishedRow key={item.id} item={item} brand={brand} />
            ) : (
              <ResultRow
                key={item.id}
                group={group}
                item={item}
                brand={brand}
                retry={retry}
                done={done}
                selection={selection}
              />
            )
          })}
        </ul>
      )}
      <ShowMore query={query} />
    </section>
  )
}

function SelectAll({ advised, selected, select }: Selection) {
  const { t } = useLingui()
  const all = advised.every(({ id }) => selected.has(id))
  return (
    <Checkbox
      size="xs"
      label={t`Select all that are safe to retry`}
      checked={all}
      indeterminate={selected.size > 0 && !all}
      onChange={() => select(new Set(all ? [] : [...selected, ...advised.map(({ id }) => id)]))}
    />
  )
}
