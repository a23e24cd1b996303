import { askAgain } from '../kit/flow.ts'
import type { Stop } from '../kit/pending.ts'
import { fittedVideo } from '../kit/videos.ts'
import type { Attempt, PrepareOutcome } from '../network.ts'
import { call } from './api.ts'
import { commentaryOf } from './commentary.ts'
import { VISIBILITIES } from './manifest.ts'
import { type Asset, readState } from './state.ts'
import { renew, stopFor, waitingUntil } from './stops.ts'
import { upload } from './upload.ts'
import { parseMediaStatus } from './wire.ts'

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
  const body = bodyOf(attempt)
  if (typeof body !== 'string') return body
  await attempt.store({ body })
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
  for (const asset of readState(attempt.handles).assets.filter(({ ready }) => !ready)) {
    const stop = await look(attempt, asset)
    // One that failed is told at once, whatever the others do.
    if (stop !== null && stop.kind !== 'waiting') return stop
    if (stop !== null) waiting = stop
    else {
      const { assets } = readState(attempt.handles)
      await attempt.store({ assets: assets.map((each) => (each.urn === asset.urn ? { ...each, ready: true } : each)) })
    }
  }
  return waiting
}

/** Null when the asset can be used. */
async function look(attempt: Attempt, { urn, since }: Asset): Promise<Stop | null> {
  const kind = urn.startsWith('urn:li:video:') ? 'videos' : 'images'
  const asked = await call(attempt, {
    method: 'GET',
    path: `rest/${kind}/${encodeURIComponent(urn)}`,
    timeoutMs: 15_000,
    parse: parseMediaStatus,
  })
  if (asked.kind === 'failed') return stopFor(attempt, asked)
  const age = attempt.now().getTime() - new Date(since).getTime()
  if (asked.kind === 'refused') {
    // Apps that may only write are not told. Should it be too early, the post is refused and tried again.
    if (asked.answer.status !== 403) return stopFor(attempt, asked)
    return age >= GRACE_MS ? null : waitingUntil(new Date(new Date(since).getTime() + GRACE_MS))
  }
  const { status, reason } = asked.value
  if (status === 'AVAILABLE') return null
  if (status === 'PROCESSING_FAILED') {
    const item = nameOf(attempt, urn)
    return renew(attempt, `LinkedIn could not use ${item}${reason === null ? '' : ` (${reason})`}.`)
  }
  if (age > STUCK_MS)
    return renew(attempt, `LinkedIn has worked on ${nameOf(attempt, urn)} for an hour without an end.`)
  return waitingUntil(askAgain(attempt, new Date(since), PAUSES))
}

/** How long LinkedIn has had the media of the post, in milliseconds; null for a post without any. */
export function workedOnFor(attempt: Attempt): number | null {
  const times = readState(attempt.handles).assets.map(({ since }) => new Date(since).getTime())
  return times.length === 0 ? null : attempt.now().getTime() - Math.max(...times)
}

function nameOf(attempt: Attempt, urn: string): string {
  const index = readState(attempt.handles).assets.findIndex((asset) => asset.urn === urn)
  return urn.startsWith('urn:li:video:') ? 'the video' : `image ${index + 1}`
}

/**
 * Body of `POST /rest/posts`:
 * https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api (read 2026-11-21)
 */
function bodyOf(attempt: Attempt): string | Stop {
  const { post, account } = attempt
  const { visibility } = account.defaults
  const allowed: readonly unknown[] =
    post.accountType === 'LINKEDIN_PAGE' ? VISIBILITIES.LINKEDIN_PAGE : VISIBILITIES.LINKEDIN_PERSONAL
  if (!allowed.includes(visibility)) {
    const message =
      'Nobody has chosen who can see posts of this LinkedIn account. Choose it among its publishing defaults.'
    return { kind: 'refused', reason: 'UNKNOWN', message }
  }
  const content = contentOf(attempt)
  return JSON.stringify({
    author: account.externalId,
    commentary: commentaryOf(post),
    visibility,
    distribution: { feedDistribution: 'MAIN_FEED', targetEntities: [], thirdPartyDistributionChannels: [] },
    ...(content === null ? {} : { content }),
    lifecycleState: 'PUBLISHED',
    isReshareDisabledByAuthor: false,
  })
}

function contentOf(attempt: Attempt): object | null {
  const { assets } = readState(attempt.handles)
  const items = attempt.post.media.map(({ facts, altText, title }, index) => {
    const id = assets[index]?.urn
    if (facts.type === 'VIDEO') return { id, ...(title?.trim() ? { title } : {}) }
    return { id, ...(altText?.trim() ? { altText } : {}) }
  })
  if (items.length === 0) return null
  return items.length === 1 ? { media: items[0] } : { multiImage: { images: items } }
}
