import { createHash, randomInt } from 'node:crypto'
import { type SimulatedAnswer, SimulatedRefusal } from '../kit/faults.ts'
import type { SimulatorDeps } from '../kit/simulation.ts'

export const digits = (count: number): string =>
  Array.from({ length: count }, (_, index) => randomInt(index === 0 ? 1 : 0, 10)).join('')

/** The shape of https://developers.tiktok.com/doc/tiktok-api-v2-error-handling (read 2026-11-21). */
const answer = (status: number, code: string, message: string, data: object): SimulatedAnswer => ({
  status,
  body: { data, error: { code, message, log_id: digits(30) } },
})
export const refusal = (status: number, code: string, message = '') => answer(status, code, message, {})
export const ok = (data: object) => answer(200, 'ok', '', data)

export function refuse(...words: Parameters<typeof refusal>): never {
  throw new SimulatedRefusal(refusal(...words))
}
export const invalid = (message: string): never => refuse(400, 'invalid_params', message)

export const COLLECTION = 'jobs'
/** A try to publish. */
export interface Job {
  publishId: string
  openId: string
  kind: 'video' | 'photo'
  /** As sent. */
  info: Readonly<Record<string, unknown>>
  text: string
  /** Distinguishes the post from all others, and is the same at every try. */
  key: string
  upload: { token: string; size: number; chunkSize: number; chunks: string[]; received: number; since: string } | null
  /** It has everything: from then on nothing can be undone. */
  taken: boolean
  looks: number
  /** Reason that the work on it ends with. */
  failure: string | null
  postId: string | null
  /** A draft for the inbox of the app, and what the creator did with it there. Absent: it is published directly. */
  inbox?: 'waiting' | 'published' | 'discarded'
  /** The word for a fault that was asked for beside it: of a draft of a video no words are sent. */
  fault?: string
}

export const UNDONE = { upload: null, taken: false, looks: 0, failure: null, postId: null }
export const hashOf = (...parts: unknown[]) => createHash('sha256').update(JSON.stringify(parts)).digest('base64url')

/** What was asked of the next draft of a video: `POST /web/inbox/fault/{name}`. */
export const ASKED = { collection: 'asked', id: 'draft' } as const

export const keepJob = ({ store }: SimulatorDeps, job: Job): void => store.put(COLLECTION, job.publishId, job)
