import { CannotOpenError, hashLinkToken, newLinkToken, type SecretBox } from '#domain'
import type { KeptToken } from '#persistence'

const placeOf = (id: string) => `shared_calendars/${id}`

/** A new token for the address of a shared calendar, and its stored form. */
export function newKeptToken(box: Pick<SecretBox, 'seal'>, id: string): { token: string; kept: KeptToken } {
  const { token, hash } = newLinkToken()
  const sealed = box.seal(Buffer.from(token), placeOf(id))
  return { token, kept: { hash, secret: sealed.bytes, secretKeyId: sealed.keyId } }
}

/** The token stored in a row; null if none of our keys decrypts it. */
export function openKeptToken(
  box: Pick<SecretBox, 'open'>,
  id: string,
  { secret, secretKeyId }: Omit<KeptToken, 'hash'>,
): string | null {
  try {
    const token = box.open({ bytes: secret, keyId: secretKeyId }, placeOf(id)).toString()
    return hashLinkToken(token) === null ? null : token
  } catch (error) {
    if (error instanceof CannotOpenError) return null
    throw error
  }
}
