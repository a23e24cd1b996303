import { DAY_MS, HOUR_MS } from '#contract/durations'
import type { CalendarEvent, EventTime } from './events.ts'
import { expandRule, type WallTime } from './expand-rule.ts'

/** A time at which an event is. */
export interface Occurrence {
  event: CalendarEvent
  wall: WallTime
  /** Names it within the event, and stays when it moves: empty of the first one, else the day that it was planned for. */
  name: string
}

/** Clock times, wide enough for all zones. */
export interface WallWindow {
  from: WallTime
  until: WallTime
}

/** Clocks are so far apart at most. */
const ZONES_MS = 28 * HOUR_MS

/**
 * When the events of one id are: `events` are the event itself, in any order, and what replaces single occurrences of it.
 *
 * @throws UnreadableError a rule cannot be read
 * @throws TooComplexError a rule gives too many times
 */
export function occurrencesOf(events: readonly CalendarEvent[], window: WallWindow): Occurrence[] {
  const masters = latest(events.filter(({ replaces }) => replaces === null))
  const replacing = latest(events.filter(({ replaces }) => replaces !== null))
  const [master, ...others] = masters
  const found = master ? withReplaced(master, replacing, window) : replacing.flatMap((event) => alone(event))
  // Programs that give all their events one id mean several events.
  const more = others.flatMap((event) =>
    withReplaced(event, [], window).map((each) => ({ ...each, name: `${isoDay(event.start.wall)} ${each.name}` })),
  )
  return [...found, ...more].filter(({ event }) => !event.canceled)
}

/** Of each form of an event the one with the highest sequence, those of other times too, in the order of their times. */
function latest(events: readonly CalendarEvent[]): CalendarEvent[] {
  const byPlace = new Map<string, CalendarEvent>()
  for (const event of events) {
    const { wall, isDate } = event.replaces ?? event.start
    const place = event.replaces ? `${momentOf(event.replaces)} ${isDate}` : `${wall}`
    const known = byPlace.get(place)
    if (!known || event.sequence >= known.sequence) byPlace.set(place, event)
  }
  const all = [...byPlace.values()]
  const isMaster = all.every(({ replaces }) => replaces === null)
  const highest = all.reduce((most, { sequence }) => Math.max(most, sequence), 0)
  const kept = isMaster ? all.filter(({ sequence }) => sequence === highest) : all
  return kept.toSorted((a, b) => a.start.wall - b.start.wall)
}

const momentOf = ({ zone, wall }: EventTime) => zone.momentOf(wall)
const isoDay = (wall: WallTime) => new Date(wall).toISOString().slice(0, 10)
const alone = (event: CalendarEvent): Occurrence[] => [
  { event, wall: event.start.wall, name: event.replaces ? isoDay(event.replaces.wall) : '' },
]

function withReplaced(master: CalendarEvent, replacing: readonly CalendarEvent[], window: WallWindow): Occurrence[] {
  const { start } = master
  const planned = namedTimes(master, window)
  const excepted = exceptions(master)
  const own = (each: Named) => ({ event: master, ...each })
  if (replacing.length === 0) return planned.filter(({ wall }) => !excepted(wall)).map(own)
  const byMoment = new Map(planned.map((each) => [start.zone.momentOf(each.wall), each]))
  const byDay = Map.groupBy(planned, ({ wall }) => isoDay(wall))
  const gone = new Set<Named>()
  const moved: Occurrence[] = []
  for (const event of replacing) {
    const { replaces } = event
    if (!replaces) continue
    const day = isoDay(start.zone.wallOf(momentOf(replaces)))
    const at =
      replaces.isDate || start.isDate ? byDay.get(isoDay(replaces.wall))?.[0] : byMoment.get(momentOf(replaces))
    if (at) gone.add(at)
    // The event was changed since, and that day is off.
    if (at && event.sequence < master.sequence && excepted(at.wall)) continue
    const isFirst = replaces.isDate
      ? isoDay(start.wall) === isoDay(replaces.wall)
      : momentOf(replaces) === momentOf(start)
    moved.push({ event, wall: event.start.wall, name: at?.name ?? (isFirst ? '' : day) })
  }
  const left = planned.filter((each) => !gone.has(each) && !excepted(each.wall))
  const future = replacing.filter(({ andFuture }) => andFuture)
  return [...left.map((each) => shifted(own(each), future)), ...moved]
}

interface Named {
  wall: WallTime
  name: string
}

/** All times of an event, without its exceptions. Its first time is one of them (RFC 5545, 3.8.5.3). */
function namedTimes(event: CalendarEvent, window: WallWindow): Named[] {
  const { start, rules, extra } = event
  // What began before the window and lasts into it; of longer ones no more days are shown.
  const reach = { from: window.from - 31 * DAY_MS - ZONES_MS, until: window.until + ZONES_MS }
  const about = { start: start.wall, isDate: start.isDate, wallOf: (moment: number) => start.zone.wallOf(moment) }
  const walls = new Set([start.wall])
  for (const rule of rules) for (const wall of expandRule(rule, about, reach)) walls.add(wall)
  for (const time of extra) walls.add(wallThere(time, event))
  const days = new Set<string>()
  const inReach = [...walls].filter((wall) => wall >= reach.from && wall <= reach.until)
  return inReach
    .sort((a, b) => a - b)
    .map((wall) => {
      const day = isoDay(wall)
      const name = wall === start.wall ? '' : days.has(day) ? new Date(wall).toISOString().slice(0, 19) : day
      days.add(day)
      return { wall, name }
    })
}

/** A time of another zone on the clock of the event; a day at the event's time. */
function wallThere(time: EventTime, { start }: CalendarEvent): WallTime {
  if (start.isDate) return Math.floor(time.wall / DAY_MS) * DAY_MS
  if (time.isDate) return time.wall + (start.wall - Math.floor(start.wall / DAY_MS) * DAY_MS)
  return start.zone.wallOf(momentOf(time))
}

/** Whether an occurrence is called off. Programs give days for times; that means all of the day. */
function exceptions(event: CalendarEvent): (wall: WallTime) => boolean {
  const { start, except, exceptRules } = event
  const days = new Set(except.flatMap((time) => (time.isDate || start.isDate ? [isoDay(wallThere(time, event))] : [])))
  const moments = new Set(except.flatMap((time) => (time.isDate ? [] : [momentOf(time)])))
  const about = { start: start.wall, isDate: start.isDate, wallOf: (moment: number) => start.zone.wallOf(moment) }
  const byRule = new Map<string, Set<WallTime>>()
  /** Rules of exceptions, of RFC 2445, are expanded when they are needed. */
  const ruledOut = (rule: string, wall: WallTime) => {
    const key = `${rule} ${isoDay(wall).slice(0, 4)}`
    const year = new Date(wall).getUTCFullYear()
    const times =
      byRule.get(key) ??
      new Set(expandRule(rule, about, { from: Date.UTC(year, 0, 1), until: Date.UTC(year + 1, 0, 1) - 1 }))
    byRule.set(key, times)
    return times.has(wall)
  }
  return (wall) =>
    (days.size > 0 && days.has(isoDay(wall))) ||
    (moments.size > 0 && moments.has(start.zone.momentOf(wall))) ||
    exceptRules.some((rule) => ruledOut(rule, wall))
}

/** An occurrence as the last of those has it that replace one before it and all that follow (RFC 5545, 3.8.4.4). */
function shifted(occurrence: Occurrence, changes: readonly CalendarEvent[]): Occurrence {
  if (changes.length === 0) return occurrence
  const moment = occurrence.event.start.zone.momentOf(occurrence.wall)
  let since = Number.NEGATIVE_INFINITY
  let found = occurrence
  for (const event of changes) {
    const at = event.replaces ? momentOf(event.replaces) : Number.POSITIVE_INFINITY
    if (at >= moment || at < since) continue
    since = at
    found = { ...occurrence, event, wall: event.start.zone.wallOf(moment + momentOf(event.start) - at) }
  }
  return found
}
