import type { ImportedCalendarFailureCode } from '#contract'

/** Why a calendar could not be read: a code of the contract, and sentences for people that say what to do and hold no address. */
export class CalendarFailure extends Error {
  override readonly name = 'CalendarFailure'
  readonly code: ImportedCalendarFailureCode

  constructor(code: ImportedCalendarFailureCode, message: string) {
    super(message)
    this.code = code
  }
}
