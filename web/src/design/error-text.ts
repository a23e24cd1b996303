import { plural, t } from '@lingui/core/macro'
import { ApiError, isOutage } from '../api/api-error.ts'

/** The sentence that describes an error to a person. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : t`Something went wrong on this page. Load it again.`
}

/** What to quote to support; null where there is nothing, as of a refusal, which says itself what to do. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError && isOutage(error) ? error.requestId : null
}

/** Why a password was not taken, in words for the field; null when the error is about something else. */
export function passwordProblem(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'auth:password_confirmation_failed') return t`This is not your password. Try again.`
  if (error.code === 'auth:too_many_attempts') {
    const minutes = Math.max(1, Math.ceil((error.retryAfterSeconds ?? 15 * 60) / 60))
    return plural(minutes, {
      one: 'Too many failed attempts. Wait a minute, then try again.',
      other: 'Too many failed attempts. Wait # minutes, then try again.',
    })
  }
  return null
}
