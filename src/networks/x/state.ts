import Type, { type Static } from 'typebox'
import { count, flag, handlesOf, list, text } from '../kit/handles.ts'
import type { Handles } from '../network.ts'

/** One file on its way to the network. */
const Upload = Type.Object({
  id: Type.String(),
  key: text,
  /** By which name of its kind X was given the file. Absent: begun by an older version. */
  category: Type.Optional(Type.String()),
  /** Parts that were taken. May be behind: parts are sent again after a crash. */
  parts: Type.Number(),
  /** `processed`: only its alternative text is missing. */
  phase: Type.Enum(['sending', 'processing', 'processed', 'ready']),
  /** When processing began, ISO 8601. */
  since: text,
  /** From then on the network no longer knows it, ISO 8601. */
  expiresAt: Type.String(),
})
export type Upload = Static<typeof Upload>

export const readState = handlesOf({
  /** In the order of the media; the last one may be under way. */
  uploads: list(Upload),
  /** Keys and ids of uploads that were given up: a post that holds one of them is ours as well. */
  givenUp: list(Type.String()),
  /** Uploads that were made again because the network refused them. */
  tries: count,
  /** Why X had no use for a long video by the name of its own: it goes by the usual one from then on. */
  longRefusal: text,
  /** Alternative texts that were sent and brought nothing, one after the other. */
  describeTries: count,
  /** What the post goes out without, for people. */
  warnings: list(Type.String()),
  /** The newest post that the account had before the visible call; null when it had none lately, or nothing was read. */
  lastBefore: text,
  noted: flag,
  /** The post's id, once the visible call has answered. */
  postId: text,
})
type State = ReturnType<typeof readState>

/** Uploads that are forgotten and made again. What they were called stays known. */
export function withoutUploads(state: State): Handles {
  return { uploads: [], warnings: [], givenUp: [...state.givenUp, ...namesOf(state)] }
}

/** Everything by which a post may name the files of this delivery. */
export function namesOf({ uploads, givenUp }: State): string[] {
  return [...givenUp, ...uploads.flatMap(({ id, key }) => (key === null ? [id] : [id, key]))]
}
