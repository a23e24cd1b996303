import { LIMITS, ProblemError } from '#contract'

const { perSecond, atOnce, uncounted } = LIMITS.answersOfMember
/** More readers of large answers than that at once: the oldest are forgotten. */
const MAX_READERS = 10_000

/**
 * What readers were answered lately, in this process alone: putting a large answer together takes the thread that all others wait
 * for. What most screens ask for is too small to be counted.
 */
export function createAnsweredBytes({ now = () => performance.now() } = {}) {
  /** What was answered and is not paid off yet, by reader. */
  const owed = new Map<string, { bytes: number; at: number }>()

  function owedBy(reader: string): number {
    const known = owed.get(reader)
    return known ? Math.max(0, known.bytes - ((now() - known.at) / 1_000) * perSecond) : 0
  }

  return {
    /** @throws ProblemError `rate-limit:exceeded` for who has been answered very much within the last seconds */
    refuseOver(reader: string): void {
      if (owedBy(reader) <= atOnce) return
      const detail = `More than ${perSecond / 1e6} MB of answers in a second. Wait a second and try again.`
      throw new ProblemError('rate-limit:exceeded', detail, { headers: { 'retry-after': '1' } })
    },
    add(reader: string, bytes: number): void {
      if (bytes <= uncounted) return
      const before = owedBy(reader)
      owed.delete(reader)
      for (const [oldest] of owed) {
        if (owed.size < MAX_READERS && owedBy(oldest) > 0) break
        owed.delete(oldest)
      }
      owed.set(reader, { bytes: before + bytes, at: now() })
    },
    /** How many readers are kept. */
    size: () => owed.size,
  }
}
