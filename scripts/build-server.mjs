// node scripts/build-server.mjs: builds the server from src/ into a folder of dist/ that is named after the version, and prints
// where its program is. `npm start` and the tests do it; run by the pinned Node, after the installation.
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { areClientsBuilt, buildClients } from './build-clients.mjs'
import { sources, stampOf, unwritable } from './built-folder.mjs'
import { command, projectDir } from './platform.mjs'
import { run } from './run.mjs'

const srcDir = join(projectDir, 'src')
const distDir = join(projectDir, 'dist')
const SOURCE = join(srcDir, 'main.ts')
/** How files name programs and threads of ours. */
const STARTED = /new URL\('\.\/([\w-]+-(?:program|thread))\.ts', import\.meta\.url\)/g
/** How many versions are kept. A server that runs loads some of its files when they are needed. */
const KEPT = 3
/** Packages that look for files of their own beside their code, or hold programs of the machine. */
const OUTSIDE = ['sharp', '@embedpdf/pdfium', 'pg-native', 'pino', '@fastify/swagger']

/**
 * The program to run: the server as it is built, else its source, which takes twice the time to start. That is run where
 * `ALMANAC_FROM_SOURCE` is set and where nothing can be written.
 *
 * @param node the Node to build with, as `install` answers it
 */
export async function programWith(node) {
  const fromSource = process.env.ALMANAC_FROM_SOURCE
  // It is none of Almanac's own settings.
  delete process.env.ALMANAC_FROM_SOURCE
  if (fromSource) return SOURCE
  const built = builtProgram()
  if (existsSync(built) && areClientsBuilt()) return built
  const code = await run(node, [join(projectDir, 'scripts', 'build-server.mjs'), '--quiet'])
  return code === 0 && existsSync(built) ? built : SOURCE
}

/** Where the program of the sources of now is, once it is built. */
function builtProgram() {
  return join(distDir, versionOfSources(), 'main.js')
}

const versionOfSources = () =>
  stampOf([...sources(srcDir), join(projectDir, 'package-lock.json'), import.meta.filename]).slice(0, 16)

/** Builds in this process, unless it is built. The finished folder gets its name by renaming: there is no half of one. */
export async function buildServer() {
  const program = builtProgram()
  if (existsSync(program)) return program
  const folder = join(distDir, `.${process.pid}-${randomUUID().slice(0, 8)}`)
  try {
    mkdirSync(folder, { recursive: true })
    await bundle(folder)
    renameSync(folder, dirname(program))
  } catch (error) {
    // Another process was quicker, and has built the same.
    if (!['ENOTEMPTY', 'EEXIST'].includes(error.code)) throw error
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  removeOld()
  return program
}

async function bundle(outDir) {
  const { rolldown } = await import('rolldown')
  const { viteDynamicImportVarsPlugin, viteImportGlobPlugin } = await import('rolldown/experimental')
  const build = await rolldown({
    input: { main: SOURCE, ...programs() },
    cwd: projectDir,
    platform: 'node',
    external: [/^node:/, ...OUTSIDE],
    // Folders of networks are found where they are, and their rooms imported by name.
    plugins: [
      withoutTests,
      placesOfSources(outDir),
      viteDynamicImportVarsPlugin({ include: [/\/src\/networks\/registry\.ts$/] }),
      viteImportGlobPlugin({ root: projectDir }),
    ],
    onLog(level, log) {
      if (level === 'warn') throw new Error(`The build of the server warns: ${log.message}`)
    },
  })
  try {
    await build.write({
      dir: outDir,
      format: 'esm',
      sourcemap: true,
      // Names of errors are read in logs.
      keepNames: true,
      entryFileNames: '[name].js',
      chunkFileNames: '[name]-[hash].js',
    })
  } finally {
    await build.close()
  }
}

/** What runs in processes and threads of its own is found beside what starts it. */
function programs() {
  const found = new Set()
  for (const path of sources(srcDir).filter((path) => path.endsWith('.ts')))
    for (const [, name] of readFileSync(path, 'utf8').matchAll(STARTED)) found.add(join(dirname(path), `${name}.ts`))
  const byName = Object.fromEntries([...found].map((path) => [basename(path, '.ts'), path]))
  if (Object.keys(byName).length < found.size) throw new Error('Two programs have one name.')
  return byName
}

/** The folder of networks' tests stands among theirs, and needs what is not installed to run. */
const withoutTests = {
  name: 'without-tests',
  load: { filter: { id: /\/src\/networks\/conformance\/index\.ts$/ }, handler: () => 'export {}' },
}

/** What a file of ours finds beside itself, such as pictures and pages, it goes on to find there; programs beside the build. */
function placesOfSources(outDir) {
  return {
    name: 'places-of-sources',
    transform: {
      filter: { id: /\/src\/.*\.ts$/, code: 'import.meta.' },
      handler(code, id) {
        if (!id.startsWith(srcDir)) return null
        // The folder's depth is the same where it will be.
        const source = JSON.stringify(relative(outDir, id))
        const folder = JSON.stringify(relative(outDir, dirname(id)))
        const placed = code
          .replaceAll(STARTED, 'new URL("./$1.js", BUILT_HERE)')
          .replaceAll('import.meta.url', `new URL(${source}, import.meta.url).href`)
          .replaceAll(
            'import.meta.dirname',
            `process.getBuiltinModule('node:path').join(import.meta.dirname, ${folder})`,
          )
          .replaceAll('BUILT_HERE', 'import.meta.url')
        const other = /import\.meta\.(?!url\b|dirname\b)\w+/.exec(code)
        if (other) throw new Error(`${id}: ${other[0]} is another one in the server as it is built.`)
        // No line moves.
        return { code: placed, map: null }
      },
    },
  }
}

function removeOld() {
  const versions = readdirSync(distDir)
    .filter((name) => /^[0-9a-f]{16}$/.test(name))
    .map((name) => ({
      path: join(distDir, name),
      at: statSync(join(distDir, name), { throwIfNoEntry: false })?.mtimeMs ?? 0,
    }))
    .sort((a, b) => b.at - a.at)
  for (const { path } of versions.slice(KEPT)) rmSync(path, { recursive: true, force: true })
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const quiet = process.argv.includes('--quiet')
  await command(async () => {
    try {
      const program = await buildServer()
      await buildClients().catch((error) => {
        if (unwritable(error) === null) throw error
        process.stderr.write(`Almanac offers no clients: they cannot be built: ${unwritable(error)}.\n`)
      })
      if (!quiet) process.stdout.write(`${program}\n`)
      return 0
    } catch (error) {
      const why = unwritable(error)
      if (why === null) throw error
      process.stderr.write(
        `Almanac starts from its sources, which takes longer: the server cannot be built in ${distDir}: ${why}.\n`,
      )
      return 1
    }
  })
}
