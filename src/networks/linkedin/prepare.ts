import { askAgain } from '../kit/flow.ts'
import type { Stop } from '../kit/pending.ts'
import { fittedVideo } from '../kit/videos.ts'
import type { Attempt, PrepareOutcome } from '../network.ts'
import { commentaryOf } from './commentary.ts'
import { visibilitiesOf } from './manifest.ts'
import { renew, stopFor } from './outcomes.ts'
import { type Asset, readState } from './state.ts'
import { upload } from './upload.ts'
import { call, parseMediaStatus } from './wire.ts'

/** Somebody who may not ask how far an image is waits for so long after its upload. */
const GRACE_MS = 10_000
/** Media that are worked on for longer are uploaded anew; videos take minutes. */
export const STUCK_MS = 60 * 60_000
const PAUSES = [
  [10_000, 2_000],
  [60_000, 5_000],
  [Number.POSITIVE_INFINITY, 20_000],
] as const

/**
 * Uploads the media, waits until LinkedIn has worked on them and writes down the body of the post. Nothing of it is
 * visible. From then on the body stays as it is: a repeated post is known by it.
 */
export async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  if (readState(attempt.handles).body !== null) return { kind: 'ready' }
  const stop = (await uploadAll(attempt)) ?? (await awaitAll(attempt))
  if (stop) return stop
  const { visibility } = attempt.account.defaults
  if (!visibilitiesOf(attempt.post.accountType).includes(visibility)) {
    const message =
      'Nobody has chosen who can see posts of this LinkedIn account. Choose it among its publishing defaults.'
    return { kind: 'refused', reason: 'UNKNOWN', message }
  }
  await attempt.store({ body: bodyOf(attempt, visibility) })
  return { kind: 'ready' }
}

async function uploadAll(attempt: Attempt): Promise<Stop | null> {
  for (const { source } of attempt.post.media.slice(readState(attempt.handles).assets.length)) {
    // Everybody can download a video, so it goes out without the place where it was taken.
    const file = source.facts.type === 'VIDEO' ? await fittedVideo(source, { mimeTypes: ['video/mp4'] }) : source
    if ('kind' in file) return file
    const uploaded = await upload(attempt, file)
    if (typeof uploaded !== 'string') return uploaded
    const asset: Asset = { urn: uploaded, since: attempt.now().toISOString(), ready: false }
    await attempt.store({ assets: [...readState(attempt.handles).assets, asset], video: null })
  }
  return null
}

async function awaitAll(attempt: Attempt): Promise<Stop | null> {
  let waiting: Stop | null = null
  for (const [index, asset] of readState(attempt.handles).assets.entries()) {
    const stop = asset.ready ? null : await look(attempt, asset, index)
    // One that failed is told at once, whatever the others do.
    if (stop !== null && stop.kind !== 'waiting') return stop
    waiting = stop ?? waiting
    if (stop === null && !asset.ready) {
      await attempt.store({ assets: readState(attempt.handles).assets.with(index, { ...asset, ready: true }) })
    }
  }
  return waiting
}

/** Null when the asset can be used. */
async function look(attempt: Attempt, { urn, since }: Asset, index: number): Promise<Stop | null> {
  const [kind, item] = urn.startsWith('urn:li:video:') ? ['videos', 'the video'] : ['images', `image ${index + 1}`]
  const path = `rest/${kind}/${encodeURIComponent(urn)}`
  const asked = await call(attempt, { method: 'GET', path, timeoutMs: 15_000, parse: parseMediaStatus })
  const uploadedAt = new Date(since)
  const age = attempt.now().getTime() - uploadedAt.getTime()
  if (asked.kind === 'refused' && asked.answer.status === 403) {
    // Apps that may only write are not told. Should it be too early, the post is refused and tried again.
    return age >= GRACE_MS ? null : { kind: 'waiting', askAgainAt: new Date(uploadedAt.getTime() + GRACE_MS) }
  }
  if (asked.kind !== 'ok') return stopFor(attempt, asked)
  const { status, reason } = asked.value
  if (status === 'AVAILABLE') return null
  if (status === 'PROCESSING_FAILED') {
    return renew(attempt, `LinkedIn could not use ${item}${reason === null ? '' : ` (${reason})`}.`)
  }
  if (age > STUCK_MS) return renew(attempt, `LinkedIn has worked on ${item} for an hour without an end.`)
  return { kind: 'waiting', askAgainAt: askAgain(attempt, uploadedAt, PAUSES) }
}

/**
 * Body of `POST /rest/posts`:
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (read 2026-11-21)
 */
function bodyOf({ post, account, handles }: Attempt, visibility: unknown): string {
  const { assets } = readState(handles)
  const items = post.media.map(({ facts, altText, title }, index) => {
    const words = facts.type === 'VIDEO' ? { title } : { altText }
    return { id: assets[index]?.urn, ...(Object.values(words)[0]?.trim() ? words : {}) }
  })
  const [media, ...more] = items
  const content = more.length === 0 ? { media } : { multiImage: { images: items } }
  return JSON.stringify({
    author: account.externalId,
    commentary: commentaryOf(post),
    visibility,
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...(media ? { content } : {}),
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  })
}
