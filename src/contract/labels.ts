import Type from 'typebox'
import * as LIMITS from './limits.ts'
import { closed, orNull } from './schema.ts'

/**
 * The colors that a label may have. White text is readable on each, each is readable as text on white, and as a mark
 * each stands out from the light and the dark background of the dashboard: WCAG 2.2, 1.4.3 and 1.4.11 at level AA.
 */
export const LABEL_COLORS = [
  '#e42a23',
  '#cb4f0b',
  '#a16c04',
  '#727d0e',
  '#2a8823',
  '#0b866d',
  '#0d819f',
  '#1974e3',
  '#6267ea',
  '#9457db',
  '#d72c8f',
  '#6e7786',
] as const
export type LabelColor = (typeof LABEL_COLORS)[number]

const label = {
  id: Type.String(),
  name: Type.String(),
  color: orNull(Type.String({ description: '`#rrggbb`' })),
  createdAt: Type.String(),
}

/** A mark that an account puts on its post sets. */
export const Label = closed(label)
export type Label = Type.Static<typeof Label>

/** All labels of the account by name, with how many post sets carry each. */
export const LabelUsageList = closed({
  data: Type.Array(closed({ ...label, postSets: Type.Integer({ description: 'That carry it, in all social sets.' }) })),
})
export type LabelUsageList = Type.Static<typeof LabelUsageList>
export type LabelUsage = LabelUsageList['data'][number]

const fields = {
  name: Type.String({ minLength: 1, maxLength: LIMITS.labelCodePoints }),
  color: orNull(Type.Enum([...LABEL_COLORS])),
}

export const LabelBody = closed({ name: fields.name, color: Type.Optional(fields.color) })
export type LabelBody = Type.Static<typeof LabelBody>

/** Omitted fields stay. A color that is not one of ours is accepted if the label already has it. */
export const LabelUpdateBody = closed({
  name: Type.Optional(Type.String({ minLength: 1, maxLength: LIMITS.nameCodePoints })),
  color: Type.Optional(orNull(Type.String())),
})
export type LabelUpdateBody = Type.Static<typeof LabelUpdateBody>

/** The post sets of the label get the label with this id instead. */
export const LabelMergeBody = closed({ into: Type.String() })
export type LabelMergeBody = Type.Static<typeof LabelMergeBody>
