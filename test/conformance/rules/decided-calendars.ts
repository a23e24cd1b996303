import type { Rule } from '../conformance.ts'

const happy = (title: string) => `test/api/imported-calendars.happy.test.ts › ${title}`
const failing = (title: string) => `test/api/imported-calendars.error.test.ts › ${title}`
const safe = (title: string) => `test/api/imported-calendars.security.test.ts › ${title}`
const feed = (title: string) => `test/api/feeds.happy.test.ts › ${title}`

/** Imported calendars, and calendar out. */
export const decidedCalendarsRules: readonly Rule[] = [
  {
    id: 'calendars-01',
    rule: 'An iCalendar address or file of a social set becomes notes of GOOGLE_IMPORT and ONE_TIME, from any calendar program.',
    proof: [
      happy('a calendar that is added by its address is read, and its events are notes'),
      happy('a file is a calendar too, and is read again each day'),
      'src/icalendar/read-notes.test.ts › exports of programs › Google: folded lines, a zone of its own, an override on another day, a canceled occurrence, all-day ends',
      'src/icalendar/read-notes.test.ts › exports of programs › Outlook: names of Windows, zones that are customized, days as times from midnight, UTF-16',
      'src/icalendar/read-notes.test.ts › exports of programs › Apple: names with registries, durations, UNTIL with a time for days, RDATE with periods, endless whole days',
    ],
  },
  {
    id: 'calendars-02',
    rule: 'There is one note for each day that an event touches, 31 at most, at its start in the zone of the social set; whole days begin at the start of the day.',
    proof: [
      happy('an event lasts 31 days at the most, and is seen on those inside the window'),
      'src/icalendar/read-notes.test.ts › an event › is on each day that it touches, and not on the one at whose beginning it ends',
      'src/icalendar/read-notes.test.ts › an event › without a zone is by the clock of the social set',
    ],
  },
  {
    id: 'calendars-03',
    rule: 'Content is the title, cut to 1024 with an ellipsis.',
    proof: [safe('titles with script, marks of direction, controls, emptiness and a megabyte harm no one')],
  },
  {
    id: 'calendars-04',
    rule: 'The same event keeps its note through every fetch; its time follows the event, content and color that someone changed stay.',
    proof: [
      happy('a note keeps its id; its title and time follow the event'),
      happy('what someone has changed stays; the time follows all the same'),
      'src/icalendar/read-notes.test.ts › the key of a note › stays when the event moves, and when it begins to repeat',
    ],
  },
  {
    id: 'calendars-05',
    rule: 'A note that was deleted does not come back; what vanishes from the calendar goes; what left the window stays.',
    proof: [
      happy('a note that was deleted does not come back, no matter who deleted it'),
      happy('what vanishes from a calendar goes; what has left the window stays'),
    ],
  },
  {
    id: 'calendars-06',
    rule: 'A calendar that is removed takes its untouched notes with it, after asking.',
    proof: [happy('a calendar that is removed takes its notes with it, but those that someone has changed')],
  },
  {
    id: 'calendars-07',
    rule: 'A social set has at most 20 calendars, and 5,000 imported notes in the window, nearest days first; what is over is counted.',
    proof: [
      failing('a social set has 20 calendars'),
      happy('of more than 5,000 notes those of the nearest days are shown, over all calendars of a social set'),
    ],
  },
  {
    id: 'calendars-08',
    rule: 'Every recurrence example of RFC 5545 gives the times that it lists.',
    proof: [
      'src/icalendar/occurrences.test.ts › RFC 5545, 3.8.5.3 › $name: $rule',
      'src/icalendar/expand-rule.test.ts › a rule › gives the days that one finds by looking at each',
    ],
  },
  {
    id: 'calendars-09',
    rule: 'An address that fails keeps what was known, says why, slows down, and is reported after a day.',
    proof: [
      failing(
        'an address that fails › keeps what was known, says why and since when, slows down and is reported after a day',
      ),
      failing('an address that fails › %s is a failure in words, and what was known stays'),
    ],
  },
  {
    id: 'calendars-10',
    rule: 'A social set and a shared calendar have a secret iCalendar address, renewed and closed like a link.',
    proof: [
      feed('a social set has an address at which calendar programs read its posts and notes'),
      feed('an address that is renewed or closed ends at once'),
      feed('the feed of a shared calendar shows what that shows, without links of members'),
      'test/api/feeds.security.test.ts › unknown, closed and misspelled addresses, and those of links that are closed, answer alike',
    ],
  },
]
