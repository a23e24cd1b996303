import { expect, test } from 'vitest'
import { plainLine, plainLines } from './plain-lines.ts'

test.each([
  ['a soft line break of PowerPoint and Word', 'First\u000bsecond', 'First\nsecond'],
  ['the separators of Unicode', 'First\u2028second\u2029third', 'First\nsecond\nthird'],
  ['the line end of mainframes', 'First\u0085second', 'First\nsecond'],
  ['a page break', 'First\u000csecond', 'First\nsecond'],
  ['line ends of old Macs', 'First\rsecond', 'First\nsecond'],
  ['those of Windows stay, and count two characters', 'First\r\nsecond\r\n\r\nthird', 'First\r\nsecond\r\n\r\nthird'],
  ['each end of a line is one', 'First\r\r\n\u000b\u2028second', 'First\n\r\n\n\nsecond'],
  ['other control characters', '\0Na\u0001me\u001b[0m \u007fof\u0080 it\u009f', 'Name[0m of it'],
  ['tabs and line breaks stay', '\tFirst\n\n\tsecond ', '\tFirst\n\n\tsecond '],
  [
    'what is invisible and no control character',
    '👩‍🍳 a\u00a0b\u00adc\u200bd\u200fe\ufeff',
    '👩‍🍳 a\u00a0b\u00adc\u200bd\u200fe\ufeff',
  ],
  ['nothing else', '\u0002\u0003', ''],
])('%s', (_, text, plain) => {
  expect(plainLines(text)).toBe(plain)
  expect(plainLines(plain), 'what is plain stays').toBe(plain)
})

test('a title is one line', () => {
  expect(plainLine('First line\u000bsecond line')).toBe('First line second line')
  expect(plainLine('First line\r\n\r\n\u2028second\tline')).toBe('First line second\tline')
  expect(plainLine('One line')).toBe('One line')
})
