import { useLingui } from '@lingui/react/macro'
import { ActionIcon, Button, Loader, Menu, Popover, TextInput, VisuallyHidden } from '@mantine/core'
import {
  IconCalendarEvent,
  IconChevronLeft,
  IconChevronRight,
  IconDots,
  IconPlus,
  IconWorld,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { SocialSet } from '#contract'
import { lazyWithWords } from '../api/code.ts'
import { useMay, usePreferences } from '../api/session.ts'
import { PageTitle } from '../design/page-title.tsx'
import { Part } from '../design/part.tsx'
import { useIsWide } from '../frame/use-is-wide.ts'
import { useNarrow } from '../frame/use-narrow.ts'
import { useStop } from '../holds/use-hold-dialogs.tsx'
import { CALENDAR_VIEWS, type CalendarView } from '../planning/dates/calendar-views.ts'
import { readDate, startOfDay, today, turn } from '../planning/dates/dates.ts'
import { viewTitle } from '../planning/dates/titles.ts'
import { useViewerZone } from '../time/viewer.ts'
import { sameZone, zoneChip } from '../time/zones.ts'
import type { AddressChange, CalendarSearch } from './address.ts'
import classes from './calendar.module.css'

const MoreItems = lazyWithWords(() => import('./more-items.tsx').then(({ MoreItems }) => ({ default: MoreItems })))

/** The row has room for a field to search in, and for words on its buttons. */
const ROOM_FOR_WORDS_PX = 960

interface CalendarHeaderProps {
  /** Null where it is over all brands. */
  socialSet: SocialSet | null
  view: CalendarView
  date: Temporal.PlainDate
  zone: string
  firstDay: number
  search: CalendarSearch
  go: (change: AddressChange) => void
  loading: boolean
  onNew: () => void
  onNewNote: () => void
  /** The search and the filters, as signs alone where there is little room. */
  tools: (small: boolean) => ReactNode
}

/** Above the calendar, in one row: where it is, how it is looked at, and what can be added. */
export function CalendarHeader(props: CalendarHeaderProps) {
  const { socialSet, view, date, zone, firstDay, search, go, loading, onNew, onNewNote, tools } = props
  const { t } = useLingui()
  const { locale } = usePreferences()
  const mayWrite = useMay('post-sets:write')
  // Who may do any of it may write notes, or publish.
  const [mayNote, mayStop] = [useMay('notes:write'), useMay('post-sets:publish')]
  const mayMore = mayNote || mayStop
  const wide = useIsWide()
  const { ref, narrow } = useNarrow(ROOM_FOR_WORDS_PX)
  const small = !wide || narrow
  const week = view === 'week'
  const labels = { month: t`Month`, week: t`Week`, list: t`List` } satisfies Record<CalendarView, string>
  const toToday = (
    <Button
      variant="subtle"
      color="gray"
      className={classes.quiet}
      onClick={() => go({ date: today(zone).toString() })}
    >
      {t`Today`}
    </Button>
  )
  return (
    <div ref={ref} className={classes.toolbar} data-small={small || undefined}>
      <div className={classes.where}>
        <PageTitle title={viewTitle(view, date, firstDay, locale)} />
        {!wide && tools(small)}
        <div className={classes.turn}>
          <ActionIcon
            aria-label={week ? t`Previous week` : t`Previous month`}
            onClick={() => go({ date: turn(view, date, -1).toString() })}
          >
            <IconChevronLeft size={18} aria-hidden />
          </ActionIcon>
          <ActionIcon
            aria-label={week ? t`Next week` : t`Next month`}
            onClick={() => go({ date: turn(view, date, 1).toString() })}
          >
            <IconChevronRight size={18} aria-hidden />
          </ActionIcon>
        </div>
        {wide && toToday}
      </div>
      <div className={classes.rest}>
        {!wide && toToday}
        <GoToDay date={date} zone={zone} go={go} />
        <nav aria-label={t`Calendar view`} className={classes.views}>
          {CALENDAR_VIEWS.map((name) => (
            <Link
              key={name}
              to="/scheduling/calendar/$view"
              params={{ view: name }}
              search={search}
              activeProps={{}}
              aria-current={name === view ? 'page' : undefined}
            >
              {labels[name]}
            </Link>
          ))}
        </nav>
        {loading && <Loader size="xs" aria-label={t`Loading`} role="status" />}
        <div className={classes.tools}>
          <ZoneChip zone={zone} date={date} />
          {wide && tools(small)}
          {mayMore && <MoreMenu socialSet={socialSet} onNewNote={onNewNote} />}
          {mayWrite && wide && (
            <Button className={classes.new} onClick={onNew}>
              <IconPlus size={16} aria-hidden />
              <span>{t`New post`}</span>
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}

/** What is done now and then. */
function MoreMenu({ socialSet, onNewNote }: Pick<CalendarHeaderProps, 'socialSet' | 'onNewNote'>) {
  const { t } = useLingui()
  const { stop, dialog } = useStop()
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <ActionIcon aria-label={t`More`} title={t`More`}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Part>
            <MoreItems socialSet={socialSet} onNewNote={onNewNote} onStop={() => stop({ socialSet })} />
          </Part>
        </Menu.Dropdown>
      </Menu>
      {dialog}
    </>
  )
}

/** A button that asks for a day. */
function GoToDay({ date, zone, go }: Pick<CalendarHeaderProps, 'date' | 'zone' | 'go'>) {
  const { t } = useLingui()
  const [opened, setOpened] = useState(false)
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <ActionIcon aria-label={t`Go to day`} title={t`Go to day`} onClick={() => setOpened((shown) => !shown)}>
          <IconCalendarEvent size={18} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t`Go to day`}>
        <TextInput
          type="date"
          label={t`Day`}
          min="2000-01-01"
          max="2100-12-31"
          value={date.toString()}
          onChange={({ currentTarget: { value } }) => {
            // While it is typed, a day may be none yet.
            if (readDate(value, zone).toString() === value) go({ date: value, replace: true })
          }}
        />
      </Popover.Dropdown>
    </Popover>
  )
}

/** By whose clock everything is shown, and how far the viewer's own is from it. */
function ZoneChip({ zone, date }: { zone: string; date: Temporal.PlainDate }) {
  const { t } = useLingui()
  const yours = useViewerZone()
  // Of one moment: on a day that changes a clock, the two would differ by an hour that they do not.
  const at = startOfDay(date.add({ days: 1 }), zone)
  const chip = zoneChip(zone, at)
  const own = zoneChip(yours, at)
  const note = sameZone(yours, zone) ? null : t`Times are those of the brand. Yours is ${own}.`
  return (
    <span className={classes.zone} title={note === null ? chip : `${chip}. ${note}`}>
      <IconWorld size={16} aria-hidden />
      <span>{chip}</span>
      {note !== null && <VisuallyHidden> {note}</VisuallyHidden>}
    </span>
  )
}
