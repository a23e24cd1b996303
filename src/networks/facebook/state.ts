import type { Reason } from '#contract'
import type { Handles } from '../network.ts'
import { record } from '../toolkit/read-json.ts'

/**
 * What is kept of a delivery from step to step. Ids are stored before the next call is made, so that whoever takes the
 * delivery over goes on where it stood.
 */
export interface State {
  /** Unpublished photos, in the order of the post. */
  photos: readonly string[]
  /** When the first of them was made. */
  photosSince: Date | null
  video: VideoState | null
  /** Tries that were spent on something that a few more tries may help. */
  tries: number
  verdict: Verdict | null
  /** Posts of the same words that were there before the visible call. */
  known: readonly string[] | null
  /** The network has taken the video or the story for publishing: it is never sent again, only asked about. */
  taken: boolean
  /** Since when. */
  takenAt: Date | null
  /** The network did not take the address in the text as a link: the text goes out without one. */
  withoutLink: boolean
  /** The post, once the visible call has answered. */
  post: { id: string; permalink: string | null } | null
}

/** A video on its way to the network. Nobody sees it before it is finished by a call of its own. */
export interface VideoState {
  id: string
  /** When it was begun. */
  since: Date
  /** Session of an upload in parts; null where the whole file goes into one request. */
  session: string | null
  /** Bytes that the network has, as it said. */
  offset: number
  /** First byte behind the next part. */
  end: number
  /** When all bytes were sent in one request, and the network said so; null before. */
  sentAt: Date | null
}

/**
 * What the visible call was answered without proving that nothing was published. It holds once it is proven that
 * nothing was; until then the network is looked up.
 */
export type Verdict =
  | { kind: 'refused'; reason: Reason; message: string }
  | { kind: 'wait'; until: string; message: string }
  | { kind: 'fresh' }

export function readState(handles: Handles): State {
  const { photos, photosSince, tries, verdict, known, taken, takenAt, withoutLink } = handles
  const video = record(handles.video)
  const post = record(handles.post)
  return {
    photos: Array.isArray(photos) ? (photos as string[]) : [],
    photosSince: typeof photosSince === 'string' ? new Date(photosSince) : null,
    video: video
      ? {
          id: String(video.id),
          since: new Date(String(video.since)),
          session: typeof video.session === 'string' ? video.session : null,
          offset: Number(video.offset),
          end: Number(video.end),
          sentAt: typeof video.sentAt === 'string' ? new Date(video.sentAt) : null,
        }
      : null,
    tries: typeof tries === 'number' ? tries : 0,
    verdict: (verdict as Verdict | null | undefined) ?? null,
    known: Array.isArray(known) ? (known as string[]) : null,
    taken: taken === true,
    takenAt: typeof takenAt === 'string' ? new Date(takenAt) : null,
    withoutLink: withoutLink === true,
    post: post ? { id: String(post.id), permalink: typeof post.permalink === 'string' ? post.permalink : null } : null,
  }
}

/** As it is stored. */
export function videoHandle(video: VideoState): Handles {
  return { video: { ...video, since: video.since.toISOString(), sentAt: video.sentAt?.toISOString() ?? null } }
}

/** Noted down as soon as the network has taken the video or the story. */
export const takenSince = (now: Date) => ({ taken: true, takenAt: now.toISOString() }) satisfies Handles

/** Forgets what was uploaded: it is made anew. Nothing but proof that none of it was published allows it. */
export const dropped = {
  photos: [],
  photosSince: null,
  video: null,
  taken: false,
  takenAt: null,
} satisfies Handles
