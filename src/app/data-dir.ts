import { access, constants, mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { inWords, StartError } from './start-error.ts'

/**
 * Makes the data directory when it is missing, and checks that it can be written.
 *
 * @throws StartError
 */
export async function makeDataDir(dataDir: string): Promise<void> {
  try {
    await makeFolder(dataDir)
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    throw inWords(error, { dataDir })
  }
}

/** Level by level: Node's own recursive way never ends where a file system takes no folders, such as /proc. */
async function makeFolder(path: string): Promise<void> {
  const found = await stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' && path !== dirname(path)) return null
    throw error
  })
  if (found?.isDirectory()) return
  if (found) throw Object.assign(new Error('Not a folder.'), { code: 'ENOTDIR', path })
  await makeFolder(dirname(path))
  // Root's data directory may be crossed, not listed, by the user that PostgreSQL runs as.
  await mkdir(path, process.getuid?.() === 0 ? 0o711 : 0o700).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return
    if (error.code !== 'ENOENT') throw error
    throw new StartError(`No folder can be made in ${dirname(path)}. Set ALMANAC_DATA_DIR to another folder.`)
  })
}
