import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { CannotOpenError, createSecretBox } from './secret-box.ts'

const one = randomBytes(32)
const two = randomBytes(32)
const secret = Buffer.from('token')

test('what is sealed opens in its place, with its key', () => {
  const box = createSecretBox([one])
  const sealed = box.seal(secret, 'identities/1')
  expect(box.open(sealed, 'identities/1')).toEqual(secret)
  expect(sealed.bytes.includes(secret)).toBe(false)
  expect(box.seal(secret, 'identities/1').bytes).not.toEqual(sealed.bytes)
})

test('another place, another key or a changed byte does not open', () => {
  const box = createSecretBox([one])
  const sealed = box.seal(secret, 'identities/1')
  expect(() => box.open(sealed, 'identities/2')).toThrow(CannotOpenError)
  expect(() => createSecretBox([two]).open(sealed, 'identities/1')).toThrow(CannotOpenError)
  expect(() => box.open({ ...sealed, bytes: sealed.bytes.subarray(0, 20) }, 'identities/1')).toThrow(CannotOpenError)
  for (let at = 0; at < sealed.bytes.length; at++) {
    const bytes = Buffer.from(sealed.bytes)
    bytes[at] = (bytes[at] ?? 0) ^ 1
    expect(() => box.open({ ...sealed, bytes }, 'identities/1')).toThrow(CannotOpenError)
  }
})

test('with a new key in front, old values open and new ones are sealed with the new key', () => {
  const sealed = createSecretBox([one]).seal(secret, 'a')
  const rotated = createSecretBox([two, one])
  expect(rotated.open(sealed, 'a')).toEqual(secret)
  expect(createSecretBox([two]).open(rotated.seal(secret, 'a'), 'a')).toEqual(secret)
})

test('a value is sealed with a key that is named, and with the first where that is not ours', () => {
  const box = createSecretBox([one, two])
  const [first = '', second = ''] = box.keyIds
  expect(createSecretBox([two]).open(box.seal(secret, 'a', second), 'a')).toEqual(secret)
  expect(createSecretBox([one]).seal(secret, 'a', second).keyId).toBe(first)
})

test('derived keys differ by purpose and key, and stay the same', () => {
  const box = createSecretBox([one, two])
  const keys = [...box.derive('media urls'), ...box.derive('sessions'), one, two].map((key) => key.toString('hex'))
  expect(new Set(keys).size).toBe(6)
  expect(createSecretBox([one, two]).derive('media urls')).toEqual(box.derive('media urls'))
  expect(box.derive('media urls').map((key) => key.length)).toEqual([32, 32])
})
