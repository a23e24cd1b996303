import type { Handles } from '../network.ts'
import type { VideoPart } from './wire.ts'

/** What is kept of a delivery from step to step. */
export interface State {
  /** Uploaded media, in the order of the post. */
  assets: readonly Asset[]
  /** A video that is being uploaded; null when none is. */
  video: VideoUnderWay | null
  /** How many times media were uploaded anew because LinkedIn could not use them. */
  renewals: number
  /** How many times LinkedIn asked to wait without saying how long. */
  waits: number
  /** The body of the visible call, letter by letter: LinkedIn knows a repeated post by what it holds. */
  body: string | null
  /** Calls that may have made the post; null when there is none. */
  sent: Sent | null
  /** The post's id, once LinkedIn has told it. */
  postUrn: string | null
}

export interface Asset {
  /** `urn:li:image:…` or `urn:li:video:…` */
  urn: string
  /** When its bytes were there. */
  since: string
  /** LinkedIn has worked on it, or does not let us ask. */
  ready: boolean
}

export interface VideoUnderWay {
  urn: string
  token: string
  /**
   * With the addresses, which are kept for as long as the upload is under way: nothing else goes on with it. They take
   * the bytes of this one file until they lapse, and do nothing else.
   */
  parts: readonly VideoPart[]
  /** What LinkedIn calls the parts that it has, in order. */
  names: readonly string[]
  /** Bytes of the whole file. */
  bytes: number
  /** From then on no bytes are taken; null when that is not known. */
  expiresAt: string | null
}

export interface Sent {
  /** When the first of them was made. */
  since: string
  count: number
  /** A listing of the account was looked through since the last of them, and the post was not in it. */
  missed: boolean
}

export function readState(handles: Handles): State {
  const { assets, video, renewals, waits, body, sent, postUrn } = handles
  return {
    assets: Array.isArray(assets) ? (assets as Asset[]) : [],
    video: (video as VideoUnderWay | null | undefined) ?? null,
    renewals: typeof renewals === 'number' ? renewals : 0,
    waits: typeof waits === 'number' ? waits : 0,
    body: typeof body === 'string' ? body : null,
    sent: (sent as Sent | null | undefined) ?? null,
    postUrn: typeof postUrn === 'string' ? postUrn : null,
  }
}
