import { describe, expect, test } from 'vitest'
import { dayText, readDay } from './day-text.ts'

const around = { today: Temporal.PlainDate.from('2030-06-12'), shown: Temporal.PlainDate.from('2030-07-20') }
const read = (text: string, locale: string | null) => readDay(text, { locale }, around)

test.each([
  ['2030-06-20', 'en-US', '2030-06-20'],
  ['6/20/2030', 'en-US', '2030-06-20'],
  ['20/6/30', 'en-GB', '2030-06-20'],
  ['20.6.2030', 'de-DE', '2030-06-20'],
  ['20.6.', 'de-DE', '2030-06-20'],
  // Over for this year: the next one is meant.
  ['11.6.', 'de-DE', '2031-06-11'],
  ['20 June', 'en-GB', '2030-06-20'],
  ['jun 20', 'en-US', '2030-06-20'],
  ['Do., 20. Juni 2030', 'de-DE', '2030-06-20'],
  ['mar. 12 mars 2030', 'fr-FR', '2030-03-12'],
  ['12 mar 2031', 'es-ES', '2031-03-12'],
  ['20 czerwca', 'pl-PL', '2030-06-20'],
  ['2030/6/20', 'ja-JP', '2030-06-20'],
  // A day alone is of the month that is shown.
  ['5', 'en-GB', '2030-07-05'],
])('“%s” in %s is %s', (text, locale, day) => {
  expect(read(text, locale)).toBe(day)
})

test.each(['', 'soon', '31 June', '2030-02-30', '13/13/2030', '1999-12-31', '2101-01-01', '20 Jux 2030', '1 2 3 4'])(
  '“%s” is no day',
  (text) => {
    expect(read(text, 'en-GB')).toBeNull()
  },
)

describe('a day that is shown is read as the same', () => {
  const locales = 'en-GB en-US en-CA de-DE de-CH fr-FR es-ES it-IT nl-NL pt-BR pl-PL sv-SE ja-JP ar-EG he-IL'.split(' ')
  test.each(locales)('in %s', (locale) => {
    for (let month = 1; month <= 12; month++) {
      for (const day of [1, 2, 3, 4, 5, 6, 7, 28]) {
        const date = Temporal.PlainDate.from({ year: 2031, month, day })
        const text = dayText(date, { locale })
        expect(read(text, locale), text).toBe(date.toString())
      }
    }
  })
})
