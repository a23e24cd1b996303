import { expect, test } from 'vitest'
import { codePoints, graphemes, utf8Bytes } from './text.ts'

test.each([
  ['', 0, 0, 0],
  ['plain text', 10, 10, 10],
  ['line\nbreak', 10, 10, 10],
  ['a\r\nb', 3, 4, 4],
  ['ä', 1, 1, 2],
  ['a\u0308', 1, 2, 3],
  ['👨‍👩‍👧‍👦', 1, 7, 25],
  ['🇩🇪🇫🇷', 2, 4, 16],
  ['👍🏽', 1, 2, 8],
])('%j: graphemes, code points, bytes', (text, clusters, points, bytes) => {
  expect([graphemes(text), codePoints(text), utf8Bytes(text)]).toEqual([clusters, points, bytes])
})
