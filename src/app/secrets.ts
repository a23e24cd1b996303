import { type Config, readSecretKeysOf } from '#config'
import { createSecretBox, type SecretBox } from '#domain'
import type { SigningKeys } from '#networks'
import { checkSecretKey, type SecretKeyCheck } from '#operations'
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
  log: { info(message: string): void; warn(message: string): void },
): Promise<SecretBox> {
  const box = await readBox(config)
  const { resealed, ...found } = await checkSecretKey(db, box)
  if (resealed > 0) log.info(`${resealed} stored secrets are sealed with the first secret key now.`)
  for (const message of secretKeyWarnings(found)) log.warn(message)
  return box
}

/** What the operator has to know about the keys that are set, and what to do. */
export function secretKeyWarnings({
  unreadable,
  leftOutEarly,
}: Pick<SecretKeyCheck, 'unreadable' | 'leftOutEarly'>): string[] {
  const { identities, networkApps, secondSteps } = unreadable
  const warnings: string[] = []
  const unread: string[] = []
  if (identities + secondSteps > 0) {
    unread.push(
      `Secrets of ${identities} network accounts and ${secondSteps} second steps are sealed with a secret key that is not set. Set that key behind the others (ALMANAC_SECRET_KEY=new,old) and start again. If it is lost, reconnect the accounts, and run "almanac users remove-second-step" for those who cannot sign in.`,
    )
  }
  if (networkApps > 0) {
    unread.push(
      `Ids and secrets of ${networkApps} network apps are sealed with a secret key that is not set: no account can be connected through these apps, and tokens of those that are connected cannot be renewed. Set that key behind the others (ALMANAC_SECRET_KEY=new,old) and start again. If it is lost, an operator enters them again in the dashboard, under Settings, Network apps.`,
    )
  }
  if (unread.length > 0) warnings.push(unread.join(' '))
  if (leftOutEarly) {
    const [since, until] = [leftOutEarly.replacedAt, leftOutEarly.until].map((date) => date.toISOString().slice(0, 10))
    warnings.push(
      `The secret key that was replaced on ${since} is no longer set: sessions and media addresses signed with it have ended. Unless that key has leaked, set it behind the new key (ALMANAC_SECRET_KEY=new,old) until ${until} to accept them again.`,
    )
  }
  return warnings
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
