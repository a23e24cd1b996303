import { describe, expect, test } from 'vitest'
import { type Case, event, file, fixed, july, part, read, summers, zone } from '../../test/_util/api/calendar-cases.ts'

/** What other programs write that is not as the standard has it, or not as one reads it there. */

const ZONES: Case[] = [
  [
    'a name of the runtime, otherwise defined',
    file(...fixed('Europe/Berlin', '+0500'), ...july('Europe/Berlin')),
    '2027-07-01T07:00 E',
  ],
  ['CET without summer', file(...fixed('CET', '+0100'), ...july('CET')), '2027-07-01T11:00 E'],
  ['GMT with summer', file(...summers('GMT', '+0000', '+0100'), ...july('GMT')), '2027-07-01T11:00 E'],
  [
    'a name of Windows, otherwise defined',
    file(...fixed('Romance Standard Time', '-0300'), ...july('Romance Standard Time')),
    '2027-07-01T15:00 E',
  ],
  [
    'a name with a registry, otherwise defined',
    file(
      ...fixed('/mozilla.org/20050126_1/Europe/Berlin', '+0200'),
      ...event('DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20270101T120000'),
    ),
    '2027-01-01T10:00 E',
  ],
  [
    'a name with a registry, not defined',
    file(...july('/mozilla.org/20050126_1/Europe/Berlin')),
    '2027-07-01T10:00 E',
    { timezone: 'Asia/Tokyo' },
  ],
  ['odd offsets', file(...fixed('Odd', '+054530'), ...july('Odd')), '2027-07-01T06:14 E'],
  [
    'a place that the definition contradicts',
    file(
      ...zone('X', 'X-LIC-LOCATION:Asia/Tokyo', ...part('STANDARD', '+0100', '+0100', 'DTSTART:19700101T000000')),
      ...july('X'),
    ),
    '2027-07-01T11:00 E',
  ],
  [
    'several observances',
    file(
      ...zone(
        'Europe/Berlin',
        ...part(
          'STANDARD',
          '+0200',
          '+0100',
          'DTSTART:19961027T030000',
          'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10;UNTIL=20261025T010000Z',
        ),
        ...part(
          'DAYLIGHT',
          '+0100',
          '+0200',
          'DTSTART:19810329T020000',
          'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3;UNTIL=20260329T010000Z',
        ),
        ...part('STANDARD', '+0100', '+0300', 'DTSTART:20270101T000000'),
      ),
      ...event('DTSTART;TZID=Europe/Berlin:20261201T120000', 'RDATE;TZID=Europe/Berlin:20270701T120000'),
    ),
    '2026-12-01T11:00 E; 2027-07-01T09:00 E',
  ],
  [
    'UNTIL by the clock',
    file(
      ...zone(
        'Z',
        ...part(
          'STANDARD',
          '+0200',
          '+0100',
          'DTSTART:19961027T030000',
          'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10;UNTIL=20261025T030000',
        ),
      ),
      ...july('Z'),
    ),
    '2027-07-01T11:00 E',
  ],
  [
    'observances as RDATE',
    file(
      ...zone(
        'EST',
        ...part('STANDARD', '-0400', '-0500', 'DTSTART:20251102T020000', 'RDATE:20261101T020000'),
        ...part('DAYLIGHT', '-0500', '-0400', 'DTSTART:20260308T020000', 'RDATE:20270314T020000'),
      ),
      ...july('EST'),
    ),
    '2027-07-01T16:00 E',
  ],
  [
    'a definition without parts',
    file(...zone('Europe/Berlin'), ...july('Europe/Berlin')),
    '2027-07-01T10:00 E',
    { timezone: 'Asia/Tokyo' },
  ],
  [
    'a definition of which a part cannot be read',
    file(
      ...zone(
        'Europe/Berlin',
        ...part('STANDARD', '+0200', '+0100', 'DTSTART:19701025T030000'),
        ...part('DAYLIGHT', 'x', '+0200', 'DTSTART:19700329T020000'),
      ),
      ...july('Europe/Berlin'),
    ),
    '2027-07-01T10:00 E',
  ],
  [
    'a definition that is too long, of a known name',
    file(
      ...zone('Europe/Berlin', ...part('STANDARD', '+0100', '+0100', 'DTSTART:19700101T000000', 'RRULE:FREQ=SECONDLY')),
      ...july('Europe/Berlin'),
    ),
    '2027-07-01T10:00 E',
  ],
]

const AMSTERDAM = '(UTC+01:00) Amsterdam, Berlin'
const NAMES: Case[] = [
  [
    'escaped there, quoted here',
    file(...fixed('(UTC+01:00) Amsterdam\\, Berlin', '+0400'), ...july(`"${AMSTERDAM}"`)),
    '2027-07-01T08:00 E',
  ],
  [
    'escaped there, bare here',
    file(...fixed('(UTC+01:00) Amsterdam\\, Berlin', '+0400'), ...july(AMSTERDAM)),
    '2027-07-01T08:00 E',
  ],
  ['escaped in both', file(...fixed('Rom\\, Wien', '+0400'), ...july('"Rom\\, Wien"')), '2027-07-01T08:00 E'],
  ['escaped in both, bare', file(...fixed('Rom\\, Wien', '+0400'), ...july('Rom\\, Wien')), '2027-07-01T08:00 E'],
  ['quoted in both', file(...fixed(`"${AMSTERDAM}"`, '+0400'), ...july(`"${AMSTERDAM}"`)), '2027-07-01T08:00 E'],
  ['a semicolon', file(...fixed('Rom\\; Wien', '+0400'), ...july('"Rom; Wien"')), '2027-07-01T08:00 E'],
  [
    'quotes about a known name',
    file(...fixed('"Europe/Berlin"', '+0400'), ...july('Europe/Berlin')),
    '2027-07-01T08:00 E',
  ],
  ['a known name in quotes', file(...july('"Asia/Tokyo"')), '2027-07-01T03:00 E'],
  ['spaces about a name', file(...fixed(' My zone ', '+0400'), ...july('My zone')), '2027-07-01T08:00 E'],
  [
    'a German name with umlauts',
    file(...fixed('Mitteleuropäische Zeit', '+0400'), ...july('Mitteleuropäische Zeit')),
    '2027-07-01T08:00 E',
  ],
  ['UTC by Microsoft, in small letters', file(...july('tzone://microsoft/utc')), '2027-07-01T12:00 E'],
  [
    'an exception in such a zone',
    file(
      ...fixed('A\\, B', '+0400'),
      ...event('DTSTART;TZID="A, B":20270701T120000', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE;TZID="A, B":20270702T120000'),
    ),
    '2027-07-01T08:00 E',
  ],
]

const FLOATING: Case[] = [
  ['a time', file('X-WR-TIMEZONE:Asia/Tokyo', ...event('DTSTART:20270701T120000')), '2027-07-01T03:00 E'],
  ['behind the event', file(...event('DTSTART:20270701T120000'), 'X-WR-TIMEZONE:Asia/Tokyo'), '2027-07-01T03:00 E'],
  [
    'a day stays a day',
    file('X-WR-TIMEZONE:Asia/Tokyo', ...event('DTSTART;VALUE=DATE:20270701')),
    '2027-06-30T22:00 E',
  ],
  ['UTC stays', file('X-WR-TIMEZONE:Asia/Tokyo', ...event('DTSTART:20270701T120000Z')), '2027-07-01T12:00 E'],
  ['a zone that is named stays', file('X-WR-TIMEZONE:Asia/Tokyo', ...july('Europe/London')), '2027-07-01T11:00 E'],
  [
    'as Windows calls it',
    file('X-WR-TIMEZONE:Tokyo Standard Time', ...event('DTSTART:20270701T120000')),
    '2027-07-01T03:00 E',
  ],
  [
    'as the file defines it',
    file('X-WR-TIMEZONE:Office', ...fixed('Office', '+0400'), ...event('DTSTART:20270701T120000')),
    '2027-07-01T08:00 E',
  ],
  [
    'a name that no one knows',
    file('X-WR-TIMEZONE:Nowhere', ...event('DTSTART:20270701T120000')),
    '2027-07-01T10:00 E',
  ],
  ['empty', file('X-WR-TIMEZONE:', ...event('DTSTART:20270701T120000')), '2027-07-01T10:00 E'],
  [
    'an exception in UTC',
    file(
      'X-WR-TIMEZONE:Asia/Tokyo',
      ...event('DTSTART:20270701T120000', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20270702T030000Z'),
    ),
    '2027-07-01T03:00 E',
  ],
  [
    'UNTIL in UTC',
    file('X-WR-TIMEZONE:Asia/Tokyo', ...event('DTSTART:20270701T120000', 'RRULE:FREQ=DAILY;UNTIL=20270702T030000Z')),
    '2027-07-01T03:00 E; 2027-07-02T03:00 E',
  ],
]

const DAYS: Case[] = [
  ['with an end', file(...event('DTSTART:20270701', 'DTEND:20270703')), '2027-06-30T22:00 E; 2027-07-01T22:00 E'],
  ['with a length', file(...event('DTSTART:20270701', 'DURATION:P2D')), '2027-06-30T22:00 E; 2027-07-01T22:00 E'],
  ['with a zone', file(...event('DTSTART;TZID=Asia/Tokyo:20270701')), '2027-06-30T22:00 E'],
  ['said to be a time', file(...event('DTSTART;VALUE=DATE-TIME:20270701')), '2027-06-30T22:00 E'],
  ['spaces about it', file(...event('DTSTART: 20270701 ')), '2027-06-30T22:00 E'],
  [
    'exceptions in a list',
    file(...event('DTSTART:20270701', 'RRULE:FREQ=DAILY;COUNT=4', 'EXDATE:20270702,20270703')),
    '2027-06-30T22:00 E; 2027-07-03T22:00 E',
  ],
  [
    'an exception of an event with a time',
    file(...event('DTSTART:20270701T100000Z', 'RRULE:FREQ=DAILY;COUNT=2', 'EXDATE:20270702')),
    '2027-07-01T10:00 E',
  ],
  [
    'days and times in one list',
    file(...event('DTSTART:20270701T100000Z', 'RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20270702,20270703T100000Z')),
    '2027-07-01T10:00 E',
  ],
  ['more days', file(...event('DTSTART:20270701', 'RDATE:20270705')), '2027-06-30T22:00 E; 2027-07-04T22:00 E'],
  [
    'what replaces one',
    file(
      ...event('DTSTART:20270701', 'RRULE:FREQ=DAILY;COUNT=2'),
      ...event('RECURRENCE-ID:20270702', 'DTSTART:20270705'),
    ),
    '2027-06-30T22:00 E; 2027-07-04T22:00 E',
  ],
  ['a day that no month has', file(...event('DTSTART:20270231')), '1 unreadable'],
]

const EXCEPTED: Case[] = (() => {
  const master = (sequence: number, ...more: string[]) =>
    event('DTSTART:20270701T100000Z', 'RRULE:FREQ=DAILY;COUNT=3', `SEQUENCE:${sequence}`, ...more)
  const other = (sequence: number | null, ...more: string[]) => [
    'BEGIN:VEVENT',
    'UID:1',
    'SUMMARY:Other',
    ...(sequence === null ? [] : [`SEQUENCE:${sequence}`]),
    ...more,
    'END:VEVENT',
  ]
  const moved = ['RECURRENCE-ID:20270702T100000Z', 'DTSTART:20270702T150000Z']
  const off = '2027-07-01T10:00 E; 2027-07-03T10:00 E'
  const on = '2027-07-01T10:00 E; 2027-07-02T15:00 Other; 2027-07-03T10:00 E'
  return [
    ['older, with an exception', file(...master(2, 'EXDATE:20270702T100000Z'), ...other(1, ...moved)), off],
    ['older, before the event', file(...other(1, ...moved), ...master(2, 'EXDATE:20270702T100000Z')), off],
    ['without a number', file(...other(null, ...moved), ...master(1, 'EXDATE:20270702T100000Z')), off],
    ['as old: programs write both', file(...master(1, 'EXDATE:20270702T100000Z'), ...other(1, ...moved)), on],
    ['newer: it is on again', file(...master(1, 'EXDATE:20270702T100000Z'), ...other(2, ...moved)), on],
    ['older, without an exception', file(...master(2), ...other(1, ...moved)), on],
    [
      'older, another day is off',
      file(...master(2, 'EXDATE:20270703T100000Z'), ...other(1, ...moved)),
      '2027-07-01T10:00 E; 2027-07-02T15:00 Other',
    ],
    ['an exception of a day', file(...master(2, 'EXDATE;VALUE=DATE:20270702'), ...other(1, ...moved)), off],
    [
      'an exception in another zone',
      file(...master(2, 'EXDATE;TZID=Asia/Tokyo:20270702T190000'), ...other(1, ...moved)),
      off,
    ],
    [
      'what is replaced is named in another zone',
      file(
        ...master(2, 'EXDATE:20270702T100000Z'),
        ...other(1, 'RECURRENCE-ID;TZID=Asia/Tokyo:20270702T190000', 'DTSTART:20270702T150000Z'),
      ),
      off,
    ],
    [
      'this one and all that follow',
      file(...master(1), ...other(1, 'RECURRENCE-ID;RANGE=THISANDFUTURE:20270702T100000Z', 'DTSTART:20270702T150000Z')),
      '2027-07-01T10:00 E; 2027-07-02T15:00 Other; 2027-07-03T15:00 Other',
    ],
  ]
})()

describe.each([
  ['zones that a file defines', ZONES],
  ['names of zones', NAMES],
  ['a zone for the whole calendar', FLOATING],
  ['days that do not say that they are', DAYS],
  ['an occurrence that was changed, then called off', EXCEPTED],
])('%s', (_, cases) => {
  test.each(cases)('%s', (_name, calendar, expected, how) => {
    expect(read(typeof calendar === 'string' ? Buffer.from(calendar) : calendar, how)).toBe(expected)
  })
})

test('a definition that is too long, of a name that no one knows, is a calendar that is too complex', () => {
  const rule = part('STANDARD', '+0100', '+0100', 'DTSTART:19700101T000000', 'RRULE:FREQ=SECONDLY')
  expect(() => read(Buffer.from(file(...zone('Own', ...rule), ...july('Own'))))).toThrow(/too often/)
})
