import { CannotOpenError, type SecretBox } from '#domain'
import type { Credentials } from '#networks'
import type { SealedSecret } from '#persistence'
import type { CredentialBox } from '#publishing'

/** Where the secret of an identity stands: sealed for one row, it opens in no other. */
const placeOfIdentity = (identityId: string) => `network_identities/${identityId}`

/** Encrypts and decrypts the secrets of identities with the keys of the installation. `open` throws CannotOpenError. */
export function createCredentialBox(box: SecretBox): CredentialBox {
  return {
    open(identityId, { secret, secretKeyId }) {
      const plain = box.open({ bytes: secret, keyId: secretKeyId }, placeOfIdentity(identityId))
      return JSON.parse(plain.toString()) as Credentials
    },
    seal(identityId, credentials, keyId) {
      const sealed = box.seal(Buffer.from(JSON.stringify(credentials)), placeOfIdentity(identityId), keyId)
      return { secret: sealed.bytes, secretKeyId: sealed.keyId }
    },
  }
}

/** Seals and opens what a sign-in on a network's pages keeps to itself until it is over. */
export interface AuthorizationBox {
  seal(authorizationId: string, value: unknown): SealedSecret
  /** Null when it does not open any more: the key has changed meanwhile. */
  open(authorizationId: string, sealed: SealedSecret): unknown
}

export function createAuthorizationBox(box: SecretBox): AuthorizationBox {
  const placeOf = (id: string) => `authorizations/${id}`
  return {
    seal(id, value) {
      const sealed = box.seal(Buffer.from(JSON.stringify(value)), placeOf(id))
      return { secret: sealed.bytes, secretKeyId: sealed.keyId }
    },
    open(id, { secret, secretKeyId }) {
      try {
        return JSON.parse(box.open({ bytes: secret, keyId: secretKeyId }, placeOf(id)).toString())
      } catch (error) {
        if (error instanceof CannotOpenError) return null
        throw error
      }
    },
  }
}
