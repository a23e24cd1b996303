import { chmod, lstat, mkdtemp, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedDatabase, removeEmbeddedDatabase } from '#persistence'

interface DrillOptions {
  projectDir: string
  /** Hears in words what is done. */
  progress(message: string): void
}

/** The folder of a drill names its process. */
const FOLDER = /^almanac-verify-(\d+)-/

/**
 * A database of its own, with a server of its own, in a folder for temporary files: both are gone at the end. What drills have left
 * that were killed goes first, with their servers, which go on without them.
 */
export async function openDrillDatabase({
  projectDir,
  progress,
}: DrillOptions): Promise<{ url: string } & AsyncDisposable> {
  for (const left of await drillsLeft()) {
    try {
      const server = await openEmbeddedDatabase({ dataDir: left, projectDir, mode: 'own', log: () => {} })
      await server.stop()
      await removeEmbeddedDatabase(left)
      progress(`Removed what a drill has left that was broken off: ${left}`)
    } catch (error) {
      progress(`A drill that was broken off has left ${left}, which could not be removed. ${(error as Error).message}`)
    }
  }
  const dataDir = await mkdtemp(join(tmpdir(), `almanac-verify-${process.pid}-`))
  // Root's server runs as another user, who has to get there.
  if (process.getuid?.() === 0) await chmod(dataDir, 0o711)
  try {
    const server = await openEmbeddedDatabase({ dataDir, projectDir, mode: 'own', log: progress })
    return {
      url: server.url,
      async [Symbol.asyncDispose]() {
        await server.stop()
        await removeEmbeddedDatabase(dataDir)
      },
    }
  } catch (error) {
    await removeEmbeddedDatabase(dataDir)
    throw error
  }
}

/** Folders of this user whose drills run no more. */
async function drillsLeft(): Promise<string[]> {
  const left: string[] = []
  for (const name of await readdir(tmpdir())) {
    const [, pid] = FOLDER.exec(name) ?? []
    if (pid === undefined || runs(Number(pid))) continue
    const folder = join(tmpdir(), name)
    const { uid } = await lstat(folder).catch(() => ({ uid: -1 }))
    if (uid === process.getuid?.()) left.push(folder)
  }
  return left
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}
