import { type Attempt, discardBody, type Http, type Network, type PublishOutcome } from '#networks'
import { type DeliveryState, fence, renewLease } from '#persistence'
import { reportFence } from './observer.ts'
import { attemptOf, HeldError, LeaseLostError, type Run } from './run.ts'
import { visibleCallTimes } from './settings.ts'

/**
 * Makes a call that the world can see, behind its fence: the fence is committed first, the lease is verified to be
 * fresh, and no request leaves when the lease may be over. What is thrown on the way counts as unknown.
 *
 * @throws LeaseLostError when another worker has the delivery, or the set is no longer being published
 * @throws HeldError when publishing is stopped: nothing was sent
 */
export async function visibleCall(
  run: Run,
  network: Network,
  states: { from: DeliveryState; to: DeliveryState },
  send: (attempt: Attempt) => Promise<PublishOutcome>,
): Promise<PublishOutcome> {
  const { deps, lease } = run
  const { verifyMs, limitMs } = visibleCallTimes(lease.ms)
  await deps.signals('before-fence', run.row.id)
  let verifiedAt = performance.now()
  const fenced = await fence(deps.db, run.row, states, lease)
  if (!fenced) throw new LeaseLostError('The fence could not be set.')
  if (fenced === 'held') throw new HeldError('Publishing is stopped.')
  reportFence(deps, run.row, fenced)
  run.row = fenced
  await deps.signals('fenced', run.row.id)
  const deadline = { at: 0 }
  const call = new AbortController()
  const attempt = await attemptOf(
    run,
    network,
    AbortSignal.any([run.hardStop, call.signal]),
    withDeadline(run, deadline),
  )
  // A pause of the process counts on this clock too; then the lease is asked for again before anything is sent.
  while (performance.now() - verifiedAt > verifyMs) {
    verifiedAt = performance.now()
    if (!(await renewLease(deps.db, run.row.id, lease))) throw new LeaseLostError('The lease was lost.')
  }
  deadline.at = verifiedAt + limitMs
  const timer = setTimeout(
    () => call.abort(new DOMException('The time of the call is over.', 'TimeoutError')),
    deadline.at - performance.now(),
  )
  try {
    return await send(attempt)
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    deps.log.error({ delivery: run.row.id, error }, 'A visible call failed by an error of ours')
    return { kind: 'unknown', message: 'Sending was interrupted by an error in Almanac.' }
  } finally {
    clearTimeout(timer)
  }
}

/** The last check before the socket: past the deadline nothing leaves any more. */
function withDeadline(run: Run, deadline: { at: number }): (http: Http) => Http {
  return (http) => async (request) => {
    await run.deps.signals('before-visible-request', run.row.id)
    if (performance.now() >= deadline.at) {
      discardBody(request)
      return { kind: 'failed', sent: false, message: 'The time of the call was over before it began.' }
    }
    const result = await http(request)
    await run.deps.signals('after-visible-request', run.row.id)
    return result
  }
}
