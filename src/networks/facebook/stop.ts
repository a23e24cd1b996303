import type { Attempt, PrepareOutcome, Reconnect, Refused, Retry } from '../network.ts'
import type { Called } from '../toolkit/graph.ts'
import { failedPreparing, whilePreparing } from '../toolkit/outcomes.ts'
import { type Judgement, judge, judgeVideo } from './outcomes.ts'
import { dropped, readState } from './state.ts'
import type { Video } from './wire.ts'

/** Tries that are spent on what a few more tries may help, such as an upload that did not go through. */
const FEW_TRIES = 4

/** Why preparing does not go on for now, or at all. */
export type Stop = Exclude<PrepareOutcome, { kind: 'ready' }>

/** What an answer that is no success leads to here. */
export async function stopOf(attempt: Attempt, called: Exclude<Called<unknown>, { kind: 'ok' }>): Promise<Stop> {
  return called.kind === 'failed' ? failedPreparing(called) : stopFor(attempt, judge(called.answer, attempt.now()))
}

/** What a refusal leads to here, and what is forgotten for it. */
export async function stopFor(attempt: Attempt, judgement: Judgement): Promise<Retry | Refused | Reconnect> {
  const { meaning, few, fresh } = judgement
  const outcome = whilePreparing(meaning)
  if (outcome.kind !== 'retry') return outcome
  const tries = readState(attempt.handles).tries + (few ? 1 : 0)
  if (few && tries > FEW_TRIES) return { kind: 'refused', reason: few, message: meaning.message }
  if (few || fresh) await attempt.store({ tries, ...(fresh ? dropped : {}) })
  return outcome
}

/** The work on a video has failed, so nobody will see it. What a few more tries may help is uploaded anew. */
export async function stopForVideo(
  attempt: Attempt,
  failure: NonNullable<Video['failure']>,
): Promise<Retry | Refused | Reconnect> {
  const judgement = judgeVideo(failure, attempt.now())
  const { meaning, few } = judgement
  if (meaning.kind === 'again' || meaning.kind === 'wait') {
    return stopFor(attempt, { ...judgement, fresh: true, few: few ?? 'UNKNOWN' })
  }
  return meaning.kind === 'refused'
    ? meaning
    : { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message: meaning.message }
}
