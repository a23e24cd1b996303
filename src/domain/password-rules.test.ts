import { expect, test } from 'vitest'
import { passwordProblem } from './password-rules.ts'

const EMAIL = 'Anna.Example@example.com'
const COMMON = new Set(['1234567890', 'qwertyuiop', 'password123'])

test.each([
  'correct horse battery staple',
  'tencharss!',
  'пароль-из-десяти',
  `${'🐎'.repeat(9)}a`,
  `${'é'.repeat(5)}abcde`,
  ' spaces are kept ',
  `${'x'.repeat(999)}y`,
])('%s is good', (password) => {
  expect(passwordProblem(password, EMAIL, COMMON)).toBeNull()
})

test.each([
  ['', /at least 10/],
  ['ninechars', /at least 10/],
  // Nine letters for people, ten code points as typed: it counts as it is hashed.
  ['abcdefghe\u0301', /at least 10/],
  ['🐎'.repeat(9), /at least 10/],
  ['xy'.repeat(501), /at most 1000/],
  [`tencharss\ud800`, /cannot be used/],
  ['tencharss\0', /cannot be used/],
  ['ANNA.example@example.com', /your email address/],
  ['anna.example', /your email address/],
  ['1234567890', /tries first/],
  ['QwertyUiop', /tries first/],
  ['Ｐassword123', /tries first/],
  ['zzzzzzzzzzzz', /tries first/],
  [' '.repeat(12), /tries first/],
])('%j is refused', (password, words) => {
  expect(passwordProblem(password, EMAIL, COMMON)).toMatch(words)
})
