import type { SecretBox } from '#domain'
import type { Credentials } from '#networks'
import type { CredentialBox } from '#publishing'

/** Where the secret of an identity stands: sealed for one row, it opens in no other. */
export const placeOfIdentity = (identityId: string) => `network_identities/${identityId}`

/** Seals and opens the secrets of identities with the keys of the installation. `open` throws CannotOpenError. */
export function createCredentialBox(box: SecretBox): CredentialBox {
  return {
    open(identityId, { secret, secretKeyId }) {
      const plain = box.open({ bytes: secret, keyId: secretKeyId }, placeOfIdentity(identityId))
      return JSON.parse(plain.toString()) as Credentials
    },
    seal(identityId, credentials) {
      const sealed = box.seal(Buffer.from(JSON.stringify(credentials)), placeOfIdentity(identityId))
      return { secret: sealed.bytes, secretKeyId: sealed.keyId }
    },
  }
}
