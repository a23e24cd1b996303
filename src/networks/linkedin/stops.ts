import type { Attempt, PrepareOutcome, Refused, Retry } from '../network.ts'
import {
  failedPreparing,
  type HttpAnswer,
  type HttpFailure,
  type Meaning,
  retryFrom,
  whilePreparing,
} from '../toolkit/outcomes.ts'
import { judge, pauseUntil } from './outcomes.ts'
import { readState } from './state.ts'

/** After so many new uploads the media themselves are to blame. */
const MAX_RENEWALS = 1

/** An end of a turn of `prepare` before everything is there. */
export type Stop = Exclude<PrepareOutcome, { kind: 'ready' }>

export const waitingUntil = (askAgainAt: Date): Stop => ({ kind: 'waiting', askAgainAt })

/** What a request that brought nothing leads to in `prepare`. */
export async function stopFor(
  attempt: Attempt,
  refusal: HttpFailure | { kind: 'refused'; answer: HttpAnswer },
): Promise<Stop> {
  if (refusal.kind === 'failed') return failedPreparing(refusal)
  const judgement = meaningOf(attempt, refusal.answer)
  if (judgement.renew) return renew(attempt, judgement.meaning.message)
  return whilePreparing(await growingWait(attempt, judgement))
}

/** What an answer means for this account: without a refresh token no refresh helps. */
export function meaningOf(attempt: Attempt, answer: HttpAnswer): ReturnType<typeof judge> {
  const judgement = judge(answer, attempt.now())
  const { meaning } = judgement
  if (meaning.kind !== 'reconnect' || attempt.credentials.refreshToken) return judgement
  return { ...judgement, meaning: { ...meaning, mayRefresh: false } }
}

/** LinkedIn never says how long to wait, so each wait is longer than the one before. */
export async function growingWait(attempt: Attempt, { meaning, grows }: ReturnType<typeof judge>): Promise<Meaning> {
  if (meaning.kind !== 'wait' || !grows) return meaning
  const { waits } = readState(attempt.handles)
  await attempt.store({ waits: waits + 1 })
  return { ...meaning, until: pauseUntil(attempt.now(), waits) }
}

/** The uploaded media are of no use: once they are uploaded anew, then they are refused. */
export async function renew(attempt: Attempt, message: string): Promise<Retry | Refused> {
  const { renewals, sent } = readState(attempt.handles)
  // A post that may be out is repeated with the same media or not at all.
  if (renewals >= MAX_RENEWALS || sent !== null) {
    return { kind: 'refused', reason: 'UNKNOWN_MEDIA_ERROR', message: `${message} Use another file.` }
  }
  await attempt.store({ renewals: renewals + 1, assets: [], video: null, body: null })
  return retryFrom('prepare', `${message} They are uploaded once more.`)
}
