import { randomBytes, randomUUID } from 'node:crypto'
import { access, link, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from './read-config.ts'
import { readSecretKeys, WrongValueError } from './values.ts'

const fileName = 'secret-key'

/**
 * The secret keys of this installation: the setting's, else the data directory's. With a database of Almanac's own the
 * first run makes one there (readable for its owner alone); with an external database the setting is demanded, since
 * processes on other machines must have the same key.
 *
 * @throws ConfigError when there is none or the file holds something else
 */
export async function readSecretKeysOf(
  config: Pick<Config, 'secretKeys' | 'databaseUrl' | 'dataDir'>,
): Promise<readonly Buffer[]> {
  if (config.secretKeys !== null) return config.secretKeys
  if (config.databaseUrl !== null) {
    throw new ConfigError(
      'ALMANAC_SECRET_KEY is required together with DATABASE_URL. Make one with `openssl rand -base64 32` and keep it: without it the stored tokens cannot be read.',
    )
  }
  const path = join(config.dataDir, fileName)
  const made = await makeKeyFile(path)
  if (made !== null) return made
  const text = (await readFile(path, 'utf8')).trim()
  try {
    return readSecretKeys(text)
  } catch (error) {
    if (!(error instanceof WrongValueError)) throw error
    throw new ConfigError(
      `The file ${path} ${error.message}. Restore it from a backup: stored tokens need this very key.`,
    )
  }
}

/** Null when the file is there already. Written whole before it gets its name, so that half a key is never read. */
async function makeKeyFile(path: string): Promise<readonly Buffer[] | null> {
  if (await exists(path)) return null
  const key = randomBytes(32)
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, `${key.toString('base64')}\n`, { mode: 0o600, flag: 'w', flush: true })
    await link(draft, path)
    return [key]
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return null
    throw error
  } finally {
    await rm(draft, { force: true })
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
