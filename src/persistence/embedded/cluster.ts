import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, rmdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { POSTGRES_MAJOR } from './binaries.ts'
import { diskFull, EmbeddedDatabaseError } from './embedded-database-error.ts'
import { type Home, writeHomeFile } from './home.ts'
import { asUser, serverEnvironment } from './server-user.ts'

/**
 * The superuser that initdb makes; its password is in the file `password`. The start alone signs in with it: what the data
 * is worked with is the plain role of `role.ts`.
 */
export const SUPERUSER = 'almanac'

/**
 * Whether the cluster is there. One of another major version, or half of one, is refused and never touched.
 *
 * @throws EmbeddedDatabaseError
 */
export async function hasCluster({ clusterDir }: Home): Promise<boolean> {
  const names = await readdir(clusterDir).catch((error) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (names === null) return false
  if (names.length === 0) {
    await rmdir(clusterDir)
    return false
  }
  if (!names.includes('PG_VERSION') || !names.includes('global')) {
    throw new EmbeddedDatabaseError(
      `${clusterDir} is not a complete PostgreSQL cluster. Restore it from a backup, or move it away to start empty.`,
    )
  }
  const major = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim()
  if (major !== POSTGRES_MAJOR) {
    throw new EmbeddedDatabaseError(
      `${clusterDir} was made by PostgreSQL ${major}; this version of Almanac brings PostgreSQL ${POSTGRES_MAJOR}. Start the version of Almanac that made it, or move the folder away to start empty.`,
    )
  }
  return true
}

/**
 * Makes the cluster. It gets its name when it is complete, so an interrupted run leaves only a draft. Each draft has a
 * name of its own: initdb outlives an Almanac that is killed, and goes on writing.
 *
 * The locale is the built-in one: it depends neither on LANG nor on what the system has installed. Without it a machine
 * with no LANG gets SQL_ASCII, where lengths and search are wrong forever.
 *
 * @throws EmbeddedDatabaseError
 */
export async function createCluster(home: Home, binaries: string): Promise<void> {
  const draft = `${home.clusterDir}${DRAFT}${randomBytes(4).toString('hex')}`
  await writeHomeFile(home, 'password', `${randomBytes(24).toString('base64url')}\n`)
  const args = [
    `--pgdata=${draft}`,
    `--username=${SUPERUSER}`,
    `--pwfile=${passwordFile(home)}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ]
  try {
    await promisify(execFile)(join(binaries, 'bin', 'initdb'), args, {
      cwd: '/',
      env: serverEnvironment,
      ...asUser(home.user),
    })
  } catch (error) {
    const { stderr } = error as { stderr?: string }
    if (stderr === undefined) throw error
    if (stderr.includes('No space left on device')) throw diskFull(home.folder)
    throw new EmbeddedDatabaseError(`PostgreSQL could not make its files in ${home.folder}: ${lastLine(stderr)}`)
  }
  await rename(draft, home.clusterDir)
}

const DRAFT = '.new-'

/** Removes what interrupted runs left. */
export async function removeDrafts({ folder }: Home) {
  for (const name of await readdir(folder)) {
    // One that is still written to may refuse; it goes the next time.
    if (name.startsWith(`cluster${DRAFT}`)) await rm(join(folder, name), { recursive: true }).catch(() => {})
  }
}

/** @throws EmbeddedDatabaseError */
export async function readPassword(home: Home): Promise<string> {
  try {
    return (await readFile(passwordFile(home), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new EmbeddedDatabaseError(
      `The file ${passwordFile(home)} is missing; the database cannot be opened without it. Restore it from a backup.`,
    )
  }
}

export const passwordFile = (home: Home) => join(home.folder, 'password')

const lastLine = (text: string) =>
  text
    .trim()
    .split('\n')
    .findLast((line) => line.includes('error:') || line.includes('FATAL')) ??
  text.trim().split('\n').at(-1) ??
  ''
