import { libraryKeysOf } from './library-keys.ts'

/** The secrets and backup codes of second steps as the sign-in library stores them. */
interface SecondStepSecrets {
  /** What every value begins with that a key has encrypted, in the order of the keys. */
  prefixes: readonly string[]
  /** The same content encrypted with the first key; null when none of the keys opens it. */
  reseal(stored: string): Promise<string | null>
}

/** `$ba$<version of the key>$<ciphertext>`, XChaCha20-Poly1305: better-auth 1.7, dist/crypto/index.mjs. */
const ENVELOPE = /^\$ba\$(\d+)\$/

export function createSecondStepSecrets(secrets: readonly [Buffer, ...Buffer[]]): SecondStepSecrets {
  const [first, ...older] = libraryKeysOf(secrets)
  const key = {
    keys: new Map([first, ...older].map(({ version, value }) => [version, value])),
    currentVersion: first.version,
  }
  return {
    prefixes: [first, ...older].map(({ version }) => `$ba$${version}$`),
    async reseal(stored) {
      const version = Number(ENVELOPE.exec(stored)?.[1])
      if (!key.keys.has(version)) return null
      // Loaded when it is needed: it is large.
      const { symmetricDecrypt, symmetricEncrypt } = await import('better-auth/crypto')
      const data = await symmetricDecrypt({ key, data: stored }).catch(() => null)
      return data === null ? null : symmetricEncrypt({ key, data })
    },
  }
}
