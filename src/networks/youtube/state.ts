import Type from 'typebox'
import { flag, handlesOf, maybe, moment, text } from '../kit/handles.ts'
import { string } from '../kit/read-json.ts'
import type { Attempt, Handles, PostToCheck, Refused } from '../network.ts'

export const readState = handlesOf({
  /**
   * Address of the upload session, stored before the first byte is sent. It holds no token of the account, but anyone who
   * has it could send this one file.
   */
  session: text,
  /** When the session was opened. */
  openedAt: moment,
  /** Bytes that YouTube holds once all but the last piece are there; the visible call begins here. */
  sent: maybe(Type.Number()),
  /** The video, once YouTube has said that it is made. It is never sent again then. */
  videoId: text,
  /** When the video was learned of. */
  madeAt: moment,
  /** YouTube has answered that it has no such video, as it may while the video is fresh. */
  missing: flag,
  /** Why people do not get to see the video, when a lookup has learned it; `publish` gives it as the reason. */
  refusal: maybe(Type.Unsafe<Pick<Refused, 'reason' | 'message'>>(Type.Object({}))),
})

/** Forgets the session: the file is sent again. Only when it is certain that it made no video and will make none. */
export const dropped = { session: null, openedAt: null, sent: null } satisfies Handles

/** Notes down that the video is there, which ends all sending. */
export function keepVideo(attempt: Attempt, videoId: string): Promise<void> {
  return attempt.store({ videoId, madeAt: attempt.now().toISOString() })
}

/** The fields of the API that belong to this network; the privacy in the network's words. */
export function fieldsOf({ title, privacy }: PostToCheck['fields']) {
  return { title: string(title) ?? '', privacy: string(privacy)?.toLowerCase() ?? '' }
}

/** The item that is the video; rules let no post pass without one. */
export function videoIn(post: Attempt['post']) {
  const video = post.media.find(({ facts }) => facts.type === 'VIDEO')
  if (!video) throw new TypeError('A post on YouTube has a video.')
  return video
}
