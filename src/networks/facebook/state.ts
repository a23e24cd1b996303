import Type, { type Static } from 'typebox'
import { flag, handlesOf, list, maybe, moment, text } from '../kit/handles.ts'
import type { Handles } from '../network.ts'

/** A video on its way to the network. Nobody sees it before it is finished by a call of its own. */
const VideoState = Type.Object({
  id: Type.String(),
  /** When it was begun, ISO 8601. */
  since: Type.String(),
  /** Session of an upload in parts; null where the whole file goes into one request. */
  session: text,
  /** Bytes that the network has, as it said. */
  offset: Type.Number(),
  /** First byte behind the next part. */
  end: Type.Number(),
  /** When all bytes were sent in one request, and the network said so, ISO 8601; null before. */
  sentAt: text,
})
export type VideoState = Static<typeof VideoState>

export const readState = handlesOf({
  /** Unpublished photos, in the order of the post. */
  photos: list(Type.String()),
  /** When the first of them was made. */
  photosSince: moment,
  video: maybe(VideoState),
  /** Posts of the same words that were there before the visible call. */
  known: maybe(Type.Array(Type.String())),
  /** The network has taken the video or the story for publishing: it is never sent again, only asked about. */
  taken: flag,
  /** Since when. */
  takenAt: moment,
  /** The network did not take the address in the text as a link: the text goes out without one. */
  withoutLink: flag,
  /** The post, once the visible call has answered. */
  post: maybe(Type.Object({ id: Type.String(), permalink: text })),
})

/** Noted down as soon as the network has taken the video or the story. */
export const takenSince = (now: Date) => ({ taken: true, takenAt: now.toISOString() }) satisfies Handles

/** Forgets what was uploaded: it is made again. Nothing but proof that none of it was published allows it. */
export const dropped = { photos: [], photosSince: null, video: null, taken: false, takenAt: null } satisfies Handles
