// Where the times of a week are drawn. The hours are not to scale: one whose cards stand below each other grows for the
// whole week, one without cards is low. Every card begins exactly at its time.

/** Cards of one day at one time: together `height` pixels high. */
interface TimedBlock {
  minutes: number
  height: number
}

/** Ascending in both. Between two marks time runs evenly. */
export interface WeekAxis {
  marks: readonly { minutes: number; y: number }[]
  height: number
}

const DAY_MINUTES = 24 * 60
/** Of an hour without cards. */
const LOW_HOUR_PX = 20
/** Of an hour of the night before anything is planned on any day. */
const NIGHT_HOUR_PX = 6
const NIGHT_ENDS = 6

/** @param room pixels that the axis fills, when its cards need less */
export function weekAxis(days: readonly (readonly TimedBlock[])[], room = 0): WeekAxis {
  const axis = axisOf(days, LOW_HOUR_PX)
  const awake = 24 - nightOf(days)
  return axis.height < room ? axisOf(days, LOW_HOUR_PX + (room - axis.height) / awake) : axis
}

/** How many hours of the night have nothing in them, from midnight on. None where nothing is planned at all. */
function nightOf(days: readonly (readonly TimedBlock[])[]): number {
  const all = days.flat()
  if (all.length === 0) return 0
  return Math.min(NIGHT_ENDS, ...all.map(({ minutes }) => Math.floor(minutes / 60)))
}

function axisOf(days: readonly (readonly TimedBlock[])[], hourPx: number): WeekAxis {
  const hours = Array.from({ length: 25 }, (_, hour) => hour * 60)
  const times = [...new Set([...hours, ...days.flat().map(({ minutes }) => minutes)])].sort((a, b) => a - b)
  /** Where the last block of each day ends. */
  const ends = days.map(() => 0)
  const marks: { minutes: number; y: number }[] = []
  const night = nightOf(days) * 60
  let last = { minutes: 0, y: 0 }
  for (const minutes of times) {
    const blocks = days.map((day) => day.find((block) => block.minutes === minutes))
    // A card stays within its hour, and never over the next one of its day.
    const before = ends.filter((_, day) => minutes % 60 === 0 || blocks[day] !== undefined)
    const px = minutes <= night ? NIGHT_HOUR_PX : hourPx
    const y = Math.round(Math.max(last.y + ((minutes - last.minutes) * px) / 60, ...before))
    blocks.forEach((block, day) => {
      if (block) ends[day] = y + block.height
    })
    last = { minutes, y }
    marks.push(last)
  }
  return { marks, height: last.y }
}

export function yOf({ marks }: WeekAxis, minutes: number): number {
  return between(marks, minutes, 'minutes', 'y')
}

export function minutesAt({ marks }: WeekAxis, y: number): number {
  return Math.min(DAY_MINUTES, Math.max(0, between(marks, y, 'y', 'minutes')))
}

function between(marks: WeekAxis['marks'], value: number, from: 'minutes' | 'y', to: 'minutes' | 'y'): number {
  const found = marks.findIndex((mark) => mark[from] >= value)
  const at = found === -1 ? marks.length - 1 : Math.max(1, found)
  const [before, after] = [marks[at - 1], marks[at]]
  if (!before || !after) return marks.at(-1)?.[to] ?? 0
  const share = after[from] === before[from] ? 0 : (value - before[from]) / (after[from] - before[from])
  return before[to] + (after[to] - before[to]) * Math.min(1, Math.max(0, share))
}
