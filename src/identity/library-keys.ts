import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** A key as the sign-in library knows it: what it signs and encrypts sealed values with, and its name in them. */
interface LibraryKey {
  version: number
  value: string
}

/** The first signs and encrypts; the others still verify and open. */
export type LibraryKeys = [LibraryKey, ...LibraryKey[]]

export function libraryKeysOf(secrets: readonly [Buffer, ...Buffer[]]): LibraryKeys {
  const [first, ...others] = secrets
  return [libraryKeyOf(first), ...others.map(libraryKeyOf)]
}

const libraryKeyOf = (key: Buffer): LibraryKey => ({ version: versionOf(key), value: key.toString('base64') })

/** The library names keys by a number; made of the key itself, it stays the same when keys are added or left out. */
function versionOf(key: Buffer): number {
  return createHash('sha256').update(key).digest().readUInt32BE(0)
}

/**
 * Of a cookie that one of the keys has signed, the value with the signature of the first key: the library verifies with
 * that one alone, and would end every session with a change of keys. Any other value stays as it is.
 *
 * @param value as it is sent: `<content>.<signature>`, percent-encoded; the signature is an HMAC-SHA256 in base64
 */
export function resignCookie(value: string, [first, ...older]: LibraryKeys): string {
  const signed = decoded(value)
  const at = signed.lastIndexOf('.')
  const [content, signature] = [signed.slice(0, at), signed.slice(at + 1)]
  if (at < 1 || !older.some((key) => isSame(signature, signatureOf(key, content)))) return value
  return encodeURIComponent(`${content}.${signatureOf(first, content)}`)
}

const signatureOf = (key: LibraryKey, content: string) =>
  createHmac('sha256', key.value).update(content).digest('base64')

function decoded(value: string): string {
  try {
    return decodeURIComponent(value)
  } catch {
    return ''
  }
}

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)]
  return one.length === other.length && timingSafeEqual(one, other)
}
