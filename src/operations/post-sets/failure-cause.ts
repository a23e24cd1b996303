import type { FailureCause } from '#contract'
import type { ResultPostRow } from '#persistence'

/** The meaning of a failure for people; null for a post that has not failed, or is being sent again. */
export function failureCause({
  state,
  result,
  surelyAbsent,
  open,
}: Pick<ResultPostRow, 'state' | 'result' | 'surelyAbsent' | 'open'>): FailureCause | null {
  if (state !== 'DONE' || result?.status !== 'FAILED') return null
  if (!surelyAbsent) return 'MAY_BE_LIVE'
  const reason = result.reason ?? 'UNKNOWN'
  // Connected again meanwhile: what is left to do is to retry.
  if (reason === 'ACCOUNT_CONNECTION_EXPIRED' && open?.status === 'CONNECTED') return 'UNKNOWN'
  return reason
}
