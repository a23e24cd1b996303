import { partOfThread } from '../kit/thread.ts'
import type { Attempt, Connector, Handles } from '../network.ts'
import { laterTid, placeOf, readState } from './state.ts'
import { sentText } from './text.ts'

/** Links that are too long are shortened. */
export const wordsOf: Connector['wordsOf'] = ({ caption }) => ({ text: sentText(caption).text })

/**
 * The parts of a post, the post itself first: each an attempt with its own text, media and handles. The places of further parts follow from
 * that of the post, a millisecond and a key later each, so that feeds show them in their order.
 */
export function partsOf(attempt: Attempt): [Attempt, ...Attempt[]] {
  const { thread = [] } = attempt.post
  const further = (_: unknown, index: number) =>
    partOfThread(attempt, index, wordsOf, () => placeHandles(attempt.handles, index + 1))
  return [attempt, ...thread.map(further)]
}

function placeHandles(ofPost: Handles, nth: number): Handles {
  const place = placeOf(ofPost)
  if (!place) return {}
  const later = (time: string) => new Date(Date.parse(time) + nth).toISOString()
  return {
    rkey: laterTid(place.rkey, nth),
    createdAt: later(place.createdAt),
    earlier: readState(ofPost).earlier.map(later),
  }
}
