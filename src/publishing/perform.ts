import { allMedia, croppedFacts, type DeliveryEvent, isPost, type Step, stateOf } from '#domain'
import { MediaFailure } from '#media'
import { checkPosts, type Network, type PartPrepareOutcome, type PrepareOutcome, runStep } from '#networks'
import type { DeliveryMedia } from '#persistence'
import { stepsOf } from './parts.ts'
import { brokenRules, goneMessage } from './results.ts'
import { attemptOf, canRefresh, refreshAhead, stepUnderLease } from './run.ts'
import type { Run } from './turn.ts'
import { visibleCall } from './visible-call.ts'

/** Does a step of a delivery, and reports what came of it. */
export function perform(run: Run, network: Network, step: Step): Promise<DeliveryEvent> {
  switch (step) {
    case 'prepare':
      return prepare(run, network)
    case 'send':
      return send(run, network)
    case 'confirm':
      return confirm(run, network)
    case 'find':
      return find(run, network)
  }
}

/** Before anything: the rules again, with what is true of the connection now. Null when none is broken. */
export function brokenRulesOf({ content, deps }: Run): DeliveryEvent | null {
  const { post, connection } = content
  const cropped = (media: readonly DeliveryMedia[]) =>
    media.map((item) => ({ ...item, facts: croppedFacts(item.facts, item.crop) }))
  const thread = post.thread.map((part) => ({ ...part, media: cropped(part.media) }))
  const { problems } = checkPosts(
    deps.networks,
    [{ ...post, media: cropped(post.media), thread }],
    connection && !connection.closed ? [connection] : [],
  )
  return problems.length === 0 ? null : { kind: 'rules-broken', ...brokenRules(problems) }
}

/** Uploads and containers: nothing that the world can see. */
function prepare(run: Run, network: Network): Promise<DeliveryEvent> {
  return stepUnderLease(run, async (signal) => {
    await refreshAhead(run)
    await run.deps.signals('before-prepare', run.row.id)
    const outcome = (await goneOutcome(run)) ?? (await prepareOutcome(run, network, signal))
    await run.deps.signals('prepared', run.row.id)
    return { kind: 'prepared', outcome, refreshable: canRefresh(run) }
  })
}

/** A file that is gone is looked for one more time, and then fails the post. Null: all files are there. */
async function goneOutcome({ deps, content, row }: Run): Promise<PrepareOutcome | null> {
  const missing = await deps.missingMedia(allMedia(content.post).map(({ mediaId }) => mediaId))
  if (missing.length === 0) return null
  const message = goneMessage(missing)
  if (row.last_message === message) return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message }
  return { kind: 'retry', notBefore: null, from: 'prepare', countsAsAttempt: true, message }
}

/**
 * A file that cannot have the form that the network takes will not have it at the next attempt either. What fails while
 * the attempt is stopped may have failed of that: it is tried again.
 */
async function prepareOutcome(run: Run, network: Network, signal: AbortSignal): Promise<PartPrepareOutcome> {
  try {
    const attempt = await attemptOf(run, network, signal, { crops: 'made' })
    return await runStep(stepsOf(run, network).prepare, attempt, { asks: false })
  } catch (error) {
    if (!(error instanceof MediaFailure) || signal.aborted) throw error
    return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message: error.message }
  }
}

/** The one call that makes a part visible, behind its fence. */
async function send(run: Run, network: Network): Promise<DeliveryEvent> {
  const states = { from: run.row.state, to: stateOf({ ...run.delivery, stage: 'SENDING' }, run.policy) }
  const call = stepsOf(run, network).send
  const outcome = await visibleCall(run, network, states, (attempt) => runStep(call, attempt, { asks: false }))
  if (typeof outcome === 'string') return { kind: outcome }
  if (outcome.kind === 'accepted' && isPost(run.delivery)) run.providerId = outcome.providerId ?? null
  return { kind: 'sent', outcome, refreshable: canRefresh(run) }
}

function confirm(run: Run, network: Network): Promise<DeliveryEvent> {
  return stepUnderLease(run, async (signal) => {
    await run.deps.signals('before-confirm', run.row.id)
    const outcome = await runStep(stepsOf(run, network).confirm, await attemptOf(run, network, signal), { asks: true })
    return { kind: 'confirmed', outcome, refreshable: canRefresh(run) }
  })
}

/** Looks whether the visible call had its effect. */
function find(run: Run, network: Network): Promise<DeliveryEvent> {
  const look = stepsOf(run, network).find
  return stepUnderLease(run, async (signal) => {
    await run.deps.signals('before-find', run.row.id)
    const { sinceCallMs, sinceFenceMs, begunAt } = await run.deps.calls.look(run.row)
    const outcome = await runStep(look, await attemptOf(run, network, signal), { asks: true })
    await run.deps.signals('found', run.row.id)
    run.repeatUntil = outcome.kind === 'repeatable' && begunAt !== null ? begunAt + outcome.withinMs : null
    const times = { sinceCallMs, sinceFenceMs: sinceFenceMs() }
    return { kind: 'looked-up', outcome, refreshable: canRefresh(run), ...times }
  })
}
