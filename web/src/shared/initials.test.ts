import { expect, test } from 'vitest'
import { initialsOf } from './initials.ts'

test.each([
  ['Kruste & Co.', 1, 'K'],
  ['Clara Maria Lund', 2, 'CL'],
  ['clara', 2, 'C'],
  ['  “Garden”  of &', 2, 'GO'],
  ['👋', 2, ''],
  ['e\u0301lan', 1, 'E\u0301'],
] as const)('the letters of %s', (name, count, letters) => {
  expect(initialsOf(name, count)).toBe(letters)
})
