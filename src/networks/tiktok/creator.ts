import type { Fruitless } from '../kit/api.ts'
import type { Classification } from '../kit/errors.ts'
import { failedPreparing, whilePreparing } from '../kit/outcomes.ts'
import type { Stop } from '../kit/pending.ts'
import type { Attempt, Refused, Retry } from '../network.ts'
import { CROWDED_PAUSE, errors } from './outcomes.ts'
import { videoOf } from './post-body.ts'
import { readState, type Switches } from './state.ts'
import { type Creator, creatorInfo } from './wire.ts'

/** The publisher gives a post up 24 hours after its time; the reason has to be told before. */
const CROWDED_WAIT_MS = 23 * 3_600_000

/**
 * Asks what the account may do at this moment, as the network demands it before every post, and whether the post still
 * fits; keeps what publishing needs of it: https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info, read 2026-11-21.
 */
export async function askCreator(attempt: Attempt): Promise<{ kind: 'creator'; switches: Switches } | Stop> {
  const asked = await creatorInfo(attempt)
  if (asked.kind !== 'ok') return stopFor(attempt, asked)
  const creator = asked.value
  const unfit = refusedBecause(attempt, creator)
  if (unfit) return unfit
  const { username, commentDisabled, duetDisabled, stitchDisabled } = creator
  const switches = { commentDisabled, duetDisabled, stitchDisabled }
  await attempt.store({ switches, ...(username === null ? {} : { username }) })
  return { kind: 'creator', switches }
}

function refusedBecause({ post, account }: Attempt, creator: Creator): Refused | null {
  const { privacy } = account.defaults
  if (typeof privacy !== 'string') {
    const message =
      'Nobody has chosen who can see the posts. Choose it among the publishing defaults of the account, or in the options of the post.'
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message }
  }
  if (!creator.privacyLevels.includes(privacy)) {
    const offered = creator.privacyLevels.join(', ') || 'nothing'
    const message = `TikTok no longer offers the account the audience ${privacy}, but ${offered}. Choose another among its publishing defaults, or in the options of the post.`
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message }
  }
  const milliseconds = videoOf(post)?.facts.durationMs ?? null
  const most = creator.maxVideoSeconds
  if (milliseconds === null || most === null || milliseconds <= most * 1000) return null
  const message = `TikTok takes videos of at most ${most} seconds from this account; this one has ${milliseconds / 1000}. Cut it.`
  return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message }
}

/** What a call that brought nothing leads to, when it was one that has no visible effect. */
export async function stopFor(attempt: Attempt, called: Fruitless): Promise<Stop> {
  if (called.kind === 'failed') return failedPreparing(called)
  const classified = errors.classify(called.answer, attempt.now())
  return (await whenCrowded(attempt, classified)) ?? whilePreparing(classified.meaning)
}

/**
 * The account has made its posts of 24 hours. Their day rolls, so the network is asked every hour, and the post ends with
 * the reason before the publisher gives it up without one. Null for everything else.
 */
export async function whenCrowded(
  attempt: Attempt,
  { meaning, quota }: Classification,
): Promise<Retry | Refused | null> {
  if (!quota || meaning.kind !== 'wait') return null
  const now = attempt.now()
  const since = readState(attempt.handles).crowdedSince
  if (since && now.getTime() + CROWDED_PAUSE - since.getTime() > CROWDED_WAIT_MS) {
    const message = `${meaning.message} Schedule the post for another day.`
    return { kind: 'refused', reason: 'ACCOUNT_RESTRICTED_SPAM', message }
  }
  if (!since) await attempt.store({ crowdedSince: now.toISOString() })
  const { until: notBefore, message } = meaning
  return { kind: 'retry', notBefore, from: 'prepare', countsAsAttempt: false, message, scope: 'identity' }
}
