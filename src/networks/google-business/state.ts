import type { Handles } from '../network.ts'

/** What is kept of a delivery from step to step. */
export interface State {
  /** Names of posts that looked like this one before the visible call; null when they were not noted down yet. */
  known: readonly string[] | null
  /** The listing was refused then, so that a post of it may be an older one. */
  unlisted: boolean
  /** The post's name, once the visible call has answered or the post was found. It is never sent again then. */
  name: string | null
  /** When the post was first seen live, as yet without its page. */
  liveAt: Date | null
  /** Times that Google could not fetch the photo. */
  fetches: number
  /** A listing without the post was seen since the last visible call. */
  looked: boolean
}

export function readState({ known, unlisted, name, liveAt, fetches, looked }: Handles): State {
  return {
    known: Array.isArray(known) ? (known as string[]) : null,
    unlisted: unlisted === true,
    name: typeof name === 'string' ? name : null,
    liveAt: typeof liveAt === 'string' ? new Date(liveAt) : null,
    fetches: typeof fetches === 'number' ? fetches : 0,
    looked: looked === true,
  }
}
