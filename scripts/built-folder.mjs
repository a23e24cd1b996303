import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
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
