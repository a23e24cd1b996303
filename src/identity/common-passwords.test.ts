import { expect, test } from 'vitest'
import { commonPasswords } from './common-passwords.ts'

test('passwords of every list are known, in lower case, and none that is too short to be chosen', async () => {
  const common = await commonPasswords()
  expect(common.size).toBeGreaterThan(1_500)
  // Of the library, and of what it has not.
  for (const word of ['1234567890', 'manchester', '1q2w3e4r5t', 'realmadrid', 'password2026']) {
    expect(common).toContain(word)
  }
  for (const word of common) expect(word).toMatch(/^[^A-Z]{10,}$/)
})
