import { readFile, readlink } from 'node:fs/promises'
import { type Home, openHome } from './home.ts'
import { acquireLock, readOwner, takeTurn } from './locks.ts'
import { findServer, type RunningServer, readNote, UnseenServer } from './postmaster.ts'
import { readStart } from './server-process.ts'

/** Where a data directory's own database is, and who uses it. */
interface EmbeddedDatabasePlace {
  folder: string
  /** `ext4 on /dev/vda1`; null where that cannot be known. */
  fileSystem: string | null
  /** Other machines may have the same files. */
  shared: boolean
  /** The namespace of processes of this one, `pid:[4026531836]`; null where there are none. */
  namespace: string | null
  /** `unseen`: one may run that cannot be seen from here. */
  server:
    | {
        pid: number | null
        /** The namespace that it was started in; null where that is not known. */
        namespace: string | null
        here: boolean
        socket: string | null
      }
    | 'unseen'
    | null
  /** The Almanac that has the data, as ` (process 12 on 3f2a9c1b)`; null: none has. */
  owner: string | null
}

/**
 * Looks at the database of a data directory without opening it.
 *
 * @throws EmbeddedDatabaseError
 */
export async function describeEmbeddedDatabase(dataDir: string): Promise<EmbeddedDatabasePlace> {
  using home = await openHome(dataDir, () => {})
  const door = await acquireLock(home)
  try {
    const turn = await takeTurn(home)
    turn?.release()
    return {
      folder: home.folder,
      fileSystem: await fileSystemOf(home.folder),
      namespace: await readlink('/proc/self/ns/pid').catch(() => null),
      shared: home.shared,
      server: await describeServer(home),
      owner: turn ? null : await readOwner(home),
    }
  } finally {
    door.release()
  }
}

async function describeServer(home: Home): Promise<EmbeddedDatabasePlace['server']> {
  let running: Pick<RunningServer, 'pid' | 'socket' | 'port'> | null
  try {
    running = await findServer(home)
  } catch (error) {
    if (!(error instanceof UnseenServer)) throw error
    if (!error.lives) return 'unseen'
    running = { pid: null, socket: false, port: 0 }
  }
  if (!running) return null
  const note = await readNote(home)
  const start = note && (await readStart(home, note))
  return {
    pid: note?.pid ?? null,
    namespace: start?.namespace ?? null,
    here: running.pid !== null,
    socket: running.socket ? `${home.folder}/.s.PGSQL.${running.port}` : null,
  }
}

/** Of the mount that has the folder: proc_pid_mountinfo(5). Its places have spaces and the like in octal. */
async function fileSystemOf(folder: string): Promise<string | null> {
  const text = await readFile('/proc/self/mountinfo', 'utf8').catch(() => '')
  let found: { place: string; words: string } | null = null
  for (const line of text.split('\n')) {
    const [mount = '', source = ''] = line.split(' - ')
    const place = decodeOctal(mount.split(' ')[4] ?? '')
    const [type, device] = source.split(' ')
    const within = place !== '' && `${folder}/`.startsWith(place === '/' ? place : `${place}/`)
    // A later mount on the same place hides an earlier one.
    if (within && place.length >= (found?.place.length ?? 0)) found = { place, words: `${type} on ${device}` }
  }
  return found?.words ?? null
}

const decodeOctal = (text: string) =>
  text.replace(/\\(\d{3})/g, (_, octal) => String.fromCharCode(Number.parseInt(octal, 8)))
