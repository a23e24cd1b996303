import { PLAN_PERCENTS } from '#contract'

/** Of bytes, which are never used to the last one, this much of the limit is all of it. */
const FULL = 0.995

/**
 * Which of `PLAN_PERCENTS` of a limit was reached between two amounts, the higher one of both; null: none was. `bytes`: the
 * amounts are bytes.
 */
export function reachedPercent(
  { before, after, limit }: { before: number; after: number; limit: number | null },
  { bytes }: { bytes: boolean },
): (typeof PLAN_PERCENTS)[number] | null {
  if (limit === null) return null
  const reached = PLAN_PERCENTS.filter((percent) => {
    const amount = percent === 100 && bytes ? limit * FULL : (limit * percent) / 100
    return before < amount && after >= amount
  })
  return reached.at(-1) ?? null
}
