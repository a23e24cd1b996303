import { expect, test } from 'vitest'
import { checkEmail, plainEmail } from './read-person.ts'

const ADA = 'ada@example.com'

test.each([
  ['a zero-width space behind it', 'ada@example.com\u200b'],
  ['zero-width joiners around it', '\u200dada@example.com\u200c'],
  ['marks of direction around it, as chat programs set them', '\u202aada@example.com\u202c'],
  ['isolates around it', '\u2068ada@example.com\u2069'],
  ['a mark of byte order in front', '\ufeffada@example.com'],
  ['a word joiner in front of the sign', 'ada\u2060@example.com'],
  ['a soft hyphen where a page broke it', 'ada@exam\u00adple.com'],
  ['a left-to-right mark behind it, as Hebrew pages have', 'ada@example.com\u200e'],
  ['a mark of Arabic letters behind it', 'ada@example.com\u061c'],
  ['a separator of Mongolian vowels within it', 'ada\u180e@example.com'],
  ['invisible signs between its spaces', ' \u200b ada@example.com \u200b '],
  ['capitals, a space that does not break, an end of line', '\u00a0ADA@Example.com\n'],
])('%s is no part of an address', (_, typed) => {
  expect(plainEmail(typed)).toBe(ADA)
})

test.each(['ada@exämple.com', 'a da@example.com', 'а@example.com', '\u200b', 'ada@example.com\u0301'])(
  'what is seen stays as it is: %s',
  (typed) => {
    expect(plainEmail(typed)).toBe(typed.replace('\u200b', ''))
    expect(checkEmail('email', plainEmail(typed))).toHaveLength(1)
  },
)
