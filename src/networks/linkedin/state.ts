import Type, { type Static } from 'typebox'
import { count, flag, handlesOf, list, maybe, text } from '../kit/handles.ts'
import type { Handles } from '../network.ts'

/**
 * `urn:li:image:…` or `urn:li:video:…`, and since when its bytes are there. `ready`: LinkedIn has worked on it, or does not let
 * us ask.
 */
const Asset = Type.Object({ urn: Type.String(), since: Type.String(), ready: Type.Boolean() })
export type Asset = Static<typeof Asset>

/** What a post without media shows of the page that its first link leads to. */
const Card = Type.Object({
  source: Type.String(),
  title: Type.String(),
  /** Empty for none. */
  description: Type.String(),
  picture: Type.Union([Asset, Type.Null()]),
})
export type Card = Static<typeof Card>

const VideoUnderWay = Type.Object({
  urn: Type.String(),
  token: Type.String(),
  /**
   * With the addresses, which are kept for as long as the upload is under way: nothing else goes on with it. They take
   * the bytes of this one file until they lapse, and do nothing else.
   */
  parts: Type.Array(Type.Object({ url: Type.String(), firstByte: Type.Number(), lastByte: Type.Number() })),
  /** What LinkedIn calls the parts that it has, in order. */
  names: Type.Array(Type.String()),
  bytes: Type.Number(),
  /** From then on no bytes are taken; null when that is not known. */
  expiresAt: text,
})
export type VideoUnderWay = Static<typeof VideoUnderWay>

/**
 * When the first of the calls was made. `missed`: a listing of the account was looked through since the last of them, and the
 * post was not in it.
 */
const Sent = Type.Object({ since: Type.String(), count: Type.Number(), missed: Type.Boolean() })
export type Sent = Static<typeof Sent>

/** The card that a post has; null when it has none, or none was looked for yet. */
export function cardOf(handles: Handles): Card | null {
  const { card } = readState(handles)
  return card === 'none' ? null : card
}

export const readState = handlesOf({
  /** Uploaded media, in the order of the post. */
  assets: list(Asset),
  /** The card of the first link, or that it has none; null before it was looked for. */
  card: maybe(Type.Union([Card, Type.Literal('none')])),
  video: maybe(VideoUnderWay),
  /** How many times media were uploaded again because LinkedIn could not use them. */
  renewals: count,
  /** How many times LinkedIn asked to wait without saying how long. */
  waits: count,
  /** The body of the visible call, letter by letter: LinkedIn knows a repeated post by what it holds. */
  body: text,
  /** Calls that may have made the post; null when there is none. */
  sent: maybe(Sent),
  postUrn: text,
  /** Comments are sent by the API before the versioned one, which has refused. */
  olderComments: flag,
})
