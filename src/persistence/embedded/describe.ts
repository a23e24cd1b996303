import { readFile, readlink } from 'node:fs/promises'
import { openHome } from './home.ts'
import { acquireLock, readOwner, takeTurn } from './locks.ts'
import { findServer, type RunningServer, readNote, UnseenServer } from './postmaster.ts'

/** Where a data directory's own database is, and who uses it. */
export interface EmbeddedDatabasePlace {
  folder: string
  /** `ext4 on /dev/vda1`; null where that cannot be known. */
  fileSystem: string | null
  /** The namespace of processes of this one, `pid:[4026531836]`; null where there are none. */
  namespace: string | null
  /** `unseen`: one may run that cannot be seen from here. */
  server: { pid: number | null; here: boolean; socket: string | null } | 'unseen' | null
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
      server: await findServer(home).then(
        async (server) => server && { ...seen(server, home.folder), pid: (await readNote(home))?.pid ?? null },
        (error) => {
          if (error instanceof UnseenServer) return 'unseen' as const
          throw error
        },
      ),
      owner: turn ? null : await readOwner(home),
    }
  } finally {
    door.release()
  }
}

const seen = ({ pid, socket, port }: RunningServer, folder: string) => ({
  here: pid !== null,
  socket: socket ? `${folder}/.s.PGSQL.${port}` : null,
})

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
