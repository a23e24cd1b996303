import Type, { type Static } from 'typebox'
import { count, handlesOf, list, maybe, text } from '../kit/handles.ts'
import type { Attempt, Handles } from '../network.ts'
import type { Facet } from './facets.ts'
import { isTid, tidAt } from './tid.ts'
import { Blob } from './wire.ts'

/** The place and the time of the post. Chosen once: whoever sends it again writes the same record to the same place. */
export interface Place {
  rkey: string
  createdAt: string
}

/** What a post shows of the page that its first link leads to. */
export const Card = Type.Object({
  uri: Type.String(),
  title: Type.String(),
  description: Type.String(),
  thumb: Type.Optional(Blob),
})
export type Card = Static<typeof Card>

export const readState = handlesOf({
  rkey: text,
  createdAt: text,
  /** The facets of the text with their accounts; null before mentions were looked up. */
  facets: maybe(Type.Unsafe<Facet[]>(Type.Array(Type.Object({})))),
  /** What was uploaded so far, in the order of the media. */
  blobs: list(Blob),
  /** The job of the video service that works on the video. */
  videoJob: text,
  /** The card of the first link, or that it has none; null before it was looked for. */
  card: maybe(Type.Union([Card, Type.Literal('none')])),
  /** How often looking up mentions has failed. */
  mentionFaults: count,
})

/** Null before anything was prepared. */
export function placeOf(handles: Handles): Place | null {
  const { rkey, createdAt } = readState(handles)
  return rkey === null || createdAt === null || !isTid(rkey) ? null : { rkey, createdAt }
}

export async function choosePlace(attempt: Attempt): Promise<Place> {
  const chosen = placeOf(attempt.handles)
  if (chosen) return chosen
  const now = attempt.now()
  const place = { rkey: tidAt(now), createdAt: now.toISOString() }
  await attempt.store({ ...place })
  return place
}
