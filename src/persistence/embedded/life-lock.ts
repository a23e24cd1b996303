import { spawn } from 'node:child_process'
import { chown, type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import type { Home } from './home.ts'
import { serverEnvironment } from './server-user.ts'

/**
 * A file that each process of the server holds locked, from its first moment to its last, where sockets are and where none can be
 * made. The kernel ties this kind of lock, flock(2), to the open file, which children inherit, and not to a process.
 */
const FILE = 'server.lock'

/** Longer than a file system that answers takes. */
const ASK_MS = 10_000

/** `held`: a process of the server lives. `free`: none does of a server that took it. `unknown`: no such locks here. */
export type LockAnswer = 'held' | 'free' | 'unknown'

/** Whether a process of the home's server lives, as far as the lock shows. The caller holds the door: to ask is to take it for a moment. */
export async function askLock({ folder }: Home): Promise<LockAnswer> {
  const file = await open(join(folder, FILE), 'r').catch(() => null)
  if (!file) return 'unknown'
  try {
    return await lock(file, '-s')
  } finally {
    await file.close()
  }
}

/**
 * Takes the lock for the next server, whose process inherits it. Null where the system or the folder has no such locks. The
 * caller holds the door, and knows that no server lives.
 */
export async function takeLock({ folder, user }: Home): Promise<FileHandle | null> {
  const file = await open(join(folder, FILE), 'a', 0o600)
  try {
    if (user) await chown(join(folder, FILE), user.uid, user.gid)
    if ((await lock(file, '-x')) === 'free') return file
  } catch (error) {
    await file.close()
    throw error
  }
  await file.close()
  return null
}

/** Node has no call for it; this program takes the lock for the open file that it inherits, and ends. It is on every Linux. */
function lock(file: FileHandle, how: '-s' | '-x'): Promise<LockAnswer> {
  if (process.platform !== 'linux') return Promise.resolve('unknown')
  return new Promise((resolve) => {
    const program = spawn('flock', ['-n', how, '3'], {
      env: serverEnvironment,
      stdio: ['ignore', 'ignore', 'pipe', file.fd],
      timeout: ASK_MS,
    })
    let refusal = ''
    program.stderr?.setEncoding('utf8').on('data', (text: string) => {
      refusal += text
    })
    program.once('error', () => resolve('unknown'))
    // That of BusyBox gives 1 for every fault, with words.
    program.once('close', (code) => resolve(code === 0 ? 'free' : code === 1 && refusal === '' ? 'held' : 'unknown'))
  })
}
