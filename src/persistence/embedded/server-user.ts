import { execFile } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { EmbeddedDatabaseError } from './embedded-database-error.ts'

/** The user that PostgreSQL runs as, when that is not the one who runs Almanac: PostgreSQL refuses root. */
export interface ServerUser {
  name: string
  uid: number
  gid: number
}

/** What PostgreSQL's programs see of the environment: nothing of ours, and a language whose messages we can read. */
export const serverEnvironment = { PATH: '/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }

/**
 * Undefined when Almanac does not run as root. As root: the owner of the database's files when there are some, else the
 * existing user `postgres`, else `nobody`. No user is ever made.
 *
 * @throws EmbeddedDatabaseError
 */
export async function findServerUser(clusterDir: string): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const users = await readUsers()
  const owner = await ownerOf(clusterDir)
  if (owner?.uid === 0) {
    throw new EmbeddedDatabaseError(
      `The files in ${clusterDir} belong to root, and PostgreSQL refuses to run as root. Give them to another user: chown -R postgres ${clusterDir}`,
    )
  }
  if (owner) return users.find(({ uid }) => uid === owner.uid) ?? { name: String(owner.uid), ...owner }
  for (const name of ['postgres', 'nobody']) {
    const user = users.find((candidate) => candidate.name === name)
    if (user) return user
  }
  throw new EmbeddedDatabaseError(
    'PostgreSQL refuses to run as root, and there is neither a user postgres nor nobody. Start Almanac as an ordinary user, or set DATABASE_URL.',
  )
}

/** Whether `user` can read and enter, or run, what is at `path`. */
export const canUse = (user: ServerUser | undefined, path: string) => ask(user, 'test -r "$1" && test -x "$1"', path)

/** Whether `user` can go through the folder `path`. */
export const canPass = (user: ServerUser, path: string) => ask(user, 'test -x "$1"', path)

/** Asked as that user: modes, access lists and mounts all have their say. */
async function ask(user: ServerUser | undefined, question: string, path: string): Promise<boolean> {
  try {
    await promisify(execFile)('/bin/sh', ['-c', question, 'sh', path], {
      cwd: '/',
      env: serverEnvironment,
      ...asUser(user),
    })
    return true
  } catch {
    return false
  }
}

/** The options of a child process that runs as this user. */
export const asUser = (user: ServerUser | undefined) => (user ? { uid: user.uid, gid: user.gid } : {})

async function ownerOf(path: string): Promise<{ uid: number; gid: number } | undefined> {
  try {
    const { uid, gid } = await stat(path)
    return { uid, gid }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function readUsers(): Promise<ServerUser[]> {
  const text = await readFile('/etc/passwd', 'utf8').catch(() => '')
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':')
    return name && uid && gid && !line.startsWith('#') ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}
