import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { lockPath, missingPackages, recordPath } from './lockfile.mjs'
import { runNpm } from './npm.mjs'
import { modulesDir, nodeWanted, pinnedNode, postgresProgram, projectDir, runsAlmanac, Stop } from './platform.mjs'
import { inTurn } from './turn.mjs'

const stampPath = join(modulesDir, '.almanac-install.json')
/** How long it takes goes by the machine and its network; the README says the same. */
export const INSTALLING = "Installing Almanac's packages. This happens once and takes a minute or two."
const say = (message) => process.stderr.write(`${message}\n`)

/**
 * Installs what is missing and answers the Node that runs Almanac.
 *
 * A stamp in node_modules makes the second start quick: it holds for one lock file and one installation by npm. What an
 * earlier command installed for the tests stays when only running is asked for.
 *
 * @param kind `run`: what running needs. `all`: also what the tests need.
 */
export async function install(kind) {
  const stamp = readStamp()
  if (stamp && satisfies(stamp, kind)) return nodeOf(stamp)
  if (isComplete(kind)) return nodeOf(writeStamp(kind))
  try {
    return nodeOf(await inTurn((include) => installNow(kind, include), say))
  } catch (error) {
    if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC'].includes(error.code)) throw error
    const why = error.code === 'ENOSPC' ? 'the disk is full' : 'this user may not write there'
    throw new Stop(`Almanac's packages cannot be installed in ${projectDir}: ${why} (${error.path ?? error.code}).`)
  }
}

async function installNow(kind, include) {
  // Another process may have done it while this one waited.
  if (!isComplete(kind)) await runInstallation(kind, include)
  return writeStamp(kind)
}

async function runInstallation(kind, include) {
  mkdirSync(modulesDir, { recursive: true })
  accessSync(modulesDir, constants.W_OK)
  const omit = kind === 'all' ? '--include=dev' : '--omit=dev'
  say(INSTALLING)
  if (kind === 'all' && isComplete('run')) {
    // Adds without removing: an Almanac that runs from this folder keeps its files.
    await runNpm(['install', '--save=false', omit], { onStart: include })
    if (missingPackages(kind).length === 0) return
  }
  // npm removes everything before it begins; from here on nothing may look complete until it is.
  const clean = (node) => {
    rmSync(stampPath, { force: true })
    rmSync(recordPath, { force: true })
    return runNpm(['ci', omit], { node, onStart: include })
  }
  await clean()
  // An old Node makes npm leave out optional packages that want a newer one; the pinned Node is there by now.
  if (missingPackages(kind).length > 0 && existsSync(pinnedNode ?? '')) await clean(pinnedNode)
  const missing = missingPackages(kind)
  if (missing.length > 0) {
    throw new Stop(
      `npm said it was done, but these packages are missing: ${missing.slice(0, 5).join(', ')}. Start again.`,
    )
  }
  if (!programsThere()) throw new Stop(`npm said it was done, but ${pinnedNode} or ${postgresProgram} is missing.`)
}

const isComplete = (kind) => missingPackages(kind).length === 0 && programsThere()

const programsThere = () => [pinnedNode, postgresProgram].every((path) => path === null || existsSync(path))

/** @returns `{ key, kind, pinned }`; pinned: the package's Node runs here */
function readStamp() {
  try {
    const stamp = JSON.parse(readFileSync(stampPath, 'utf8'))
    return stamp.key === currentKey() ? stamp : null
  } catch {
    return null
  }
}

function satisfies(stamp, kind) {
  return (stamp.kind === 'all' || stamp.kind === kind) && programsThere()
}

function writeStamp(kind) {
  // A package for the right system may still not run: on Alpine, whose C library is another one.
  const pinned = pinnedNode !== null && spawnSync(pinnedNode, ['--version']).status === 0
  const found = kind === 'run' && missingPackages('all').length === 0 ? 'all' : kind
  const stamp = { key: currentKey(), kind: found, pinned }
  try {
    linkNode(pinned)
    writeFileSync(stampPath, `${JSON.stringify(stamp)}\n`)
  } catch (error) {
    // A complete installation that cannot be written to is as good; it is only looked through at every start. Another
    // process may write the same at the same time.
    if (!['EACCES', 'EPERM', 'EROFS', 'EEXIST'].includes(error.code)) throw error
  }
  return stamp
}

/**
 * npm 10 leaves this link out and then, wherever it installs anything, takes the package for broken and fetches it again.
 * A Node that does not run here must not stand in the way of the one that does: npm puts this folder first on the PATH.
 */
function linkNode(pinned) {
  const link = join(modulesDir, '.bin', 'node')
  if (!pinned) rmSync(link, { force: true })
  else if (!existsSync(link)) symlinkSync(relative(dirname(link), pinnedNode), link)
}

/** Changes with the lock file, with the system, and when npm installs anything. */
function currentKey() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`)
  for (const path of [lockPath, recordPath]) hash.update(readFileSync(path)).update('\n')
  return hash.digest('hex')
}

function nodeOf({ pinned }) {
  if (pinned) return pinnedNode
  if (runsAlmanac(process.version)) return process.execPath
  throw new Stop(nodeWanted)
}
