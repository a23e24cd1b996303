import { type Config, readSecretKeysOf } from '#config'
import { createSecretBox, type SecretBox } from '#domain'
import type { SigningKeys } from '#networks'
import { checkSecretKey } from '#operations'
import type { Database } from '#persistence'
import { makeDataDir } from './data-dir.ts'
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
  const box = await readBox(config)
  const { resealed } = await checkSecretKey(db, box)
  if (resealed > 0) log(`${resealed} stored secrets were sealed anew with the first secret key.`)
  return box
}

/**
 * The keys of the installation for a process without a database.
 *
 * @throws ConfigError, StartError
 */
export async function openSecretsAlone({ config }: Installation): Promise<SecretBox> {
  await makeDataDir(config.dataDir)
  return readBox(config)
}

/** What signs the tokens of the simulators: the same in all processes of an installation. */
export const sandboxKeysOf = (box: SecretBox): SigningKeys => box.derive('sandbox')

async function readBox(config: Config): Promise<SecretBox> {
  const keys = await readSecretKeysOf(config).catch((error) => {
    throw inWords(error, { dataDir: config.dataDir })
  })
  return createSecretBox(keys)
}
