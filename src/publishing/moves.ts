import type { PostResult } from '#contract'
import type { PublishOutcome, Reconnect, Refused, Retry } from '#networks'
import { type DeliveryChange, type DeliveryState, requireReconnect } from '#persistence'
import { failed, mayBeLiveMessage, posted, usedUpMessage } from './results.ts'
import { nextAttemptAt, nextLookupAt } from './retry-policy.ts'
import { canRefresh, type Run, refreshRunToken } from './run.ts'
import { readToken } from './token-refresher.ts'

/** What a step leads to: the delivery stays open and changes, or it ends with a result. */
export type Move = { kind: 'change'; change: DeliveryChange } | { kind: 'finish'; result: PostResult }

export const change = (state: DeliveryState, more: Partial<DeliveryChange> = {}): Move => ({
  kind: 'change',
  change: { state, nextAt: null, ...more },
})

export const finish = (result: PostResult): Move => ({ kind: 'finish', result })

/** Waits in a state until the network may be asked again; gives up when that is too late for the post. */
export function waitIn(run: Run, state: DeliveryState, until: Date, more: Partial<DeliveryChange> = {}): Move {
  if (until > run.row.gives_up_at) return finish(failed('UNKNOWN', usedUpMessage(more.message ?? run.row.last_message)))
  return change(state, { ...more, nextAt: until })
}

/** Certain that nothing happened: again, at the network's time or by the policy. */
export function tryAgain(run: Run, retry: Retry): Move {
  const attempts = run.row.attempts + (retry.countsAsAttempt ? 1 : 0)
  const byPolicy = nextAttemptAt(run.deps.settings, Math.max(attempts, 1), run.now())
  if (byPolicy === null) return finish(failed('UNKNOWN', usedUpMessage(retry.message)))
  const state = retry.from === 'prepare' ? 'PREPARING' : 'READY'
  return waitIn(run, state, retry.notBefore ?? byPolicy, { attempts, message: retry.message })
}

export function refuse(refused: Refused): Move {
  return finish(failed(refused.reason, refused.message))
}

/**
 * The credentials were not accepted: one refresh, then the same step again; else the connection is dead. To a read that says
 * nothing, so it is made again by the policy; in the visible step it may have come after the call.
 */
export async function renewOrEnd(run: Run, reconnect: Reconnect, again: DeliveryState): Promise<Move> {
  if (reconnect.mayRefresh && canRefresh(run)) {
    const refreshed = await refreshRunToken(run)
    if (refreshed.kind === 'token') return change(again)
    if (refreshed.kind === 'failed') {
      const from = again === 'PREPARING' ? 'prepare' : 'publish'
      return tryAgain(run, { ...refreshed, kind: 'retry', notBefore: null, from })
    }
    return finish(failed('ACCOUNT_CONNECTION_EXPIRED', refreshed.message))
  }
  if (reconnect.byRead) {
    const { message } = reconnect
    if (again !== 'PREPARING') return lookUp(run, message)
    return tryAgain(run, { kind: 'retry', notBefore: null, from: 'prepare', countsAsAttempt: true, message })
  }
  if (!(await endConnection(run, reconnect.message))) return change(again)
  return finish(failed('ACCOUNT_CONNECTION_EXPIRED', reconnect.message))
}

/**
 * The credentials are dead for certain: people are told to connect the account again. False when somebody has done so
 * meanwhile: what was refused is the old token, and the run has the new one now.
 */
export async function endConnection(run: Run, reason: string): Promise<boolean> {
  const identityId = run.content.connection?.identityId
  if (!identityId) return true
  if (await requireReconnect(run.deps.db, identityId, reason, { seen: run.token?.refreshedAt ?? null })) return true
  run.token = await readToken(run.deps, identityId)
  return false
}

/** The network may have done it: it is looked up, nothing is sent. */
export function lookUp(run: Run, message: string): Move {
  const unknownSince = run.now()
  const nextAt = nextLookupAt(run.deps.settings.lookupsMs, 0, unknownSince, unknownSince)
  return change('LOOKING_UP', { nextAt, lookups: 0, unknownSince, message })
}

/** What the visible call of a post leads to. */
export async function afterPublish(run: Run, outcome: PublishOutcome): Promise<Move> {
  switch (outcome.kind) {
    case 'published':
      return afterPublished(run, outcome)
    case 'accepted':
      return change('CONFIRMING', { nextAt: outcome.askAgainAt })
    case 'retry':
      return tryAgain(run, outcome)
    case 'refused':
      return refuse(outcome)
    case 'reconnect':
      return renewOrEnd(run, outcome, 'READY')
    case 'unknown':
      return lookUp(run, outcome.message)
  }
}

/** The post is live: a first comment is next, or the result. */
export function afterPublished(run: Run, published: { providerId: string | null; permalink: string | null }): Move {
  const followUp = run.network?.connector.followUp
  const { providerId, permalink } = published
  if (!followUp?.wanted(run.content.post)) return finish(posted(published, run.row.warnings))
  if (providerId === null) {
    return finish(
      posted(published, [...run.row.warnings, followUpWarning(followUp.title, 'The id of the post is not known.')]),
    )
  }
  return change('FOLLOW_UP', {
    handles: { providerId, permalink },
    attempts: 0,
    lookups: 0,
    resetFence: true,
    message: null,
  })
}

export const followUpWarning = (title: string, why: string) => ({
  code: 'post:follow_up_failed',
  message: `The post is live, but its ${title} could not be made. ${why}`,
})

/** When the schedule of lookups is over the post ends as "may be live". */
export function askLater(run: Run, message: string): Move {
  const lookups = run.row.lookups + 1
  const nextAt = nextLookupAt(run.deps.settings.lookupsMs, lookups, run.row.unknown_since ?? run.now(), run.now())
  if (nextAt === null) return finish(failed('UNKNOWN', mayBeLiveMessage))
  return change('LOOKING_UP', { nextAt, lookups, message })
}
