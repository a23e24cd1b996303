import { isRead } from './kit/http.ts'
import type { Attempt, FindOutcome, PartPrepareOutcome, PublishOutcome, Reconnect } from './network.ts'

type Outcome = PartPrepareOutcome | PublishOutcome | FindOutcome

/**
 * Runs a step of a connector, for everyone who runs one. An error of a read never ends a connection, on any network: reads
 * are refused while publishing works (seen: Graph API 100/33 and #10). So when the last request of the step only asked, or
 * the step does nothing but ask, a `reconnect` is marked as `byRead`. A token that is dead is noticed by the visible call
 * or by the refresh.
 *
 * @param asks the step sends nothing: `confirm` and `find`
 */
export async function runStep<O extends Outcome>(
  step: (attempt: Attempt) => Promise<O>,
  attempt: Attempt,
  { asks }: { asks: boolean },
): Promise<O | Reconnect> {
  let lastReads = false
  const http: Attempt['http'] = (request) => {
    lastReads = isRead(request)
    return attempt.http(request)
  }
  // Handles change while an attempt goes on.
  const watched = Object.defineProperty({ ...attempt, http }, 'handles', { get: () => attempt.handles })
  const outcome = await step(watched)
  if (outcome.kind !== 'reconnect' || !(asks || lastReads)) return outcome
  return { ...outcome, byRead: true }
}
