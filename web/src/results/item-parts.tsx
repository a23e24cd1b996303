import { useLingui } from '@lingui/react/macro'
import { VisuallyHidden } from '@mantine/core'
import type { ResultItem } from '#contract'
import { usePreferences } from '../api/session.ts'
import rows from '../design/rows.module.css'
import { RouterAnchor } from '../frame/links.tsx'
import { timeThere } from '../planning/brands/there-words.ts'
import { dayOf, today } from '../planning/dates/dates.ts'
import { shortDay } from '../planning/dates/titles.ts'
import { nameOf } from '../planning/posts/subject.ts'
import { useViewerZone } from '../time/viewer.ts'
import { formatTime } from '../time/zones.ts'

/** The beginning of its text, which leads to the post. */
export function PostLink({ item }: { item: ResultItem }) {
  const { t } = useLingui()
  const { id, socialSetId, unseen } = item
  return (
    <RouterAnchor
      to="/scheduling/calendar/$view"
      params={{ view: 'month' }}
      search={{ set: socialSetId, post: id }}
      className={rows.name}
      underline="hover"
      dir="auto"
    >
      {item.excerpt.trim() || nameOf(item)}
      {unseen && <VisuallyHidden>, {t`new`}</VisuallyHidden>}
    </RouterAnchor>
  )
}

/** "Wed 9 Dec, 12:00", by the clock of its brand, which is named where it is not that of the viewer. */
export function useWhen({ scheduledAt, timezone }: Pick<ResultItem, 'scheduledAt' | 'timezone'>): string {
  const { t } = useLingui()
  const preferences = usePreferences()
  const viewer = useViewerZone()
  const date = Temporal.PlainDate.from(dayOf(scheduledAt, timezone))
  const day = date.equals(today(timezone)) ? t`Today` : shortDay(date, preferences.locale)
  const time = `${day}, ${formatTime(scheduledAt, timezone, preferences)}`
  return timeThere(time, scheduledAt, { brand: timezone, viewer })
}
