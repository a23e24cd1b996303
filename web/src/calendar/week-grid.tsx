// biome-ignore-all lint/a11y/useSemanticElements: elements of tables that are laid out as a grid lose their roles in some browsers
// biome-ignore-all lint/a11y/useFocusableInteractive: what takes the focus is inside of the cells
import { Trans, useLingui } from '@lingui/react/macro'
import { VisuallyHidden } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Fragment, memo, use, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { CalendarCard } from '#contract'
import * as LIMITS from '#contract/limits'
import { allFreeSlotsQuery, freeSlotsQuery } from '../planning/brands/brand-queries.ts'
import { clockText, dayOf, minutesOf, startOfDay } from '../planning/dates/dates.ts'
import { weekdayName } from '../planning/dates/titles.ts'
import { formatHour, formatTime } from '../time/zones.ts'
import { CalendarGrid, type GridProps } from './calendar-grid.tsx'
import { Card, MoreButton } from './card.tsx'
import { DayButton, DayMarks } from './day-head.tsx'
import { moreItem, type PlannedDay, type Stack, stacksOf } from './days.ts'
import classes from './grid.module.css'
import { isWeekend } from './month-grid.tsx'
import { InSightContext, useScene } from './scene.ts'
import { useHeight } from './use-height.ts'
import { minutesAt, type WeekAxis, weekAxis, yOf } from './week-axis.ts'

/** A card with the gap below it, and the button for what has no room. */
const CARD_PX = 74
const MORE_PX = 28
/** A saved time that has no post. */
const SLOT_PX = 28
const LINES = 3
/** Above a week: its toolbar and days. */
const ABOVE_PX = 130
/** As high as the time of an hour, or the time now. */
const LABEL_PX = 18
/** What a week begins with when nothing of it is now. */
const FIRST_MINUTES = 7 * 60
/** Of the time now, from the top. */
const SIGHT = 1 / 3

interface WeekGridProps extends GridProps {
  /** Id of the brand whose free slots are offered; null: of all brands, undefined: none are. */
  slotsOf: string | null | undefined
}

/** A week, hour by hour. Hours are as high as what is in them, in any of its days; every card begins at its time. */
export const WeekGrid = memo(function WeekGrid({ slotsOf, ...props }: WeekGridProps) {
  const { days } = props
  const { t } = useLingui()
  const { zone, preferences } = useScene()
  const body = useRef<HTMLDivElement>(null)
  const height = useHeight(body, window.innerHeight - ABOVE_PX)
  const inSight = use(InSightContext)
  const stacks = useMemo(() => days.map((day) => stacksOf(day, zone, inSight)), [days, zone, inSight])
  const slots = useFreeSlots(slotsOf, zone, days, stacks)
  const axis = useMemo(
    () =>
      weekAxis(
        stacks.map((day, index) => {
          const free = slots[index] ?? []
          return [
            ...day.map((stack) => {
              const { minutes, height } = blockOf(stack)
              return { minutes, height: height + (free.some((slot) => slot.minutes === minutes) ? SLOT_PX : 0) }
            }),
            ...free
              .filter(({ minutes }) => !day.some((stack) => stack.minutes === minutes))
              .map(({ minutes }) => ({ minutes, height: SLOT_PX })),
          ]
        }),
        height,
      ),
    [stacks, slots, height],
  )
  const hours = useMemo(
    () => ({ minutesAt: (y: number) => minutesAt(axis, y), yOf: (minutes: number) => yOf(axis, minutes) }),
    [axis],
  )
  const now = useNow(zone)
  const today = days.find(({ date }) => date === now.date)
  const nowY = today ? yOf(axis, now.minutes) : null
  useFirstSight(body, nowY ?? yOf(axis, FIRST_MINUTES), height)
  const clock = (minutes: number, format = formatTime) =>
    format(`2000-01-01T${clockText(minutes)}Z`, 'UTC', preferences)
  return (
    <CalendarGrid {...props} view="week" hours={hours}>
      <div role="table" className={classes.week}>
        <div role="rowgroup" className={classes.weekHead}>
          <div role="row" className={classes.row}>
            <div role="columnheader">
              <VisuallyHidden>{t`Time`}</VisuallyHidden>
            </div>
            {days.map((day) => {
              const date = Temporal.PlainDate.from(day.date)
              return (
                <div
                  role="columnheader"
                  key={day.date}
                  className={classes.dayHead}
                  data-date={day.date}
                  data-today={day === today || undefined}
                  data-weekend={isWeekend(date) || undefined}
                >
                  <DayButton day={day} text={String(date.day)} weekday={weekdayName(date, preferences.locale)} />
                  <div className={classes.marks}>
                    <DayMarks day={day} />
                  </div>
                </div>
              )
            })}
          </div>
        </div>
        {/* Without cards nothing in it takes the focus, and keys could not scroll it. */}
        <div
          role="rowgroup"
          ref={body}
          className={classes.hours}
          tabIndex={stacks.every((day) => day.length === 0) ? 0 : undefined}
        >
          <div role="row" className={classes.row} style={{ height: axis.height }}>
            <div role="rowheader" aria-label={t`Hours`} className={classes.times}>
              {hoursWithRoom(axis).map((minutes) => (
                <span
                  key={minutes}
                  data-hour={minutes / 60}
                  data-under={(nowY !== null && Math.abs(yOf(axis, minutes) - nowY) < LABEL_PX) || undefined}
                  style={{ top: yOf(axis, minutes) }}
                >
                  {clock(minutes, formatHour)}
                </span>
              ))}
              {nowY !== null && (
                <span className={classes.now} style={{ top: nowY }}>
                  {clock(now.minutes)}
                </span>
              )}
              <Lines axis={axis} now={nowY} />
            </div>
            {days.map((day, index) => {
              const date = Temporal.PlainDate.from(day.date)
              return (
                <div
                  role="cell"
                  key={day.date}
                  className={classes.lane}
                  data-date={day.date}
                  data-hours
                  data-weekend={isWeekend(date) || undefined}
                >
                  <ul>
                    {stacks[index]?.flatMap(({ minutes, cards, more }) => {
                      const top = yOf(axis, minutes) + 1
                      return [
                        ...cards.map((card, place) => (
                          <li key={card.id} style={{ top: top + place * CARD_PX }}>
                            <Card card={card} lines={LINES} />
                          </li>
                        )),
                        more > 0 && (
                          <li key={`more ${minutes}`} style={{ top: top + cards.length * CARD_PX }}>
                            <MoreButton id={moreItem(day.date, minutes)} count={more} />
                          </li>
                        ),
                      ]
                    })}
                    {slots[index]?.map((slot) => {
                      const { minutes, brands } = slot
                      const stack = stacks[index]?.find((one) => one.minutes === minutes)
                      const top = yOf(axis, minutes) + 1 + (stack ? blockOf(stack).height : 0)
                      return (
                        <li
                          key={`slot ${minutes}`}
                          data-minutes={minutes}
                          data-brands={slotsOf === null ? brands.join(' ') : undefined}
                          style={{ top }}
                        >
                          <SlotButton time={clock(minutes)} slot={slot} />
                        </li>
                      )
                    })}
                  </ul>
                  {day === today && nowY !== null && <div className={classes.nowLine} style={{ top: nowY }} />}
                </div>
              )
            })}
          </div>
        </div>
      </div>
    </CalendarGrid>
  )
})

/** Brands that are named on a free time of several; the others are counted. */
const NAMED = 3

/** By keys the same times are offered where a new post has its day and time. */
function SlotButton({ time, slot: { at, brands } }: { time: string; slot: Slot }) {
  const { over } = useScene()
  return (
    <button type="button" className={classes.slot} tabIndex={-1}>
      <IconPlus size={14} aria-hidden />
      <span>
        <Trans>{time} free</Trans>
      </span>
      {over &&
        brands
          .slice(0, NAMED)
          .map((id) => <Fragment key={id}>{over.mark({ socialSetId: id, scheduledAt: at })}</Fragment>)}
      {brands.length > NAMED && `+${brands.length - NAMED}`}
    </button>
  )
}

/** A time of a day that one brand or several have saved, and at which they have no post. */
interface Slot {
  at: string
  minutes: number
  /** Their ids. */
  brands: readonly string[]
}

/** Those to come of each day, of a brand or of all (null). */
function useFreeSlots(
  socialSetId: string | null | undefined,
  zone: string,
  days: readonly PlannedDay[],
  stacks: readonly (readonly Stack[])[],
): readonly (readonly Slot[])[] {
  const [first = '', last = ''] = [days[0]?.date, days.at(-1)?.date]
  const instant = (date: string, days: number) => startOfDay(Temporal.PlainDate.from(date).add({ days }), zone)
  const isAll = socialSetId === null && first !== ''
  const { data: ofOne } = useQuery({
    ...freeSlotsQuery(socialSetId ?? '', first, LIMITS.freeSlots.max),
    enabled: typeof socialSetId === 'string' && first !== '',
  })
  const { data: ofAll } = useQuery({
    ...allFreeSlotsQuery(isAll ? instant(first, 0) : '', isAll ? instant(last, 1) : ''),
    enabled: isAll,
  })
  return useMemo(() => {
    const free = ofAll ?? ofOne?.map(({ at }) => ({ at, socialSetId: socialSetId ?? '' })) ?? []
    return days.map(({ date, cards }, index) => {
      const there = free
        .filter(({ at }) => dayOf(at, zone) === date)
        // A post that was just put there is drawn before the slots are read again.
        .filter((slot) => !cards.some((card) => isAtSlot(card, slot)))
        .filter(({ at }) => isAll || !stacks[index]?.some(({ minutes }) => minutes === minutesOf(at, zone)))
      return [...Map.groupBy(there, ({ at }) => at)].map(([at, some]) => ({
        ...{ at, minutes: minutesOf(at, zone), brands: some.map((slot) => slot.socialSetId) },
      }))
    })
  }, [ofAll, ofOne, socialSetId, isAll, days, stacks, zone])
}

interface Placed {
  socialSetId: string
  at: string
}

/** Whether a post of the brand is in that minute. */
function isAtSlot(
  { socialSetId, scheduledAt }: Pick<CalendarCard, 'socialSetId' | 'scheduledAt'>,
  slot: Placed,
): boolean {
  const after = Date.parse(scheduledAt) - Date.parse(slot.at)
  return socialSetId === slot.socialSetId && after >= 0 && after < 60_000
}

/** Hours far enough from the one before to have their time beside them. */
function hoursWithRoom(axis: WeekAxis): number[] {
  const shown: number[] = []
  for (let minutes = 60; minutes < 24 * 60; minutes += 60) {
    const last = shown.at(-1)
    const from = last === undefined ? 0 : yOf(axis, last)
    if (yOf(axis, minutes) - from >= LABEL_PX) shown.push(minutes)
  }
  return shown
}

/** A line for every hour that has its time beside it, and one for the time now. */
function Lines({ axis, now }: { axis: WeekAxis; now: number | null }) {
  return (
    <>
      {hoursWithRoom(axis).map((minutes) => (
        <i key={minutes} style={{ top: yOf(axis, minutes) }} />
      ))}
      {now !== null && <i data-now style={{ top: now }} />}
    </>
  )
}

function blockOf({ minutes, cards, more }: Stack) {
  return { minutes, height: cards.length * CARD_PX + (more > 0 ? MORE_PX : 0) }
}

const thisMinute = () => Temporal.Now.instant().toString({ smallestUnit: 'minute' })

/** The day and the time of a zone, minute by minute. */
function useNow(zone: string): { date: string; minutes: number } {
  const [now, setNow] = useState(thisMinute)
  useEffect(() => {
    const timer = window.setInterval(() => setNow(thisMinute), 5_000)
    return () => window.clearInterval(timer)
  }, [])
  return {
    date: Temporal.Instant.from(now).toZonedDateTimeISO(zone).toPlainDate().toString(),
    minutes: minutesOf(now, zone),
  }
}

/** Scrolls to a place once, as soon as it is known how much is seen. */
function useFirstSight(body: React.RefObject<HTMLElement | null>, y: number, height: number): void {
  const done = useRef(false)
  useLayoutEffect(() => {
    if (done.current || !body.current) return
    done.current = true
    body.current.scrollTop = y - height * SIGHT
  }, [body, y, height])
}
