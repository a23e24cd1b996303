import Type from 'typebox'
import * as LIMITS from './limits.ts'
import { closed } from './schema.ts'

/** Hashtags of a social set that are inserted into captions together. */
export const HashtagGroup = closed({
  id: Type.String(),
  socialSetId: Type.String(),
  name: Type.String(),
  tags: Type.Array(Type.String({ description: 'With `#`.' })),
  createdAt: Type.String(),
  updatedAt: Type.String(),
})
export type HashtagGroup = Type.Static<typeof HashtagGroup>

/** All groups of a social set, by name. */
export const HashtagGroups = closed({ data: Type.Array(HashtagGroup) })
export type HashtagGroups = Type.Static<typeof HashtagGroups>

const name = Type.String({ maxLength: LIMITS.hashtagGroups.nameCodePoints })
const tags = Type.Array(Type.String({ description: 'With or without `#`.' }), {
  minItems: 1,
  maxItems: LIMITS.hashtagGroups.tags,
})

export const HashtagGroupBody = closed({ socialSetId: Type.String(), name, tags })
export type HashtagGroupBody = Type.Static<typeof HashtagGroupBody>

/** Omitted fields stay. */
export const HashtagGroupUpdateBody = closed({ name: Type.Optional(name), tags: Type.Optional(tags) })
export type HashtagGroupUpdateBody = Type.Static<typeof HashtagGroupUpdateBody>
