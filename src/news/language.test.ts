import { expect, test } from 'vitest'
import { acceptedLocale } from './language.ts'

test.each([
  ['de-AT,de;q=0.9,en;q=0.5', 'de-AT'],
  ['fr, de;q=0.8, en;q=0.9', 'en'],
  ['fr-CH, de;q=0.8', 'de'],
  ['fr-CH, it', 'fr-CH'],
  ['en;q=0, de', 'de'],
  ['en-XA', 'en-XA'],
  // Names of objects and of the catalog in strange letters are no languages.
  ['constructor, de', 'de'],
  ['pseudo, de', 'de'],
  ['*', null],
  ['', null],
  [undefined, null],
  ['"><script>', null],
  [`${'x-'.repeat(5_000)},de`, null],
])('a browser that asks for %s gets words for %s', (header, locale) => {
  expect(acceptedLocale(header)).toBe(locale)
})
