import { randomInt } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { count, handlesOf, list, maybe, text } from '../kit/handles.ts'
import type { Attempt, Handles } from '../network.ts'
import { Blob } from './wire.ts'

/** The place and the time of the post. The place is chosen once, so that every try writes to the same one. */
export type Place = { rkey: string; createdAt: string }

/** A younger time is kept: a call that is repeated at once then sends the same record. */
const STALE_MS = 60_000

/** A part of a text that leads somewhere, by its bytes in UTF-8: a link, a tag or a mention. */
export interface Facet {
  index: { byteStart: number; byteEnd: number }
  features: { $type: string; uri?: string; tag?: string; did?: string }[]
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
  /** Times that the post had in tries before. */
  earlier: list(Type.String()),
  /** The facets of the text with their accounts; null before mentions were looked up. */
  facets: maybe(Type.Unsafe<Facet[]>(Type.Array(Type.Object({})))),
  /** What was uploaded so far, in the order of the media. */
  blobs: list(Blob),
  /** The job of the video service that works on the video. */
  videoJob: text,
  /** How often the video service has failed. */
  videoFaults: count,
  /** Why the video service does not take the video, which then goes to the account's own server; null: it is asked. */
  declined: text,
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

/**
 * The place with the time of this try: a post that had to wait would otherwise come behind newer ones. Every time is kept,
 * because it shows which record is ours.
 */
export async function renewTime(attempt: Attempt, place: Place): Promise<Place> {
  const now = attempt.now()
  if (now.getTime() - Date.parse(place.createdAt) < STALE_MS) return place
  const createdAt = now.toISOString()
  await attempt.store({ createdAt, earlier: [...readState(attempt.handles).earlier, place.createdAt] })
  return { ...place, createdAt }
}

export async function choosePlace(attempt: Attempt): Promise<Place> {
  const now = attempt.now()
  const chosen = placeOf(attempt.handles)
  const place = chosen ?? { rkey: tidAt(now), createdAt: now.toISOString() }
  if (!chosen) await attempt.store({ ...place })
  return place
}

const DIGITS = '234567abcdefghijklmnopqrstuvwxyz'

/**
 * A record key as Bluesky wants it for posts (TID, https://atproto.com/specs/tid): 53 bits of microseconds and 10
 * random ones, in 13 digits that sort by time. The microseconds below the clock's milliseconds are random too.
 */
export function tidAt(time: Date): string {
  const microseconds = BigInt(time.getTime()) * 1000n + BigInt(randomInt(1000))
  return tidOf((microseconds << 10n) | BigInt(randomInt(1024)))
}

/** The key of so many milliseconds later. */
export function laterTid(tid: string, ms: number): string {
  const bits = [...tid].reduce((sum, digit) => (sum << 5n) | BigInt(DIGITS.indexOf(digit)), 0n)
  return tidOf(bits + ((BigInt(ms) * 1000n) << 10n))
}

function tidOf(bits: bigint): string {
  const digit = (_: unknown, nth: number) => DIGITS[Number((bits >> BigInt(60 - 5 * nth)) & 31n)]
  return Array.from({ length: 13 }, digit).join('')
}

export const isTid = (text: string): boolean => /^[2-7a-j][2-7a-z]{12}$/.test(text)
