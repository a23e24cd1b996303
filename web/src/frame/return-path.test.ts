import { expect, test } from 'vitest'
import { HOME, safeReturnPath } from './return-path.ts'

test('a path of the dashboard is returned to, with all that follows it', () => {
  const path = '/scheduling/calendar/week?set=1&post=2#top'
  expect(safeReturnPath(path)).toBe(path)
  expect(safeReturnPath('/settings-of-tomorrow')).toBe('/settings-of-tomorrow')
})

test.each([
  undefined,
  '',
  '/',
  'https://evil.example/',
  '//evil.example/',
  '/\\evil.example/',
  '/\t/evil.example/',
  '/x/..//evil.example/',
  'javascript:alert(1)',
  'scheduling/calendar/month',
  '/sign-in',
  '/sign-in?return=/settings/team',
  '/invitation',
])('%j leads to the calendar', (path) => {
  expect(safeReturnPath(path)).toBe(HOME)
})
