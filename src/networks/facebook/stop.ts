import type { Fruitless } from '../kit/api.ts'
import { type Classification, few } from '../kit/errors.ts'
import { type Stop, stopAfter, stopFor as stopForAny } from '../kit/pending.ts'
import type { Attempt, Reconnect, Refused, Retry } from '../network.ts'
import { classifyVideo, errors } from './outcomes.ts'
import { dropped } from './state.ts'
import type { Video } from './wire.ts'

/** What an answer that is no success leads to in `prepare`. */
export async function stopOf(attempt: Attempt, called: Fruitless): Promise<Stop> {
  return stopAfter(attempt, called, errors, dropped)
}

/** What a refusal leads to there, and what is forgotten for it. */
export const stopFor = (attempt: Attempt, classified: Classification) => stopForAny(attempt, classified, dropped)

/** The work on a video has failed, so nobody will see it. What a few more tries may help is uploaded anew. */
export async function stopForVideo(
  attempt: Attempt,
  failure: NonNullable<Video['failure']>,
): Promise<Retry | Refused | Reconnect> {
  const classified = classifyVideo(failure, attempt.now())
  const { meaning } = classified
  if (meaning.kind === 'again' || meaning.kind === 'wait') {
    return stopFor(attempt, { ...few('UNKNOWN'), ...classified, spent: true })
  }
  return meaning.kind === 'refused'
    ? meaning
    : { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message: meaning.message }
}
