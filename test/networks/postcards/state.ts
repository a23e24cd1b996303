import Type from 'typebox'
import { count, handlesOf, list, text } from '../../../src/networks/kit/handles.ts'
import type { Handles } from '../../../src/networks/network.ts'

export const readState = handlesOf({
  /** Pictures that were taken, in the order of the media. */
  pictures: list(Type.String()),
  /** Tries that were spent on what a few more tries may help. */
  tries: count,
  /** The card, once the visible call has answered. */
  cardId: text,
  link: text,
})

/** Forgets the pictures: they are sent again. */
export const dropped = { pictures: [] } satisfies Handles
