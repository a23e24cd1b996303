import { describe, expect, test } from 'vitest'
import { readNotes } from './read-notes.ts'

const wanted = {
  timezone: 'Europe/Berlin',
  today: '2026-11-23',
  daysBack: 30,
  daysAhead: 366,
  most: 5_000,
  daysOfEvent: 31,
  titleUnits: 2_049,
}

/** The notes of a calendar by time, as `2026-11-24T09:00Z Title`. */
function notesOf(text: string | Uint8Array, more: Partial<typeof wanted> = {}): string[] {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text
  return readNotes(bytes, { ...wanted, ...more })
    .notes.toSorted((a, b) => a.at - b.at || (a.title < b.title ? -1 : 1))
    .map(({ at, title }) => `${new Date(at).toISOString().slice(0, 16)}Z ${title}`)
}
const file = (...lines: string[]) => ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: string[]) => ['BEGIN:VEVENT', 'UID:1', 'SUMMARY:Event', ...lines, 'END:VEVENT']

describe('exports of programs', () => {
  test('calendars-01: Google: folded lines, a zone of its own, an override on another day, a canceled occurrence, all-day ends', () => {
    const text = file(
      'PRODID:-//Google Inc//Google Calendar 70.9054//EN',
      'CALSCALE:GREGORIAN',
      'METHOD:PUBLISH',
      'X-WR-CALNAME:Agency',
      'X-WR-TIMEZONE:Europe/London',
      'BEGIN:VTIMEZONE',
      'TZID:Europe/Berlin',
      'X-LIC-LOCATION:Europe/Berlin',
      'BEGIN:DAYLIGHT',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'TZNAME:GMT+2',
      'DTSTART:19700329T020000',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      'END:DAYLIGHT',
      'BEGIN:STANDARD',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'TZNAME:GMT+1',
      'DTSTART:19701025T030000',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      'END:STANDARD',
      'END:VTIMEZONE',
      'BEGIN:VEVENT',
      'DTSTART;TZID=Europe/Berlin:20261102T093000',
      'DTEND;TZID=Europe/Berlin:20261102T100000',
      'RRULE:FREQ=WEEKLY;UNTIL=20261214T225959Z;BYDAY=MO',
      'EXDATE;TZID=Europe/Berlin:20261109T093000',
      'DTSTAMP:20261123T080000Z',
      'UID:abc@google.com',
      'DESCRIPTION:A long text that Google folds at 75 octets\\, with commas and a n',
      ' ew line\\nhere',
      'SEQUENCE:1',
      'STATUS:CONFIRMED',
      'SUMMARY:Stand-up\\, with a title that is longer than a line of seventy-five oc',
      ' tets',
      'TRANSP:OPAQUE',
      'BEGIN:VALARM',
      'ACTION:DISPLAY',
      'SUMMARY:Not this one',
      'TRIGGER:-P0DT0H10M0S',
      'END:VALARM',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'DTSTART;TZID=Europe/Berlin:20261118T140000',
      'DTEND;TZID=Europe/Berlin:20261118T143000',
      'UID:abc@google.com',
      'RECURRENCE-ID;TZID=Europe/Berlin:20261116T093000',
      'SUMMARY:Stand-up on Wednesday',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'DTSTART:20261130T083000Z',
      'UID:abc@google.com',
      'RECURRENCE-ID:20261130T083000Z',
      'STATUS:CANCELLED',
      'SUMMARY:Stand-up',
      'END:VEVENT',
      'BEGIN:VEVENT',
      'DTSTART;VALUE=DATE:20261224',
      'DTEND;VALUE=DATE:20261226',
      'UID:def@google.com',
      'CLASS:PRIVATE',
      'SUMMARY:Holidays',
      'END:VEVENT',
    )
    const title = 'Stand-up, with a title that is longer than a line of seventy-five octets'
    expect(notesOf(text)).toEqual([
      `2026-11-02T08:30Z ${title}`,
      '2026-11-18T13:00Z Stand-up on Wednesday',
      `2026-11-23T08:30Z ${title}`,
      `2026-12-07T08:30Z ${title}`,
      `2026-12-14T08:30Z ${title}`,
      '2026-12-23T23:00Z Holidays',
      '2026-12-24T23:00Z Holidays',
    ])
  })

  test('calendars-01: Outlook: names of Windows, zones that are customized, days as times from midnight, UTF-16', () => {
    const zone = (name: string) => [
      'BEGIN:VTIMEZONE',
      `TZID:${name}`,
      'BEGIN:STANDARD',
      'DTSTART:16011028T030000',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=10',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:16010325T020000',
      'RRULE:FREQ=YEARLY;BYDAY=-1SU;BYMONTH=3',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ]
    const outlook = (uid: string, title: string, ...lines: string[]) => [
      'BEGIN:VEVENT',
      'CLASS:PUBLIC',
      `UID:040000008200E00074C5B7101A82E008${uid}`,
      `SUMMARY;LANGUAGE=en-us:${title}`,
      'X-ALT-DESC;FMTTYPE=text/html:<html><body>Text\\, and more</body></html>',
      'X-MICROSOFT-CDO-BUSYSTATUS:BUSY',
      ...lines,
      'END:VEVENT',
    ]
    const text = file(
      'PRODID:-//Microsoft Corporation//Outlook 16.0 MIMEDIR//EN',
      'METHOD:PUBLISH',
      ...zone('Customized Time Zone'),
      ...outlook('1', 'New York', 'DTSTART;TZID="Eastern Standard Time":20261124T090000'),
      ...outlook('2', 'Customized, winter', 'DTSTART;TZID=Customized Time Zone:20261124T100000'),
      ...outlook('3', 'Customized, summer', 'DTSTART;TZID="Customized Time Zone":20270624T100000'),
      ...outlook(
        '4',
        'All day',
        'DTSTART;TZID=Eastern Standard Time:20261126T000000',
        'DTEND;TZID=Eastern Standard Time:20261127T000000',
        'X-MICROSOFT-CDO-ALLDAYEVENT:TRUE',
      ),
      ...outlook(
        '5',
        'Month',
        'DTSTART;TZID=W. Europe Standard Time:20261130T080000',
        'RRULE:FREQ=MONTHLY;COUNT=3;BYDAY=-1MO',
      ),
    )
    const shown = [
      '2026-11-24T09:00Z Customized, winter',
      '2026-11-24T14:00Z New York',
      '2026-11-25T23:00Z All day',
      '2026-11-30T07:00Z Month',
      '2026-12-28T07:00Z Month',
      '2027-01-25T07:00Z Month',
      '2027-06-24T08:00Z Customized, summer',
    ]
    expect(notesOf(text)).toEqual(shown)
    const marked = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, 'utf16le')])
    expect(notesOf(marked)).toEqual(shown)
  })

  test('calendars-01: Apple: names with registries, durations, UNTIL with a time for days, RDATE with periods, endless whole days', () => {
    const text = file(
      'PRODID:-//Apple Inc.//macOS 15.0//EN',
      'X-APPLE-CALENDAR-COLOR:#34AADC',
      ...event(
        'UID:1',
        'DTSTART;TZID=/freeassociation.sourceforge.net/Europe/Berlin:20261124T100000',
        'DURATION:P1DT2H',
      ).with(1, 'UID:a'),
      ...event('DTSTART;VALUE=DATE:20261201', 'RRULE:FREQ=DAILY;UNTIL=20261202T225959Z')
        .with(1, 'UID:b')
        .with(2, 'SUMMARY:Until'),
      ...event('DTSTART:20261210T100000Z', 'RDATE;VALUE=PERIOD:20261211T120000Z/PT1H,20261212T120000Z/20261212T130000Z')
        .with(1, 'UID:c')
        .with(2, 'SUMMARY:Periods'),
      ...event('DTSTART;VALUE=DATE:20261220').with(1, 'UID:d').with(2, 'SUMMARY:No end'),
      ...event('DTSTART;VALUE=DATE:20261221', 'DTEND;VALUE=DATE:20261221').with(1, 'UID:e').with(2, 'SUMMARY:Same end'),
    )
    expect(notesOf(text)).toEqual([
      '2026-11-24T09:00Z Event',
      '2026-11-24T23:00Z Event',
      '2026-11-30T23:00Z Until',
      '2026-12-01T23:00Z Until',
      '2026-12-10T10:00Z Periods',
      '2026-12-11T12:00Z Periods',
      '2026-12-12T12:00Z Periods',
      '2026-12-19T23:00Z No end',
      '2026-12-20T23:00Z Same end',
    ])
  })

  test('lines that end in LF alone, empty lines, small letters, tabs that fold, a mark at the beginning', () => {
    const text = [
      '\uFEFFbegin:vcalendar',
      '',
      'begin:vevent',
      'uid:1',
      'summary:Fol',
      '\tded',
      'dtstart:20261124T100000Z',
      'end:vevent',
      'end:vcalendar',
    ].join('\n')
    expect(notesOf(text)).toEqual(['2026-11-24T10:00Z Folded'])
  })
})

describe('an event', () => {
  test('calendars-02: without a zone is by the clock of the social set', () => {
    const text = file(...event('DTSTART:20261124T100000'))
    expect(notesOf(text)).toEqual(['2026-11-24T09:00Z Event'])
    expect(notesOf(text, { timezone: 'Asia/Tokyo' })).toEqual(['2026-11-24T01:00Z Event'])
  })

  test('keeps its clock time when summer time begins and ends, in a gap after it', () => {
    const daily = file(...event('DTSTART;TZID=Europe/Berlin:20270327T023000', 'RRULE:FREQ=DAILY;COUNT=3'))
    expect(notesOf(daily)).toEqual(['2027-03-27T01:30Z Event', '2027-03-28T01:30Z Event', '2027-03-29T00:30Z Event'])
  })

  test('calendars-02: is on each day that it touches, and not on the one at whose beginning it ends', () => {
    const text = file(
      ...event('DTSTART;TZID=Europe/Berlin:20261124T220000', 'DTEND;TZID=Europe/Berlin:20261126T000000'),
    )
    expect(notesOf(text)).toEqual(['2026-11-24T21:00Z Event', '2026-11-24T23:00Z Event'])
  })

  test('may change for good from one occurrence on', () => {
    const text = file(
      ...event('DTSTART:20261124T100000Z', 'RRULE:FREQ=WEEKLY;COUNT=4'),
      ...event('RECURRENCE-ID;RANGE=THISANDFUTURE:20261208T100000Z', 'DTSTART:20261209T120000Z').with(
        2,
        'SUMMARY:Moved',
      ),
    )
    expect(notesOf(text)).toEqual([
      '2026-11-24T10:00Z Event',
      '2026-12-01T10:00Z Event',
      '2026-12-09T12:00Z Moved',
      '2026-12-16T12:00Z Moved',
    ])
  })

  test('has exceptions by time, by day and by rule', () => {
    const daily = ['DTSTART;TZID=Europe/Berlin:20261124T100000', 'RRULE:FREQ=DAILY;COUNT=6']
    const text = file(
      ...event(...daily, 'EXDATE:20261125T090000Z', 'EXDATE;VALUE=DATE:20261126', 'EXRULE:FREQ=WEEKLY;BYDAY=FR,SA'),
    )
    expect(notesOf(text)).toEqual(['2026-11-24T09:00Z Event', '2026-11-29T09:00Z Event'])
  })

  test('of which single occurrences were sent alone is shown at these', () => {
    const one = (day: string) => event(`RECURRENCE-ID:${day}T100000Z`, `DTSTART:${day}T110000Z`)
    expect(notesOf(file(...one('20261124'), ...one('20261201')))).toEqual([
      '2026-11-24T11:00Z Event',
      '2026-12-01T11:00Z Event',
    ])
  })

  test('counts by its newest form', () => {
    const text = file(
      ...event('DTSTART:20261124T100000Z', 'SEQUENCE:1'),
      ...event('DTSTART:20261125T100000Z', 'SEQUENCE:2'),
    )
    expect(notesOf(text)).toEqual(['2026-11-25T10:00Z Event'])
  })

  test('that shares its id with another one is shown too', () => {
    const text = file(...event('DTSTART:20261124T100000Z'), ...event('DTSTART:20261125T100000Z'))
    expect(notesOf(text)).toEqual(['2026-11-24T10:00Z Event', '2026-11-25T10:00Z Event'])
  })

  test('of a calendar that is called off is not shown', () => {
    expect(notesOf(file('METHOD:CANCEL', ...event('DTSTART:20261124T100000Z')))).toEqual([])
  })
})

describe('the key of a note', () => {
  const keysOf = (...lines: string[]) =>
    new Map(readNotes(Buffer.from(file(...lines)), wanted).notes.map(({ day, key }) => [day, key]))

  test('calendars-04: stays when the event moves, and when it begins to repeat', () => {
    const [first] = keysOf(...event('DTSTART:20261124T100000Z')).values()
    expect([...keysOf(...event('DTSTART:20261130T180000Z')).values()]).toEqual([first])
    const weekly = keysOf(...event('DTSTART:20261124T100000Z', 'RRULE:FREQ=WEEKLY;COUNT=2'))
    expect(weekly.get('2026-11-24')).toBe(first)
    const later = keysOf(...event('DTSTART:20261124T150000Z', 'RRULE:FREQ=WEEKLY;COUNT=2'))
    expect([...later]).toEqual([...weekly])
  })

  test('stays when one occurrence moves to another day', () => {
    const weekly = event('DTSTART:20261124T100000Z', 'RRULE:FREQ=WEEKLY;COUNT=3')
    const before = keysOf(...weekly)
    const moved = event('RECURRENCE-ID:20261201T100000Z', 'DTSTART:20261203T100000Z')
    const after = keysOf(...weekly, ...moved)
    expect(after.get('2026-12-03')).toBe(before.get('2026-12-01'))
    expect(after.get('2026-12-08')).toBe(before.get('2026-12-08'))
  })
})

test('of many notes the nearest days come first, and the others are counted', () => {
  const text = file(...event('DTSTART:20261001T100000Z', 'RRULE:FREQ=DAILY'))
  const { notes, over } = readNotes(Buffer.from(text), { ...wanted, most: 3 })
  expect(notes.map(({ day }) => day)).toEqual(['2026-11-23', '2026-11-22', '2026-11-24'])
  expect(over).toBe(397 - 3)
})
