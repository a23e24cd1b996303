// Where the arrow keys lead in a grid of days. A day is a row of ids: its own first, then what is in it.

/** Day after day, as the grid has them; `ids[0]` is the day itself. */
export interface GridDay {
  date: string
  ids: readonly string[]
}

/** Where a key leads: to an id of the grid, or to a day outside of it, for which the page has to be turned. */
type GridStep = { kind: 'item'; id: string } | { kind: 'outside'; date: string }

/** Keys that move the focus in the grid. */
export const GRID_KEYS = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown']

/**
 * Left and right go to the days beside, as deep into them as this one; up and down through what is in the day, and
 * beyond it to the day of the week before or after. Home and End go to the ends of the week.
 *
 * @returns null where a key leads nowhere
 */
export function stepInGrid(days: readonly GridDay[], from: string, key: string): GridStep | null {
  const at = days.findIndex(({ ids }) => ids.includes(from))
  const day = days[at]
  if (!day) return days[0] ? item(days[0].ids[0]) : null
  const depth = day.ids.indexOf(from)
  switch (key) {
    case 'ArrowLeft':
      return beside(days, at, -1, depth)
    case 'ArrowRight':
      return beside(days, at, 1, depth)
    case 'ArrowUp':
      return depth > 0 ? item(day.ids[depth - 1]) : beside(days, at, -7, Number.POSITIVE_INFINITY)
    case 'ArrowDown':
      return depth < day.ids.length - 1 ? item(day.ids[depth + 1]) : beside(days, at, 7, 0)
    case 'Home':
      return item(days[at - (at % 7)]?.ids[0])
    case 'End':
      return item(days[Math.min(days.length - 1, at - (at % 7) + 6)]?.ids[0])
    default:
      return null
  }
}

function beside(days: readonly GridDay[], at: number, by: number, depth: number): GridStep | null {
  const there = days[at + by]
  if (there) return item(there.ids[Math.min(depth, there.ids.length - 1)])
  const here = days[at]
  return here ? { kind: 'outside', date: Temporal.PlainDate.from(here.date).add({ days: by }).toString() } : null
}

const item = (id: string | undefined): GridStep | null => (id === undefined ? null : { kind: 'item', id })
