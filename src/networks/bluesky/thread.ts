import { record } from '../kit/read-json.ts'
import type { Attempt, Handles } from '../network.ts'
import { laterTid, placeOf, readState } from './state.ts'
import { sentText } from './text.ts'

/**
 * The parts of a post, the post itself first: each an attempt with its own text, media and handles. The places of further parts follow from
 * that of the post, a millisecond and a key later each, so that feeds show them in their order.
 */
export function partsOf(attempt: Attempt): [Attempt, ...Attempt[]] {
  const { thread = [] } = attempt.post
  return [attempt, ...thread.map((_, index) => partOf(attempt, index))]
}

function partOf(attempt: Attempt, index: number): Attempt {
  const { thread: _, ...post } = attempt.post
  const part = attempt.post.thread?.[index] ?? { caption: '', media: [] }
  const name = `part${index + 1}`
  const own = () => record(attempt.handles[name]) ?? {}
  const words = { text: sentText(part.caption).text }
  return {
    ...attempt,
    post: { ...post, ...part },
    get words() {
      return (record(own().words) as typeof words | undefined) ?? words
    },
    sentWords: [words],
    get handles() {
      return { ...own(), ...placeHandles(attempt.handles, index + 1) }
    },
    store: (handles) => attempt.store({ [name]: { ...own(), ...handles } }),
  }
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
