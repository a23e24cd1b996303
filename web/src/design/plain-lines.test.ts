import fc from 'fast-check'
import { expect, test } from 'vitest'
import { plainLines as contracts } from '#contract'
import { plainLines } from './plain-lines.ts'

test('what is pasted becomes what goes out', () => {
  const all = Array.from({ length: 0x2100 }, (_, code) => `a${String.fromCharCode(code)}b`)
  expect(all.map(plainLines)).toEqual(all.map(contracts))
  const text = fc.string({
    unit: fc.constantFrom('a', '\r', '\n', '\t', '\v', '\f', '\0', '\x85', '\x9f', '\u2028', '🙂'),
  })
  fc.assert(
    fc.property(text, (each) => {
      expect(plainLines(each)).toBe(contracts(each))
    }),
  )
})
