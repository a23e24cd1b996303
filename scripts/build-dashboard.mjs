// node scripts/build-dashboard.mjs: builds the dashboard from web/ into web/dist, when what is there is of another
// version. `npm start` and `npm test` do it; run by the pinned Node, after the installation.
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { isStamped, sources, stampOf, takePlace, unwritable, writeStamp } from './built-folder.mjs'
import { command, projectDir, Stop } from './platform.mjs'
import { run } from './run.mjs'

const webDir = join(projectDir, 'web')
const distDir = join(webDir, 'dist')
/** Folders of builds that are under way or being removed; beside the real one, so that renaming is enough. */
const BESIDE = '.dist-'

/** Whether web/dist was built from what is there now. */
export function isDashboardBuilt() {
  return isStamped(distDir, currentStamp())
}

/**
 * Builds the dashboard unless it is built. Ends with a Stop when that cannot be.
 *
 * @param node the Node to build with, as `install` answers it
 */
export async function buildDashboardWith(node) {
  if (isDashboardBuilt()) return
  const code = await run(node, [join(projectDir, 'scripts', 'build-dashboard.mjs')])
  if (code > 128) throw new Stop('The building of the dashboard was interrupted.')
  if (code !== 0) throw new Stop('The dashboard could not be built.')
}

/**
 * Builds web/dist in this process. The finished folder takes the old one's place by renaming, so a server that runs
 * keeps its files until then, and of two that build at once the later one finds its work done.
 */
export async function buildDashboard({ say }) {
  if (isDashboardBuilt()) return
  say('Building the dashboard. This happens once per version.')
  const stamp = currentStamp()
  const folder = join(webDir, `${BESIDE}${process.pid}-${randomUUID().slice(0, 8)}`)
  try {
    await bundle(folder)
    await compress(folder)
    writeStamp(folder, stamp)
    takePlace(folder, distDir, isDashboardBuilt)
  } catch (error) {
    const why = unwritable(error)
    if (why === null) throw error
    throw new Stop(`The dashboard cannot be built in ${webDir}: ${why}.`)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function bundle(outDir) {
  // React has a slow half for development; which one is taken depends on this.
  process.env.NODE_ENV = 'production'
  const { build } = await import('vite')
  // The first one empties the folder, the second one adds to it.
  for (const config of ['vite.config.ts', 'vite.shared.config.ts']) {
    await build({
      configFile: join(webDir, config),
      // Node reads TypeScript itself; vite's own loader would write into node_modules.
      configLoader: 'native',
      logLevel: 'error',
      build: { outDir },
    })
  }
}

/** Writes `.br` and `.gz` beside every text: the server sends what the browser takes, and compresses nothing itself. */
async function compress(folder) {
  const brotli = promisify(brotliCompress)
  const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }
  const files = (await readdir(folder, { recursive: true })).filter((name) => /\.(js|css|svg|json|txt)$/.test(name))
  await Promise.all(
    files.map(async (name) => {
      const path = join(folder, name)
      const text = await readFile(path)
      await Promise.all([
        brotli(text, quality).then((small) => writeFile(`${path}.br`, small)),
        promisify(gzip)(text, { level: 9 }).then((small) => writeFile(`${path}.gz`, small)),
      ])
    }),
  )
}

/** Changes with every file that the build reads, and with the packages. */
function currentStamp() {
  const made = (path) => dirname(path) === webDir && (basename(path) === 'dist' || basename(path).startsWith(BESIDE))
  return stampOf([...sources(webDir, made), ...pureSources(), join(projectDir, 'package-lock.json')])
}

/** Files of the server that the dashboard is built with: they have ways in of their own, such as `#contract/limits`. */
function pureSources() {
  const { imports } = JSON.parse(readFileSync(join(projectDir, 'package.json'), 'utf8'))
  return Object.entries(imports).flatMap(([name, path]) => (name.includes('/') ? [join(projectDir, path)] : []))
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await command(async () => {
    await buildDashboard({ say: (message) => process.stderr.write(`${message}\n`) })
    return 0
  })
}
