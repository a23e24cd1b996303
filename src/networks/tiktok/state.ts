import type { Handles } from '../network.ts'
import { limits } from './manifest.ts'
import type { Creator } from './wire.ts'

/**
 * What is kept of a delivery from step to step. Whatever the network gives is stored before the next call, so that
 * whoever takes the delivery over goes on where it stood.
 */
export interface State {
  /** The network's id of this try to publish. One id makes one post at most, however often its last byte is sent. */
  publishId: string | null
  upload: Upload | null
  /** The last chunk of a video was sent, or is about to be: it may be there, unless TikTok has said that it is not. */
  lastSent: boolean
  /** When the network said that it has everything and publishes by itself. */
  takenAt: Date | null
  /** The account's name at the time of the post, for its address. */
  username: string | null
  /** What the creator has switched off for all posts, as asked right before this one; null while not asked. */
  switches: Switches | null
  /** Since when the network says that the account has posted enough for a day. */
  crowdedSince: Date | null
  /** Tries that were spent on what a few more tries may help. */
  tries: number
}

export type Switches = Pick<Creator, 'commentDisabled' | 'duetDisabled' | 'stitchDisabled'>

/** An upload of a video under way. */
export interface Upload {
  /**
   * Kept although it carries a token: nothing else resumes an upload, and the visible call needs it in another process.
   * It works for an hour, adds bytes to this one post and does nothing else; it is forgotten with the last byte.
   */
  url: string
  chunkSize: number
  /** Bytes of the whole file, as it is sent. */
  size: number
  /** Bytes that are certain to be there. */
  uploaded: number
  since: Date
  /** The network no longer takes bytes at the address. */
  spent: boolean
}

export function readState(handles: Handles): State {
  const { publishId, upload, lastSent, takenAt, username, switches, crowdedSince, tries } = handles
  return {
    publishId: typeof publishId === 'string' ? publishId : null,
    upload: readUpload(upload),
    lastSent: lastSent === true,
    takenAt: readTime(takenAt),
    username: typeof username === 'string' ? username : null,
    switches: (switches as Switches | undefined) ?? null,
    crowdedSince: readTime(crowdedSince),
    tries: typeof tries === 'number' ? tries : 0,
  }
}

const readTime = (value: unknown) => (typeof value === 'string' ? new Date(value) : null)

function readUpload(value: unknown): Upload | null {
  const kept = value as (Omit<Upload, 'since'> & { since: string }) | null | undefined
  return kept ? { ...kept, since: new Date(kept.since) } : null
}

/** As it lies in the handles. */
export function uploadHandle(upload: Upload): Handles {
  return { upload: { ...upload, since: upload.since.toISOString() } }
}

/** Forgets a try to publish. Nothing but certainty that it made no post, and will make none, allows it. */
export const dropped = { publishId: null, upload: null, lastSent: false, takenAt: null } satisfies Handles

/** A little less than the network promises, so that a chunk that is begun can end. */
const UPLOAD_LASTS_MS = (limits.uploadMinutes.value - 5) * 60_000

/** Whether bytes can still be sent to it. */
export function isUsable(upload: Upload, now: Date): boolean {
  return !upload.spent && now.getTime() - upload.since.getTime() < UPLOAD_LASTS_MS
}
