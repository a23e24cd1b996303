import type { Reason } from '#contract'
import type { Handles } from '../network.ts'

/** One file on its way to the network. */
export interface Upload {
  id: string
  key: string | null
  /** Parts that were taken. May be behind: parts are sent again after a crash. */
  parts: number
  /** `processed`: only its alternative text is missing. */
  phase: 'sending' | 'processing' | 'processed' | 'ready'
  /** When processing began, ISO 8601. */
  since: string | null
  /** From then on the network no longer knows it, ISO 8601. */
  expiresAt: string
}

/**
 * What is kept of a delivery from step to step. Ids are stored before the next call is made, so that whoever takes the
 * delivery over goes on where it stood.
 */
export interface State {
  /** In the order of the media; the last one may be under way. */
  uploads: readonly Upload[]
  /** Keys and ids of uploads that were given up: a post that holds one of them is ours as well. */
  givenUp: readonly string[]
  /** Uploads that were made anew because the network refused them. */
  tries: number
  /** The newest post that the account had before the visible call; null when it had none lately, or nobody looked. */
  lastBefore: string | null
  noted: boolean
  verdict: Verdict | null
  /** The post's id, once the visible call has answered. */
  postId: string | null
}

/** What the network said without proving that nothing was published. It holds once that is proven. */
export interface Verdict {
  kind: 'refused'
  reason: Reason
  message: string
}

export function readState(handles: Handles): State {
  const { uploads, givenUp, tries, lastBefore, noted, verdict, postId } = handles
  return {
    uploads: Array.isArray(uploads) ? (uploads as Upload[]) : [],
    givenUp: Array.isArray(givenUp) ? (givenUp as string[]) : [],
    tries: typeof tries === 'number' ? tries : 0,
    lastBefore: typeof lastBefore === 'string' ? lastBefore : null,
    noted: noted === true,
    verdict: (verdict as Verdict | null | undefined) ?? null,
    postId: typeof postId === 'string' ? postId : null,
  }
}

/** Uploads that are forgotten and made anew. What they were called stays known. */
export function withoutUploads(state: State): Handles {
  return { uploads: [], givenUp: [...state.givenUp, ...namesOf(state)] }
}

/** Everything by which a post may name the files of this delivery. */
export function namesOf({ uploads, givenUp }: State): string[] {
  return [...givenUp, ...uploads.flatMap(({ id, key }) => (key === null ? [id] : [id, key]))]
}
