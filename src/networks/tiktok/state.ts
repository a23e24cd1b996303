import Type, { type Static } from 'typebox'
import { MINUTE_MS } from '#contract/durations'
import { flag, handlesOf, maybe, moment, text } from '../kit/handles.ts'
import type { Handles } from '../network.ts'
import { limits } from './manifest.ts'

/** Beginnings of an upload for the inbox that brought no answer: each may be held against the account until it lapses. */
const Shells = Type.Object({ count: Type.Number(), since: Type.String() })

/** An upload of a video under way. */
const Upload = Type.Object({
  /**
   * Kept although it carries a token: nothing else resumes an upload, and the visible call needs it in another process.
   * It works for an hour, adds bytes to this one post and does nothing else; it is forgotten with the last byte.
   */
  url: Type.String(),
  chunkSize: Type.Number(),
  /** Bytes of the whole file, as it is sent. */
  size: Type.Number(),
  /** Bytes that are certain to be there. */
  uploaded: Type.Number(),
  /** ISO 8601. */
  since: Type.String(),
  /** The network no longer takes bytes at the address. */
  spent: Type.Boolean(),
})
export type Upload = Static<typeof Upload>

const Switches = Type.Object({
  commentDisabled: Type.Boolean(),
  duetDisabled: Type.Boolean(),
  stitchDisabled: Type.Boolean(),
})

export const readState = handlesOf({
  /** The network's id of this try to publish. One id makes one post at most, however often its last byte is sent. */
  publishId: text,
  upload: maybe(Upload),
  /** Those in a row; null once there was an answer. */
  shells: maybe(Shells),
  /** The network has refused to take this video in small chunks. */
  fewChunks: flag,
  /** The last chunk of a video was sent, or is about to be: it may be there, unless TikTok has said that it is not. */
  lastSent: flag,
  /** When the network said that it has everything and publishes by itself. */
  takenAt: moment,
  /** The account's name at the time of the post, for its address. */
  username: text,
  /** What the creator has switched off for all posts, as asked right before this one; null while not asked. */
  switches: maybe(Switches),
  /** Since when the network says that the account has posted enough for a day. */
  crowdedSince: moment,
})

/** Forgets a try to publish. Nothing but certainty that it made no post, and will make none, allows it. */
export const dropped = { publishId: null, upload: null, lastSent: false, takenAt: null } satisfies Handles

/** A little less than the network promises, so that a chunk that is begun can end. */
const UPLOAD_LASTS_MS = (limits.uploadMinutes.value - 5) * MINUTE_MS

/** Whether bytes can still be sent to it. */
export function isUsable(upload: Upload, now: Date): boolean {
  return !upload.spent && now.getTime() - new Date(upload.since).getTime() < UPLOAD_LASTS_MS
}
