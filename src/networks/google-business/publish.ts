import { afterVisibleCall, askAgain } from '../kit/flow.ts'
import { fittedImage } from '../kit/images.ts'
import { obeyPending, stopAfter } from '../kit/pending.ts'
import type { Attempt, Connector, PrepareOutcome, PublishOutcome } from '../network.ts'
import { call, type LocalPost, parseLocalPost, postsOf } from './api.ts'
import { callToActionOf } from './fields.ts'
import { alike, find, GONE, readPost, standingOf } from './lookup.ts'
import { limits } from './manifest.ts'
import { errors } from './outcomes.ts'
import { readState } from './state.ts'

/** A post that was just made may be unknown to the first reads of it. */
const READABLE_AFTER_MS = 2 * 60_000

export const connector: Connector = { prepare, publish, confirm, find }

/** Has the photo ready, and notes down what looks like the post before it is made. Nothing of it is visible. */
async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const stop = await obeyPending(attempt, {})
  if (stop) return stop
  await photoOf(attempt.post)
  if (readState(attempt.handles).known !== null) return { kind: 'ready' }
  const listed = await alike(attempt, attempt.now())
  const meaning = listed.kind === 'refused' ? errors.lookUp(listed.answer, attempt.now()).meaning : null
  // Whether the account may publish, publishing itself tells.
  if (meaning?.kind === 'reconnect' && !meaning.mayRefresh) {
    await attempt.store({ known: [], unlisted: true })
    return { kind: 'ready' }
  }
  if (listed.kind !== 'ok') return stopAfter(attempt, listed, errors)
  // A listing that is too long to be read proves nothing later either, and is no reason not to post.
  const { entries, whole } = listed.value
  await attempt.store({ known: whole ? entries.map(({ name }) => name) : [] })
  return { kind: 'ready' }
}

/** The photo as it goes out; the same bytes at every call. Null without one. */
const photoOf = async ({ media: [item] }: Attempt['post']) =>
  item
    ? fittedImage(item.source, { mimeTypes: ['image/jpeg', 'image/png'], maxBytes: limits.photoMaxBytes.value })
    : null

/**
 * Makes the post: one call, and none for a post that Google has taken already. Google fetches the photo afterwards, from
 * an address that stays good for 72 hours.
 */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { name, looked } = readState(attempt.handles)
  if (name !== null) return confirm(attempt)
  if (looked) await attempt.store({ looked: false })
  const photo = await photoOf(attempt.post)
  const callToAction = callToActionOf(attempt.post.fields)
  const { languageCode } = attempt.account.defaults
  const made = await call(attempt, {
    method: 'POST',
    path: postsOf(attempt).path,
    json: {
      ...(typeof languageCode === 'string' && languageCode !== '' ? { languageCode } : {}),
      summary: attempt.post.caption,
      topicType: 'STANDARD',
      ...(callToAction ? { callToAction } : {}),
      ...(photo ? { media: [{ mediaFormat: 'PHOTO', sourceUrl: await photo.url() }] } : {}),
    },
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: parseLocalPost,
  })
  return afterVisibleCall(attempt, made, {
    classify: errors.classify,
    unclear: 'Google did not say clearly whether it took the post.',
    async made(post) {
      await attempt.store({ name: post.name })
      return outcomeOf(attempt, post)
    },
  })
}

/** Asks what became of a post that Google has taken. */
async function confirm(attempt: Attempt): Promise<PublishOutcome> {
  const { name } = readState(attempt.handles)
  if (name === null) return { kind: 'unknown', message: 'The name of the post was not learnt.' }
  const asked = await readPost(attempt, name)
  if (asked.kind === 'ok') return outcomeOf(attempt, asked.value)
  if (asked.kind === 'failed') return later(attempt)
  if (asked.answer.status === 404) {
    return ageOf(attempt) < READABLE_AFTER_MS ? later(attempt) : { kind: 'unknown', message: GONE }
  }
  const { meaning } = errors.lookUp(asked.answer, attempt.now())
  if (meaning.kind === 'reconnect') return meaning
  // The post is made: what is said to a question about it ends nothing.
  return meaning.kind === 'wait' && meaning.until ? { kind: 'accepted', askAgainAt: meaning.until } : later(attempt)
}

async function outcomeOf(attempt: Attempt, post: LocalPost): Promise<PublishOutcome> {
  const standing = await standingOf(attempt, post)
  return standing.kind === 'pending' ? later(attempt) : standing
}

/** Text is looked at within seconds, photos take a while, and some posts hours. */
const later = (attempt: Attempt): PublishOutcome => ({
  kind: 'accepted',
  askAgainAt: askAgain(attempt, attempt.fencedAt, [
    [15_000, 3_000],
    [120_000, 10_000],
    [15 * 60_000, 60_000],
    [Number.POSITIVE_INFINITY, 10 * 60_000],
  ]),
})

const ageOf = ({ now, fencedAt }: Attempt) => now().getTime() - (fencedAt ?? now()).getTime()
