import { type Argon2Parameters, argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify(argon2) as (algorithm: 'argon2id', parameters: Argon2Parameters) => Promise<Buffer>

/** What a hash takes: KiB of memory, and how often they are passed over. */
export interface PasswordCost {
  memory: number
  passes: number
  parallelism: number
}

/** OWASP Password Storage Cheat Sheet, first choice for Argon2id (read 2026-11-21): 19 MiB, two passes, one lane. */
const COST: PasswordCost = { memory: 19_456, passes: 2, parallelism: 1 }
const TAG_BYTES = 32

/** `$argon2id$v=19$m=19456,t=2,p=1$<salt>$<hash>`: the PHC string form, so that the cost can grow later. */
export async function hashPassword(password: string, { memory, passes, parallelism } = COST): Promise<string> {
  const nonce = randomBytes(16)
  const message = password.normalize('NFKC')
  const hash = await derive('argon2id', { message, nonce, tagLength: TAG_BYTES, memory, passes, parallelism })
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(nonce)}$${unpadded(hash)}`
}

const FORM = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** Whether a password is the one that was hashed. False for a hash of another form. */
export async function verifyPassword(input: { hash: string; password: string }): Promise<boolean> {
  const [, memory, passes, parallelism, salt, expected] = FORM.exec(input.hash) ?? []
  if (salt === undefined || expected === undefined) return false
  const wanted = Buffer.from(expected, 'base64')
  const hash = await derive('argon2id', {
    message: input.password.normalize('NFKC'),
    nonce: Buffer.from(salt, 'base64'),
    tagLength: wanted.length,
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
  })
  return timingSafeEqual(hash, wanted)
}

/** A generated password: 120 random bits in 20 letters, digits, `-` and `_`. */
export function newPassword(): string {
  return randomBytes(15).toString('base64url')
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
