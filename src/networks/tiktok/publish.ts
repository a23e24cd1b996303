import { failedPublishing, retryFrom, whilePublishing } from '../kit/outcomes.ts'
import { fromPrepare, type Stop } from '../kit/pending.ts'
import type {
  Attempt,
  Connector,
  MediaSource,
  PostToCheck,
  PrepareOutcome,
  PublishOutcome,
  Refused,
  Words,
} from '../network.ts'
import { PUBLISHING, UPLOADING } from './connect.ts'
import { accepted, find, inbox, inInbox, liveAs, standingOf } from './lookup.ts'
import { afterFailure, errors, stopFor, whenCrowded } from './outcomes.ts'
import { isForInbox, photoBody, photoUrls, videoFile, videoOf } from './post-body.ts'
import { isUsable, readState } from './state.ts'
import { busy, continuesAt, giveUp, notArrived, sendChunk, UNREADABLE, uploadVideo } from './upload.ts'
import { type Creator, call, creatorInfo, fetchStatus, parseInit } from './wire.ts'

/** The attempt's signal is the limit of the visible call. */
const VISIBLE_MS = 300_000

export const connector: Connector = { wordsOf, prepare, publish, confirm, find, inbox }

/** Photos may have a title; of a video the caption is one. */
function wordsOf({ caption, fields, media }: PostToCheck): Words {
  const { title } = (fields.options ?? {}) as { title?: unknown }
  const hasTitle = typeof title === 'string' && title !== '' && media.every(({ facts }) => facts.type === 'IMAGE')
  return { text: caption, ...(hasTitle ? { title } : {}) }
}

/**
 * Asks what the account may do, uploads a video up to its last chunk, and makes photos fit. Nothing of it is visible:
 * photos are published by one call, and a video by its last byte.
 */
async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const settled = (await settleEarlierTry(attempt)) ?? mayNot(attempt) ?? (await askCreator(attempt))
  if (settled) return settled
  const video = videoOf(attempt.post)
  if (!video) {
    await photoUrls(attempt.post)
    return { kind: 'ready' }
  }
  const file = await videoFile(video.source)
  return 'kind' in file ? file : ((await uploadVideo(attempt, file)) ?? { kind: 'ready' })
}

/**
 * This step comes after the visible call only when it is proven that nothing was published. The outcome of that try is
 * asked all the same before another one begins: it may hold a reason, or go on after all. Without an answer it may be live:
 * then nothing here says no any more, neither TikTok to the account nor a rule of ours, and `publish` goes on with the
 * same try. Null when nothing is in the way.
 */
async function settleEarlierTry(attempt: Attempt): Promise<PrepareOutcome | null> {
  const { publishId, lastSent, takenAt } = readState(attempt.handles)
  if (publishId === null || (!lastSent && takenAt === null)) return null
  const asked = await fetchStatus(attempt, publishId)
  if (asked.kind !== 'ok') return { kind: 'ready' }
  const standing = standingOf(asked.value, attempt)
  if (standing === 'incomplete') return null
  if (standing === 'failed') return afterFailure(attempt, errors.classify(asked.value.answer, attempt.now()))
  if (standing !== 'unclear' && takenAt === null) await attempt.store({ takenAt: attempt.now().toISOString() })
  return { kind: 'ready' }
}

/**
 * Asks what the account may do at this moment, as the network demands it before every post, and whether the post still
 * fits; keeps what publishing needs of it: https://developers.tiktok.com/doc/content-posting-api-reference-query-creator-info, read 2026-11-21.
 */
async function askCreator(attempt: Attempt): Promise<Stop | null> {
  // In the inbox the creator chooses.
  if (isForInbox(attempt.account.defaults)) return null
  const asked = await creatorInfo(attempt)
  if (asked.kind !== 'ok') return stopFor(attempt, asked)
  const unfit = refusedBecause(attempt, asked.value)
  if (unfit) return unfit
  const { username, commentDisabled, duetDisabled, stitchDisabled } = asked.value
  const switches = { commentDisabled, duetDisabled, stitchDisabled }
  await attempt.store({ switches, ...(username === null ? {} : { username }) })
  return null
}

/** A sign-in may hold one of the two ways to publish. The network would call the whole connection wrong for it. */
function mayNot({ account, credentials }: Attempt): Refused | null {
  const scopes = (credentials.scope ?? '').split(',').filter((scope) => scope !== '')
  const inbox = isForInbox(account.defaults)
  const needed = inbox ? UPLOADING : PUBLISHING
  if (scopes.length === 0 || scopes.includes(needed)) return null
  const message = inbox
    ? `The sign-in does not allow drafts in the inbox (${needed}). The operator adds it to ALMANAC_TIKTOK_SCOPES; then connect the account again, or choose the mode DIRECT.`
    : `The sign-in allows drafts in the inbox alone, and no direct posts (${needed}). Choose the mode INBOX for the post or the account, or connect the account again with the permission.`
  return { kind: 'refused', reason: 'ACTION_BLOCKED', message }
}

function refusedBecause({ post, account }: Attempt, { privacyLevels, maxVideoSeconds }: Creator): Refused | null {
  const { privacy } = account.defaults
  if (typeof privacy !== 'string') {
    const message =
      'It is not chosen who can see the posts. Choose it among the publishing defaults of the account, or in the options of the post.'
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message }
  }
  if (!privacyLevels.includes(privacy)) {
    const offered = privacyLevels.join(', ') || 'nothing'
    const message = `TikTok no longer offers the account the audience ${privacy}, but ${offered}. Choose another among its publishing defaults, or in the options of the post.`
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message }
  }
  const seconds = (videoOf(post)?.facts.durationMs ?? 0) / 1000
  if (maxVideoSeconds === null || seconds <= maxVideoSeconds) return null
  const message = `TikTok takes videos of at most ${maxVideoSeconds} seconds from this account; this one has ${seconds}. Cut it.`
  return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message }
}

async function publish(attempt: Attempt): Promise<PublishOutcome> {
  // An earlier call has arrived after all.
  if (readState(attempt.handles).takenAt !== null) return accepted(attempt)
  const video = videoOf(attempt.post)
  return video ? publishVideo(attempt, video.source) : publishPhotos(attempt)
}

/**
 * Sends the last chunk: the post becomes public when it is there. The same chunk twice makes no second post. Once it was
 * sent without a clear answer, what goes wrong here leads to another look, never to a post that is said not to be there.
 */
async function publishVideo(attempt: Attempt, source: MediaSource): Promise<PublishOutcome> {
  const { upload, lastSent: sentBefore } = readState(attempt.handles)
  const notNow = (message: string): PublishOutcome =>
    sentBefore ? { kind: 'unknown', message } : retryFrom('prepare', message)
  if (!upload || !isUsable(upload, attempt.now())) return notNow('The upload has lapsed.')
  // As `prepare` made it. Nothing was sent yet, so what goes wrong here may not end as unknown.
  const file = await videoFile(source).catch(() => null)
  if (!file || 'kind' in file) return notNow('The video could not be read.')
  await attempt.store({ lastSent: true })
  const sent = await sendChunk(attempt, file, upload, VISIBLE_MS)
  switch (sent.kind) {
    case 'there':
      if (sent.bytes === upload.size) return taken(attempt)
      if (!continuesAt(sent.bytes, upload)) return { kind: 'unknown', message: UNREADABLE }
      await attempt.store({ upload: { ...upload, uploaded: sent.bytes }, lastSent: false })
      return retryFrom('prepare', 'TikTok lacks a part of the video; it is sent again.')
    case 'gone': {
      const again = await giveUp(attempt, upload)
      // The network forgets uploads that are done as well.
      if (sentBefore) return { kind: 'unknown', message: 'TikTok no longer knows the upload.' }
      await attempt.store({ lastSent: false })
      return again
    }
    case 'busy':
      await attempt.store({ lastSent: sentBefore })
      return busy(attempt)
    case 'failed': {
      const message = notArrived(sent.message, upload)
      if (sentBefore) return { kind: 'unknown', message }
      if (!sent.sent) await attempt.store({ lastSent: false })
      return failedPublishing({ ...sent, message })
    }
    case 'unclear':
      return { kind: 'unknown', message: UNREADABLE }
  }
}

async function taken(attempt: Attempt, more: { publishId?: string } = {}): Promise<PublishOutcome> {
  // The address of the upload is of no more use, and carries a token.
  await attempt.store({ ...more, takenAt: attempt.now().toISOString(), upload: null })
  return accepted(attempt)
}

/** Photos are fetched and published from this call on; what the answer names is the only way to ask for them. */
async function publishPhotos(attempt: Attempt): Promise<PublishOutcome> {
  // Nothing was sent yet, so what goes wrong here may not end as unknown; `prepare` meets it again.
  const urls = await photoUrls(attempt.post).catch(() => null)
  if (!urls) return retryFrom('prepare', 'The photos could not be read.')
  const made = await call(attempt, {
    path: 'v2/post/publish/content/init/',
    json: photoBody(attempt, urls),
    timeoutMs: VISIBLE_MS,
    parse: parseInit,
  })
  if (made.kind === 'ok') return taken(attempt, made.value)
  if (made.kind === 'failed') return fromPrepare(failedPublishing(made))
  const classified = errors.classify(made.answer, attempt.now())
  return (await whenCrowded(attempt, classified)) ?? fromPrepare(whilePublishing(classified.meaning))
}

/** After the network has taken it: asks whether it is published. It fetches and checks photos and videos only now. */
async function confirm(attempt: Attempt): Promise<PublishOutcome> {
  const { publishId } = readState(attempt.handles)
  if (publishId === null) return { kind: 'unknown', message: 'The post has no number to ask for.' }
  const asked = await fetchStatus(attempt, publishId)
  if (asked.kind === 'failed') return accepted(attempt)
  if (asked.kind === 'refused') {
    const { meaning } = errors.classify(asked.answer, attempt.now())
    if (meaning.kind === 'reconnect') return meaning
    if (meaning.kind === 'wait' && meaning.until) return { kind: 'accepted', askAgainAt: meaning.until }
    return { kind: 'unknown', message: meaning.message }
  }
  const standing = standingOf(asked.value, attempt)
  if (standing === 'failed') {
    const classified = errors.classify(asked.value.answer, attempt.now())
    return (await afterFailure(attempt, classified)) ?? retryFrom('prepare', classified.meaning.message)
  }
  if (standing === 'inbox') return { kind: 'published', ...inInbox(publishId) }
  const live = standing === 'live' ? liveAs(attempt, asked.value.postId) : null
  return live ? { kind: 'published', ...live } : accepted(attempt)
}
