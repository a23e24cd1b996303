import { createHmac, timingSafeEqual } from 'node:crypto'

/** Keys of 32 bytes that belong to one installation. The first signs, all of them verify. */
export type SigningKeys = readonly [Buffer, ...Buffer[]]

/** Tokens, codes and secrets of one simulator. No one can make them without a key of the installation. */
export interface SignedTokens {
  /** The claims in the clear, a dot and their signature; safe in addresses and headers. The same claims give the same token. */
  write(kind: string, claims: unknown): string
  /** The claims of a token of this kind; undefined for everything else. */
  read(kind: string, token: string): unknown
  /** A signature of a text, without the text. */
  sign(kind: string, text: string): string
  isSignature(kind: string, text: string, signature: string): boolean
  /** Whether this is the value of a secret setting, as `sandboxSecret` has it. */
  isSecret(setting: string, given: string | null | undefined): boolean
  /** Whether this is the HMAC-SHA256 of a text under the value of a secret setting, in hexadecimal digits. */
  isHmac(setting: string, text: string, given: string): boolean
}

/**
 * @param network folder name of the network: the tokens of one simulator are worth nothing at another
 * @see SimulatorDeps.tokens
 */
export function signedTokens(keys: SigningKeys, network: string): SignedTokens {
  const digests = (kind: string, text: string) => keys.map((key) => digest(key, network, kind, text)) as [string]
  const isSignature = (kind: string, text: string, signature: string) =>
    digests(kind, text).some((right) => isSame(right, signature))
  return {
    sign: (kind, text) => digests(kind, text)[0],
    isSignature,
    write(kind, claims) {
      const text = Buffer.from(JSON.stringify(claims)).toString('base64url')
      return `${text}.${digests(kind, text)[0]}`
    },
    read(kind, token) {
      const [text = '', signature = '', ...rest] = token.split('.')
      if (rest.length > 0 || !isSignature(kind, text, signature)) return undefined
      return JSON.parse(Buffer.from(text, 'base64url').toString('utf8'))
    },
    isSecret: (setting, given) =>
      typeof given === 'string' && keys.some((key) => isSame(sandboxSecret([key], network, setting), given)),
    isHmac: (setting, text, given) =>
      keys.some((key) => isSame(hmac(sandboxSecret([key], network, setting), text, 'hex'), given)),
  }
}

/**
 * The sandbox's value of a secret setting (the secret of an app): the simulators take sign-ins of this installation and
 * of no one else.
 */
export function sandboxSecret([key]: SigningKeys, network: string, setting: string): string {
  return digest(key, network, 'setting', setting)
}

const digest = (key: Buffer, network: string, kind: string, text: string) =>
  hmac(key, JSON.stringify([network, kind, text]), 'base64url')

function hmac(key: Buffer | string, text: string, encoding: 'hex' | 'base64url'): string {
  return createHmac('sha256', key).update(text).digest(encoding)
}

function isSame(right: string, given: string): boolean {
  const [a, b] = [Buffer.from(right), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}
