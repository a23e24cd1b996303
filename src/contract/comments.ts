import Type from 'typebox'
import { ActorShown } from './history.ts'
import * as LIMITS from './limits.ts'
import { closed, orNull } from './schema.ts'

/** `INNER`: members alone read it. `SHARED`: guests who see the post do, too. Chosen when it is written, for good. */
const COMMENT_AUDIENCES = ['INNER', 'SHARED'] as const
export type CommentAudience = (typeof COMMENT_AUDIENCES)[number]

const Text = Type.String({ minLength: 1, maxLength: LIMITS.comments.codePoints })
const Mentions = Type.Array(Type.String(), { maxItems: LIMITS.comments.mentions })
/** A member who sees the brand. */
export const CommentPerson = closed({ userId: Type.String(), name: Type.String() })
export type CommentPerson = Type.Static<typeof CommentPerson>

/** A comment as members see it. */
export const Comment = closed({
  id: Type.String(),
  audience: Type.Enum([...COMMENT_AUDIENCES]),
  text: Type.String(),
  author: ActorShown,
  mine: Type.Boolean(),
  /** The shared calendar through which a guest wrote it. */
  linkName: orNull(Type.String()),
  mentions: Type.Array(CommentPerson),
  createdAt: Type.String(),
  editedAt: orNull(Type.String()),
  resolved: orNull(closed({ by: ActorShown, at: Type.String() })),
})
export type Comment = Type.Static<typeof Comment>

/** `GET /internal/post-sets/{id}/comments`: the whole thread, oldest first, and who may be mentioned in it, by name. */
export const CommentThread = closed({ data: Type.Array(Comment), people: Type.Array(CommentPerson) })
export type CommentThread = Type.Static<typeof CommentThread>

/** A comment as guests see it: apart from the name, nothing identifies its author. */
export const SharedComment = closed({
  id: Type.String(),
  at: Type.String(),
  by: closed({ name: Type.String(), guest: Type.Boolean(), mine: Type.Boolean() }),
  text: Type.String(),
  editedAt: orNull(Type.String()),
  resolved: Type.Boolean(),
})
export type SharedComment = Type.Static<typeof SharedComment>

/** Body of `POST /internal/post-sets/{id}/comments` */
export const CommentBody = closed({
  text: Text,
  audience: Type.Enum([...COMMENT_AUDIENCES]),
  mentions: Type.Optional(orNull(Mentions)),
})
export type CommentBody = Type.Static<typeof CommentBody>

/** Body of `PATCH /internal/comments/{id}`. Omitted mentions stay. */
export const CommentUpdateBody = closed({ text: Text, mentions: Type.Optional(orNull(Mentions)) })
export type CommentUpdateBody = Type.Static<typeof CommentUpdateBody>

/** Body of `PUT /internal/comments/{id}/resolved` */
export const CommentResolvedBody = closed({ resolved: Type.Boolean() })
export type CommentResolvedBody = Type.Static<typeof CommentResolvedBody>
