import { describe, expect, test } from 'vitest'
import { readNotes } from './read-notes.ts'

/** Calendars that are whole but for one place: what is beside it is read as before. */

const WANTED = { today: '2027-03-01', daysBack: 30, daysAhead: 366, most: 500, daysOfEvent: 31, titleUnits: 500 }

const calendar = (...lines: readonly string[]) => ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR', ''].join('\r\n')
const event = (...lines: readonly string[]) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']
const titled = (...lines: readonly string[]) => calendar(...event('UID:1', 'DTSTART:20270310T080000Z', ...lines))
const latin1 = (text: string) => Buffer.from(text, 'latin1')

function read(bytes: Uint8Array | string, charset: string | null = null, timezone = 'Asia/Tokyo'): string[] {
  const found = readNotes(Buffer.from(bytes as Buffer), { ...WANTED, timezone }, charset)
  const notes = found.notes.map(({ at, title }) => `${new Date(at).toISOString().slice(0, 16)} ${title}`).sort()
  return found.unreadable > 0 ? [...notes, `unreadable ${found.unreadable}`] : notes
}
const at = (title: string) => [`2027-03-10T08:00 ${title}`]

describe('letters', () => {
  const CUT = Buffer.concat([
    Buffer.from('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nSUMMARY:Frühstück 東京\r\nDESCRIPTION:Müsl'),
    Buffer.from([0xc3]),
    Buffer.from('\r\nDTSTART:20270310T080000Z\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'),
  ])
  test.each([null, 'utf-8', 'iso-8859-1', 'windows-1252', 'no-such-charset'])(
    'stay what they are beside a line that was cut within one (%s)',
    (charset) => {
      expect(read(CUT, charset)).toEqual(at('Frühstück 東京'))
    },
  )

  test.each([null, 'utf-8'])('stay what they are in the line that was cut (%s)', (charset) => {
    const bytes = Buffer.concat([
      Buffer.from('BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270310T080000Z\r\nSUMMARY:Frühst'),
      Buffer.from([0xc3]),
      Buffer.from('\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n'),
    ])
    expect(read(bytes, charset)).toEqual(at('Frühst\ufffd'))
  })

  test('of another charset stand beside those of UTF-8', () => {
    const lines = Buffer.concat([latin1('LOCATION:K\xf6ln\r\n'), Buffer.from('SUMMARY:Köln\r\n')])
    const [before, after] = titled('@').split('@\r\n')
    expect(read(Buffer.concat([latin1(before ?? ''), lines, latin1(after ?? '')]))).toEqual(at('Köln'))
  })

  test('of Windows are that where a quote stands behind one', () => {
    expect(read(latin1(titled('SUMMARY:\x84Stra\xdfenfest mit Spa\xdf\x93')))).toEqual(at('„Straßenfest mit Spaß“'))
  })

  test('of a charset of several bytes, of which a line looks like UTF-8, are those that the server says', () => {
    // The bytes of this title are two letters of UTF-8 too.
    const bytes = latin1(titled('LOCATION:\xb1\xb1\xbe\xa9', 'SUMMARY:\xc4\xa3\xca\xbd'))
    expect(read(bytes, 'gbk')).toEqual(at('模式'))
  })

  test.each([null, 'utf-8', 'iso-8859-1'])('are those of the charset that the line names (%s)', (charset) => {
    const russian = latin1(titled('SUMMARY;CHARSET=windows-1251:\xcf\xf0\xe8\xe2\xe5\xf2'))
    expect(read(russian, charset)).toEqual(at('Привет'))
    const quoted = latin1(titled('SUMMARY;LANGUAGE=ja;CHARSET="Shift_JIS":\x93\x8c\x8b\x9e'))
    expect(read(quoted, charset)).toEqual(at('東京'))
  })

  test.each([false, true])('are read from UTF-16 without its mark (swapped: %s)', (swapped) => {
    const bytes = Buffer.from(titled('SUMMARY:Früh', ' stück 東京'), 'utf16le')
    expect(read(swapped ? bytes.swap16() : bytes)).toEqual(at('Frühstück 東京'))
  })
})

describe('quoted-printable', () => {
  test.each(['SUMMARY', 'DESCRIPTION', 'X-NOTE'])('that ends with a sign ends there: %s', (name) => {
    expect(read(titled('SUMMARY:a', `${name};ENCODING=QUOTED-PRINTABLE:a=`))).toEqual(at('a'))
  })

  test('that ends with a sign leaves the next property', () => {
    const lines = ['UID:1', 'SUMMARY;ENCODING=QUOTED-PRINTABLE:a=', 'DTSTART:20270310T080000Z']
    expect(read(calendar(...event(...lines)))).toEqual(at('a'))
  })

  test.each([
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:a=\r\n bc', 'a bc'],
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:Fr=C3=BC=\r\n=68=\r\n st=C3=\r\n=BCck', 'Früh stück'],
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:a=\n bc', 'a bc'],
    // Folded as iCalendar folds, elsewhere than at a sign.
    ['SUMMARY;ENCODING=QUOTED-PRINTABLE:a=3\r\n Db', 'a=b'],
    ['SUMMARY;ENCODING=QUOTED-PR\r\n INTABLE:a=20=\r\nb', 'a b'],
    ['SUMMARY:1 + 1 =\r\n  2', '1 + 1 = 2'],
  ])('goes on in the next line: %j', (line, title) => {
    expect(read(titled(line))).toEqual(at(title))
    expect(read(Buffer.from(`\ufeff${titled(line)}`, 'utf16le'))).toEqual(at(title))
  })
})

test.each([
  ['DTSTART: 20270310T080000Z', '2027-03-10T08:00 x'],
  ['DTSTART:20270310T080000Z ', '2027-03-10T08:00 x'],
  ['DTSTART:20270310t080000z', '2027-03-10T08:00 x'],
  ['DTSTART: 20270310 ', '2027-03-09T15:00 x'],
  ['DTSTART;VALUE=DATE: 20270310', '2027-03-09T15:00 x'],
  ['DTSTART;TZID=Europe/Berlin: 20270310T090000', '2027-03-10T08:00 x'],
])('a time may have spaces about it, and small letters: %j', (line, note) => {
  expect(read(calendar(...event('UID:1', line, 'SUMMARY:x')))).toEqual([note])
})

test('a list of times may have spaces', () => {
  const lines = ['UID:1', 'DTSTART:20270310', 'RRULE:FREQ=DAILY;COUNT=4', 'EXDATE:20270311, 20270312 ,20270313']
  expect(read(calendar(...event(...lines, 'SUMMARY:x')))).toEqual(['2027-03-09T15:00 x'])
})

describe('a zone that the calendar defines', () => {
  const part = (kind: string, from: string, to: string, ...lines: string[]) => [
    ...[`BEGIN:${kind}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`],
    ...[...lines, `END:${kind}`],
  ]
  const STANDARD = part('STANDARD', '+0300', '+0300', 'DTSTART:19700101T000000')
  const zoned = (name: string, ...lines: string[]) =>
    calendar(
      ...['BEGIN:VTIMEZONE', `TZID:${name}`, ...lines, 'END:VTIMEZONE'],
      ...event('UID:1', `DTSTART;TZID=${name}:20270715T120000`, 'SUMMARY:x'),
    )
  const MANY = Array.from({ length: 401 }, () => STANDARD).flat()

  test('is what its name means where it has too many parts', () => {
    for (const name of ['Europe/Berlin', 'W. Europe Standard Time'])
      expect(read(zoned(name, ...MANY))).toEqual(['2027-07-15T10:00 x'])
    expect(() => read(zoned('Here', ...MANY))).toThrow(/too many/)
  })

  test('begins with its first time, which its dates come after', () => {
    const lines = [
      ...part('DAYLIGHT', '+0100', '+0200', 'DTSTART:20260329T020000', 'RDATE:20270328T020000'),
      ...part('STANDARD', '+0200', '+0100', 'DTSTART:20261025T030000', 'RDATE:20270905T030000'),
    ]
    expect(read(zoned('Here', ...lines).replace('20270715', '20270301'))).toEqual(['2027-03-01T11:00 x'])
    expect(read(zoned('Here', ...lines))).toEqual(['2027-07-15T10:00 x'])
    expect(read(zoned('Here', ...lines).replace('20270715', '20270910'))).toEqual(['2027-09-10T11:00 x'])
  })
})

test.each([
  ['"Europe/Berlin"', '/PT1H'],
  ['Europe/Berlin', '/20270311T100000'],
])('a date that is a period counts from its beginning: %s%s', (name, end) => {
  const lines = [`RDATE;VALUE=PERIOD;TZID=${name}:20270311T090000${end}`, 'SUMMARY:x']
  expect(read(calendar(...event('UID:1', `DTSTART;TZID=${name}:20270310T090000`, ...lines)))).toEqual([
    '2027-03-10T08:00 x',
    '2027-03-11T08:00 x',
  ])
})
