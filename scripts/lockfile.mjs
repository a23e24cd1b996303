import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { modulesDir, projectDir } from './platform.mjs'

export const lockPath = join(projectDir, 'package-lock.json')
/** npm's own record of what it installed. It writes it last, so an interrupted installation has none. */
export const recordPath = join(modulesDir, '.package-lock.json')

/**
 * The packages that the lock file wants and npm's record does not have, as `path@version`.
 *
 * npm leaves out an optional package silently when the Node that runs npm is too old for it, so those for this very
 * system are looked for too. Other optional ones are alternatives for systems that have no program of their own.
 *
 * @param kind `run`: what running needs. `all`: also what the tests need.
 */
export function missingPackages(kind) {
  const wanted = Object.entries(read(lockPath)).filter(
    ([path, entry]) => path !== '' && (kind === 'all' || !entry.dev) && (!entry.optional || isForThisSystem(entry)),
  )
  const installed = readRecord()
  return wanted
    .filter(([path, entry]) => installed[path]?.version !== entry.version)
    .map(([path, entry]) => `${path.replace(/^.*node_modules\//, '')}@${entry.version}`)
}

const read = (path) => JSON.parse(readFileSync(path, 'utf8')).packages

function readRecord() {
  try {
    return read(recordPath)
  } catch (error) {
    if (error.code === 'ENOENT' || error instanceof SyntaxError) return {}
    throw error
  }
}

const list = (value) => (value === undefined ? [] : [value].flat())

function isForThisSystem(entry) {
  const names = [...list(entry.os), ...list(entry.cpu)]
  const libc = list(entry.libc)
  return (
    names.length > 0 &&
    list(entry.os).every((name) => name === process.platform) &&
    list(entry.cpu).every((name) => name === process.arch) &&
    (libc.length === 0 || libc.includes(currentLibc()))
  )
}

let libc
/** npm's words for the C library; the report is slow, so it is asked once. */
function currentLibc() {
  libc ??= process.report.getReport().header.glibcVersionRuntime ? 'glibc' : 'musl'
  return libc
}
