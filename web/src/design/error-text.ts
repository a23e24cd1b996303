import { ApiError } from '../api/api-error.ts'

/** The sentence that tells a person about an error. */
export function messageOf(error: unknown): string {
  return error instanceof ApiError ? error.message : 'Something went wrong on this page. Load it again.'
}

/** What to name to whoever looks into it; null where there is nothing. */
export function requestIdOf(error: unknown): string | null {
  return error instanceof ApiError ? error.requestId : null
}

/** Why a password was not taken, in words for the field; null when the error is about something else. */
export function passwordProblem(error: unknown): string | null {
  if (!(error instanceof ApiError)) return null
  if (error.code === 'auth:password_confirmation_failed') return 'This is not your password. Try again.'
  if (error.code === 'auth:too_many_attempts') {
    const minutes = Math.max(1, Math.ceil((error.retryAfterSeconds ?? 15 * 60) / 60))
    return `Too many wrong tries. Wait ${minutes === 1 ? 'a minute' : `${minutes} minutes`}, then try again.`
  }
  return null
}
