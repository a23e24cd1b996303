import Type from 'typebox'
import { type Checked, checkShape, checkTexts, unchangeable } from './check-shape.ts'
import * as LIMITS from './limits.ts'
import type { ProblemEntry } from './problem.ts'
import { repeatOf } from './repeat.ts'
import { closed, orNull } from './schema.ts'
import { NOTE_COLORS, NOTE_SOURCES, NOTE_TYPES, type NoteColor, type NoteSource, type NoteType } from './states.ts'

const readOnly = <T extends Type.TSchema>(schema: T) => Type.Optional(schema)

const content = Type.String({ minLength: LIMITS.noteCodePoints.min, maxLength: LIMITS.noteCodePoints.max })
const hexColor = Type.Enum([...NOTE_COLORS])
const scheduledAt = Type.String({
  description: 'ISO 8601. Without an offset, it is read in the time zone of the social set.',
})
const source = closed({ type: Type.Enum([...NOTE_SOURCES]) })

/** How a note repeats. */
export const NoteRepeat = repeatOf(LIMITS.noteOccurrences)

/** Body of `POST /v1/notes`. */
export const NoteCreate = closed({
  socialSetId: Type.String(),
  content,
  hexColor,
  scheduledAt,
  repeat: Type.Optional(orNull(NoteRepeat)),
})
export type NoteCreate = Type.Static<typeof NoteCreate>

/** Body of `PATCH /v1/notes/{id}`. Read-only fields are accepted with the value that they have. */
export const NoteUpdate = closed({
  content: Type.Optional(content),
  hexColor: Type.Optional(hexColor),
  scheduledAt: Type.Optional(scheduledAt),
  id: readOnly(Type.String({ description: 'Read-only.' })),
  socialSetId: readOnly(Type.String({ description: 'Read-only.' })),
  type: readOnly(Type.Enum([...NOTE_TYPES], { description: 'Read-only.' })),
  source: readOnly(source),
  createdAt: readOnly(Type.String({ description: 'Read-only.' })),
})
export type NoteUpdate = Type.Static<typeof NoteUpdate>

export const Note = closed({
  id: Type.String({ description: 'Each occurrence of a recurring note has its own.' }),
  socialSetId: Type.String(),
  type: Type.Enum([...NOTE_TYPES]),
  source,
  content: Type.String(),
  hexColor,
  scheduledAt: Type.String(),
  createdAt: Type.String(),
})
export type Note = Type.Static<typeof Note>

/** The key with which an agent created a note. */
export const NoteAgent = closed({ agent: orNull(Type.String({ description: 'Null: not created by an agent.' })) })
export type NoteAgent = Type.Static<typeof NoteAgent>

/** What a request wants to change. Read-only fields have been compared and left out. */
interface NoteUpdateInput {
  content?: string
  hexColor?: NoteColor
  scheduledAt?: string
}

/** What a note says of itself that no request may change. */
interface NoteReadOnly {
  id: string
  socialSetId: string
  type: NoteType
  source: NoteSource
  createdAt: Date
}

/** Checks the body of `PATCH /v1/notes/{id}`. Sending back what was read is no problem. */
export function checkNoteUpdate(body: unknown, current: NoteReadOnly): Checked<NoteUpdateInput> {
  const checked = checkShape(NoteUpdate, body)
  const entries = [...(checked.ok ? checkReadOnly(checked.value, current) : checked.entries), ...checkTexts(body)]
  if (!checked.ok || entries.length > 0) return { ok: false, entries }
  const { content, hexColor, scheduledAt } = checked.value
  return {
    ok: true,
    value: {
      ...(content === undefined ? {} : { content }),
      ...(hexColor === undefined ? {} : { hexColor }),
      ...(scheduledAt === undefined ? {} : { scheduledAt }),
    },
  }
}

function checkReadOnly(given: NoteUpdate, current: NoteReadOnly): ProblemEntry[] {
  const changed = [
    given.id !== undefined && given.id.toLowerCase() !== current.id ? 'id' : null,
    given.socialSetId !== undefined && given.socialSetId.toLowerCase() !== current.socialSetId ? 'socialSetId' : null,
    given.type !== undefined && given.type !== current.type ? 'type' : null,
    given.source !== undefined && given.source.type !== current.source ? 'source' : null,
    // In any notation: a client may write the instant that it read differently.
    given.createdAt !== undefined && Date.parse(given.createdAt) !== current.createdAt.getTime() ? 'createdAt' : null,
  ].filter((name) => name !== null)
  return unchangeable(changed)
}
