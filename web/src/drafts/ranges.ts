import { DAY_MS } from '#contract/durations'

/** As long as one request for cards may be about, with some to spare for changes of clocks: 60 days. */
export const RANGE_MS = 60 * DAY_MS

/**
 * Where ranges of that length begin which have all these times in them, as few as it takes, in ms since 1970. Each begins with a
 * day of UTC, so that the same request is made again for other drafts of that day.
 */
export function rangesOf(times: readonly number[]): number[] {
  const starts: number[] = []
  for (const time of times.toSorted((one, other) => one - other)) {
    const last = starts.at(-1)
    if (last === undefined || time >= last + RANGE_MS) starts.push(Math.floor(time / DAY_MS) * DAY_MS)
  }
  return starts
}
