import { AlmanacError, isPassing } from './errors.ts'
import { pause, within } from './pause.ts'
import type { PostSet } from './types.ts'

interface Waiting {
  timeout: number | undefined
  onChange: ((postSet: PostSet) => void) | undefined
  signal: AbortSignal | undefined
  late(): Error
}

/** Most posts are done within seconds, videos take minutes, and a network that is down is tried again for a day. */
const STEPS = [
  { untilMs: 10_000, everyMs: 1_000 },
  { untilMs: 600_000, everyMs: 5_000 },
] as const
const SLOWLY_MS = 60_000

/** Reads a post set until it is published. */
export function waitUntilPublished(
  read: (signal: AbortSignal) => Promise<PostSet>,
  { timeout, onChange, signal, late }: Waiting,
): Promise<PostSet> {
  return within(timeout, signal, late, async (ending) => {
    let seen: number | null = null
    for (;;) {
      const postSet = await read(ending).catch((error: unknown) => {
        if (seen === null || !isPassing(error)) throw error
        return null
      })
      if (postSet === null) {
        await pause(SLOWLY_MS, ending)
        continue
      }
      if (postSet.version !== seen) onChange?.(postSet)
      seen = postSet.version
      if (postSet.status === 'PUBLISHED') return postSet
      if (postSet.status === 'DRAFT') {
        throw new AlmanacError('The post set is a draft: it is published only once it is scheduled.')
      }
      await pause(nextLook(Date.parse(postSet.scheduledAt) - Date.now()), ending)
    }
  })
}

/** @param dueMs milliseconds until its time; negative: it is over */
function nextLook(dueMs: number): number {
  if (dueMs > 0) return Math.min(dueMs + STEPS[0].everyMs, SLOWLY_MS)
  return STEPS.find(({ untilMs }) => -dueMs < untilMs)?.everyMs ?? SLOWLY_MS
}
