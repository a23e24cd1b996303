import { type DeliveryState, isPost } from '#domain'
import { type Attempt, discardBody, type Http, type Network, type PublishOutcome, wordsKeyOf } from '#networks'
import { LeaseLostError } from '#persistence'
import { startTimer } from './clock.ts'
import { reportFence } from './observer.ts'
import { attemptOf, verifyFence, written } from './run.ts'
import { visibleCallTimes } from './settings.ts'
import type { Run } from './turn.ts'

/**
 * Makes a call that the world can see, behind its fence: the fence is committed first, the lease is verified to be
 * fresh, and no request leaves when the lease may be over. What is thrown behind the fence counts as unknown. `held` and
 * `unconnected`: the fence was refused, and nothing was sent.
 *
 * @throws LeaseLostError when another worker has the delivery, or the set is no longer being published
 */
export async function visibleCall(
  run: Run,
  network: Network,
  states: { from: DeliveryState; to: DeliveryState },
  send: (attempt: Attempt) => Promise<PublishOutcome>,
): Promise<PublishOutcome | 'held' | 'unconnected'> {
  const { deps, lease } = run
  const { connection } = run.content
  if (!connection) return 'unconnected'
  const { verifyMs, limitMs } = visibleCallTimes(lease.ms)
  /** When the network would not know the call for the one before any more: also after a suspend behind the look that allowed it. */
  const repeatUntil = run.delivery.stage === 'REPEATING' ? (run.repeatUntil ?? 0) : Number.POSITIVE_INFINITY
  const deadline = { isOver: () => true }
  const call = new AbortController()
  const attempt = await attemptOf(run, network, AbortSignal.any([run.hardStop, call.signal]), {
    crops: isPost(run.delivery) ? 'made' : 'on demand',
    wrap: withDeadline(run, deadline),
  })
  await deps.signals('before-fence', run.row.id)
  const startedAt = performance.now()
  const begunAt = deps.clock.boottime()
  let sinceVerified = startTimer(deps.clock)
  const { unstored: handles } = run
  const { attempts } = run.delivery
  const { words } = attempt
  const sent = isPost(run.delivery)
    ? { handles: { ...handles, words }, wordsKey: wordsKeyOf(words) }
    : { handles, wordsKey: null }
  const mark = deps.calls.fenceMark(network, lease.ms)
  const step = { ...states, connection, attempts, mark, ...sent }
  const notAfter = deps.databaseClock.notAfter()
  const fenced = await deps.together.fence({ delivery: run.row, step, lease, notAfter })
  if (!fenced) throw new LeaseLostError('The fence could not be set.')
  if (typeof fenced === 'string') return fenced
  reportFence(deps, run.row, fenced)
  written(run, fenced, startedAt)
  let timer: NodeJS.Timeout | undefined
  try {
    if (handles !== null) await deps.signals('handles-stored', run.row.id)
    await deps.signals('fenced', run.row.id)
    // After a pause of the process or of the machine the lease is asked for again before anything is sent.
    while (sinceVerified() > verifyMs) {
      sinceVerified = startTimer(deps.clock)
      await verifyFence(run, deps.calls.fenceMark(network, lease.ms))
    }
    deadline.isOver = () => sinceVerified() >= limitMs || deps.clock.boottime() >= repeatUntil
    timer = setTimeout(
      () => call.abort(new DOMException('The time of the call is over.', 'TimeoutError')),
      limitMs - sinceVerified(),
    )
    return await send(attempt)
  } catch (error) {
    if (error instanceof LeaseLostError) throw error
    deps.log.error({ delivery: run.row.id, error }, 'A visible call failed by an error of ours')
    return { kind: 'unknown', message: 'Sending was interrupted by an error in Almanac.' }
  } finally {
    clearTimeout(timer)
    if (run.row.fenced_at) deps.noted.callOver(fenced.id, run.row.fenced_at, begunAt)
  }
}

/** The last check before the socket: past the deadline nothing leaves any more. */
function withDeadline(run: Run, deadline: { isOver(): boolean }): (http: Http) => Http {
  return (http) => async (request) => {
    await run.deps.signals('before-visible-request', run.row.id)
    if (deadline.isOver()) {
      discardBody(request)
      return { kind: 'failed', sent: false, message: 'The time of the call was over before it began.' }
    }
    const result = await http(request)
    await run.deps.signals('after-visible-request', run.row.id)
    return result
  }
}
