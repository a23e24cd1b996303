import type { Attempt, PrepareOutcome, Reconnect, Refused, Retry } from '../network.ts'
import { call, isUnseen, parseId } from '../toolkit/graph.ts'
import { failedPreparing, retryFrom, whilePreparing } from '../toolkit/outcomes.ts'
import { withFittedVideos } from '../toolkit/videos.ts'
import { type ContainerParams, childParams, postParams } from './containers.ts'
import { noteKnown } from './lookup.ts'
import { videoTypes } from './manifest.ts'
import { type Judgement, judge, judgeContainer, QUOTA_PAUSE } from './outcomes.ts'
import { dropped, readState } from './state.ts'
import { containerStatus, publishingQuota } from './wire.ts'

/** Tries that are spent on what a few more tries may help, such as a file that could not be fetched. */
const FEW_TRIES = 4
/** Containers that may fail before a post is given up. */
const FAILED_CONTAINERS = 1
/** A container that is worked on for longer is made anew. The vendor speaks of 5 minutes; videos may have a gigabyte. */
const STUCK_MS = 30 * 60_000
/** The publisher gives a post up 24 hours after its time; the reason has to be told before. */
const QUOTA_WAIT_MS = 23 * 3_600_000

type Stop = Exclude<PrepareOutcome, { kind: 'ready' }>
type Made = { kind: 'made'; id: string } | Stop

/**
 * Makes the containers of a post and waits until the network has worked on them. Nothing of it is visible. Every try to
 * publish comes by here, so the status of the container is read before each: whether publishing one twice makes two
 * posts is not documented.
 */
export async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const stop = await obeyVerdict(attempt)
  if (stop) return stop
  if (readState(attempt.handles).container === null) {
    const fitted = await withFittedVideos(attempt, { mimeTypes: videoTypes })
    if ('kind' in fitted) return fitted
    const made = await makeContainers(fitted)
    if (made.kind !== 'made') return made
  }
  const { container } = readState(attempt.handles)
  if (container === null) throw new Error('A container was made and not kept.')
  const progress = await progressOf(attempt, container)
  if (progress.kind !== 'done') return progress
  if (progress.published !== readState(attempt.handles).published) {
    await attempt.store({ published: progress.published })
  }
  if (progress.published) return { kind: 'ready' }
  const full = await quotaStop(attempt)
  if (full) return full
  await noteKnown(attempt)
  return { kind: 'ready' }
}

/**
 * After an unknown outcome this step comes only when it is proven that nothing was published: now holds what the
 * network said to it.
 */
async function obeyVerdict(attempt: Attempt): Promise<Stop | null> {
  const { verdict } = readState(attempt.handles)
  if (verdict === null) return null
  if (verdict.kind === 'refused') return verdict
  await attempt.store({ verdict: null, ...(verdict.kind === 'fresh' ? dropped : {}) })
  if (verdict.kind === 'fresh') return null
  const until = new Date(verdict.until)
  if (until <= attempt.now()) return null
  return { kind: 'retry', notBefore: until, from: 'prepare', countsAsAttempt: false, message: verdict.message }
}

/** Children first, all of them worked on before the parent is made. */
async function makeContainers(attempt: Attempt): Promise<Made> {
  const params = childParams(attempt.post)
  for (let index = readState(attempt.handles).children.length; index < params.length; index++) {
    const made = await makeContainer(attempt, (await params[index]?.()) ?? {})
    if (made.kind !== 'made') return made
    const { children } = readState(attempt.handles)
    await attempt.store({ children: [...children, made.id], since: attempt.now().toISOString() })
  }
  const { children } = readState(attempt.handles)
  let waiting: Stop | null = null
  for (const [index, child] of children.entries()) {
    const progress = await progressOf(attempt, child, `Item ${index + 1}: `)
    // One that failed is told at once, whatever the others do.
    if (progress.kind === 'waiting') waiting = progress
    else if (progress.kind !== 'done') return progress
  }
  if (waiting) return waiting
  const made = await makeContainer(attempt, await postParams(attempt.post, children))
  if (made.kind === 'made') await attempt.store({ container: made.id, since: attempt.now().toISOString() })
  return made
}

async function makeContainer(attempt: Attempt, params: ContainerParams): Promise<Made> {
  const made = await call(attempt, {
    method: 'POST',
    path: 'me/threads',
    query: params,
    // The network may fetch images before it answers.
    timeoutMs: 60_000,
    parse: parseId,
  })
  switch (made.kind) {
    case 'ok':
      return { kind: 'made', id: made.value }
    case 'refused':
      return stopFor(attempt, judge(made.answer, attempt.now()))
    case 'failed':
      return failedPreparing(made)
  }
}

type Progress = { kind: 'done'; published: boolean } | Stop

async function progressOf(attempt: Attempt, container: string, place = ''): Promise<Progress> {
  const asked = await containerStatus(attempt, container)
  if (asked.kind === 'failed') return failedPreparing(asked)
  const now = attempt.now()
  if (asked.kind === 'refused') {
    const judgement = judge(asked.answer, now)
    // We have made it: that it cannot be seen says nothing of it, and is asked about for as long as the retry policy lasts.
    return isUnseen(asked.answer) ? retryFrom('prepare', judgement.meaning.message) : stopFor(attempt, judgement)
  }
  switch (asked.value.status) {
    case 'FINISHED':
    case 'PUBLISHED':
      return { kind: 'done', published: asked.value.status === 'PUBLISHED' }
    case 'EXPIRED':
      await attempt.store(dropped)
      return retryFrom('prepare', 'What was prepared has expired after 24 hours; it is made anew.')
    case 'ERROR':
      return failed(attempt, asked.value.errorMessage, place)
    case 'IN_PROGRESS': {
      const age = now.getTime() - (readState(attempt.handles).since ?? now).getTime()
      // After the visible call the work may be that of publishing: such a container is never given up.
      if (age >= STUCK_MS && attempt.fencedAt === null) return failed(attempt, null, place)
      return { kind: 'waiting', askAgainAt: new Date(now.getTime() + pollPause(age)) }
    }
  }
}

/** A container that failed, or that never comes to an end. */
async function failed(attempt: Attempt, errorMessage: string | null, place: string): Promise<Stop> {
  const { message, again } = judgeContainer(errorMessage)
  const tries = readState(attempt.handles).tries + 1
  if (!again || tries > FAILED_CONTAINERS) {
    return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message: place + message }
  }
  await attempt.store({ tries, ...dropped })
  return retryFrom('prepare', place + message)
}

/** The vendor advises one look a minute; texts and images are done within seconds, and people wait for them. */
function pollPause(ageMs: number): number {
  if (ageMs < 10_000) return 2_000
  if (ageMs < 60_000) return 5_000
  return ageMs < 300_000 ? 15_000 : 60_000
}

/** What a refusal leads to here, and what is forgotten for it. */
async function stopFor(attempt: Attempt, { meaning, few, race }: Judgement): Promise<Retry | Refused | Reconnect> {
  const outcome = whilePreparing(meaning)
  const reason = race ? 'UNKNOWN_MEDIA_ERROR' : few
  if (outcome.kind !== 'retry' || !reason) return outcome
  const tries = readState(attempt.handles).tries + 1
  if (tries > FEW_TRIES) return { kind: 'refused', reason, message: meaning.message }
  // Once the visible call may have been made, an unknown container is no proof that it was not published.
  const anew = race && tries === FEW_TRIES / 2 && attempt.fencedAt === null
  await attempt.store({ tries, ...(anew ? dropped : {}) })
  return outcome
}

/**
 * Places of the quota become free one by one within 24 hours, so it is asked again every hour. One that cannot be read
 * is no reason not to publish: then the network says it itself.
 */
async function quotaStop(attempt: Attempt): Promise<Stop | null> {
  const asked = await publishingQuota(attempt)
  if (asked.kind !== 'ok' || asked.value.total < 1 || asked.value.used < asked.value.total) return null
  const { used, total } = asked.value
  return waitForQuota(attempt, `The account has used up its posts of 24 hours (${used} of ${total}).`)
}

/** Waits an hour, or gives the post up when it has waited for most of a day. */
export async function waitForQuota(attempt: Attempt, message: string): Promise<Retry | Refused> {
  const now = attempt.now()
  const since = readState(attempt.handles).quotaSince ?? now
  if (now.getTime() + QUOTA_PAUSE - since.getTime() > QUOTA_WAIT_MS) {
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message: `${message} Schedule the post for another day.` }
  }
  await attempt.store({ quotaSince: since.toISOString() })
  const notBefore = new Date(now.getTime() + QUOTA_PAUSE)
  return { kind: 'retry', notBefore, from: 'prepare', countsAsAttempt: false, message }
}
