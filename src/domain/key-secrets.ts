import { createHash, randomBytes } from 'node:crypto'

const PREFIX = 'alm_'
const SECRET_BYTES = 32
/** Letters of the secret part that are shown to distinguish keys: 36 of its 256 bits. */
const SHOWN = 6

const KEY = /^alm_[A-Za-z0-9_-]{43}$/

interface NewKeySecret {
  /** `alm_` and 256 random bits. Shown once, never stored. */
  key: string
  /** Its beginning, for people. */
  prefix: string
  hash: Buffer
}

/** Makes the secret of a new API key. */
export function newKeySecret(): NewKeySecret {
  const key = `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64url')}`
  return { key, prefix: key.slice(0, PREFIX.length + SHOWN), hash: hashKey(key) }
}

/** SHA-256 of a key. With 256 random bits in it, a slow hash would protect nothing more. */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Whether a text has the form of a key at all. */
export function looksLikeKey(text: string): boolean {
  return KEY.test(text)
}
