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

/** Keys as the file and the setting have them: base64, with commas between. @throws WrongValueError */
export const parseSecretKeys = (text: string): readonly Buffer[] => readSecretKeys(text.trim())

/**
 * Writes the keys of a backup where a start looks for them; with an external database that is where a person finds them.
 *
 * @returns the path
 * @throws ConfigError other keys are there
 */
export async function keepSecretKeys({ dataDir }: Pick<Config, 'dataDir'>, text: string): Promise<string> {
  const path = join(dataDir, fileName)
  if (await linkKeyFile(path, text)) return path
  if ((await readFile(path, 'utf8')).trim() === text.trim()) return path
  throw new ConfigError(
    `${path} holds another secret key than the backup. Move it away, or restore into an empty ALMANAC_DATA_DIR.`,
  )
}

/** Null when the file is there already. */
async function makeKeyFile(path: string): Promise<readonly Buffer[] | null> {
  if (await exists(path)) return null
  const key = randomBytes(32)
  return (await linkKeyFile(path, key.toString('base64'))) ? [key] : null
}

/** False when the file is there already. Written whole before it gets its name, so that half a key is never read. */
async function linkKeyFile(path: string, text: string): Promise<boolean> {
  const draft = `${path}.${randomUUID()}`
  try {
    await writeFile(draft, `${text.trim()}\n`, { mode: 0o600, flag: 'w', flush: true })
    await link(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
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
