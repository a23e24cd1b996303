import type { Fruitless } from '../kit/api.ts'
import type { Meaning } from '../kit/errors.ts'
import type { HttpAnswer } from '../kit/http.ts'
import { failedPreparing, retryFrom, whilePreparing } from '../kit/outcomes.ts'
import type { Stop } from '../kit/pending.ts'
import type { Attempt, Refused, Retry } from '../network.ts'
import { errors, pauseUntil } from './outcomes.ts'
import { readState } from './state.ts'

/** After so many new uploads the media themselves are to blame. */
const MAX_RENEWALS = 1

export const waitingUntil = (askAgainAt: Date): Stop => ({ kind: 'waiting', askAgainAt })

/** What a request that brought nothing leads to in `prepare`. */
export async function stopFor(attempt: Attempt, refusal: Fruitless): Promise<Stop> {
  if (refusal.kind === 'failed') return failedPreparing(refusal)
  const classified = meaningOf(attempt, refusal.answer)
  if (classified.spent) return renew(attempt, classified.meaning.message)
  return whilePreparing(await growingWait(attempt, classified))
}

type Judged = ReturnType<typeof errors.classify>

/** What an answer means for this account: without a refresh token no refresh helps. */
export function meaningOf(attempt: Attempt, answer: HttpAnswer): Judged {
  const classified = errors.classify(answer, attempt.now())
  const { meaning } = classified
  if (meaning.kind !== 'reconnect' || attempt.credentials.refreshToken) return classified
  return { ...classified, meaning: { ...meaning, mayRefresh: false } }
}

/** LinkedIn never says how long to wait, so each wait is longer than the one before. */
export async function growingWait(attempt: Attempt, { meaning, grows }: Judged): Promise<Meaning> {
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
