import { expect, test } from 'vitest'
import { libraryKeysOf, resignCookie } from './library-keys.ts'

const [NEW, OLD, OTHER] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer, Buffer]
/** `a.token` with its HMAC-SHA256 under the base64 of a key, as the library signs it. */
const BY_NEW = 'a.token.bZsIE3tCWKJNYA2vM0tSZElcui6ODVFU85sWOH%2BXr0Y%3D'
const BY_OLD = 'a.token.CADIIMp9J3UPY4jCfj2f%2BNy8wKSr1N0HC1HzyqqFEbs%3D'

test('a cookie that an older key has signed gets the signature of the first', () => {
  expect(resignCookie(BY_OLD, libraryKeysOf([NEW, OLD]))).toBe(BY_NEW)
  expect(resignCookie(BY_OLD, libraryKeysOf([NEW, OTHER, OLD]))).toBe(BY_NEW)
})

test('any other cookie stays as it is', () => {
  const keys = libraryKeysOf([NEW, OTHER])
  const changed = BY_OLD.replace('token', 'nekot')
  for (const value of [BY_NEW, BY_OLD, changed, '', 'a', '.', 'a.b', '%']) expect(resignCookie(value, keys)).toBe(value)
  expect(resignCookie(changed, libraryKeysOf([NEW, OLD]))).toBe(changed)
})
