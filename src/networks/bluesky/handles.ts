import type { Attempt, Handles } from '../network.ts'
import type { Facet } from './facets.ts'
import { isTid, tidAt } from './tid.ts'
import { type Blob, readStoredBlobs } from './wire.ts'

/** The place and the time of the post. Chosen once: whoever sends it again writes the same record to the same place. */
export interface Place {
  rkey: string
  createdAt: string
}

/** Null before anything was prepared. */
export function placeOf({ rkey, createdAt }: Handles): Place | null {
  if (typeof rkey !== 'string' || !isTid(rkey) || typeof createdAt !== 'string') return null
  return { rkey, createdAt }
}

export async function choosePlace(attempt: Attempt): Promise<Place> {
  const chosen = placeOf(attempt.handles)
  if (chosen) return chosen
  const now = attempt.now()
  const place = { rkey: tidAt(now), createdAt: now.toISOString() }
  await attempt.store({ ...place })
  return place
}

/** The facets of the text with their accounts; null before mentions were looked up. */
export function facetsOf({ facets }: Handles): Facet[] | null {
  return Array.isArray(facets) ? (facets as Facet[]) : null
}

/** What was uploaded so far, in the order of the media. */
export function blobsOf({ blobs }: Handles): Blob[] {
  return readStoredBlobs(blobs) ?? []
}

/** The job of the video service that works on the video. */
export function videoJobOf({ videoJob }: Handles): string | null {
  return typeof videoJob === 'string' ? videoJob : null
}

/** How often looking up mentions has failed. */
export function mentionFaultsOf({ mentionFaults }: Handles): number {
  return typeof mentionFaults === 'number' ? mentionFaults : 0
}
