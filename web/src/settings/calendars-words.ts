import { msg } from '@lingui/core/macro'
import type { ImportedCalendarFailureCode } from '#contract'
import { translated } from '../language/translated.ts'

/** What to do about a calendar that cannot be read. */
export const FAILURE_ADVICE: Readonly<Record<ImportedCalendarFailureCode, string>> = translated({
  'imported-calendar:url_blocked': msg`Use an address on the public internet.`,
  'imported-calendar:dns_failed': msg`Check the address for typing errors.`,
  'imported-calendar:http_error': msg`Check that the calendar is still there, and that its address works without a sign-in.`,
  'imported-calendar:timeout': msg`It is tried again by itself. If it stays like this, check the address.`,
  'imported-calendar:too_many_redirects': msg`Use the address that it leads to in the end.`,
  'imported-calendar:too_large': msg`Use a calendar with fewer events.`,
  'imported-calendar:not_a_calendar': msg`Use the iCal address of the calendar, not that of its page.`,
  'imported-calendar:too_complex': msg`Export the next months as a file, and import that.`,
  'imported-calendar:unreadable_address': msg`Edit the calendar, and enter its address again.`,
})
