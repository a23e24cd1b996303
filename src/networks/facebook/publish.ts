import { HOUR_MS } from '#contract/durations'
import { afterVisibleCall, askAgain } from '../kit/flow.ts'
import { fittedImage } from '../kit/images.ts'
import { confirmByLookup, retryFrom } from '../kit/outcomes.ts'
import { followUps } from '../kit/parts.ts'
import { obeyPending, type Stop } from '../kit/pending.ts'
import { withStories } from '../kit/stories.ts'
import { withFittedVideos } from '../kit/videos.ts'
import { call, parseId } from '../meta/graph.ts'
import type { Attempt, Connector, PrepareOutcome, PublishOutcome } from '../network.ts'
import { followUp } from './comment.ts'
import { find, noteKnown, permalinkOf } from './lookup.ts'
import { limits } from './manifest.ts'
import { errors, stopForVideo, stopOf } from './outcomes.ts'
import { fieldsOf, linkOf, messageOf, wayOf } from './post.ts'
import { dropped, readState, takenSince } from './state.ts'
import { UPLOAD_MS, uploadVideo } from './videos.ts'
import { parsePost, parseSuccess, readVideo } from './wire.ts'

/** What is not published is kept for about 24 hours; what is older is uploaded again. */
const UPLOADS_LAST_MS = 20 * HOUR_MS
/** A video that is neither live nor broken for so long is looked up by the schedule for unknown outcomes. */
const SILENCE_MS = HOUR_MS
/** Pauses between two questions about a video, by its age since it was finished. */
const PAUSES = [
  [30_000, 3_000],
  [SILENCE_MS, 30_000],
] as const
const UNKNOWN = 'Facebook did not say clearly whether it published the post.'

const single: Connector = {
  wordsOf: (post, setting) => ({ text: messageOf(post, setting('MENTIONS') === 'text') }),
  prepare,
  publish,
  confirm,
  find,
  parts: followUps(followUp),
}

export const connector = withStories(single, ({ fields }) => fieldsOf(fields).type === 'STORY')

/**
 * Uploads what the post is made of. Photos stay unpublished and videos unfinished, so nobody sees any of it. Every try
 * to publish comes by here.
 */
async function prepare(attempt: Attempt): Promise<PrepareOutcome> {
  const stop = (await obeyPending(attempt, dropped)) ?? (await upload(attempt))
  return stop ?? { kind: 'ready' }
}

async function upload(attempt: Attempt): Promise<Stop | null> {
  const { of } = wayOf(attempt.post)
  if (of !== 'video' && of !== 'photos') return noteKnown(attempt)
  const { photosSince, video, taken } = readState(attempt.handles)
  const since = photosSince ?? (video && new Date(video.since))
  if (since && !taken && attempt.now().getTime() - since.getTime() > UPLOADS_LAST_MS) await attempt.store(dropped)
  if (of === 'photos') return uploadPhotos(attempt)
  // The same file at every turn: without the place where it was taken.
  const fitted = await withFittedVideos(attempt, { mimeTypes: ['video/mp4', 'video/quicktime'] })
  return 'kind' in fitted ? fitted : uploadVideo(fitted)
}

/**
 * Uploads the images as photos that nobody sees. Their ids make the post known in a listing later on.
 * https://developers.facebook.com/docs/graph-api/reference/page/photos/ (read 2026-11-21)
 */
async function uploadPhotos(attempt: Attempt): Promise<Stop | null> {
  let { photos, photosSince } = readState(attempt.handles)
  photosSince ??= attempt.now()
  for (const { source, altText } of attempt.post.media.slice(photos.length)) {
    // A large PNG is shown coarse by the network, so it goes out as a JPEG.
    const png = source.facts.bytes <= limits.pngBytes.value ? ['image/png'] : []
    const image = await fittedImage(source, { mimeTypes: ['image/jpeg', ...png], maxBytes: limits.imageBytes.value })
    const uploaded = await call(attempt, {
      method: 'POST',
      path: `${attempt.account.externalId}/photos`,
      form: {
        fields: [['published', 'false'], ...(altText?.trim() ? [['alt_text_custom', altText] as const] : [])],
        field: 'source',
        filename: image.facts.mimeType === 'image/png' ? 'photo.png' : 'photo.jpg',
        source: image,
        held: true,
      },
      timeoutMs: UPLOAD_MS,
      parse: parseId,
    })
    if (uploaded.kind !== 'ok') return stopOf(attempt, uploaded)
    photos = [...photos, uploaded.value]
    await attempt.store({ photos, photosSince: photosSince.toISOString() })
  }
  return null
}

/** One visible call, whichever the post needs. Another try begins in `prepare`. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const { edge, of, seen } = wayOf(attempt.post)
  const { photos, video, taken, post } = readState(attempt.handles)
  if (taken || post) return accepted(attempt)
  if ((of === 'photos' && photos.length === 0) || (of === 'video' && !video)) {
    return retryFrom('prepare', 'Nothing was prepared.')
  }
  const answer = await call(attempt, {
    method: 'POST',
    path: `${attempt.account.externalId}/${edge}`,
    // The answer to a post may hold what a read would.
    query: seen === 'post' ? { fields: 'id,permalink_url' } : {},
    json: await bodyOf(attempt),
    // The attempt's signal is the limit of this call.
    timeoutMs: 300_000,
    parse: (body): Made | undefined => (seen === 'post' ? parsePost(body) : parseSuccess(body)),
  })
  return afterVisibleCall(attempt, answer, {
    classify: errors.classify,
    unclear: UNKNOWN,
    dropped,
    made: (made) => kept(attempt, made),
    async refused({ link, meaning }) {
      if (!link || previewOf(attempt) === null) return null
      // The preview was not asked for: a page that the network cannot show must not lose the text.
      await attempt.store({ withoutLink: true })
      return retryFrom('prepare', `${meaning.message} The text goes out without a preview.`)
    },
  })
}

type Made = { id: string | null; permalink: string | null }

/** A video becomes a post of its own id, once the network has worked on it. */
async function kept(attempt: Attempt, { id, permalink }: Made): Promise<PublishOutcome> {
  const { seen } = wayOf(attempt.post)
  if (seen === 'video' || id === null) {
    await attempt.store(takenSince(attempt.now()))
    if (seen === 'video') return accepted(attempt)
    // Without an id the story is looked up like one whose answer was lost.
    return { kind: 'unknown', message: 'Facebook has taken the story and did not name it.' }
  }
  await attempt.store({ post: { id, permalink: seen === 'post' ? permalinkOf(attempt, { id, permalink }) : null } })
  return byLookup(attempt)
}

const byLookup = confirmByLookup(find, UNKNOWN)

/**
 * What the visible call sends: https://developers.facebook.com/docs/graph-api/reference/page/feed/,
 * https://developers.facebook.com/documentation/video-api/page-stories-api, and for videos the pages of `uploadVideo`
 * (read 2026-11-21).
 */
async function bodyOf(attempt: Attempt): Promise<Record<string, unknown>> {
  const { post, words: sent } = attempt
  const { photos, video } = readState(attempt.handles)
  const { edge, of } = wayOf(post)
  // What is undefined is not sent.
  const message = sent.text || undefined
  const words = { description: message, title: post.media[0]?.title?.trim() || undefined }
  switch (edge) {
    case 'photo_stories':
      return { photo_id: photos[0] }
    case 'video_stories':
      return { upload_phase: 'finish', video_id: video?.id }
    case 'video_reels':
      return { upload_phase: 'finish', video_id: video?.id, video_state: 'PUBLISHED', ...words }
    case 'videos':
      return { upload_phase: 'finish', upload_session_id: video?.session, published: true, ...words }
    case 'feed': {
      const body = { message, published: true }
      if (of === 'cards') return { ...body, ...(await cardsOf(post)) }
      if (of === 'photos') return { ...body, attached_media: photos.map((id) => ({ media_fbid: id })) }
      return { ...body, link: previewOf(attempt) ?? undefined }
    }
  }
}

/** The address of a text that is sent as its link; null once the network did not take it. */
const previewOf = ({ post, handles }: Attempt): string | null =>
  wayOf(post).of === 'words' && !readState(handles).withoutLink ? linkOf(post) : null

/** More than five cards are taken only from a post whose order the network may choose, in advertisements. */
async function cardsOf(post: Attempt['post']): Promise<Record<string, unknown>> {
  const cards = await Promise.all(
    post.media.map(async ({ source, link, title, description }) => ({
      link: link?.trim() ?? '',
      picture: await (await source.rendition({ format: 'jpeg', maxBytes: limits.imageBytes.value })).url(),
      name: title?.trim() || undefined,
      description: description?.trim() || undefined,
    })),
  )
  return {
    link: cards[0]?.link ?? '',
    child_attachments: cards,
    multi_share_end_card: false,
    multi_share_optimized: cards.length > limits.cardsShown.value,
  }
}

const accepted = (attempt: Attempt, since: Date | null = null): PublishOutcome => ({
  kind: 'accepted',
  askAgainAt: askAgain(attempt, since, PAUSES),
})

/** Asks what became of a video; of everything else the answer has told it already. */
async function confirm(attempt: Attempt): Promise<PublishOutcome> {
  const { video, takenAt } = readState(attempt.handles)
  if (!video || wayOf(attempt.post).seen !== 'video') return byLookup(attempt)
  const asked = await readVideo(attempt, video.id)
  const seen = asked.kind === 'ok' ? asked.value : null
  if (seen?.live) {
    return { kind: 'published', providerId: video.id, permalink: permalinkOf(attempt, { ...seen, id: video.id }) }
  }
  if (seen?.failure) return stopForVideo(attempt, seen.failure)
  if (seen?.draft) {
    const message = 'Facebook keeps the video as a draft that is ready to share. Open the Page and share it there.'
    return { kind: 'refused', reason: 'ACTION_BLOCKED', message }
  }
  const now = attempt.now()
  const meaning = asked.kind === 'refused' ? errors.classify(asked.answer, now).meaning : null
  if (meaning?.kind === 'reconnect') return meaning
  const since = takenAt ?? attempt.fencedAt ?? now
  if (now.getTime() - since.getTime() > SILENCE_MS) {
    return { kind: 'unknown', message: 'Facebook took the video and has not said for an hour what became of it.' }
  }
  if (meaning?.kind === 'wait' && meaning.until) return { kind: 'accepted', askAgainAt: meaning.until }
  return accepted(attempt, since)
}
