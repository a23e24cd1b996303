import type { Reason } from '#contract'
import type { Handles } from '../network.ts'

/**
 * What is kept of a delivery from step to step. Ids are stored before the next call is made, so that whoever takes the
 * delivery over goes on where it stood.
 */
export interface State {
  /** Containers of the items of a carousel, in order. */
  children: readonly string[]
  /** The container that is published in the end. */
  container: string | null
  /** When the newest container was made. */
  since: Date | null
  /** Tries that were spent on something that a few more tries may help. */
  tries: number
  /** How often the network did not know a container that it had called finished. */
  races: number
  verdict: Verdict | null
  /** Entries that the listing had before the visible call, of posts that no text tells apart. */
  known: readonly string[] | null
  /** The container is published, by a call whose answer was lost: it is looked up and never published again. */
  published: boolean
  /** The post's id, once the visible call has answered. */
  mediaId: string | null
  /** When the quota of the day was found used up first. */
  quotaSince: Date | null
}

/**
 * What `threads_publish` said without proving that nothing was published. It holds once it is proven that nothing was;
 * until then the network is looked up.
 */
export type Verdict =
  | { kind: 'refused'; reason: Reason; message: string }
  | { kind: 'wait'; until: string; message: string }
  /** The container is given up. */
  | { kind: 'fresh' }

export function readState(handles: Handles): State {
  const { children, container, since, tries, races, verdict, known, published, mediaId, quotaSince } = handles
  return {
    children: Array.isArray(children) ? (children as string[]) : [],
    container: typeof container === 'string' ? container : null,
    since: typeof since === 'string' ? new Date(since) : null,
    tries: typeof tries === 'number' ? tries : 0,
    races: typeof races === 'number' ? races : 0,
    verdict: (verdict as Verdict | null | undefined) ?? null,
    known: Array.isArray(known) ? (known as string[]) : null,
    published: published === true,
    mediaId: typeof mediaId === 'string' ? mediaId : null,
    quotaSince: typeof quotaSince === 'string' ? new Date(quotaSince) : null,
  }
}

/** Forgets what was prepared: containers are made anew. Nothing but proof that none was published allows it. */
export const dropped = { children: [], container: null, since: null } satisfies Handles
