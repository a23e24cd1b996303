import { afterVisibleCall } from '../kit/flow.ts'
import { confirmByLookup, retryFrom } from '../kit/outcomes.ts'
import { call } from '../meta/graph.ts'
import type { Attempt, Connector, PublishOutcome } from '../network.ts'
import { EDGES, fieldsOf, isOfPhotos, type Way, wayOf } from './fields.ts'
import { find, permalinkOf, storyPermalink } from './lookup.ts'
import { limits } from './manifest.ts'
import { linkOf, messageOf } from './message.ts'
import { errors, stopForVideo } from './outcomes.ts'
import { prepare } from './prepare.ts'
import { dropped, readState, takenSince } from './state.ts'
import { parsePost, parseSuccess, readVideo } from './wire.ts'

/** The attempt's signal is the limit of a visible call. */
const VISIBLE_MS = 300_000
/** Pauses between two questions about a video, by its age since it was finished. */
const SOON_MS = 3_000
const LATER_MS = 30_000
/** A video that is neither live nor broken for so long is looked up by the schedule for unknown outcomes. */
const SILENCE_MS = 60 * 60_000
const UNKNOWN = 'Facebook did not say clearly whether it published the post.'

export const connector: Connector = { prepare, publish, confirm, find }

/** One visible call, whichever the post needs. Another try begins in `prepare`. */
async function publish(attempt: Attempt): Promise<PublishOutcome> {
  const way = wayOf(attempt.post)
  const { photos, video, taken, post } = readState(attempt.handles)
  if (taken) return accepted(attempt, SOON_MS)
  if (post) return { kind: 'published', providerId: post.id, permalink: post.permalink }
  if (isOfPhotos(attempt.post) ? photos.length === 0 : way !== 'feed' && !video) {
    return retryFrom('prepare', 'Nothing was prepared.')
  }
  const answer = await call(attempt, {
    method: 'POST',
    path: `${attempt.account.externalId}/${EDGES[way]}`,
    // The answer to a post may hold what a read would.
    query: way === 'feed' ? { fields: 'id,permalink_url' } : {},
    json: await bodyOf(attempt, way),
    timeoutMs: VISIBLE_MS,
    parse: (body): Made | undefined => (way === 'feed' ? parsePost(body) : parseSuccess(body)),
  })
  return afterVisibleCall(attempt, answer, {
    classify: errors.classify,
    unclear: UNKNOWN,
    dropped,
    made: (made) => kept(attempt, way, made),
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
async function kept(attempt: Attempt, way: Way, { id, permalink }: Made): Promise<PublishOutcome> {
  const isVideo = way === 'reel' || way === 'video'
  if (isVideo || id === null) {
    await attempt.store(takenSince(attempt.now()))
    if (isVideo) return accepted(attempt, SOON_MS)
    // Without an id the story is looked up like one whose answer was lost.
    return { kind: 'unknown', message: 'Facebook has taken the story and did not name it.' }
  }
  const address = way === 'feed' ? permalinkOf(attempt, { id, permalink }) : null
  await attempt.store({ post: { id, permalink: address } })
  return { kind: 'published', providerId: id, permalink: address ?? (await storyPermalink(attempt, id)) }
}

/**
 * What the visible call sends: https://developers.facebook.com/docs/graph-api/reference/page/feed/,
 * https://developers.facebook.com/documentation/video-api/page-stories-api, and for videos the pages of `uploadVideo`
 * (read 2026-11-21).
 */
async function bodyOf(attempt: Attempt, way: Way): Promise<Record<string, unknown>> {
  const { post } = attempt
  const { photos, video } = readState(attempt.handles)
  const text = messageOf(post)
  const title = post.media[0]?.title?.trim()
  const words = { ...(text === '' ? {} : { description: text }), ...(title ? { title } : {}) }
  switch (way) {
    case 'photo story':
      return { photo_id: photos[0] }
    case 'video story':
      return { upload_phase: 'finish', video_id: video?.id }
    case 'reel':
      return { upload_phase: 'finish', video_id: video?.id, video_state: 'PUBLISHED', ...words }
    case 'video':
      return { upload_phase: 'finish', upload_session_id: video?.session, published: true, ...words }
    case 'feed': {
      const body = { ...(text === '' ? {} : { message: text }), published: true }
      if (fieldsOf(post.fields).type === 'CAROUSEL') return { ...body, ...(await cardsOf(post)) }
      if (photos.length > 0) return { ...body, attached_media: photos.map((id) => ({ media_fbid: id })) }
      const link = previewOf(attempt)
      return link === null ? body : { ...body, link }
    }
  }
}

/** The address of a text that is sent as its link; null once the network did not take it. */
function previewOf({ post, handles }: Attempt): string | null {
  return fieldsOf(post.fields).type === 'TEXT' && !readState(handles).withoutLink ? linkOf(post) : null
}

/** More than five cards are taken only from a post whose order the network may choose, in advertisements. */
async function cardsOf(post: Attempt['post']): Promise<Record<string, unknown>> {
  const cards = await Promise.all(
    post.media.map(async ({ source, link, title, description }) => ({
      link: link?.trim() ?? '',
      picture: await (await source.rendition({ format: 'jpeg', maxBytes: limits.imageBytes.value })).url(),
      ...(title?.trim() ? { name: title.trim() } : {}),
      ...(description?.trim() ? { description: description.trim() } : {}),
    })),
  )
  return {
    link: cards[0]?.link ?? '',
    child_attachments: cards,
    multi_share_end_card: false,
    multi_share_optimized: cards.length > limits.cardsShown.value,
  }
}

const accepted = (attempt: Attempt, ms: number): PublishOutcome => ({
  kind: 'accepted',
  askAgainAt: new Date(attempt.now().getTime() + ms),
})

/** Asks what became of a video; of everything else the answer has told it already. */
async function confirm(attempt: Attempt): Promise<PublishOutcome> {
  const { video, takenAt } = readState(attempt.handles)
  const way = wayOf(attempt.post)
  if (!video || (way !== 'reel' && way !== 'video')) return confirmByLookup(find, UNKNOWN)(attempt)
  const asked = await readVideo(attempt, video.id)
  if (asked.kind === 'ok') {
    const { live, failure, draft, permalink } = asked.value
    if (live) {
      return { kind: 'published', providerId: video.id, permalink: permalinkOf(attempt, { id: video.id, permalink }) }
    }
    if (failure) return stopForVideo(attempt, failure)
    if (draft) {
      const message = 'Facebook keeps the video as a draft that is ready to share. Open the Page and share it there.'
      return { kind: 'refused', reason: 'ACTION_BLOCKED', message }
    }
  }
  const now = attempt.now()
  const meaning = asked.kind === 'refused' ? errors.classify(asked.answer, now).meaning : null
  if (meaning?.kind === 'reconnect') return meaning
  const age = now.getTime() - (takenAt ?? attempt.fencedAt ?? now).getTime()
  if (age > SILENCE_MS) {
    return { kind: 'unknown', message: 'Facebook took the video and has not said for an hour what became of it.' }
  }
  if (meaning?.kind === 'wait' && meaning.until) return { kind: 'accepted', askAgainAt: meaning.until }
  return accepted(attempt, asked.kind === 'ok' && age < LATER_MS ? SOON_MS : LATER_MS)
}
