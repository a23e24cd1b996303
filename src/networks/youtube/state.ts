import type { Attempt, Handles, Refused } from '../network.ts'

/** What is kept of a delivery from step to step. */
export interface State {
  /**
   * Address of the upload session, stored before the first byte is sent. It holds no token of the account, but whoever
   * has it could send this one file.
   */
  session: string | null
  /** When the session was opened. */
  openedAt: Date | null
  /** Bytes that YouTube holds once all but the last piece are there; the visible call begins here. */
  sent: number | null
  /** The video, once YouTube has said that it is made. It is never sent again then. */
  videoId: string | null
  /** When the video was learnt of. */
  madeAt: Date | null
  /** YouTube has answered that it has no such video, as it may while the video is fresh. */
  missing: boolean
  /** Why people do not get to see the video, when a lookup has learnt it; `publish` tells it. */
  refusal: Pick<Refused, 'reason' | 'message'> | null
}

export function readState({ session, openedAt, sent, videoId, madeAt, missing, refusal }: Handles): State {
  return {
    session: typeof session === 'string' ? session : null,
    openedAt: typeof openedAt === 'string' ? new Date(openedAt) : null,
    sent: typeof sent === 'number' ? sent : null,
    videoId: typeof videoId === 'string' ? videoId : null,
    madeAt: typeof madeAt === 'string' ? new Date(madeAt) : null,
    missing: missing === true,
    refusal: (refusal as State['refusal'] | undefined) ?? null,
  }
}

/** Forgets the session: the file is sent anew. Only when it is certain that it made no video and will make none. */
export const dropped = { session: null, openedAt: null, sent: null } satisfies Handles

/** Notes down that the video is there, which ends all sending. */
export function keepVideo(attempt: Attempt, videoId: string): Promise<void> {
  return attempt.store({ videoId, madeAt: attempt.now().toISOString() })
}
