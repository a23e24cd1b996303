import { MINUTE_MS } from '#contract/durations'
import { askAgain } from '../kit/flow.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { CLOCK_SKEW_MS, goesBackBehind, lookUp, madeSince } from '../kit/lookup.ts'
import { confirmByLookup, retryFrom, whilePublishing } from '../kit/outcomes.ts'
import { followUps } from '../kit/parts.ts'
import type { Attempt, Connector, FindOutcome, PublishOutcome } from '../network.ts'
import { followUp } from './comment.ts'
import { commentaryOf, plainText } from './commentary.ts'
import { errors, growingWait, renew } from './outcomes.ts'
import { prepare, STUCK_MS } from './prepare.ts'
import { cardOf, readState, type Sent } from './state.ts'
import {
  call,
  get,
  type ListedPost,
  listPosts,
  parseCreated,
  parseDuplicate,
  parseError,
  parsePost,
  timeOf,
} from './wire.ts'

/** A post that was made so long before our call, by LinkedIn's clock, may still be ours. */
const SAME_MOMENT_MS = 5_000
/** Entries of a listing, the most there are. */
const LISTED = 100
/**
 * For so long LinkedIn is trusted to know a post again. The window is documented nowhere; 10 minutes are what the rules
 * of this network go by, and the call itself has to be made within them.
 */
const FOLD_MS = 9 * MINUTE_MS
/** Between calls that LinkedIn refuses because it is still working on the media: it counts them. */
const PAUSES = [
  [60_000, 10_000],
  [10 * MINUTE_MS, MINUTE_MS],
  [Number.POSITIVE_INFINITY, 5 * MINUTE_MS],
] as const
const UNKNOWN = 'LinkedIn did not say clearly whether it made the post.'
const UNLISTED =
  'LinkedIn did not say whether it made the post, and does not let Almanac list the posts of this account. Look at its profile.'
const unknown: PublishOutcome = { kind: 'unknown', message: UNKNOWN }

export const connector: Connector = {
  wordsOf: (post) => ({ text: commentaryOf(post) }),
  prepare,
  publish,
  confirm: confirmByLookup(find, UNKNOWN),
  find,
  parts: followUps(followUp),
}

const permalinkOf = (attempt: Attempt, urn: string) => `${attempt.endpoint('web')}/feed/update/${urn}/`
const placeOf = (attempt: Attempt, urn: string) => ({ providerId: urn, permalink: permalinkOf(attempt, urn) })

/** Makes the post: one call. That it is made is noted down before, and struck out when it certainly did nothing. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { assets, body, sent: before, postUrn } = readState(attempt.handles)
  if (postUrn !== null) return { kind: 'published', ...placeOf(attempt, postUrn) }
  if (body === null) return retryFrom('prepare', 'Nothing was prepared.')
  const repeats = before !== null && !before.missed
  // The pause before this turn may have been longer than LinkedIn remembers.
  if (repeats && !mayRepeat(attempt, before)) return unknown
  const since = before?.since ?? attempt.now().toISOString()
  await attempt.store({ sent: { since, count: (before?.count ?? 0) + 1, missed: false } satisfies Sent })

  const headers = { 'content-type': 'application/json' }
  const sending = { method: 'POST', path: 'rest/posts', headers, body: Buffer.from(body) } as const
  // The attempt's signal is the limit of this call.
  const answer = await call(attempt, { ...sending, timeoutMs: 300_000, parse: parseCreated })
  if (answer.kind === 'ok') return published(attempt, answer.value)
  if (answer.kind === 'failed') {
    if (!answer.sent) await attempt.store({ sent: before })
    // Of the call before a repeat as little is known as it was.
    if (answer.sent || repeats) return { kind: 'unknown', message: answer.message }
    return retryFrom('publish', answer.message)
  }
  const duplicate = parseDuplicate(answer.answer)
  if (duplicate) return fromDuplicate(attempt, answer.answer, duplicate.urn, before)
  const classified = errors.classify(answer.answer, attempt.now())
  const { meaning, spent, takesIn } = classified
  // It says nothing of the call before, which may have made the post. Waits and refreshes could end without a look at that.
  if (repeats || meaning.kind === 'ambiguous') return { kind: 'unknown', message: meaning.message }
  const card = cardOf(attempt.handles)
  const picture = card?.picture ?? null
  const uploaded = [...assets, ...(picture ? [picture] : [])].map(({ since }) => new Date(since).getTime())
  /** Since when LinkedIn has had all of the media that it is working on; null when it speaks of none. */
  const worksSince = takesIn && uploaded.length > 0 ? new Date(Math.max(...uploaded)) : null
  const useless = spent || (worksSince !== null && attempt.now().getTime() - worksSince.getTime() > STUCK_MS)
  await attempt.store({ sent: before })
  if (before === null && hasCard(body) && (useless || isOfCard(answer.answer))) {
    // A card is an addition: the post goes out without what LinkedIn does not take of it.
    await attempt.store({ card: card && picture ? { ...card, picture: null } : 'none', body: null })
    return retryFrom('prepare', `LinkedIn did not take the card of the link: ${meaning.message}`)
  }
  if (useless) return renew(attempt, meaning.message)
  if (worksSince === null) return whilePublishing(await growingWait(attempt, classified))
  const notBefore = askAgain(attempt, worksSince, PAUSES)
  return { ...retryFrom('publish', meaning.message), notBefore, countsAsAttempt: false }
}

const hasCard = (body: string) => JSON.parse(body).content?.article !== undefined

/** Whether a refusal names a field of the card. */
const isOfCard = (answer: HttpAnswer) => /article|thumbnail/i.test(parseError(answer).message)

async function published(attempt: Attempt, postUrn: string): Promise<PublishOutcome> {
  await attempt.store({ postUrn })
  return { kind: 'published', ...placeOf(attempt, postUrn) }
}

/**
 * The account has the same post already. It is ours when an earlier call of this delivery may have made it, and it is
 * not older than that call. LinkedIn also names posts that were deleted, under new ids, so it is looked at where that
 * is allowed.
 */
async function fromDuplicate(attempt: Attempt, answer: HttpAnswer, urn: string | null, before: Sent | null) {
  const refuse = async (): Promise<PublishOutcome> => {
    await attempt.store({ sent: before })
    const which = urn === null ? '' : ` It is ${permalinkOf(attempt, urn)}`
    const message = `${errors.lookUp(answer, attempt.now()).meaning.message}${which} A post that was deleted counts for a day or two.`
    // It would have been the answer to the call before, too.
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message, ofBoth: true }
  }
  if (before === null) return refuse()
  if (urn === null) return unknown
  const { taken, twins } = await attempt.others()
  // Had a call of this delivery made the post, the other one would have been refused.
  if (taken.has(urn)) return refuse()
  if (twins.some(({ state }) => state !== 'settled')) return unknown
  const seen = await get(attempt, `rest/posts/${encodeURIComponent(urn)}`, parsePost, 5_000)
  const status = seen.kind === 'refused' ? seen.answer.status : 200
  // A fresh post may be unknown to its first reader; together with a listing that lacks it, it is certain.
  if (status === 404 && before.missed) return refuse()
  if (seen.kind === 'failed' || (status !== 200 && status !== 403)) return unknown
  const made = timeOf(urn) ?? (seen.kind === 'ok' ? madeAt(seen.value) : null)
  const { since, isSure } = madeSince(attempt, new Date(before.since))
  if (made === null || !isSure) return unknown
  const early = since.getTime() - made.getTime()
  if (early > CLOCK_SKEW_MS) return refuse()
  return early > SAME_MOMENT_MS ? unknown : published(attempt, urn)
}

/**
 * Looks for the post among those of the account. Urns of media belong to one upload and so to one post; a text is known
 * by its words and its time. Who may not list posts (nearly every person) can only repeat the very same call once.
 */
async function find(attempt: Attempt): Promise<FindOutcome> {
  const { postUrn, sent } = readState(attempt.handles)
  if (postUrn !== null) return { kind: 'found', ...placeOf(attempt, postUrn) }
  // Noted down before every call, so nothing was sent.
  if (sent === null) return { kind: 'absent' }
  let isAllowed = true
  const looked = await lookUp<ListedPost>(attempt, {
    title: 'LinkedIn',
    skewMs: CLOCK_SKEW_MS,
    since: new Date(sent.since),
    async list(from) {
      const listed = await listPosts(attempt, attempt.account.externalId, LISTED)
      isAllowed = listed.kind !== 'refused' || listed.answer.status !== 403
      if (listed.kind !== 'ok') return listed
      const entries = listed.value
      const isBehind = goesBackBehind(entries, from, (post) => post.modifiedAt ?? madeAt(post))
      return { kind: 'ok', value: { entries, whole: entries.length < LISTED || isBehind } }
    },
    id: ({ urn }) => urn,
    at: (post) => (post.media.length > 0 ? null : (madeAt(post) ?? timeOf(post.urn))),
    match: (post, words) => matchOf(attempt, post, words.text ?? ''),
    meaningOf: (answer) => errors.lookUp(answer, attempt.now()).meaning,
  })
  await attempt.store({ sent: { ...sent, missed: looked.kind === 'absent' } })
  if (!isAllowed && mayRepeat(attempt, sent)) return { kind: 'repeatable', withinMs: FOLD_MS, message: UNLISTED }
  if (!isAllowed) return { kind: 'cannot-tell', message: UNLISTED }
  return looked.kind === 'entry' ? { kind: 'found', ...placeOf(attempt, looked.entry.urn) } : looked
}

const madeAt = ({ createdAt, publishedAt }: ListedPost) => createdAt ?? publishedAt

function matchOf(attempt: Attempt, post: ListedPost, commentary: string): 'own' | 'same' | null {
  if (!post.live) return null
  const { assets } = readState(attempt.handles)
  const urn = cardOf(attempt.handles)?.picture?.urn
  if (urn !== undefined && post.picture === urn) return 'own'
  if (assets.length > 0) return assets.some(({ urn }) => post.media.includes(urn)) ? 'own' : null
  return post.media.length === 0 && plainText(post.commentary) === plainText(commentary) ? 'same' : null
}

/**
 * Whether LinkedIn would know a second call for the first one, which may have made the post or not: one that is the same to
 * the letter is then answered with the first one's post, once, and soon. A post without words has nothing it is known to
 * compare.
 */
function mayRepeat(attempt: Attempt, sent: Sent): boolean {
  const age = attempt.now().getTime() - new Date(sent.since).getTime()
  return sent.count === 1 && age >= 0 && age < FOLD_MS && attempt.post.caption.trim() !== ''
}
