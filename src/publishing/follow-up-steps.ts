import { type FollowUp, type Network, type Reconnect, runStep } from '#networks'
import { change, endConnection, finish, followUpWarning, type Move } from './moves.ts'
import { proofAt } from './post-steps.ts'
import { posted } from './results.ts'
import { nextAttemptAt, nextLookupAt } from './retry-policy.ts'
import { attemptOf, canRefresh, type Run, refreshRunToken, underLease } from './run.ts'
import { visibleCall } from './visible-call.ts'

/** The post is live whatever comes; this is how it ends, with a warning when the comment is not there for certain. */
export function end(run: Run, warning?: { code: string; message: string }): Move {
  const { providerId, permalink } = run.row.handles as { providerId: string; permalink: string | null }
  return finish(posted({ providerId, permalink }, warning ? [...run.row.warnings, warning] : run.row.warnings))
}

function again(run: Run, followUp: FollowUp, notBefore: Date | null, counts: boolean, message: string): Move {
  const attempts = run.row.attempts + (counts ? 1 : 0)
  const at = attempts >= 3 ? null : (notBefore ?? nextAttemptAt(run.deps.settings, Math.max(attempts, 1), run.now()))
  const longest = run.now().getTime() + run.deps.settings.followUpWaitMs
  if (at === null || at > run.row.gives_up_at || at.getTime() > longest)
    return end(run, followUpWarning(followUp.title, message))
  return change('FOLLOW_UP', { nextAt: at, attempts, message })
}

/** Makes the first comment, behind a fence of its own. */
export async function sendFollowUp(run: Run, network: Network, followUp: FollowUp): Promise<Move> {
  const outcome = await visibleCall(run, network, { from: 'FOLLOW_UP', to: 'FOLLOW_UP_SENDING' }, (attempt) =>
    runStep(followUp.send, attempt, { asks: false }),
  )
  switch (outcome.kind) {
    case 'published':
    case 'accepted':
      return end(run)
    case 'retry':
      return again(run, followUp, outcome.notBefore, outcome.countsAsAttempt, outcome.message)
    case 'refused':
      return end(run, followUpWarning(followUp.title, outcome.message))
    case 'reconnect':
      return refreshThen(run, followUp, outcome, 'FOLLOW_UP')
    case 'unknown': {
      const unknownSince = run.now()
      const nextAt = nextLookupAt(run.deps.settings.followUpLookupsMs, 0, unknownSince, unknownSince)
      return change('FOLLOW_UP_LOOKING_UP', { nextAt, lookups: 0, unknownSince, message: outcome.message })
    }
  }
}

/** Nobody told what became of the comment: the network is asked at once. */
export function takeOverFollowUp(run: Run): Move {
  return change('FOLLOW_UP_LOOKING_UP', { lookups: -1, unknownSince: run.now(), message: 'It was interrupted.' })
}

export async function findFollowUp(run: Run, network: Network, followUp: FollowUp): Promise<Move> {
  return underLease(run, async (signal) => {
    await run.deps.signals('before-find', run.row.id)
    const outcome = await runStep(followUp.find, await attemptOf(run, network, signal), { asks: true })
    await run.deps.signals('found', run.row.id)
    switch (outcome.kind) {
      case 'found':
        return end(run)
      case 'absent':
        return proofAt(run, network) > run.now()
          ? change('FOLLOW_UP_LOOKING_UP', { nextAt: proofAt(run, network) })
          : again(run, followUp, null, true, run.row.last_message ?? 'The network did not take it.')
      case 'cannot-tell':
        return askLater(run, followUp, outcome.message)
      case 'reconnect':
        return refreshThen(run, followUp, outcome, 'FOLLOW_UP_LOOKING_UP')
    }
  })
}

/** The comment may or may not be there: it is looked up again, for as long as that is worth it. */
export function askLater(run: Run, followUp: FollowUp, message: string): Move {
  const lookups = run.row.lookups + 1
  const since = run.row.unknown_since ?? run.now()
  const nextAt = nextLookupAt(run.deps.settings.followUpLookupsMs, lookups, since, run.now())
  if (nextAt === null) return end(run, followUpWarning(followUp.title, `It may be there all the same: ${message}`))
  return change('FOLLOW_UP_LOOKING_UP', { nextAt, lookups, message })
}

async function refreshThen(
  run: Run,
  followUp: FollowUp,
  reconnect: Reconnect,
  state: 'FOLLOW_UP' | 'FOLLOW_UP_LOOKING_UP',
): Promise<Move> {
  if (reconnect.mayRefresh && canRefresh(run)) {
    const refreshed = await refreshRunToken(run)
    if (refreshed.kind === 'token') return change(state)
  } else if (reconnect.byRead) {
    return askLater(run, followUp, reconnect.message)
  } else if (!(await endConnection(run, reconnect.message))) {
    return change(state)
  }
  return end(run, followUpWarning(followUp.title, reconnect.message))
}
