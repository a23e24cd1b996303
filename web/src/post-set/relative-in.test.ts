import { i18n } from '@lingui/core'
import { expect, test } from 'vitest'
import { relativeIn } from './relative-in.ts'

const reader = {
  zone: 'Europe/Berlin',
  preferences: { locale: 'en-GB', hourCycle: 'auto', weekStart: 'auto' },
} as const

test.each([
  ['2026-11-24T12:00:30Z', 'now'],
  ['2026-11-24T14:00:00Z', 'in 2 hours'],
  ['2026-12-01T11:59:00Z', 'in 6 days'],
  // The date is that of the brand.
  ['2026-12-01T23:30:00Z', 'on 2 December 2026'],
  ['2030-08-14T10:00:00Z', 'on 14 August 2030'],
])('%s is %s', (instant, words) => {
  i18n.load('en', {})
  i18n.activate('en')
  expect(relativeIn(instant, reader, Date.parse('2026-11-24T12:00:00Z'))).toBe(words)
})
