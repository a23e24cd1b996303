import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { projectDir } from './platform.mjs'

/** Changes with every one of these files of the project: a build of other ones is another version. */
export function stampOf(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    hash
      .update(`${relative(projectDir, path).split(sep).join('/')}\n`)
      .update(readFileSync(path))
      .update('\n')
  }
  return hash.digest('hex')
}

/** All files below a folder but tests, in one order on every machine. `leaveOut` gets paths of folders. */
export function sources(folder, leaveOut = () => false) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (leaveOut(path)) return []
      if (entry.isDirectory()) return sources(path, leaveOut)
      return /\.test\.tsx?$/.test(entry.name) ? [] : [path]
    })
}

/** What kept a build from being written, in words; null for another fault. */
export function unwritable(error) {
  if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error.code)) return null
  const why = error.code === 'ENOSPC' ? 'the disk is full' : 'this user may not write there'
  return `${why} (${error.path ?? error.code})`
}

const STAMP = '.stamp'

/** Whether a folder was built as the version of this stamp. */
export function isStamped(folder, stamp) {
  try {
    return readFileSync(join(folder, STAMP), 'utf8') === stamp
  } catch (error) {
    if (error.code === 'ENOENT') return false
    throw error
  }
}

export function writeStamp(folder, stamp) {
  writeFileSync(join(folder, STAMP), stamp)
}

/** A finished folder takes the place of the one before by renaming: what is read from that goes on until then. */
export function takePlace(folder, distDir, isBuilt) {
  const old = `${folder}-old`
  for (;;) {
    try {
      renameSync(distDir, old)
    } catch (error) {
      if (error.code !== 'ENOENT') throw error
    }
    try {
      renameSync(folder, distDir)
      break
    } catch (error) {
      // Another process was quicker. What it has built is as good when it is of the same version.
      if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error
      if (isBuilt()) break
    } finally {
      rmSync(old, { recursive: true, force: true })
    }
  }
}
