import {
  constants,
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  privateDecrypt,
  publicEncrypt,
  randomBytes,
  scryptSync,
} from 'node:crypto'
import { BackupError } from './format.ts'

/** How the secret key is kept in a backup. */
export type KeyWay =
  /** As it is, readable for who reads the backup. */
  | { kind: 'beside' }
  /** `secret`: a passphrase, or a public key of RSA as PEM. */
  | { kind: 'sealed'; secret: string }
  | { kind: 'elsewhere' }

/** Costs of scrypt: a tenth of a second and 64 MB for each passphrase that is tried. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1, maxmem: 128 * 1024 * 1024 } as const
const PADDING = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const
const isPem = (secret: string) => secret.includes('-----BEGIN')

/** Seals the keys for who has the passphrase, or the private key to this public one. @throws BackupError */
export function sealKeys(keys: string, secret: string): string {
  if (secret.trim() === '') throw new BackupError('The file that the secret key is to be sealed for is empty.')
  const salt = randomBytes(16)
  const key = isPem(secret) ? randomBytes(32) : scryptSync(secret.trim(), salt, 32, SCRYPT)
  const wrapped = isPem(secret) ? { wrapped: wrap(secret, key).toString('base64') } : { salt: salt.toString('base64') }
  const nonce = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, nonce)
  const bytes = Buffer.concat([nonce, cipher.update(keys, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return `${JSON.stringify({ ...wrapped, sealed: bytes.toString('base64') })}\n`
}

/** @throws BackupError the passphrase or private key is another one, or the file is damaged */
export function openKeys(text: string, secret: string): string {
  try {
    const { wrapped, salt, sealed } = JSON.parse(text) as { wrapped?: string; salt?: string; sealed: string }
    const key =
      wrapped === undefined
        ? scryptSync(secret.trim(), Buffer.from(salt ?? '', 'base64'), 32, SCRYPT)
        : privateDecrypt({ key: createPrivateKey(secret), ...PADDING }, Buffer.from(wrapped, 'base64'))
    const bytes = Buffer.from(sealed, 'base64')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 })
    decipher.setAuthTag(bytes.subarray(-16))
    return decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8')
  } catch (cause) {
    throw new BackupError(
      'The sealed secret key of the backup does not open: it is another passphrase or private key, or damaged.',
      { cause },
    )
  }
}

function wrap(pem: string, key: Buffer): Buffer {
  try {
    const publicKey = createPublicKey(pem)
    if (publicKey.asymmetricKeyType !== 'rsa') throw new Error('Not RSA.')
    return publicEncrypt({ key: publicKey, ...PADDING }, key)
  } catch (cause) {
    throw new BackupError(
      'The secret key can be sealed for a public key of RSA (openssl rsa -pubout), or for a passphrase.',
      { cause },
    )
  }
}
