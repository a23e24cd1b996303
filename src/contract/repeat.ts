import Type from 'typebox'
import { closed } from './schema.ts'

/** How far apart the occurrences of a series are. */
export const REPEAT_INTERVALS = ['DAY', 'WEEK', 'MONTH', 'YEAR'] as const
export type RepeatInterval = (typeof REPEAT_INTERVALS)[number]

/** A repeat rule. `occurrences` counts all of them, including the first. */
export function repeatOf({ min, max }: { min: number; max: number }) {
  return closed({
    interval: Type.Enum([...REPEAT_INTERVALS]),
    occurrences: Type.Integer({ minimum: min, maximum: max, description: 'In total, including the first.' }),
  })
}

export interface Repeat {
  interval: RepeatInterval
  occurrences: number
}
