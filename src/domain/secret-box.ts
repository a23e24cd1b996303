import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto'

/** Bytes that only a holder of the key can read, and the id of that key. */
interface Sealed {
  keyId: string
  bytes: Buffer
}

/** Nothing was opened: the key is not among ours, or the bytes, or the place they stand in, are not the sealed ones. */
export class CannotOpenError extends Error {
  override name = 'CannotOpenError'
}

/** What keys are derived for. docs/operating.md lists what each protects, and what ends with an old key. */
type KeyPurpose = 'sessions' | 'media urls' | 'sandbox' | 'first-run' | 'alerts' | 'unsubscribe'

export interface SecretBox {
  /** Id of the key that seals. */
  keyId: string
  /** Ids of all keys, that of the sealing one first. */
  keyIds: readonly string[]
  /**
   * `place` says where the bytes are kept (`network_identities/<id>`); only there they open again. Seals with the first
   * key, or with the one of the id `keyId` when that is among ours.
   */
  seal(plain: Buffer, place: string, keyId?: string): Sealed
  /** @throws CannotOpenError */
  open(sealed: Sealed, place: string): Buffer
  /**
   * Keys of 32 bytes for another purpose (`media urls`), one of every secret key, that of the sealing one first. They
   * reveal nothing about the secret key or about each other.
   */
  derive(purpose: KeyPurpose): readonly [Buffer, ...Buffer[]]
}

const NO_KEY =
  'The value is sealed with a secret key that this process does not have: start it again with that key set, too (ALMANAC_SECRET_KEY=new,old).'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM with the first of the given keys (32 bytes each); all of them open. A sealed value is the nonce, the
 * ciphertext and the tag; the place is authenticated with it, so that a value moved to another row does not open.
 */
export function createSecretBox(secretKeys: readonly Buffer[]): SecretBox {
  const keys = secretKeys.map((secret) => ({ id: keyIdOf(secret), secret, sealing: derived(secret, 'seal') }))
  const first = keys[0]
  if (!first) throw new TypeError('A secret box needs a key.')
  return {
    keyId: first.id,
    keyIds: keys.map(({ id }) => id),
    seal(plain, place, keyId) {
      const key = keys.find(({ id }) => id === keyId) ?? first
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', key.sealing, nonce, { authTagLength: TAG_BYTES })
      cipher.setAAD(Buffer.from(place))
      const bytes = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
      return { keyId: key.id, bytes }
    },
    open(sealed, place) {
      const key = keys.find((candidate) => candidate.id === sealed.keyId)
      if (!key || sealed.bytes.length < NONCE_BYTES + TAG_BYTES) throw new CannotOpenError(NO_KEY)
      const { bytes } = sealed
      const decipher = createDecipheriv('aes-256-gcm', key.sealing, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
      decipher.setAAD(Buffer.from(place))
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
      } catch {
        throw new CannotOpenError('The value does not open with its key.')
      }
    },
    derive: (purpose) => [derived(first.secret, purpose), ...keys.slice(1).map((key) => derived(key.secret, purpose))],
  }
}

/** A name for a key that reveals nothing about it. */
function keyIdOf(secret: Buffer): string {
  return createHash('sha256').update('almanac key id\0').update(secret).digest('hex').slice(0, 16)
}

/** HKDF-SHA256. Every use of a secret key has a key of its own. */
function derived(secret: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), `almanac ${purpose}`, 32))
}
