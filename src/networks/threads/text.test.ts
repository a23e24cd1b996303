import { expect, test } from 'vitest'
import { textLength } from './text.ts'

test.each([
  ['', 0],
  ['Bread', 5],
  ['Grüße', 5],
  // Decomposed: a letter and its dots are two code points.
  ['u\u0308', 2],
  ['パン', 2],
  // Letters outside of the basic plane are no emoji.
  ['𝕭', 1],
  ['🥖', 4],
  ['a🥖b', 6],
  // A picture only by the selector behind it.
  ['☀️', 6],
  ['©', 2],
  // A flag is two halves of 4 bytes, a keycap a digit with its frame.
  ['🇦🇹', 8],
  ['1️⃣', 7],
  ['1', 1],
  // With the colour of the skin, and a family of three joined ones.
  ['👍🏽', 8],
  ['👨‍👩‍👧', 18],
])('%j counts %i', (text, length) => {
  expect(textLength(text)).toBe(length)
})
