import { Trans, useLingui } from '@lingui/react/macro'
import { IconBuildingStore, IconChevronLeft, IconChevronRight, IconNotes } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { GuestVisit } from '#contract'
import { CALENDAR_VIEWS, type CalendarView } from '../planning/dates/calendar-views.ts'
import { turn } from '../planning/dates/dates.ts'
import { viewTitle } from '../planning/dates/titles.ts'
import { firstDayOfWeek } from '../time/zones.ts'
import { go, toDo, usePlace } from './address.ts'
import controls from './controls.module.css'
import { firstToDo, offersOf, toDoOf } from './data.ts'
import { PREFERENCES } from './dates.ts'
import css from './screen.module.css'

interface ToolbarProps {
  visit: GuestVisit
  date: Temporal.PlainDate
  onNote: () => void
  /** Before what is shown is chosen. */
  children: ReactNode
}

/** Chooses what is shown of the calendar. */
export function Toolbar({ visit, date, onNote, children }: ToolbarProps) {
  const { t } = useLingui()
  const { view, brand, waiting } = usePlace()
  const { count } = toDoOf(visit, brand)
  const first = firstToDo(visit, brand)
  const names: Record<CalendarView, string> = { month: t`Month`, week: t`Week`, list: t`List` }
  return (
    <div className={css.toolbar} id="calendar" tabIndex={-1}>
      {children}
      <div className={css.choices}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields of a form */}
        <div className={css.views} role="group" aria-label={t`Calendar view`}>
          {offersOf(visit).decide && (
            <button type="button" aria-pressed={waiting} onClick={() => go(toDo(first ?? date.toString()))}>
              <Trans>To do</Trans> {count > 0 && <small>{count}</small>}
            </button>
          )}
          {CALENDAR_VIEWS.map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={each === view && !waiting}
              onClick={() => go({ view: each, waiting: false })}
            >
              {names[each]}
            </button>
          ))}
        </div>
        {visit.brands.length > 1 && (
          <span className={css.brand} data-chosen={brand !== null || undefined}>
            <IconBuildingStore size={20} aria-hidden />
            <select
              aria-label={t`Brand`}
              value={brand ?? ''}
              onChange={({ currentTarget: { value } }) => go({ brand: value === '' ? null : value })}
            >
              <option value="">{t`All brands`}</option>
              {visit.brands.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </span>
        )}
        {visit.allows.notes && (
          <button type="button" className={`${controls.button} ${css.note}`} onClick={onNote}>
            <IconNotes size={18} aria-hidden />{' '}
            <span>
              <Trans>Add a note</Trans>
            </span>
          </button>
        )}
      </div>
    </div>
  )
}

/** Turns the pages of the calendar. */
export function Pages({ date }: { date: Temporal.PlainDate }) {
  const { t } = useLingui()
  const { view } = usePlace()
  const to = (next: Temporal.PlainDate | null) => go({ date: next === null ? null : next.toString() })
  return (
    <div className={css.pages}>
      <button
        type="button"
        className={controls.icon}
        aria-label={view === 'week' ? t`Previous week` : t`Previous month`}
        onClick={() => to(turn(view, date, -1))}
      >
        <IconChevronLeft size={20} aria-hidden />
      </button>
      <button
        type="button"
        className={controls.icon}
        aria-label={view === 'week' ? t`Next week` : t`Next month`}
        onClick={() => to(turn(view, date, 1))}
      >
        <IconChevronRight size={20} aria-hidden />
      </button>
      <h2 aria-live="polite">{viewTitle(view, date, firstDayOfWeek(PREFERENCES), null)}</h2>
      <button type="button" className={controls.button} onClick={() => to(null)}>
        <Trans>Today</Trans>
      </button>
    </div>
  )
}
