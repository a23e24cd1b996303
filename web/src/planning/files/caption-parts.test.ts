import { expect, test } from 'vitest'
import { captionParts } from './caption-parts.ts'

test.each<[string, string[]]>([
  ['', []],
  ['plain', []],
  ['#bread by @mill.at: https://a.example/b', ['#bread', '@mill.at', 'https://a.example/b']],
  ['„https://a.example/b“ heute', ['https://a.example/b']],
  ["https://a.example/Baker's_yeast#top #bread", ["https://a.example/Baker's_yeast#top", '#bread']],
  ['https://medium.example/@mill。#パン', ['https://medium.example/@mill', '#パン']],
  ['(https://a.example/b)(https://a.example/c)', ['https://a.example/b', 'https://a.example/c']],
])('what of %j is marked', (text, marked) => {
  const parts = captionParts(text)
  expect(parts.join('')).toBe(text)
  expect(parts.filter((_, index) => index % 2 === 1)).toEqual(marked)
})
