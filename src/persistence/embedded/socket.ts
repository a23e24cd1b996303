import { chmod, readdir, rename, rm } from 'node:fs/promises'
import { createServer, type Server, Socket } from 'node:net'
import { join } from 'node:path'
import type { Home } from './home.ts'

/**
 * What a socket shows of its server, also to processes that see neither its processes nor its network. `dead`: no process
 * listens any more. `absent`: there is no such file, which proves nothing.
 */
export type Answer = 'live' | 'dead' | 'absent' | 'unsure'

/** A connection to a socket file is made at once, or not at all; anything longer is a file system that hangs. */
const ASK_MS = 5_000

/**
 * A socket that each process of the server holds, from its first moment to its last, and that none answers: connecting to it
 * works as long as one of them lives. PostgreSQL's own socket is there later, and gone while sessions may still write.
 */
const LIFE = 'server.life'

/** PostgreSQL's own sockets, named for the port. */
const isServerSocket = (name: string) => /^\.s\.PGSQL\.\d+$/.test(name)

/** Whether a process of the home's server lives, as far as sockets show. */
export async function askForLife({ sockets, folder }: Home): Promise<Answer> {
  if (sockets === null) return 'absent'
  const names = [LIFE, ...(await readdir(folder)).filter(isServerSocket)]
  let answer: Answer = 'absent'
  for (const name of names) {
    const each = await ask(`${sockets}/${name}`)
    if (each === 'live' || each === 'unsure') return each
    if (each === 'dead') answer = each
  }
  return answer
}

/** What connecting to a socket file shows. */
export function ask(path: string): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = new Socket()
    const done = (answer: Answer) => {
      clearTimeout(timer)
      socket.destroy()
      resolve(answer)
    }
    const timer = setTimeout(done, ASK_MS, 'unsure')
    socket.once('connect', () => done('live'))
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => done(ANSWERS[code] ?? 'unsure'))
    socket.connect(path)
  })
}

/**
 * connect(2). EAGAIN: it listens, and as many as it takes wait for an answer. ECONNRESET: it listened until this moment; the next
 * answer is clear.
 */
const ANSWERS: Readonly<Record<string, Answer>> = {
  ECONNREFUSED: 'dead',
  ENOENT: 'absent',
  EAGAIN: 'live',
  ECONNRESET: 'live',
}

/** Why a folder takes no socket files: it is its file system's, or there is no short path to it (no /proc). */
const NO_SOCKETS: readonly unknown[] = ['EPERM', 'EACCES', 'EOPNOTSUPP', 'ENOTSUP', 'EINVAL', 'ENOSYS', 'ENOENT']

/**
 * Makes the socket by which the next server is known to live, for its process to inherit. Null where the folder takes no
 * sockets. The caller holds the door, and knows that no server lives.
 */
export async function makeLife({ sockets, folder }: Home): Promise<{ fd: number; close(): Promise<void> } | null> {
  if (sockets === null) return null
  const server = createServer((socket) => socket.destroy())
  // It gets its name by a rename: closing a socket here removes the file that it was made as, and others keep this one.
  const draft = `${LIFE}.new`
  await rm(join(folder, draft), { force: true })
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(`${sockets}/${draft}`, resolve)
    })
    // PostgreSQL does the same to its own, and gives up where it may not: shared folders of desktops.
    await chmod(join(folder, draft), 0o700)
  } catch (error) {
    if (server.listening) await new Promise((resolve) => server.close(resolve))
    if (NO_SOCKETS.includes((error as NodeJS.ErrnoException).code)) return null
    throw error
  }
  await rename(join(folder, draft), join(folder, LIFE))
  return { fd: fdOf(server), close: () => new Promise((resolve) => void server.close(() => resolve())) }
}

/** Node has no public way to it, and takes the number alone for what a child inherits. */
const fdOf = (server: Server) => (server as unknown as { _handle: { fd: number } })._handle.fd

/** Removes the socket files of a server that is dead, and PostgreSQL's locks on them. */
export async function removeSockets({ folder }: Home): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name === LIFE || isServerSocket(name.replace(/\.lock$/, ''))) await rm(join(folder, name), { force: true })
  }
}
