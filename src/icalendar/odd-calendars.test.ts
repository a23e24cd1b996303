import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import { readNotes } from './read-notes.ts'

/** Calendars as programs really write them: folds, letters, names of zones, days and changes. */

const WANTED = { today: '2027-03-01', daysBack: 30, daysAhead: 366, most: 500, daysOfEvent: 31, titleUnits: 500 }

const calendar = (...lines: readonly string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Example//EN', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: readonly string[]) => ['BEGIN:VEVENT', 'UID:1', ...lines, 'END:VEVENT']

/** Notes as `2027-03-10T08:00:00.000Z Title`. */
function read(
  bytes: Uint8Array | string,
  { timezone = 'Europe/Berlin', charset = null }: { timezone?: string; charset?: string | null } = {},
) {
  const found = readNotes(Buffer.from(bytes as Buffer), { ...WANTED, timezone }, charset)
  const notes = found.notes.map(({ at, title }) => `${new Date(at).toISOString()} ${title}`).sort()
  return found.unreadable > 0 ? [...notes, `unreadable ${found.unreadable}`] : notes
}

/** Folds each line into pieces of so many bytes, also within a letter. */
function folded(bytes: Buffer, size: number, fold: string): Buffer {
  const lines = bytes.toString('latin1').split('\r\n')
  const inPieces = lines.map((line) => line.replaceAll(new RegExp(`(.{${size}})(?=.)`, 'gs'), `$1${fold}`))
  return Buffer.from(inPieces.join('\r\n'), 'latin1')
}

const TITLES = {
  German: 'Frühstück für Geschäftsführer in Köln, Straße 5',
  Japanese: '東京の新しいパン屋さんの開店記念パーティーと試食会',
  Emoji: 'Launch 🚀🥐 mit 👩‍🍳 und 🇩🇪',
  Russian: 'Встреча с клиентом в понедельник утром',
}

/** The titles of a calendar as ical.js has them. */
const judged = (text: string) =>
  new ICAL.Component(ICAL.parse(text))
    .getAllSubcomponents('vevent')
    .map((each) => `${each.getFirstPropertyValue('dtstart')} ${each.getFirstPropertyValue('summary')}`)

describe.each(Object.entries(TITLES))('a title in %s', (_, title) => {
  const text = calendar(...event('DTSTART:20270310T080000Z', `SUMMARY:${title.replaceAll(',', '\\,')}`))
  const expected = [`2027-03-10T08:00:00.000Z ${title}`]

  test('is as another reader has it', () => {
    expect(judged(text)).toEqual([`2027-03-10T08:00:00Z ${title}`])
    expect(read(text)).toEqual(expected)
  })

  test.each(['\r\n ', '\r\n\t', '\n ', '\n\t'])('is put together again where it was folded by %j', (fold) => {
    for (let size = 20; size < 76; size++)
      expect([size, read(folded(Buffer.from(text), size, fold))]).toEqual([size, expected])
  })

  test.each(['\n', '\r', '\r\n'])('stands in lines that end with %j', (ending) => {
    expect(read(text.replaceAll('\r\n', ending))).toEqual(expected)
  })

  test.each([null, 'utf-8', 'UTF8', 'iso-8859-1', 'windows-1252', 'no-such-charset'])(
    'is UTF-8 whatever the server says: %s',
    (charset) => {
      expect(read(text, { charset })).toEqual(expected)
      expect(read(Buffer.concat([Buffer.from('\ufeff'), Buffer.from(text)]), { charset })).toEqual(expected)
    },
  )

  test.each([
    ['utf-16le with its mark', null, Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['utf-16be with its mark', null, Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['utf-16le by the server alone', 'utf-16le', Buffer.from(text, 'utf16le')],
    ['utf-16be by the server alone', 'UTF-16BE', Buffer.from(text, 'utf16le').swap16()],
  ])('is read as %s', (_name, charset, bytes) => {
    expect(read(bytes, { charset })).toEqual(expected)
    const wide = bytes === null ? '' : text.replace('SUMMARY:', 'SUMMARY:\r\n ')
    expect(wide).toContain('\r\n ')
  })

  test('is decoded from quoted-printable, in one line and in many', () => {
    const encoded = [...Buffer.from(title)].map((byte) => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`)
    const lines = (size: number) =>
      Array.from({ length: Math.ceil(encoded.length / size) }, (_, nth) =>
        encoded.slice(nth * size, (nth + 1) * size).join(''),
      )
    for (const size of [5, 24, 1_000])
      for (const head of [
        'SUMMARY;ENCODING=QUOTED-PRINTABLE;CHARSET=UTF-8',
        'SUMMARY;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE',
        'SUMMARY;QUOTED-PRINTABLE',
      ])
        expect(read(calendar(...event('DTSTART:20270310T080000Z', `${head}:${lines(size).join('=\r\n')}`)))).toEqual(
          expected,
        )
  })
})

describe('bytes that are no UTF-8', () => {
  const text = calendar(...event('DTSTART:20270310T080000Z', 'SUMMARY:M\xfcller & S\xf6hne \x80'))
  const bytes = Buffer.from(text, 'latin1')
  test.each([
    ['ISO-8859-1', 'Müller & Söhne €'],
    ['iso-8859-15', 'Müller & Söhne \x80'],
    ['windows-1252', 'Müller & Söhne €'],
    ['windows-1251', 'Mьller & Sцhne Ђ'],
    [null, 'Müller & Söhne €'],
  ])('are read as %s', (charset, title) => {
    expect(read(bytes, { charset })).toEqual([`2027-03-10T08:00:00.000Z ${title}`])
  })

  test('keep what is beside them where the server calls them UTF-8', () => {
    expect(read(bytes, { charset: 'utf-8' })[0]).toMatch(/^2027-03-10T08:00:00.000Z M.ller & S.hne/)
  })

  test('are decoded from quoted-printable by their own name', () => {
    const line = 'SUMMARY;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Br=F6tchen=0D=0Afrisch; warm, s=FC=DF'
    expect(
      read(
        calendar(
          ...event(
            'DTSTART:20270310T080000Z',
            line,
            'END:VEVENT',
            'BEGIN:VEVENT',
            'UID:2',
            'DTSTART:20270311T080000Z',
            'SUMMARY:Next',
          ),
        ),
      )[0],
    ).toMatch(/Brötchen\nfrisch; warm, süß/)
  })
})

const DAYLIGHT = (name: string, standard: string, daylight: string) => [
  'BEGIN:VTIMEZONE',
  `TZID:${name}`,
  ...['BEGIN:STANDARD', 'DTSTART:16010101T020000', `TZOFFSETFROM:${daylight}`, `TZOFFSETTO:${standard}`],
  ...['RRULE:FREQ=YEARLY;BYDAY=1SU;BYMONTH=11', 'END:STANDARD'],
  ...['BEGIN:DAYLIGHT', 'DTSTART:16010101T020000', `TZOFFSETFROM:${standard}`, `TZOFFSETTO:${daylight}`],
  ...['RRULE:FREQ=YEARLY;BYDAY=2SU;BYMONTH=3', 'END:DAYLIGHT', 'END:VTIMEZONE'],
]

/** The moments of all events as ical.js has them, whose zones are those of the file. */
function judgedMoments(text: string): string[] {
  const component = new ICAL.Component(ICAL.parse(text))
  for (const each of component.getAllSubcomponents('vtimezone')) {
    const zone = new ICAL.Timezone(each)
    ICAL.TimezoneService.register(zone, zone.tzid)
  }
  return component
    .getAllSubcomponents('vevent')
    .map((each) => new ICAL.Event(each).startDate.toJSDate().toISOString())
    .sort()
}

describe('a zone that the calendar defines', () => {
  const days = [
    '20270205',
    '20270313',
    '20270315',
    '20270410',
    '20270715',
    '20271030',
    '20271106',
    '20271108',
    '20271225',
  ]
  test.each([
    ['EST', '-0500', '-0400'],
    ['MST', '-0700', '-0600'],
    ['Eastern Standard Time', '-0500', '-0400'],
    ['Europe/Berlin', '-0300', '-0200'],
    ['America/Phoenix', '-0700', '-0600'],
    ['UTC', '+0530', '+0630'],
    ['My zone', '+0545', '+0645'],
    ['W. Europe Standard Time', '+0100', '+0200'],
    ['/mozilla.org/20070129_1/Europe/Paris', '-0200', '-0100'],
    ['Romance Standard Time', '+010000', '+020000'],
  ])('wins over what its name %s means elsewhere', (name, standard, daylight) => {
    const text = calendar(
      ...DAYLIGHT(name, standard, daylight),
      ...days.flatMap((day) => [
        'BEGIN:VEVENT',
        `UID:${day}`,
        `DTSTART;TZID=${name}:${day}T090000`,
        'SUMMARY:Match',
        'END:VEVENT',
      ]),
    )
    expect(read(text, { timezone: 'Asia/Tokyo' }).map((note) => note.slice(0, 24))).toEqual(judgedMoments(text))
  })

  test('may change by dates of its own, and by rules that have ended', () => {
    const zone = [
      ...[
        'BEGIN:VTIMEZONE',
        'TZID:Odd',
        'BEGIN:STANDARD',
        'DTSTART:20200101T000000',
        'TZOFFSETFROM:+0300',
        'TZOFFSETTO:+0300',
        'END:STANDARD',
      ],
      ...[
        'BEGIN:DAYLIGHT',
        'DTSTART:20200401T000000',
        'RDATE:20270401T000000',
        'TZOFFSETFROM:+0300',
        'TZOFFSETTO:+0400',
        'END:DAYLIGHT',
      ],
      ...[
        'BEGIN:STANDARD',
        'DTSTART:20200901T000000',
        'RRULE:FREQ=YEARLY;UNTIL=20251001T000000Z',
        'TZOFFSETFROM:+0400',
        'TZOFFSETTO:+0300',
        'END:STANDARD',
      ],
      'END:VTIMEZONE',
    ]
    const at = (day: string) => [
      'BEGIN:VEVENT',
      `UID:${day}`,
      `DTSTART;TZID=Odd:${day}T120000`,
      'SUMMARY:x',
      'END:VEVENT',
    ]
    expect(read(calendar(...zone, ...at('20270310'), ...at('20270410')))).toEqual([
      '2027-03-10T09:00:00.000Z x',
      '2027-04-10T08:00:00.000Z x',
    ])
  })

  test('of which nothing can be read gives way to what its name means', () => {
    const broken = [
      'BEGIN:VTIMEZONE',
      'TZID:America/New_York',
      'BEGIN:STANDARD',
      'TZOFFSETTO:abc',
      'END:STANDARD',
      'END:VTIMEZONE',
    ]
    const text = calendar(...broken, ...event('DTSTART;TZID=America/New_York:20270715T090000', 'SUMMARY:x'))
    expect(read(text)).toEqual(['2027-07-15T13:00:00.000Z x'])
  })

  const EXCHANGE = '(UTC+01:00) Amsterdam, Berlin, Bern, Rom, Stockholm, Wien'
  test.each([
    ['escaped there, in quotes here', EXCHANGE.replaceAll(',', '\\,'), `"${EXCHANGE}"`],
    ['escaped there, without quotes here', EXCHANGE.replaceAll(',', '\\,'), EXCHANGE],
    ['plain there, in quotes here', EXCHANGE, `"${EXCHANGE}"`],
    ['in quotes there', `"${EXCHANGE}"`, `"${EXCHANGE}"`],
    ['with other spaces', EXCHANGE.replaceAll(', ', '\\,  '), `"${EXCHANGE}"`],
    ['a semicolon', 'Here\\; there', '"Here; there"'],
    ['a colon', 'tzone://Acme/Custom', '"tzone://Acme/Custom"'],
    ['a colon without quotes', 'tzone://Acme/Custom', 'tzone://Acme/Custom'],
  ])('is found by its name: %s', (_, there, here) => {
    const text = calendar(
      ...DAYLIGHT(there, '+0100', '+0200'),
      ...event(`DTSTART;TZID=${here}:20270715T130000`, 'SUMMARY:x'),
    )
    expect(read(text, { timezone: 'America/New_York' })).toEqual(['2027-07-15T11:00:00.000Z x'])
  })
})

test.each([
  ['"tzone://Microsoft/Utc"', '2027-07-15T09:00:00.000Z'],
  ['tzone://Microsoft/Utc', '2027-07-15T09:00:00.000Z'],
  ['UTC', '2027-07-15T09:00:00.000Z'],
  ['"(UTC) Coordinated Universal Time"', '2027-07-15T09:00:00.000Z'],
  ['"UTC+02:00"', '2027-07-15T07:00:00.000Z'],
  ['GMT-0500', '2027-07-15T14:00:00.000Z'],
  ['"(UTC+01:00) Amsterdam, Berlin, Bern, Rome, Stockholm, Vienna"', '2027-07-15T07:00:00.000Z'],
  ['(UTC+01:00) Amsterdam\\, Berlin\\, Bern\\, Rom\\, Stockholm\\, Wien', '2027-07-15T07:00:00.000Z'],
  ['"(UTC-05:00) Eastern Time (US & Canada)"', '2027-07-15T13:00:00.000Z'],
  ['"(GMT-08:00) Pacific Time (US & Canada); Tijuana"', '2027-07-15T16:00:00.000Z'],
  ['"(UTC+05:30) Chennai, Kolkata, Mumbai, New Delhi"', '2027-07-15T03:30:00.000Z'],
  ['"(UTC+09:00) Osaka, Sapporo, Tokyo"', '2027-07-15T00:00:00.000Z'],
  ['Central Europe Standard Time', '2027-07-15T07:00:00.000Z'],
  ['/freeassociation.sourceforge.net/Europe/Lisbon', '2027-07-15T08:00:00.000Z'],
  ['Nowhere/Atall', '2027-07-14T23:00:00.000Z'],
])('a zone that the calendar does not define is known by its name: %s', (name, moment) => {
  const text = calendar(...event(`DTSTART;TZID=${name}:20270715T090000`, 'SUMMARY:x'))
  expect(read(text, { timezone: 'Australia/Sydney' })).toEqual([`${moment} x`])
})

describe('the zone of a whole calendar', () => {
  test.each([
    ['DTSTART:20270310T120000', '2027-03-10T17:00:00.000Z'],
    ['DTSTART;TZID=Nowhere/Atall:20270310T120000', '2027-03-10T17:00:00.000Z'],
    ['DTSTART:20270310T120000Z', '2027-03-10T12:00:00.000Z'],
    ['DTSTART;TZID=Asia/Tokyo:20270310T120000', '2027-03-10T03:00:00.000Z'],
    ['DTSTART;VALUE=DATE:20270310', '2027-03-09T23:00:00.000Z'],
  ])('is that of times that name none: %s', (line, moment) => {
    for (const zone of [
      'X-WR-TIMEZONE:America/New_York',
      'X-WR-TIMEZONE;VALUE=TEXT:America/New_York',
      'x-wr-timezone:Eastern Standard Time',
    ])
      expect(read(calendar(zone, ...event(line, 'SUMMARY:x')))).toEqual([`${moment} x`])
  })

  test.each(['X-WR-TIMEZONE:Nowhere/Atall', 'X-WR-TIMEZONE:'])('means nothing where no one knows it: %s', (zone) => {
    expect(read(calendar(zone, ...event('DTSTART:20270310T120000', 'SUMMARY:x')))).toEqual([
      '2027-03-10T11:00:00.000Z x',
    ])
  })
})

describe('a day', () => {
  test.each([
    ['DTSTART:20270329', ['2027-03-28']],
    ['DTSTART;TZID=America/New_York:20270329', ['2027-03-28']],
    ['DTSTART;VALUE=DATE-TIME:20270329', ['2027-03-28']],
    ['DTSTART;VALUE=DATE:20270329T000000', ['2027-03-28']],
    ['DTSTART;VALUE=DATE:20270329T000000Z', ['2027-03-28']],
    ['DTSTART:20270329\r\nDTEND:20270331', ['2027-03-28', '2027-03-29']],
    ['DTSTART:20270329\r\nDTEND;VALUE=DATE:20270329', ['2027-03-28']],
    ['DTSTART:20270329\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nEXDATE:20270405', ['2027-03-28', '2027-04-11']],
    ['DTSTART;VALUE=DATE:20270329\r\nRRULE:FREQ=WEEKLY;COUNT=3\r\nEXDATE:20270405T000000,20270412', ['2027-03-28']],
    ['DTSTART:20270329\r\nRDATE:20270401,20270403', ['2027-03-28', '2027-03-31', '2027-04-02']],
  ])('is one whatever the line calls it: %j', (lines, days) => {
    expect(read(calendar(...event(lines, 'SUMMARY:x'))).map((note) => note.slice(0, 10))).toEqual(days)
  })

  test('is not a time that the line calls a day', () => {
    expect(read(calendar(...event('DTSTART;VALUE=DATE:20270329T083000', 'SUMMARY:x')))).toEqual([
      '2027-03-29T06:30:00.000Z x',
    ])
  })

  test('may have times without seconds beside it', () => {
    expect(read(calendar(...event('DTSTART:20270329T0830Z', 'SUMMARY:x')))).toEqual(['2027-03-29T08:30:00.000Z x'])
  })
})

describe('an occurrence that was changed, and that the event calls off', () => {
  const of = (master: string, change: string) =>
    calendar(
      ...event(
        'DTSTART;VALUE=DATE:20270301',
        'RRULE:FREQ=WEEKLY;COUNT=3',
        'EXDATE;VALUE=DATE:20270308',
        'SUMMARY:x',
        master,
      ),
      ...event('RECURRENCE-ID;VALUE=DATE:20270308', 'DTSTART;VALUE=DATE:20270309', 'SUMMARY:changed', change),
    )
  test.each([
    ['SEQUENCE:2', 'SEQUENCE:1', false],
    ['SEQUENCE:3', 'X-NONE:1', false],
    ['SEQUENCE:1', 'SEQUENCE:1', true],
    ['X-NONE:1', 'X-NONE:1', true],
    ['SEQUENCE:1', 'SEQUENCE:2', true],
  ])('by a newer form of it (%s, %s) is off', (master, change, stays) => {
    const titles = read(of(master, change), { timezone: 'UTC' }).map((note) => note.slice(25))
    expect(titles).toEqual(stays ? ['x', 'changed', 'x'] : ['x', 'x'])
  })
})

test('a zone whose rule gives times without end is given up in words', () => {
  const zone = [
    'BEGIN:VTIMEZONE',
    'TZID:Mad',
    'BEGIN:STANDARD',
    'DTSTART:20200101T000000',
    'RRULE:FREQ=SECONDLY',
    'TZOFFSETFROM:+0100',
    'TZOFFSETTO:+0200',
    'END:STANDARD',
    'END:VTIMEZONE',
  ]
  expect(() => read(calendar(...zone, ...event('DTSTART;TZID=Mad:20270310T090000', 'SUMMARY:x')))).toThrow(/too/)
})
