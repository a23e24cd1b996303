import { HOUR_MS } from '#contract/durations'
import type { Called } from '../kit/api.ts'
import type { Classification } from '../kit/errors.ts'
import { afterVisibleCall, askAgain } from '../kit/flow.ts'
import { confirmByLookup, failedPreparing, retryFrom } from '../kit/outcomes.ts'
import { obeyPending, type Stop, stopFor } from '../kit/pending.ts'
import { afterPause, answeredBy, commentParts, threadParts } from '../kit/thread.ts'
import { withFittedVideos } from '../kit/videos.ts'
import { noteFormerWords } from '../kit/words.ts'
import type { Attempt, Connector, PublishOutcome, Refused, Retry } from '../network.ts'
import {
  type ContainerNetwork,
  containerStatus,
  dropped,
  type Listed,
  type Params,
  type Quota,
  readQuota,
  readState,
} from './containers.ts'
import { QUOTA_PAUSE } from './errors.ts'
import { call, isUnseen, parseId } from './graph.ts'
import { containerLookup } from './lookup.ts'

/** The publisher gives a post up 24 hours after its time; the reason has to be reported before. */
const QUOTA_WAIT_MS = 23 * HOUR_MS
const VIDEO_FORM = { mimeTypes: ['video/mp4', 'video/quicktime'] }

/** The connector of such a network. */
export function containerConnector<F, P extends Listed>(network: ContainerNetwork<F, P>): Connector {
  const { find, noteKnown, parentGone, permalinkOf, readPost } = containerLookup(network)
  const unclear = `${network.title} did not say clearly whether it published the post.`
  const reply = { prepare: prepareReply, send: publish, find }
  const further = threadParts(network.wordsOf, { ...reply, parentGone })
  const comment = commentParts(network.wordsOf, reply)
  return {
    wordsOf: network.wordsOf,
    prepare,
    publish,
    confirm: confirmByLookup(find, unclear),
    find,
    permalink: permalinkOf,
    ...(network.replies ? { parts: (post) => [...further(post), ...comment(post)] } : {}),
  }

  async function prepareReply(attempt: Attempt): ReturnType<Connector['prepare']> {
    return afterPause(attempt) ?? prepare(attempt)
  }

  /**
   * Makes the containers of a post and waits until the network has worked on them. Nothing of it is visible. Every try to
   * publish comes by here, so the status of the container is read before each: publishing one twice may make two posts.
   */
  async function prepare(attempt: Attempt): ReturnType<Connector['prepare']> {
    const stop = await obeyPending(attempt, dropped)
    if (stop) return stop
    if (readState(attempt.handles).container !== null) await noteFormerWords(attempt)
    else {
      const fitted = await withFittedVideos(attempt, VIDEO_FORM)
      if ('kind' in fitted) return fitted
      const unmade = await makeContainers(fitted)
      if (unmade) return unmade
    }
    const { container } = readState(attempt.handles)
    if (container === null) throw new Error('A container was made and not kept.')
    const progress = await progressOf(attempt, container)
    if (progress.kind !== 'done') return progress
    if (progress.published !== readState(attempt.handles).published) {
      await attempt.store({ published: progress.published })
    }
    if (progress.published) return { kind: 'ready' }
    if (answeredBy(attempt) !== null) return (await videoPause(attempt)) ?? { kind: 'ready' }
    const full = network.quotaIsAsked === 'before' ? await quotaStop(attempt) : null
    if (full) return full
    await noteKnown(attempt)
    return { kind: 'ready' }
  }

  /** Whether the container of a part has to rest for a while. */
  async function videoPause(attempt: Attempt): Promise<Stop | null> {
    if (!attempt.post.media.some(({ facts }) => facts.type === 'VIDEO')) return null
    const now = attempt.now()
    const finished = readState(attempt.handles).finished ?? now
    await attempt.store({ finished: finished.toISOString() })
    const askAgainAt = new Date(finished.getTime() + (network.replies?.videoPauseMs ?? 0))
    return askAgainAt > now ? { kind: 'waiting', askAgainAt } : null
  }

  /** An account that may publish and not answer stays connected. */
  function classify(attempt: Attempt): typeof network.classify {
    return (answer, now) => {
      const classified = network.classify(answer, now)
      const { meaning } = classified
      if (answeredBy(attempt) === null || meaning.kind !== 'reconnect' || meaning.mayRefresh) return classified
      return {
        ...classified,
        meaning: { kind: 'refused', reason: 'ACTION_BLOCKED', message: network.replies?.notAllowed ?? meaning.message },
      }
    }
  }

  /** Items first, all of them worked on before the whole is made. Null once that is made. */
  async function makeContainers(attempt: Attempt): Promise<Stop | null> {
    const parts = network.parts(attempt.post)
    for (let index = readState(attempt.handles).children.length; index < parts.length; index++) {
      const made = await makeContainer(attempt, (await parts[index]?.()) ?? {})
      if (typeof made !== 'string') return made
      const { children } = readState(attempt.handles)
      await attempt.store({ children: [...children, made], since: attempt.now().toISOString() })
    }
    const { children } = readState(attempt.handles)
    let waiting: Stop | null = null
    for (const [index, child] of children.entries()) {
      const progress = await progressOf(attempt, child, `Item ${index + 1}: `)
      // One that failed is reported at once, whatever the others do.
      if (progress.kind === 'waiting') waiting = progress
      else if (progress.kind !== 'done') return progress
    }
    if (waiting) return waiting
    const parent = answeredBy(attempt)
    const reply = parent === null ? {} : network.replies?.params(parent)
    const whole = await network.whole(attempt.post, children, attempt.words)
    const made = await makeContainer(attempt, { ...whole, ...reply })
    if (typeof made !== 'string') return made
    await attempt.store({ container: made, since: attempt.now().toISOString(), words: attempt.words })
    return null
  }

  async function makeContainer(attempt: Attempt, params: Params): Promise<string | Stop> {
    // The network may fetch images before it answers.
    const made = await send(attempt, network.edges.make, params, 60_000)
    if (made.kind === 'ok') return made.value
    if (made.kind === 'failed') return failedPreparing(made)
    const classified = classify(attempt)(made.answer, attempt.now())
    if (!classified.quota) return stop(attempt, classified)
    return waitForQuota(attempt, network.containersUsedUp ?? classified.meaning.message)
  }

  function send(attempt: Attempt, edge: string, params: Params, timeoutMs: number): Promise<Called<string>> {
    const content = network.sends === 'json' ? { json: params } : formOf(params)
    return call(attempt, {
      method: 'POST',
      path: `${network.owner(attempt)}/${edge}`,
      ...content,
      timeoutMs,
      parse: parseId,
    })
  }

  async function progressOf(
    attempt: Attempt,
    container: string,
    place = '',
  ): Promise<{ kind: 'done'; published: boolean } | Stop> {
    const asked = await containerStatus(network, attempt, container)
    if (asked.kind === 'failed') return failedPreparing(asked)
    const now = attempt.now()
    if (asked.kind === 'refused') {
      const classified = classify(attempt)(asked.answer, now)
      // We have made it: that it cannot be seen says nothing of it, and is asked about for as long as the retry policy lasts.
      return isUnseen(asked.answer) ? retryFrom('prepare', classified.meaning.message) : stop(attempt, classified)
    }
    const { status, failure } = asked.value
    switch (status) {
      case 'FINISHED':
      case 'PUBLISHED':
        return { kind: 'done', published: status === 'PUBLISHED' }
      case 'EXPIRED':
        await attempt.store(dropped)
        return retryFrom('prepare', 'What was prepared has expired after 24 hours; it is made again.')
      case 'ERROR':
        return failed(attempt, failure, place)
      case 'IN_PROGRESS': {
        const { since } = readState(attempt.handles)
        const age = now.getTime() - (since ?? now).getTime()
        // After the visible call the work may be that of publishing: such a container is never given up.
        if (age >= network.container.stuckMs && attempt.fencedAt === null) return failed(attempt, null, place)
        return { kind: 'waiting', askAgainAt: askAgain(attempt, since, PAUSES) }
      }
    }
  }

  /** A container that failed, or that never comes to an end. */
  async function failed(attempt: Attempt, failure: F | null, place: string): Promise<Stop> {
    const outcome = await stop(attempt, network.container.failed(failure, attempt.now()))
    return { ...outcome, message: place + outcome.message }
  }

  async function stop(attempt: Attempt, classified: Classification) {
    await network.refused?.preparing(attempt, classified)
    return stopFor(attempt, classified, dropped)
  }

  /** A quota that cannot be read is no reason not to publish: then the network says it itself. */
  async function quotaStop(attempt: Attempt): Promise<Stop | null> {
    const asked = await readQuota(attempt, quotaPath(attempt))
    if (asked.kind !== 'ok' || asked.value.total < 1 || asked.value.used < asked.value.total) return null
    return waitForQuota(attempt, `The account has used up its posts of 24 hours${figures(asked)}.`)
  }

  function quotaPath(attempt: Attempt): string {
    return `${network.owner(attempt)}/${network.edges.quota}`
  }

  /** Publishes the container: one call. Another try begins in `prepare`, which reads the status of the container. */
  async function publish(attempt: Attempt): Promise<PublishOutcome> {
    const { container, mediaId, published: isPublished } = readState(attempt.handles)
    if (mediaId !== null) return published(attempt, mediaId)
    if (isPublished) return { kind: 'unknown', message: `${network.title} says that the post is published already.` }
    if (container === null) return retryFrom('prepare', 'Nothing was prepared.')
    // The attempt's signal is the limit of this call.
    const answer = await send(attempt, network.edges.publish, { creation_id: container }, 300_000)
    return afterVisibleCall(attempt, answer, {
      classify: classify(attempt),
      unclear,
      async made(id) {
        await attempt.store({ mediaId: id })
        return published(attempt, id)
      },
      async refused(classified) {
        const own = (await network.refused?.publishing(attempt, classified)) ?? null
        return own ?? (classified.quota ? quotaReached(attempt, classified.meaning.message) : null)
      },
    })
  }

  async function published(attempt: Attempt, mediaId: string): Promise<PublishOutcome> {
    const { permalink, isAlone } = await readPost(attempt, mediaId)
    if (!isAlone) return { kind: 'published', providerId: mediaId, permalink }
    // Without an id nothing answers it.
    const message = `${network.title} shows a part of the thread as a post of its own: ${permalink ?? mediaId}. The parts behind it are not sent. Delete it there, or leave it.`
    return { kind: 'published', providerId: null, permalink, warnings: [{ code: 'post:follow_up_failed', message }] }
  }

  async function quotaReached(attempt: Attempt, message: string): Promise<PublishOutcome> {
    const asked = network.quotaIsAsked === 'after' ? await readQuota(attempt, quotaPath(attempt)) : null
    return waitForQuota(attempt, `${message}${asked ? figures(asked) : ''}`)
  }
}

/** Texts stand in the body: an address would be too long for them. */
const formOf = (params: Params) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: Buffer.from(new URLSearchParams(params as Readonly<Record<string, string>>).toString()),
})

/** The vendor advises one look a minute; texts and images are done within seconds, and people wait for them. */
const PAUSES = [
  [10_000, 2_000],
  [60_000, 5_000],
  [300_000, 15_000],
] as const

const figures = (asked: Called<Quota>) => (asked.kind === 'ok' ? ` (${asked.value.used} of ${asked.value.total})` : '')

/** Waits an hour, or gives the post up when it has waited for most of a day. */
async function waitForQuota(attempt: Attempt, message: string): Promise<Retry | Refused> {
  const now = attempt.now()
  const since = readState(attempt.handles).quotaSince ?? now
  if (now.getTime() + QUOTA_PAUSE - since.getTime() > QUOTA_WAIT_MS) {
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message: `${message} Schedule the post for another day.` }
  }
  await attempt.store({ quotaSince: since.toISOString() })
  const notBefore = new Date(now.getTime() + QUOTA_PAUSE)
  return { kind: 'retry', notBefore, from: 'prepare', countsAsAttempt: false, message, scope: 'identity' }
}
