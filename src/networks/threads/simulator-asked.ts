import type { Call } from '../kit/simulator.ts'
import type { SimulatedPost } from '../meta/simulator-containers.ts'
import type { SimulatedAccount } from './simulator-sign-in.ts'

/** What the world is like; tests make it worse. */
export interface World {
  /** Posts of 24 hours. */
  quotaTotal: number
  /** Calls to publish a finished container that find it unknown, as it happens on the network. */
  races: number
  /** The app is set to refuse calls without a proof of its secret. */
  requireProof: boolean
  /** What a text may have 500 of: the page says characters, other programs met a network that counts bytes. */
  counts: 'characters' | 'bytes'
  /** What the token may do with replies: an app without the permission to read them gets an empty list, not a refusal. */
  replies: 'allowed' | 'unlisted' | 'refused'
}

/** A post, and what it answers. */
export interface ThreadsPost extends SimulatedPost {
  answers?: string
}

export type Params = Readonly<Record<string, string>>

/** A call of the API. */
export interface Asked extends Call<SimulatedAccount> {
  world: World
  /** Of query and form, without the token and its proof. */
  params: Params
}
