import { HOUR_MS } from '#contract/durations'
import type { Fruitless } from '../kit/api.ts'
import { askAgain } from '../kit/flow.ts'
import { fittedImage } from '../kit/images.ts'
import type { Stop } from '../kit/pending.ts'
import { fittedVideo } from '../kit/videos.ts'
import { noteFormerWords } from '../kit/words.ts'
import type { Attempt, MediaSource, PrepareOutcome } from '../network.ts'
import { articleOf, makeCard } from './card.ts'
import { fileOfDocument, isDocument, shownTitle } from './document.ts'
import { limits } from './manifest.ts'
import { errors, renew, stopFor } from './outcomes.ts'
import { type Asset, cardOf, readState, type VideoUnderWay } from './state.ts'
import { act, GRACE_MS, put, uploadDocument, uploadImage } from './upload.ts'
import { get, parseMediaStatus, parsePart, parseVideoUpload } from './wire.ts'

/** A large video takes several turns, so that a slow line does not meet the limit of one (ten minutes). */
const PARTS_PER_TURN = 8
/** No part is begun so shortly before the addresses lapse. */
const EXPIRY_MARGIN_MS = 60_000
/** What LinkedIn answers to bytes for an upload that it does not know, or no longer. */
const LOST = [400, 403, 404, 410]
/** Media that are worked on for longer are uploaded again; videos take minutes. */
export const STUCK_MS = HOUR_MS
const PAUSES = [
  [10_000, 2_000],
  [60_000, 5_000],
  [Number.POSITIVE_INFINITY, 20_000],
] as const

/**
 * Uploads the media or makes the card of the first link, waits until LinkedIn has worked on them and writes down the body of the post. Nothing of it is
 * visible. From then on the body stays as it is: a repeated post is known by it.
 */
export async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  if (readState(attempt.handles).body !== null) {
    await noteFormerWords(attempt)
    return { kind: 'ready' }
  }
  const stop = (await uploadAll(attempt)) ?? (await awaitAll(attempt)) ?? (await makeCard(attempt))
  if (stop) return stop
  await attempt.store({ body: bodyOf(attempt), words: attempt.words })
  return { kind: 'ready' }
}

async function uploadAll(attempt: Attempt): Promise<Stop | null> {
  if (isDocument(attempt.post)) return sendDocument(attempt)
  for (const { source } of attempt.post.media.slice(readState(attempt.handles).assets.length)) {
    const urn = await (source.facts.type === 'VIDEO' ? uploadVideo : sendImage)(attempt, source)
    if (typeof urn !== 'string') return urn
    await keepAsset(attempt, urn)
  }
  return null
}

async function keepAsset(attempt: Attempt, urn: string): Promise<void> {
  const asset: Asset = { urn, since: attempt.now().toISOString(), ready: false }
  await attempt.store({ assets: [...readState(attempt.handles).assets, asset], video: null })
}

/** One upload, of how many pictures it may be made. */
async function sendDocument(attempt: Attempt): Promise<Stop | null> {
  if (readState(attempt.handles).assets.length > 0) return null
  const sent = await uploadDocument(attempt, await fileOfDocument(attempt))
  if (sent.kind !== 'ok') return stopFor(attempt, sent)
  await keepAsset(attempt, sent.value)
  return null
}

async function awaitAll(attempt: Attempt): Promise<Stop | null> {
  let { assets } = readState(attempt.handles)
  let waiting: Stop | null = null
  for (const [index, asset] of assets.entries()) {
    const stop = asset.ready ? null : await look(attempt, asset, index)
    // One that failed is reported at once, even while others are worked on.
    if (stop !== null && stop.kind !== 'waiting') return stop
    waiting = stop ?? waiting
    assets = assets.with(index, { ...asset, ready: stop === null })
  }
  await attempt.store({ assets })
  return waiting
}

/** Null when the asset can be used. */
async function look(attempt: Attempt, { urn, since }: Asset, index: number): Promise<Stop | null> {
  const [kind, item] = kindOf(urn, index)
  const asked = await get(attempt, `rest/${kind}/${encodeURIComponent(urn)}`, parseMediaStatus)
  const uploadedAt = new Date(since)
  const age = attempt.now().getTime() - uploadedAt.getTime()
  if (asked.kind === 'refused' && asked.answer.status === 403) {
    // Apps that may only write get no answer. Should it be too early, the post is refused and tried again.
    return age >= GRACE_MS ? null : { kind: 'waiting', askAgainAt: new Date(uploadedAt.getTime() + GRACE_MS) }
  }
  if (asked.kind !== 'ok') return stopFor(attempt, asked)
  const { status, reason } = asked.value
  if (status === 'AVAILABLE') return null
  if (status === 'PROCESSING_FAILED') return renew(attempt, `LinkedIn could not use ${item}${reason}.`)
  if (age > STUCK_MS) return renew(attempt, `LinkedIn has worked on ${item} for an hour without an end.`)
  return { kind: 'waiting', askAgainAt: askAgain(attempt, uploadedAt, PAUSES) }
}

function kindOf(urn: string, index: number): [kind: string, item: string] {
  if (urn.startsWith('urn:li:video:')) return ['videos', 'the video']
  return urn.startsWith('urn:li:document:') ? ['documents', 'the document'] : ['images', `image ${index + 1}`]
}

/** https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (read 2026-11-21) */
function bodyOf({ post, words, account, handles }: Attempt): string {
  const { assets } = readState(handles)
  const card = cardOf(handles)
  const document = { media: { id: assets[0]?.urn, title: shownTitle({ post }) } }
  const items = post.media.map(({ facts, altText, title }, index) => {
    const words = facts.type === 'VIDEO' ? { title } : { altText }
    return { id: assets[index]?.urn, ...(Object.values(words)[0]?.trim() ? words : {}) }
  })
  const files = items.length === 1 ? { media: items[0] } : { multiImage: { images: items } }
  const media = isDocument(post) ? document : files
  const article = card && { article: articleOf(card) }
  const content = items.length > 0 ? media : article
  return JSON.stringify({
    author: account.externalId,
    commentary: words.text,
    visibility: account.defaults.visibility,
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...(content === null ? {} : { content }),
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  })
}

/** Gives the urn of an image, or what stands in the way. */
async function sendImage(attempt: Attempt, source: MediaSource): Promise<string | Stop> {
  const file = await imageToSend(source)
  const sent = await uploadImage(attempt, { file: { source: file } })
  return sent.kind === 'ok' ? sent.value : stopFor(attempt, sent)
}

/**
 * The same of a video, which goes on with the next part, in another turn when it is large. Everybody can download it, so it
 * goes out without the place where it was taken.
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api (read 2026-11-21)
 */
async function uploadVideo(attempt: Attempt, source: MediaSource): Promise<string | Stop> {
  const file = await fittedVideo(source, { mimeTypes: ['video/mp4'] })
  if ('kind' in file) return file
  const { video } = readState(attempt.handles)
  const kept = video?.bytes === file.facts.bytes ? video : null
  // Only while bytes are missing: a file that is there is finished at any time.
  const endsAt = kept && kept.names.length < kept.parts.length ? kept.expiresAt : null
  if (endsAt !== null && new Date(endsAt).getTime() - attempt.now().getTime() < EXPIRY_MARGIN_MS)
    return renew(attempt, 'The upload took longer than LinkedIn allows.')
  const underWay = kept ?? (await beginVideo(attempt, file.facts.bytes))
  return 'kind' in underWay ? underWay : sendVideo(attempt, file, underWay)
}

async function beginVideo(attempt: Attempt, bytes: number): Promise<VideoUnderWay | Stop> {
  const { externalId: owner } = attempt.account
  const ask = { owner, fileSizeBytes: bytes, uploadCaptions: false, uploadThumbnail: false }
  const begun = await act(attempt, 'videos', 'initializeUpload', ask, parseVideoUpload(bytes))
  if (begun.kind !== 'ok') return stopFor(attempt, begun)
  const { urn, token, parts, expiresAt } = begun.value
  const { accessToken = '' } = attempt.credentials
  const secrets = [accessToken, encodeURIComponent(accessToken)]
  if (parts.some(({ url }) => secrets.some((each) => each !== '' && url.includes(each)))) {
    const message = 'LinkedIn names the token of the account in addresses for the video, which may not be kept.'
    return { kind: 'refused', reason: 'UNKNOWN', message }
  }
  // A time that is over already is no time that could be meant.
  const ends = expiresAt !== null && expiresAt > attempt.now() ? expiresAt.toISOString() : null
  const video = { urn, token, parts, names: [], bytes, expiresAt: ends }
  await attempt.store({ video })
  return video
}

/** Sends what is missing, as much as one turn may take. What LinkedIn calls a part is stored before the next one goes. */
async function sendVideo(attempt: Attempt, source: MediaSource, kept: VideoUnderWay): Promise<string | Stop> {
  const { urn, token, parts } = kept
  let { names } = kept
  for (const { url, firstByte, lastByte } of parts.slice(names.length, names.length + PARTS_PER_TURN)) {
    const file = { source, range: { start: firstByte, end: lastByte + 1 } }
    const headers = { 'content-type': 'application/octet-stream' }
    const sent = await put(attempt, url, { file, headers, parse: parsePart })
    if (sent.kind !== 'ok') return stopVideo(attempt, sent)
    names = [...names, sent.value]
    await attempt.store({ video: { ...kept, names } })
  }
  if (names.length < parts.length) return { kind: 'waiting', askAgainAt: attempt.now() }
  const ask = { video: urn, uploadToken: token, uploadedPartIds: names }
  const finished = await act(attempt, 'videos', 'finalizeUpload', ask, () => urn)
  return finished.kind === 'ok' ? finished.value : stopVideo(attempt, finished)
}

/** An upload that LinkedIn does not know as it should is begun again, once; otherwise it goes on where it stands. */
async function stopVideo(attempt: Attempt, refusal: Fruitless): Promise<Stop> {
  if (refusal.kind === 'refused' && LOST.includes(refusal.answer.status)) {
    const { meaning } = errors.lookUp(refusal.answer, attempt.now())
    // A 400 whose words are known and ask for another try means this very upload.
    const isLost = meaning.kind === 'again' ? refusal.answer.status !== 400 : /refused|ambiguous/.test(meaning.kind)
    if (isLost && readState(attempt.handles).renewals === 0) return renew(attempt, meaning.message)
  }
  return stopFor(attempt, refusal)
}

/** JPEG, PNG and GIF as they are when they fit; everything else becomes a JPEG within the bounds. */
export function imageToSend(source: MediaSource): Promise<MediaSource> {
  const { width, height } = source.facts
  const scale = Math.sqrt(limits.imagePixels.value / (width * height))
  return fittedImage(source, {
    mimeTypes: ['image/jpeg', 'image/png', 'image/gif'],
    maxBytes: limits.imageBytes.value,
    ...(scale < 1 ? { maxWidth: Math.floor(width * scale), maxHeight: Math.floor(height * scale) } : {}),
  })
}
