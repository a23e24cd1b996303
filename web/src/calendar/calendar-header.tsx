import { ActionIcon, Button, Group, Loader, TextInput, VisuallyHidden } from '@mantine/core'
import {
  IconCalendarMonth,
  IconCalendarWeek,
  IconChevronLeft,
  IconChevronRight,
  IconLayoutRows,
  IconList,
  IconNote,
  IconPlus,
} from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { SocialSet } from '#contract'
import { useMay, usePreferences } from '../api/session.ts'
import { PageTitle } from '../design/page-title.tsx'
import { StopButton } from '../holds/stop-button.tsx'
import { CALENDAR_VIEWS, type CalendarView } from '../shell/calendar-views.ts'
import { RouterButton } from '../shell/links.tsx'
import { useIsWide } from '../shell/shell.tsx'
import { useViewerZone } from '../time/viewer.ts'
import { sameZone, zoneChip } from '../time/zones.ts'
import type { AddressChange, CalendarSearch } from './address.ts'
import classes from './calendar.module.css'
import { readDate, startOfDay, today, turn } from './dates.ts'
import type { Density } from './kept.ts'
import { viewTitle } from './titles.ts'

const VIEWS = {
  month: { label: 'Month', Icon: IconCalendarMonth },
  week: { label: 'Week', Icon: IconCalendarWeek },
  list: { label: 'List', Icon: IconList },
} as const satisfies Record<CalendarView, unknown>

interface CalendarHeaderProps {
  socialSet: SocialSet
  view: CalendarView
  date: Temporal.PlainDate
  zone: string
  firstDay: number
  search: CalendarSearch
  go: (change: AddressChange) => void
  loading: boolean
  density: Density
  onDensity: (density: Density) => void
  onNew: () => void
  onNewNote: () => void
  /** The search and the filters. */
  children: ReactNode
}

/** Above the calendar: where it is, how it is looked at, and what can be added. */
export function CalendarHeader(props: CalendarHeaderProps) {
  const { socialSet, view, date, zone, firstDay, search, go, loading, density, onDensity, onNew, onNewNote, children } =
    props
  const { locale } = usePreferences()
  const [mayWrite, mayNote] = [useMay('post-sets:write'), useMay('notes:write')]
  const unit = view === 'week' ? 'week' : 'month'
  const compact = density === 'compact'
  const wide = useIsWide()
  const stop = !socialSet.hold && <StopButton target={{ socialSet }} small={!wide} />
  return (
    <div className={classes.header}>
      <div className={classes.top}>
        <Group gap="xs">
          <Group gap={4} wrap="nowrap">
            <ActionIcon
              variant="default"
              aria-label={`Previous ${unit}`}
              onClick={() => go({ date: turn(view, date, -1).toString() })}
            >
              <IconChevronLeft size={18} aria-hidden />
            </ActionIcon>
            <Button variant="default" size="sm" px="sm" onClick={() => go({ date: today(zone).toString() })}>
              Today
            </Button>
            <ActionIcon
              variant="default"
              aria-label={`Next ${unit}`}
              onClick={() => go({ date: turn(view, date, 1).toString() })}
            >
              <IconChevronRight size={18} aria-hidden />
            </ActionIcon>
          </Group>
          <PageTitle title={viewTitle(view, date, firstDay, locale)} />
          {loading && <Loader size="xs" aria-label="Loading" role="status" />}
        </Group>
        <Group gap="xs" ml="auto" wrap="nowrap">
          {mayNote && (
            <Button variant="default" leftSection={<IconNote size={16} aria-hidden />} onClick={onNewNote}>
              New note
            </Button>
          )}
          {mayWrite && (
            <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onNew}>
              New post set
            </Button>
          )}
        </Group>
      </div>
      <div className={classes.tools}>
        <TextInput
          type="date"
          aria-label="Go to day"
          className={classes.day}
          min="2000-01-01"
          max="2100-12-31"
          value={date.toString()}
          onChange={({ currentTarget: { value } }) => {
            // While it is typed, a day may be none yet.
            if (readDate(value, zone).toString() === value) go({ date: value, replace: true })
          }}
        />
        {!wide && stop}
        <nav aria-label="View" className={classes.views}>
          {CALENDAR_VIEWS.map((name) => {
            const { label, Icon } = VIEWS[name]
            return (
              <RouterButton
                key={name}
                to="/scheduling/calendar/$view"
                params={{ view: name }}
                search={search}
                variant={name === view ? 'filled' : 'default'}
                size="sm"
                px="sm"
                leftSection={<Icon size={16} aria-hidden />}
                aria-current={name === view ? 'page' : undefined}
                activeProps={{}}
              >
                {label}
              </RouterButton>
            )
          })}
        </nav>
        <ZoneChip zone={zone} date={date} />
        {children}
        {wide && stop}
        {view === 'month' && (
          <ActionIcon
            variant={compact ? 'filled' : 'default'}
            aria-label="Compact days"
            title="Compact days"
            aria-pressed={compact}
            className={classes.wideOnly}
            onClick={() => onDensity(compact ? 'comfortable' : 'compact')}
          >
            <IconLayoutRows size={18} aria-hidden />
          </ActionIcon>
        )}
      </div>
    </div>
  )
}

/** By whose clock everything is shown, and how far the viewer's own is from it. */
function ZoneChip({ zone, date }: { zone: string; date: Temporal.PlainDate }) {
  const yours = useViewerZone()
  // Of one moment: on a day that changes a clock, the two would differ by an hour that they do not.
  const at = startOfDay(date.add({ days: 1 }), zone)
  const chip = zoneChip(zone, at)
  if (sameZone(yours, zone)) return <span className={classes.zone}>{chip}</span>
  const own = `Times are those of the social set. Yours is ${zoneChip(yours, at)}.`
  return (
    <span className={classes.zone} title={own}>
      {chip}
      <VisuallyHidden> {own}</VisuallyHidden>
    </span>
  )
}
