import { MediaFailure } from '#media'
import { type Attempt, checkPosts, type Network, type PrepareOutcome, type Reconnect, runStep } from '#networks'
import {
  afterPublish,
  afterPublished,
  askLater,
  change,
  lookUp,
  type Move,
  refuse,
  renewOrEnd,
  tryAgain,
  waitIn,
} from './moves.ts'
import { brokenRules, goneMessage } from './results.ts'
import { attemptOf, canRefresh, type Run, refreshAhead, refreshRunToken, underLease } from './run.ts'
import { visibleCall } from './visible-call.ts'

/** Before anything: the rules once more, with what is true of the connection now. Null when all is well. */
export function brokenRulesOf(run: Run): Move | null {
  const { post, connection } = run.content
  const { problems } = checkPosts(run.deps.networks, [post], connection ? [connection] : [])
  return problems.length === 0 ? null : { kind: 'finish', result: brokenRules(problems) }
}

/** Uploads and containers: nothing that the world can see. */
export async function prepare(run: Run, network: Network): Promise<Move> {
  return underLease(run, async (signal) => {
    await refreshAhead(run)
    await run.deps.signals('before-prepare', run.row.id)
    const outcome = (await goneOutcome(run)) ?? (await prepareOutcome(network, await attemptOf(run, network, signal)))
    await run.deps.signals('prepared', run.row.id)
    switch (outcome.kind) {
      case 'ready':
        return change('READY')
      case 'waiting':
        return waitIn(run, 'PREPARING', outcome.askAgainAt)
      case 'retry':
        return tryAgain(run, outcome)
      case 'refused':
        return refuse(outcome)
      case 'reconnect':
        return renewOrEnd(run, outcome, 'PREPARING')
    }
  })
}

/** A file that is gone is looked for once more, and then fails the post. Null: all files are there. */
async function goneOutcome({ deps, content, row }: Run): Promise<PrepareOutcome | null> {
  const missing = await deps.missingMedia(content.post.media.map(({ mediaId }) => mediaId))
  if (missing.length === 0) return null
  const message = goneMessage(missing)
  if (row.last_message === message) return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message }
  return { kind: 'retry', notBefore: null, from: 'prepare', countsAsAttempt: true, message }
}

/**
 * A file that cannot have the form that the network takes will not have it at the next attempt either. What fails while
 * the attempt is stopped may have failed of that: it is tried again.
 */
async function prepareOutcome(network: Network, attempt: Attempt): Promise<PrepareOutcome> {
  try {
    return await runStep(network.connector.prepare, attempt, { asks: false })
  } catch (error) {
    if (!(error instanceof MediaFailure) || attempt.signal.aborted) throw error
    return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message: error.message }
  }
}

/** The one call that makes the post visible. */
export async function publish(run: Run, network: Network): Promise<Move> {
  const outcome = await visibleCall(run, network, { from: 'READY', to: 'SENDING' }, (attempt) =>
    runStep(network.connector.publish, attempt, { asks: false }),
  )
  return afterPublish(run, outcome)
}

/** Somebody set the fence and told no outcome: the network is asked at once, and again by the schedule. */
export function takeOver(run: Run): Move {
  return change('LOOKING_UP', { lookups: -1, unknownSince: run.now(), message: 'Sending was interrupted.' })
}

export async function confirm(run: Run, network: Network): Promise<Move> {
  return underLease(run, async (signal) => {
    await run.deps.signals('before-confirm', run.row.id)
    const outcome = await runStep(network.connector.confirm, await attemptOf(run, network, signal), { asks: true })
    if (outcome.kind === 'accepted') {
      if (outcome.askAgainAt > run.row.gives_up_at) return askLater(run, 'The network is still working on it.')
      return change('CONFIRMING', { nextAt: outcome.askAgainAt })
    }
    if (outcome.kind === 'reconnect')
      return (await refreshed(run, outcome)) ? change('CONFIRMING') : lookUp(run, outcome.message)
    return afterPublish(run, outcome)
  })
}

/**
 * The network does not say how it went because it does not accept the token: nothing is sent again for that, and the
 * connection goes on. A fresh token asks on; without one the post is asked for again, should the account be connected anew.
 */
async function refreshed(run: Run, { mayRefresh }: Reconnect): Promise<boolean> {
  return mayRefresh && canRefresh(run) && (await refreshRunToken(run)).kind === 'token'
}

/** Looks whether the visible call had its effect. Only proof that it had none leads to another attempt. */
export async function find(run: Run, network: Network): Promise<Move> {
  return underLease(run, async (signal) => {
    await run.deps.signals('before-find', run.row.id)
    const outcome = await runStep(network.connector.find, await attemptOf(run, network, signal), { asks: true })
    await run.deps.signals('found', run.row.id)
    switch (outcome.kind) {
      case 'found':
        return afterPublished(run, outcome)
      case 'absent':
        return proofAt(run, network) > run.now()
          ? change('LOOKING_UP', { nextAt: proofAt(run, network) })
          : tryAgain(run, {
              kind: 'retry',
              notBefore: null,
              from: 'prepare',
              countsAsAttempt: true,
              message: run.row.last_message ?? 'The network did not take it.',
            })
      case 'cannot-tell':
        return askLater(run, outcome.message)
      case 'reconnect':
        return (await refreshed(run, outcome)) ? change('LOOKING_UP') : askLater(run, outcome.message)
    }
  })
}

/** From when on the network's silence about a post is proof. */
export function proofAt(run: Run, network: Network): Date {
  const delay = run.deps.settings.listingDelayMs ?? network.manifest.listingDelayMs
  return new Date((run.row.fenced_at ?? run.now()).getTime() + delay)
}
