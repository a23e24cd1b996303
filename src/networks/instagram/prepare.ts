import type { Attempt, PrepareOutcome, Reconnect, Refused, Retry } from '../network.ts'
import { call, isUnseen, parseId } from '../toolkit/graph.ts'
import { failedPreparing, retryFrom, whilePreparing } from '../toolkit/outcomes.ts'
import { withFittedVideos } from '../toolkit/videos.ts'
import { type ContainerBody, childBodies, postBody } from './containers.ts'
import { noteKnown } from './lookup.ts'
import { type Judgement, judge, judgeContainer } from './outcomes.ts'
import { dropped, readState } from './state.ts'
import { containerStatus } from './wire.ts'

/** Tries that are spent on what a few more tries may help, such as a file that could not be fetched. */
const FEW_TRIES = 4
/** A container that is worked on for longer is made anew; videos of 15 minutes take some minutes. */
const STUCK_MS = 60 * 60_000

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
    const fitted = await withFittedVideos(attempt, { mimeTypes: ['video/mp4', 'video/quicktime'] })
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
  if (!progress.published) await noteKnown(attempt)
  return { kind: 'ready' }
}

/**
 * This step comes after `media_publish` only when it is proven that nothing was published: now holds what the network
 * said to it.
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
  const bodies = childBodies(attempt.post)
  for (let index = readState(attempt.handles).children.length; index < bodies.length; index++) {
    const body = await bodies[index]?.()
    const made = await makeContainer(attempt, body ?? {})
    if (made.kind !== 'made') return made
    await attempt.store({
      children: [...readState(attempt.handles).children, made.id],
      since: attempt.now().toISOString(),
    })
  }
  const { children } = readState(attempt.handles)
  let waiting: Stop | null = null
  for (const child of children) {
    const progress = await progressOf(attempt, child)
    // One that failed is told at once, whatever the others do.
    if (progress.kind === 'waiting') waiting = progress
    else if (progress.kind !== 'done') return progress
  }
  if (waiting) return waiting
  const made = await makeContainer(attempt, await postBody(attempt.post, children))
  if (made.kind === 'made') await attempt.store({ container: made.id, since: attempt.now().toISOString() })
  return made
}

async function makeContainer(attempt: Attempt, body: ContainerBody): Promise<Made> {
  const made = await call(attempt, {
    method: 'POST',
    path: `${attempt.account.externalId}/media`,
    json: body,
    // The network fetches images before it answers.
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

async function progressOf(attempt: Attempt, container: string): Promise<{ kind: 'done'; published: boolean } | Stop> {
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
      return stopFor(attempt, judgeContainer(asked.value.subcode, now))
    case 'IN_PROGRESS': {
      const age = now.getTime() - (readState(attempt.handles).since ?? now).getTime()
      // After the visible call the work may be that of publishing: such a container is never given up.
      const stuck = age >= STUCK_MS && attempt.fencedAt === null
      if (stuck) return stopFor(attempt, judgeContainer(null, now))
      return { kind: 'waiting', askAgainAt: new Date(now.getTime() + pollPause(age)) }
    }
  }
}

/** The vendor advises one look a minute; images are done within seconds, and people wait for them. */
function pollPause(ageMs: number): number {
  if (ageMs < 10_000) return 2_000
  if (ageMs < 60_000) return 5_000
  return ageMs < 300_000 ? 15_000 : 60_000
}

/** What a refusal leads to here, and what is forgotten for it. */
async function stopFor(attempt: Attempt, judgement: Judgement): Promise<Retry | Refused | Reconnect> {
  const { meaning, few, fresh } = judgement
  const outcome = whilePreparing(meaning)
  if (outcome.kind !== 'retry') return outcome
  const tries = readState(attempt.handles).tries + (few ? 1 : 0)
  if (few && tries > FEW_TRIES) return { kind: 'refused', reason: few, message: meaning.message }
  if (few || fresh) await attempt.store({ tries, ...(fresh ? dropped : {}) })
  return outcome
}
