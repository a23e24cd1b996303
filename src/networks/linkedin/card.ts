import { MINUTE_MS } from '#contract/durations'
import { askAgain } from '../kit/flow.ts'
import { whilePreparing } from '../kit/outcomes.ts'
import type { Stop } from '../kit/pending.ts'
import { linksIn } from '../kit/text-rules.ts'
import type { Attempt } from '../network.ts'
import { limits } from './manifest.ts'
import { errors, growingWait } from './outcomes.ts'
import { type Card, readState } from './state.ts'
import { GRACE_MS, uploadImage } from './upload.ts'
import { get, parseMediaStatus } from './wire.ts'

/** A card shows no more of its picture. */
const PICTURE = { format: 'jpeg', maxBytes: limits.imageBytes.value, maxWidth: 1_200, maxHeight: 1_200 } as const
/** A picture that is worked on for longer is left out. */
const STUCK_MS = 2 * MINUTE_MS
const PAUSES = [[Number.POSITIVE_INFINITY, 2_000]] as const

/**
 * The card of the first link of a post without media: LinkedIn reads no page for programs. Looked for once and as well as it goes: a
 * page that cannot be read, or has no title, gives no card, and a picture that cannot be had a card without one. What stands in
 * the way of any call to the account is answered; null when all is done.
 */
export async function makeCard(attempt: Attempt): Promise<Stop | null> {
  const { post, account } = attempt
  if (post.media.length > 0 || account.defaults.linkCard === 'OFF') return null
  const { card } = readState(attempt.handles)
  if (card === 'none') return null
  if (card !== null) return awaitPicture(attempt, card)
  const source = firstLink(post.caption)
  const preview = source === null ? null : await attempt.preview(source, PICTURE)
  const title = preview?.title.trim().slice(0, limits.cardTitleLength.value) ?? ''
  if (source === null || preview === null || title === '') {
    await attempt.store({ card: 'none' })
    return null
  }
  const description = preview.description.trim().slice(0, limits.cardDescriptionLength.value)
  const found: Card = { source, title, description, picture: null }
  if (preview.image === null) {
    await attempt.store({ card: found })
    return null
  }
  const sent = await uploadImage(attempt, { body: preview.image })
  if (sent.kind !== 'ok') {
    const { meaning } = sent.kind === 'refused' ? errors.lookUp(sent.answer, attempt.now()) : { meaning: null }
    if (meaning?.kind === 'reconnect') return whilePreparing(meaning)
    await attempt.store({ card: found })
    return null
  }
  const picture = { urn: sent.value, since: attempt.now().toISOString(), ready: false }
  await attempt.store({ card: { ...found, picture } })
  return awaitPicture(attempt, { ...found, picture })
}

async function awaitPicture(attempt: Attempt, card: Card): Promise<Stop | null> {
  const { picture } = card
  if (picture === null || picture.ready) return null
  const asked = await get(attempt, `rest/images/${encodeURIComponent(picture.urn)}`, parseMediaStatus)
  const since = new Date(picture.since)
  const age = attempt.now().getTime() - since.getTime()
  const isReady = asked.kind === 'ok' && asked.value.status === 'AVAILABLE'
  const hasFailed = asked.kind === 'ok' && asked.value.status === 'PROCESSING_FAILED'
  if (asked.kind === 'refused' && asked.answer.status !== 403) {
    const { meaning } = errors.lookUp(asked.answer, attempt.now())
    if (meaning.kind === 'reconnect') return whilePreparing(meaning)
    if (meaning.kind === 'wait' && age <= STUCK_MS) {
      return whilePreparing(await growingWait(attempt, errors.classify(asked.answer, attempt.now())))
    }
  }
  // Apps that may only write get no answer (403). Should it be too early, the post is refused and tried again.
  const isUnanswered = asked.kind === 'refused' && asked.answer.status === 403
  if (isUnanswered && age < GRACE_MS) return { kind: 'waiting', askAgainAt: new Date(since.getTime() + GRACE_MS) }
  if (!isReady && !hasFailed && !isUnanswered && age <= STUCK_MS)
    return { kind: 'waiting', askAgainAt: askAgain(attempt, since, PAUSES) }
  await attempt.store({ card: { ...card, picture: isReady || isUnanswered ? { ...picture, ready: true } : null } })
  return null
}

/** The first address of a text; null when there is none. */
const firstLink = (caption: string): string | null =>
  linksIn(caption).find((link) => URL.canParse(link) && link.length <= limits.cardSourceLength.value) ?? null

/** `content.article` of a post (`POSTS_PAGE`). */
export const articleOf = ({ source, title, description, picture }: Card) => ({
  ...{ source, title },
  ...(description === '' ? {} : { description }),
  ...(picture === null ? {} : { thumbnail: picture.urn }),
})
