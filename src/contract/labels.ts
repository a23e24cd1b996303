import Type from 'typebox'

/** A mark that an account puts on its post sets. */
export const Label = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    color: Type.Union([Type.String(), Type.Null()], { description: '`#rrggbb`' }),
    createdAt: Type.String(),
  },
  { additionalProperties: false },
)
export type Label = Type.Static<typeof Label>
