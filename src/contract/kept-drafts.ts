import Type from 'typebox'
import * as LIMITS from './limits.ts'
import { closed, orNull } from './schema.ts'

const postSetId = orNull(
  Type.String({ description: 'The post set that is being changed, which has the same id. Null: a new one.' }),
)
const basedOnVersion = orNull(
  Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Of the post set, when it was opened.' }),
)
const sequence = Type.Integer({
  minimum: 0,
  maximum: LIMITS.keptDrafts.sequence,
  description: 'Grows with each request: one that is overtaken by a newer one stores nothing.',
})
const writer = Type.String({
  format: 'uuid',
  description: 'The page that writes: an id that it makes when it is loaded.',
})
const seen = Type.Integer({
  minimum: 0,
  maximum: LIMITS.keptDrafts.sequence,
  description:
    'The newest sequence that the page has seen; 0: none. What another page has written since is not written over.',
})
const content = Type.Record(Type.String(), Type.Unknown(), { description: 'What the composer needs to go on.' })

/** Text that a member typed and did not save. It is separate from the post set, and no one else can read it. */
export const KeptDraftBody = closed({
  socialSetId: Type.String(),
  postSetId,
  sequence,
  writer: Type.Optional(writer),
  seen: Type.Optional(seen),
  basedOnVersion,
  excerpt: Type.String({ maxLength: LIMITS.keptDrafts.excerptCodePoints, description: 'To recognize it by.' }),
  content,
})

export type KeptDraftBody = Type.Static<typeof KeptDraftBody>

/**
 * `stored` is false if a newer request came first, or if another page has written something that this one has not
 * seen; then `sequence` and `updatedAt` are those of the stored text. `ended`: it was saved, or discarded by another
 * page.
 */
export const StoredKeptDraft = closed({
  stored: Type.Boolean(),
  sequence: Type.Integer(),
  updatedAt: Type.String(),
  ended: orNull(Type.Union([Type.Literal('discarded'), Type.Literal('saved')])),
})
export type StoredKeptDraft = Type.Static<typeof StoredKeptDraft>

const kept = {
  id: Type.String(),
  socialSetId: Type.String(),
  postSetId,
  basedOnVersion,
  sequence: Type.Integer(),
  excerpt: Type.String(),
  updatedAt: Type.String(),
}

export const KeptDraft = closed({ ...kept, content })
export type KeptDraft = Type.Static<typeof KeptDraft>

/** All unsaved texts of the member in a social set, or in all that they see, newest first. */
export const KeptDrafts = closed({ data: Type.Array(closed(kept)) })
export type KeptDrafts = Type.Static<typeof KeptDrafts>

export const ForgetKeptDraftQuery = Type.Object({
  writer: Type.Optional(writer),
  seen: Type.Optional(seen),
  sequence: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LIMITS.keptDrafts.sequence,
      description: 'The newest that was sent: requests up to it that are still on their way bring nothing back.',
    }),
  ),
})
export type ForgetKeptDraftQuery = Type.Static<typeof ForgetKeptDraftQuery>

/** Identifies the unsaved text that is being saved. Send all of these or none. */
export const KEPT_DRAFT_SAVE = {
  keptDraft: Type.Optional(
    Type.String({
      format: 'uuid',
      description: 'The id of what was typed, which ends with this request. A new post set takes it for its own.',
    }),
  ),
  sequence: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: LIMITS.keptDrafts.sequence,
      description: 'Of what is saved. The same again answers what the first request made.',
    }),
  ),
  seen: Type.Optional(seen),
  writer: Type.Optional(writer),
}
