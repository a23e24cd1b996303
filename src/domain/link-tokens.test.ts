import { expect, test } from 'vitest'
import { hashLinkToken, isSetupCode, newLinkToken, setupCodeOf } from './link-tokens.ts'

test('a token has 256 bits and is found by its hash', () => {
  const { token, hash } = newLinkToken()
  expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  expect(hashLinkToken(token)).toEqual(hash)
  expect(hashLinkToken(newLinkToken().token)).not.toEqual(hash)
  for (const other of ['', 'x', `${token}x`, token.slice(1), `${token.slice(1)} `]) {
    expect(hashLinkToken(other)).toBeNull()
  }
})

test('the code of the first account follows from the key', () => {
  const code = setupCodeOf(Buffer.alloc(32, 1))
  expect(code).toMatch(/^[A-Za-z0-9_-]{20}$/)
  expect(setupCodeOf(Buffer.alloc(32, 1))).toBe(code)
  expect(setupCodeOf(Buffer.alloc(32, 2))).not.toBe(code)
  expect(isSetupCode(code, code)).toBe(true)
  expect(isSetupCode('', code)).toBe(false)
  expect(isSetupCode(`${code.slice(1)}x`, code)).toBe(false)
})
