import { readSecretKeysOf } from '#config'
import { createSecretBox, type SecretBox } from '#domain'
import { checkSecretKey } from '#operations'
import type { Database } from '#persistence'
import type { Installation } from './installation.ts'
import { inWords } from './start-error.ts'

/**
 * The keys of the installation, checked against its database.
 *
 * @throws ConfigError, Refusal, StartError
 */
export async function openSecrets(
  { config }: Installation,
  db: Database,
  log: (message: string) => void,
): Promise<SecretBox> {
  const keys = await readSecretKeysOf(config).catch((error) => {
    throw inWords(error, { dataDir: config.dataDir })
  })
  const box = createSecretBox(keys)
  const { resealed } = await checkSecretKey(db, box)
  if (resealed > 0) log(`${resealed} stored secrets were sealed anew with the first secret key.`)
  return box
}
