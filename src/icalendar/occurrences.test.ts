import { describe, expect, test } from 'vitest'
import { readComponents } from './components.ts'
import { readEvent } from './events.ts'
import { occurrencesOf } from './occurrences.ts'
import { createZones, knownZone, UTC } from './zones.ts'

/** Every example of RFC 5545, 3.8.5.3, with the times that it lists. */

const NEW_YORK = knownZone('America/New_York') ?? UTC
const zoneOf = createZones([], { here: NEW_YORK, timezone: null, window: { from: 0, until: 0 } })

/** The times of an event by its own clock, `1997-09-02T09:00`, in the window. */
function timesOf(properties: string, { from, until }: { from: string; until: string }): string[] {
  const text = `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\n${properties.replaceAll('\n', '\r\n')}\r\nEND:VEVENT\r\nEND:VCALENDAR`
  const events = readComponents(text).events.map((lines) => readEvent(lines, { zoneOf, utc: UTC, canceled: false }))
  const window = { from: Date.parse(`${from}Z`), until: Date.parse(`${until}Z`) }
  return occurrencesOf(events, window)
    .map(({ wall }) => wall)
    .filter((wall) => wall >= window.from && wall <= window.until)
    .sort((a, b) => a - b)
    .map((wall) => new Date(wall).toISOString().slice(0, 16))
}

/** `1997 Sep 2,4,9-11; Oct 2` as times at nine in the morning. */
function at9(text: string): string[] {
  let year = ''
  return text.split(';').flatMap((part) => {
    const [, named = year, month = '', days = ''] = /^\s*(\d{4})?\s*([A-Z][a-z]{2}) ([\d,-]+)\s*$/.exec(part) ?? []
    year = named
    const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0')
    return days.split(',').flatMap((range) => {
      const [first = 0, last = first] = range.split('-').map(Number)
      return Array.from({ length: last - first + 1 }, (_, index) => {
        return `${year}-${number}-${String(first + index).padStart(2, '0')}T09:00`
      })
    })
  })
}
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

interface Example {
  name: string
  /** Day of the first time, at nine. */
  start?: string
  rules: string[]
  more?: string
  times: string[]
  /** Until when the list goes; absent when it is whole. */
  until?: string
}

const weekdays = 'BYDAY=SU,MO,TU,WE,TH,FR,SA'
const months = (each: (year: number) => string, years: number[]) => at9(years.map(each).join(';'))
const days20 = Array.from({ length: 8 * 3 }, (_, index) => {
  return `${String(9 + Math.floor(index / 3)).padStart(2, '0')}:${String((index % 3) * 20).padStart(2, '0')}`
})

const EXAMPLES: Example[] = [
  { name: 'daily for 10 occurrences', rules: ['FREQ=DAILY;COUNT=10'], times: at9('1997 Sep 2-11') },
  {
    name: 'daily until December 24, 1997',
    rules: ['FREQ=DAILY;UNTIL=19971224T000000Z'],
    times: at9('1997 Sep 2-30; Oct 1-31; Nov 1-30; Dec 1-23'),
  },
  {
    name: 'every other day, forever',
    rules: ['FREQ=DAILY;INTERVAL=2'],
    times: at9(
      '1997 Sep 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30; Oct 2,4,6,8,10,12,14,16,18,20,22,24,26,28,30; Nov 1,3,5,7,9,11,13,15,17,19,21,23,25,27,29; Dec 1,3',
    ),
    until: '1997-12-04',
  },
  {
    name: 'every 10 days, 5 occurrences',
    rules: ['FREQ=DAILY;INTERVAL=10;COUNT=5'],
    times: at9('1997 Sep 2,12,22; Oct 2,12'),
  },
  {
    name: 'every day in January, for 3 years',
    start: '19980101',
    rules: [`FREQ=YEARLY;UNTIL=20000131T140000Z;BYMONTH=1;${weekdays}`, 'FREQ=DAILY;UNTIL=20000131T140000Z;BYMONTH=1'],
    times: at9('1998 Jan 1-31; 1999 Jan 1-31; 2000 Jan 1-31'),
  },
  {
    name: 'weekly for 10 occurrences',
    rules: ['FREQ=WEEKLY;COUNT=10'],
    times: at9('1997 Sep 2,9,16,23,30; Oct 7,14,21,28; Nov 4'),
  },
  {
    name: 'weekly until December 24, 1997',
    rules: ['FREQ=WEEKLY;UNTIL=19971224T000000Z'],
    times: at9('1997 Sep 2,9,16,23,30; Oct 7,14,21,28; Nov 4,11,18,25; Dec 2,9,16,23'),
  },
  {
    name: 'every other week, forever',
    rules: ['FREQ=WEEKLY;INTERVAL=2;WKST=SU'],
    times: at9('1997 Sep 2,16,30; Oct 14,28; Nov 11,25; Dec 9,23; 1998 Jan 6,20; Feb 3,17'),
    until: '1998-02-28',
  },
  {
    name: 'weekly on Tuesday and Thursday for five weeks',
    rules: ['FREQ=WEEKLY;UNTIL=19971007T000000Z;WKST=SU;BYDAY=TU,TH', 'FREQ=WEEKLY;COUNT=10;WKST=SU;BYDAY=TU,TH'],
    times: at9('1997 Sep 2,4,9,11,16,18,23,25,30; Oct 2'),
  },
  {
    name: 'every other week on Monday, Wednesday and Friday until December 24, 1997',
    start: '19970901',
    rules: ['FREQ=WEEKLY;INTERVAL=2;UNTIL=19971224T000000Z;WKST=SU;BYDAY=MO,WE,FR'],
    times: at9('1997 Sep 1,3,5,15,17,19,29; Oct 1,3,13,15,17,27,29,31; Nov 10,12,14,24,26,28; Dec 8,10,12,22'),
  },
  {
    name: 'every other week on Tuesday and Thursday, for 8 occurrences',
    rules: ['FREQ=WEEKLY;INTERVAL=2;COUNT=8;WKST=SU;BYDAY=TU,TH'],
    times: at9('1997 Sep 2,4,16,18,30; Oct 2,14,16'),
  },
  {
    name: 'monthly on the first Friday for 10 occurrences',
    start: '19970905',
    rules: ['FREQ=MONTHLY;COUNT=10;BYDAY=1FR'],
    times: at9('1997 Sep 5; Oct 3; Nov 7; Dec 5; 1998 Jan 2; Feb 6; Mar 6; Apr 3; May 1; Jun 5'),
  },
  {
    name: 'monthly on the first Friday until December 24, 1997',
    start: '19970905',
    rules: ['FREQ=MONTHLY;UNTIL=19971224T000000Z;BYDAY=1FR'],
    times: at9('1997 Sep 5; Oct 3; Nov 7; Dec 5'),
  },
  {
    name: 'every other month on the first and last Sunday of the month for 10 occurrences',
    start: '19970907',
    rules: ['FREQ=MONTHLY;INTERVAL=2;COUNT=10;BYDAY=1SU,-1SU'],
    times: at9('1997 Sep 7,28; Nov 2,30; 1998 Jan 4,25; Mar 1,29; May 3,31'),
  },
  {
    name: 'monthly on the second-to-last Monday of the month for 6 months',
    start: '19970922',
    rules: ['FREQ=MONTHLY;COUNT=6;BYDAY=-2MO'],
    times: at9('1997 Sep 22; Oct 20; Nov 17; Dec 22; 1998 Jan 19; Feb 16'),
  },
  {
    name: 'monthly on the third-to-the-last day of the month, forever',
    start: '19970928',
    rules: ['FREQ=MONTHLY;BYMONTHDAY=-3'],
    times: at9('1997 Sep 28; Oct 29; Nov 28; Dec 29; 1998 Jan 29; Feb 26'),
    until: '1998-03-01',
  },
  {
    name: 'monthly on the 2nd and 15th of the month for 10 occurrences',
    rules: ['FREQ=MONTHLY;COUNT=10;BYMONTHDAY=2,15'],
    times: at9('1997 Sep 2,15; Oct 2,15; Nov 2,15; Dec 2,15; 1998 Jan 2,15'),
  },
  {
    name: 'monthly on the first and last day of the month for 10 occurrences',
    start: '19970930',
    rules: ['FREQ=MONTHLY;COUNT=10;BYMONTHDAY=1,-1'],
    times: at9('1997 Sep 30; Oct 1,31; Nov 1,30; Dec 1,31; 1998 Jan 1,31; Feb 1'),
  },
  {
    name: 'every 18 months on the 10th thru 15th of the month for 10 occurrences',
    start: '19970910',
    rules: ['FREQ=MONTHLY;INTERVAL=18;COUNT=10;BYMONTHDAY=10,11,12,13,14,15'],
    times: at9('1997 Sep 10-15; 1999 Mar 10-13'),
  },
  {
    name: 'every Tuesday, every other month',
    rules: ['FREQ=MONTHLY;INTERVAL=2;BYDAY=TU'],
    times: at9('1997 Sep 2,9,16,23,30; Nov 4,11,18,25; 1998 Jan 6,13,20,27; Mar 3,10,17,24,31'),
    until: '1998-04-30',
  },
  {
    name: 'yearly in June and July for 10 occurrences',
    start: '19970610',
    rules: ['FREQ=YEARLY;COUNT=10;BYMONTH=6,7'],
    times: months((year) => `${year} Jun 10; Jul 10`, [1997, 1998, 1999, 2000, 2001]),
  },
  {
    name: 'every other year on January, February and March for 10 occurrences',
    start: '19970310',
    rules: ['FREQ=YEARLY;INTERVAL=2;COUNT=10;BYMONTH=1,2,3'],
    times: ['1997-03-10T09:00', ...months((year) => `${year} Jan 10; Feb 10; Mar 10`, [1999, 2001, 2003])],
  },
  {
    name: 'every third year on the 1st, 100th and 200th day for 10 occurrences',
    start: '19970101',
    rules: ['FREQ=YEARLY;INTERVAL=3;COUNT=10;BYYEARDAY=1,100,200'],
    times: at9('1997 Jan 1; Apr 10; Jul 19; 2000 Jan 1; Apr 9; Jul 18; 2003 Jan 1; Apr 10; Jul 19; 2006 Jan 1'),
  },
  {
    name: 'every 20th Monday of the year, forever',
    start: '19970519',
    rules: ['FREQ=YEARLY;BYDAY=20MO'],
    times: at9('1997 May 19; 1998 May 18; 1999 May 17'),
    until: '2000-01-01',
  },
  {
    name: 'Monday of week number 20, forever',
    start: '19970512',
    rules: ['FREQ=YEARLY;BYWEEKNO=20;BYDAY=MO'],
    times: at9('1997 May 12; 1998 May 11; 1999 May 17'),
    until: '2000-01-01',
  },
  {
    name: 'every Thursday in March, forever',
    start: '19970313',
    rules: ['FREQ=YEARLY;BYMONTH=3;BYDAY=TH'],
    times: at9('1997 Mar 13,20,27; 1998 Mar 5,12,19,26; 1999 Mar 4,11,18,25'),
    until: '2000-01-01',
  },
  {
    name: 'every Thursday, but only during June, July and August, forever',
    start: '19970605',
    rules: ['FREQ=YEARLY;BYDAY=TH;BYMONTH=6,7,8'],
    times: at9(
      '1997 Jun 5,12,19,26; Jul 3,10,17,24,31; Aug 7,14,21,28; 1998 Jun 4,11,18,25; Jul 2,9,16,23,30; Aug 6,13,20,27; 1999 Jun 3,10,17,24; Jul 1,8,15,22,29; Aug 5,12,19,26',
    ),
    until: '2000-01-01',
  },
  {
    name: 'every Friday the 13th, forever',
    more: 'EXDATE;TZID=America/New_York:19970902T090000',
    rules: ['FREQ=MONTHLY;BYDAY=FR;BYMONTHDAY=13'],
    times: at9('1998 Feb 13; Mar 13; Nov 13; 1999 Aug 13; 2000 Oct 13'),
    until: '2001-01-01',
  },
  {
    name: 'the first Saturday that follows the first Sunday of the month, forever',
    start: '19970913',
    rules: ['FREQ=MONTHLY;BYDAY=SA;BYMONTHDAY=7,8,9,10,11,12,13'],
    times: at9('1997 Sep 13; Oct 11; Nov 8; Dec 13; 1998 Jan 10; Feb 7; Mar 7; Apr 11; May 9; Jun 13'),
    until: '1998-06-30',
  },
  {
    name: 'every 4 years, the first Tuesday after a Monday in November, forever',
    start: '19961105',
    rules: ['FREQ=YEARLY;INTERVAL=4;BYMONTH=11;BYDAY=TU;BYMONTHDAY=2,3,4,5,6,7,8'],
    times: at9('1996 Nov 5; 2000 Nov 7; 2004 Nov 2'),
    until: '2005-01-01',
  },
  {
    name: 'the third instance into the month of one of Tuesday, Wednesday or Thursday, for the next 3 months',
    start: '19970904',
    rules: ['FREQ=MONTHLY;COUNT=3;BYDAY=TU,WE,TH;BYSETPOS=3'],
    times: at9('1997 Sep 4; Oct 7; Nov 6'),
  },
  {
    name: 'the second-to-last weekday of the month',
    start: '19970929',
    rules: ['FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-2'],
    times: at9('1997 Sep 29; Oct 30; Nov 27; Dec 30; 1998 Jan 29; Feb 26; Mar 30'),
    until: '1998-04-15',
  },
  {
    // By erratum 3883: 17:00 in New York is 21:00 in UTC.
    name: 'every 3 hours from 9:00 AM to 5:00 PM on a specific day',
    rules: ['FREQ=HOURLY;INTERVAL=3;UNTIL=19970902T210000Z'],
    times: ['1997-09-02T09:00', '1997-09-02T12:00', '1997-09-02T15:00'],
  },
  {
    name: 'every 15 minutes for 6 occurrences',
    rules: ['FREQ=MINUTELY;INTERVAL=15;COUNT=6'],
    times: ['09:00', '09:15', '09:30', '09:45', '10:00', '10:15'].map((time) => `1997-09-02T${time}`),
  },
  {
    name: 'every hour and a half for 4 occurrences',
    rules: ['FREQ=MINUTELY;INTERVAL=90;COUNT=4'],
    times: ['09:00', '10:30', '12:00', '13:30'].map((time) => `1997-09-02T${time}`),
  },
  {
    name: 'every 20 minutes from 9:00 AM to 4:40 PM every day',
    rules: [
      'FREQ=DAILY;BYHOUR=9,10,11,12,13,14,15,16;BYMINUTE=0,20,40',
      'FREQ=MINUTELY;INTERVAL=20;BYHOUR=9,10,11,12,13,14,15,16',
    ],
    times: ['02', '03'].flatMap((day) => days20.map((time) => `1997-09-${day}T${time}`)),
    until: '1997-09-03',
  },
  {
    name: 'a week that begins on Monday',
    start: '19970805',
    rules: ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=MO'],
    times: at9('1997 Aug 5,10,19,24'),
  },
  {
    name: 'a week that begins on Sunday',
    start: '19970805',
    rules: ['FREQ=WEEKLY;INTERVAL=2;COUNT=4;BYDAY=TU,SU;WKST=SU'],
    times: at9('1997 Aug 5,17,19,31'),
  },
  {
    name: 'an invalid date is ignored',
    start: '20070115',
    rules: ['FREQ=MONTHLY;BYMONTHDAY=15,30;COUNT=5'],
    times: at9('2007 Jan 15,30; Feb 15; Mar 15,30'),
  },
]

describe('RFC 5545, 3.8.5.3', () => {
  const cases = EXAMPLES.flatMap(({ rules, ...example }) => rules.map((rule) => ({ ...example, rule })))

  test.each(cases)('calendars-08: $name: $rule', ({ start = '19970902', rule, more = '', times, until }) => {
    const event = [`DTSTART;TZID=America/New_York:${start}T090000`, `RRULE:${rule}`, more].filter(Boolean).join('\n')
    const last = until ?? '2030-01-01'
    const whole = timesOf(event, { from: '1990-01-01T00:00', until: `${last}T23:59` })
    expect(whole).toEqual(times)
    // A window that begins later, where the expansion does not begin at the first time.
    for (const index of [1, Math.floor(times.length / 2), times.length - 1]) {
      const from = times[index]
      if (from) expect(timesOf(event, { from, until: `${last}T23:59` })).toEqual(times.slice(index))
    }
  })
})
