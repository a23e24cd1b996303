import { randomBytes } from 'node:crypto'
import { chown, link, mkdir, readFile, realpath, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { isShared } from './file-system.ts'
import { canPass, canUse, findServerUser, type ServerUser } from './server-user.ts'
import { openSocketFolder } from './socket-folder.ts'

/** Where a data directory's database lives, and who runs it. */
export interface Home {
  /** Holds `cluster/`, passwords, `port`, `server.log`, sockets and locks. */
  folder: string
  clusterDir: string
  /** The folder by a path that is short enough for a socket in it; null where there is none. */
  sockets: string | null
  /** Other machines may have the same folder. */
  shared: boolean
  /** Undefined: the user who runs Almanac. */
  user: ServerUser | undefined
}

/** Where databases go whose user cannot reach the data directory. */
const sharedHome = '/var/lib/almanac'

/**
 * Finds the home and opens the way to its sockets, which is closed at the end.
 *
 * @throws EmbeddedDatabaseError
 */
export async function openHome(dataDir: string, log: (message: string) => void): Promise<Home & Disposable> {
  const found = await findHome(dataDir, log)
  // The kernel reports a server's folder by its real path.
  const folder = await realpath(found.folder)
  const shared = await isShared(folder)
  const { path: sockets, close } = openSocketFolder(folder)
  return { ...home(folder, found.user), sockets, shared, [Symbol.dispose]: close }
}

/**
 * Finds the database's home, and makes it on first use: `postgres/` in the data directory. As root, where the server's
 * user cannot reach that folder, a folder below /var/lib/almanac; the data directory then holds its path in
 * `postgres-location` and says so in `README`.
 *
 * @throws EmbeddedDatabaseError
 */
async function findHome(dataDir: string, log: (message: string) => void): Promise<Omit<Home, 'sockets' | 'shared'>> {
  const asRoot = process.getuid?.() === 0
  // Root's data directory may be crossed, not listed, by the user that PostgreSQL runs as.
  await mkdir(dataDir, { recursive: true, mode: asRoot ? 0o711 : 0o700 })
  const moved = await readLocation(dataDir)
  const folder = moved ?? join(dataDir, 'postgres')
  const user = await findServerUser(join(folder, 'cluster'))
  if (moved !== null) {
    if (asRoot) await makeFolder(folder, user)
    else await checkMovedHome(dataDir, folder)
    return home(folder, user)
  }
  if (await makeReachable(dataDir, folder, user)) return home(folder, user)
  return home(await moveHome(dataDir, folder, user, log), user)
}

/** Removes a data directory, with its database wherever that is. No server of it runs. */
export async function removeEmbeddedDatabase(dataDir: string): Promise<void> {
  const moved = await readLocation(dataDir)
  if (moved !== null && dirname(moved) === sharedHome) await rm(moved, { recursive: true, force: true })
  await rm(dataDir, { recursive: true, force: true })
}

/** Writes a file of the home for the server's user alone, whole or not at all. */
export async function writeHomeFile(home: Home, name: string, text: string): Promise<void> {
  const path = join(home.folder, name)
  const draft = `${path}.new`
  await rm(draft, { force: true })
  await writeFile(draft, text, { mode: 0o600, flush: true })
  if (home.user) await chown(draft, home.user.uid, home.user.gid)
  await rename(draft, path)
}

const home = (folder: string, user: ServerUser | undefined): Omit<Home, 'sockets' | 'shared'> => ({
  folder,
  clusterDir: join(folder, 'cluster'),
  user,
})

async function makeReachable(dataDir: string, folder: string, user: ServerUser | undefined): Promise<boolean> {
  if (user && !(await canPass(user, dataDir))) return false
  try {
    await makeFolder(folder, user)
  } catch (error) {
    // Some mounts refuse to give a file to another user, even to root.
    if (user && (error as NodeJS.ErrnoException).code === 'EPERM') return false
    throw error
  }
  return canUse(user, folder)
}

/** Making it again changes nothing but the owner, should that have been missed. */
async function makeFolder(folder: string, user: ServerUser | undefined) {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (user) await chown(folder, user.uid, user.gid)
}

async function moveHome(dataDir: string, folder: string, user: ServerUser | undefined, log: (message: string) => void) {
  const who = user?.name ?? 'this user'
  if (await exists(join(folder, 'cluster'))) {
    throw new EmbeddedDatabaseError(
      `The user ${who}, who owns the database in ${folder}, cannot reach it there. Let this user pass through the folders above it (chmod o+x), or move the data directory to where it was.`,
    )
  }
  const elsewhere = join(sharedHome, newName(dataDir))
  log(`The user ${who}, as whom PostgreSQL runs, cannot reach ${dataDir}: the database goes to ${elsewhere}.`)
  await mkdir(sharedHome, { recursive: true, mode: 0o755 })
  await makeFolder(elsewhere, user)
  if (!(await canUse(user, elsewhere))) {
    throw new EmbeddedDatabaseError(
      `The user ${who}, as whom PostgreSQL runs, reaches neither ${dataDir} nor ${elsewhere}. Set ALMANAC_DATA_DIR to a folder that this user can reach.`,
    )
  }
  return settle(dataDir, elsewhere, who)
}

/** Writes down where the database is, unless another start was faster. */
async function settle(dataDir: string, elsewhere: string, who: string): Promise<string> {
  const draft = `${locationFile(dataDir)}.${basename(elsewhere)}`
  await writeFile(draft, `${elsewhere}\n`, { flush: true })
  try {
    await link(draft, locationFile(dataDir))
    await writeFile(join(dataDir, 'README'), readme(dataDir, elsewhere, who))
    return elsewhere
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    await rmdir(elsewhere)
    return (await readLocation(dataDir)) ?? elsewhere
  } finally {
    await rm(draft, { force: true })
  }
}

async function checkMovedHome(dataDir: string, folder: string) {
  const { uid } = await stat(folder)
  if (uid === process.getuid?.()) return
  throw new EmbeddedDatabaseError(
    `The database of ${dataDir} was made by root and is in ${folder}. Start Almanac as root, or set ALMANAC_DATA_DIR to another folder.`,
  )
}

const locationFile = (dataDir: string) => join(dataDir, 'postgres-location')

async function readLocation(dataDir: string): Promise<string | null> {
  try {
    return (await readFile(locationFile(dataDir), 'utf8')).trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

/**
 * A name that no data directory had before: a clone that is removed and made again in the same place starts empty. The
 * location file keeps it, so it stays when the data directory is renamed.
 */
function newName(dataDir: string): string {
  const project = basename(dirname(dataDir)).replace(/[^A-Za-z0-9-]/g, '') || 'data'
  return `${project}-${randomBytes(6).toString('hex')}`
}

const readme = (
  dataDir: string,
  folder: string,
  user: string,
) => `The database of this installation is not in this folder, but in

    ${folder}

Almanac was started as root here. PostgreSQL refuses to run as root, so it runs as the user
"${user}", who cannot reach ${dataDir}.
Everything else (media, keys, settings) is in this folder. A backup needs both folders; to remove
the installation, stop Almanac and remove both. The file postgres-location leads Almanac there.
`

const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )
