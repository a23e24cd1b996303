import type { Rule } from '../conformance.ts'

/** Imported calendars, and calendar out. */
export const decidedCalendarsRules: readonly Rule[] = [
  {
    id: 'calendars-01',
    rule: 'An iCalendar address or file of a social set becomes notes of GOOGLE_IMPORT and ONE_TIME, from any calendar program.',
  },
  {
    id: 'calendars-02',
    rule: 'There is one note for each day that an event touches, 31 at most, at its start in the zone of the social set; whole days begin at the start of the day.',
  },
  {
    id: 'calendars-03',
    rule: 'Content is the title, cut to 1024 with an ellipsis.',
  },
  {
    id: 'calendars-04',
    rule: 'The same event keeps its note through every fetch; its time follows the event, content and color that someone changed stay.',
  },
  {
    id: 'calendars-05',
    rule: 'A note that was deleted does not come back; what vanishes from the calendar goes; what left the window stays.',
  },
  {
    id: 'calendars-06',
    rule: 'A calendar that is removed takes its untouched notes with it, after asking.',
  },
  {
    id: 'calendars-07',
    rule: 'A social set has at most 20 calendars, and 5,000 imported notes in the window, nearest days first; what is over is counted.',
  },
  {
    id: 'calendars-08',
    rule: 'Every recurrence example of RFC 5545 gives the times that it lists.',
  },
  {
    id: 'calendars-09',
    rule: 'An address that fails keeps what was known, says why, slows down, and is reported after a day.',
  },
  {
    id: 'calendars-10',
    rule: 'A social set and a shared calendar have a secret iCalendar address, renewed and closed like a link.',
  },
]
