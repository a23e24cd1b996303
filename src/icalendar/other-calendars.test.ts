import { describe, expect, test } from 'vitest'
import { type Case, event, file, july, part, read, titled, zone } from '../../test/_util/api/calendar-cases.ts'
import { part as some } from '../../test/_util/run/whole.ts'

/** What programs write that is not as iCalendar has it, and what is meant is plain. */

const TEN = '2027-03-10T08:00 E'
const [FIRST, SECOND, THIRD] = [TEN, '2027-03-11T08:00 E', '2027-03-12T08:00 E']
const TOKYO = 'DTSTART;TZID=Asia/Tokyo:20270310T170000'
const DAILY = 'RRULE:FREQ=DAILY;COUNT=3'
const START = 'DTSTART:20270310T080000Z'
const of = (...lines: string[]) => file(...event(...lines))
const weekly = (rule: string) => of(START, `RRULE:${rule}`)

const TIMES: Case[] = [
  ['an exception on the clock of the beginning', of(TOKYO, DAILY, 'EXDATE:20270311T170000'), `${FIRST}; ${THIRD}`],
  ['a date on that clock', of(TOKYO, 'RDATE:20270311T170000'), `${FIRST}; ${SECOND}`],
  [
    'what is replaced, on that clock',
    file(...event(TOKYO, DAILY), ...event('RECURRENCE-ID:20270311T170000', 'DTSTART;TZID=Asia/Tokyo:20270311T180000')),
    `${FIRST}; 2027-03-11T09:00 E; ${THIRD}`,
  ],
  ['a distance from UTC', of('DTSTART:20270310T100000+0200'), TEN],
  ['a distance with a colon, the other way', of('DTSTART:20270310T030000-05:00'), TEN],
  ['a distance beside a name', of('DTSTART;TZID=Asia/Tokyo:20270310T100000+0200'), TEN],
  ['a distance of an exception', of(START, DAILY, 'EXDATE:20270311T100000+0200'), `${FIRST}; ${THIRD}`],
  ['small letters', of('dtstart:20270310t080000z'), TEN],
  ['semicolons in a list of exceptions', of(START, DAILY, 'EXDATE:20270310T080000Z;20270311T080000Z'), THIRD],
  [
    'semicolons in a list of dates',
    of(START, 'RDATE:20270311T080000Z;20270312T080000Z'),
    `${FIRST}; ${SECOND}; ${THIRD}`,
  ],
  ['a space in a list', of(START, DAILY, 'EXDATE: 20270310T080000Z, 20270311T080000Z '), THIRD],
  ['a space before a beginning', of('DTSTART: 20270310T080000Z'), TEN],
  ['a space behind it', of('DTSTART;TZID=Asia/Tokyo: 20270310T170000 '), TEN],
  ['an end that is none', of(START, 'DTEND:foo'), TEN],
  ['an end on no day', of(START, 'DTEND:20271399T080000Z'), TEN],
  ['an end that is empty', of(START, 'DTEND:'), TEN],
  ['the long form', of('DTSTART:2027-03-10T08:00:00Z'), TEN],
  ['the long form with a zone', of('DTSTART;TZID=Asia/Tokyo:2027-03-10T17:00:00'), TEN],
  ['the long form with a distance and parts of seconds', of('DTSTART:2027-03-10T10:00:00.000+02:00'), TEN],
  ['a space within the long form', of('DTSTART;TZID=Asia/Tokyo:2027-03-10 17:00:00'), TEN],
  ['a day in the long form', of('DTSTART;VALUE=DATE:2027-03-10'), '2027-03-09T23:00 E'],
  ['midnight at the end of a day', of('DTSTART:20270310T240000Z'), '2027-03-11T00:00 E'],
  ['midnight at the end of a year', of('DTSTART:20261231T240000Z'), '2027-01-01T00:00 E'],
  ['a period', of(START, 'RDATE;VALUE=PERIOD:20270311T080000Z/PT1H'), `${FIRST}; ${SECOND}`],
  ['an end that is none, far from UTC', of(START, 'DTEND:20271399T080000+0200'), TEN],
  ['a beginning that is none', of('DTSTART:20271399T080000+0200'), '1 unreadable'],
  ...['EXDATE:', 'RDATE:', 'RRULE:', 'RECURRENCE-ID:', 'EXDATE;TZID=Asia/Tokyo:', 'DURATION:'].map(
    (line): Case => [`nothing behind ${line}`, of(START, line), TEN],
  ),
]

const offset = (written: string) =>
  file(...zone('Odd', ...part('STANDARD', written, written, 'DTSTART:19700101T000000')), ...july('Odd'))
const GERMAN = [
  'Mitteleuropäische Zeit',
  'Mitteleuropäische Sommerzeit',
  'W. Europa Standardzeit',
  'Romanische Standardzeit',
]
const ZONES: Case[] = [
  ['a colon', offset('+01:30'), '2027-07-01T10:30 E'],
  ['colons', offset('-01:30:00'), '2027-07-01T13:30 E'],
  ['no sign', offset('0200'), '2027-07-01T10:00 E'],
  ['hours alone', offset('+02'), '2027-07-01T10:00 E'],
  ...['TZ:-05:00', 'TZ:-05', 'TZ:-0500', 'TIMEZONE-ID:America/Bogota'].map(
    (line): Case => [line, file(line, ...event('DTSTART:20270310T030000')), TEN],
  ),
  ['TZ:+01', file('TZ:+01', ...event('DTSTART:20270310T090000')), TEN, { timezone: 'Asia/Tokyo' }],
  [
    'TIMEZONE-ID beside X-WR-TIMEZONE',
    file('X-WR-TIMEZONE:Asia/Tokyo', 'TIMEZONE-ID:Europe/Berlin', ...event('DTSTART:20270310T170000')),
    TEN,
  ],
  ...['w. europe standard time', 'W. EUROPE DAYLIGHT TIME', ...GERMAN].map(
    (name): Case => [name, file(...july(name)), '2027-07-01T10:00 E', { timezone: 'Asia/Tokyo' }],
  ),
  ['Eastern Daylight Time', file(...july('Eastern Daylight Time')), '2027-07-01T16:00 E'],
]

const RULES: Case[] = [
  ['INTERVAL=0', weekly('FREQ=DAILY;COUNT=2;INTERVAL=0'), `${FIRST}; ${SECOND}`],
  ['an empty part', weekly('FREQ=DAILY;COUNT=2;BYDAY='), `${FIRST}; ${SECOND}`],
  ['a part of a program', weekly('FREQ=DAILY;COUNT=2;X-FOO=1'), `${FIRST}; ${SECOND}`],
  ['spaces', weekly(' FREQ=WEEKLY; COUNT=2; BYDAY=WE, TH'), `${FIRST}; ${SECOND}`],
  ['an end in the long form', weekly('FREQ=DAILY;UNTIL=2027-03-11T08:00:00Z'), `${FIRST}; ${SECOND}`],
  ['D1 #3', weekly('D1 #3'), `${FIRST}; ${SECOND}; ${THIRD}`],
  ['D2 with an end', weekly('D2 20270312T080000Z'), `${FIRST}; ${THIRD}`],
  ['D1 without an end', weekly('D1'), `${FIRST}; ${SECOND}`],
  ['W2 MO WE #4', weekly('W2 MO WE #4'), `${FIRST}; 2027-03-22T08:00 E; 2027-03-24T08:00 E; 2027-04-05T08:00 E`],
  ['MD1 10 #2', weekly('MD1 10 #2'), `${FIRST}; 2027-04-10T08:00 E`],
  ['MD1 LD #2', weekly('MD1 LD #2'), `${FIRST}; 2027-03-31T08:00 E`],
  ['MP1 2+ WE #2', weekly('MP1 2+ WE #2'), `${FIRST}; 2027-04-14T08:00 E`],
  ['MP1 1- WE TH 20270401', weekly('MP1 1- WE TH 20270401'), `${FIRST}; 2027-03-25T08:00 E; 2027-03-31T08:00 E`],
  ['YM1 3 6 #2', weekly('YM1 3 6 #2'), `${FIRST}; 2027-06-10T08:00 E`],
  ['YD1 69 100 #2', weekly('YD1 69 100 #2'), `${FIRST}; 2027-04-10T08:00 E`],
  ['a rule of which only the first time is understood', weekly('MP1 #3'), TEN],
  ['weeks without a weekday', weekly('MP1 1+ #3'), TEN],
  ['a rule within a rule', weekly('MD1 7 W1 MO #3'), TEN],
]

const base64 = (text: string) => Buffer.from(text).toString('base64')
const NOISE = '<br />\n<b>Warning</b>: date(): x in /a.php on line <b>3</b><br />\n'
const TEXTS: Case[] = [
  [
    'base64',
    titled(`SUMMARY;ENCODING=BASE64;CHARSET=UTF-8:${base64('Brötchen, warm')}`),
    '2027-03-10T08:00 Brötchen, warm',
  ],
  ['base64 in short', titled(`SUMMARY;CHARSET=UTF-8;ENCODING=b:${base64('Brot')}`), '2027-03-10T08:00 Brot'],
  ['spaces in front', `  \t${of(START)}`, TEN],
  ['blank lines in front', `\r\n\r\n \r\n${of(START)}`, TEN],
  ['a warning in front that names the line', `No BEGIN:VCALENDAR here\n${of(START)}`, TEN],
  ['a warning in front', `${NOISE}${of(START)}`, TEN],
]

describe.each([
  ['times', TIMES],
  ['zones', ZONES],
  ['rules', RULES],
  ['texts', TEXTS],
])('%s', (_, cases) => {
  test.each(cases)('%s', (_name, calendar, expected, how) => {
    expect(read(Buffer.from(calendar), how)).toBe(expected)
  })
})

test.each(some(['x', ' ', '\n', ' \n', 'BEGIN', 'BEGIN:', 'BEGIN:VCALENDA\n'], 3))(
  'ten megabytes of %j are refused at once',
  (noise) => {
    const bytes = Buffer.alloc(10_000_000, noise)
    const since = process.threadCpuUsage()
    expect(() => read(bytes)).toThrow(/BEGIN:VCALENDAR/)
    const { user, system } = process.threadCpuUsage(since)
    expect((user + system) / 1_000).toBeLessThan(5_000)
  },
)
