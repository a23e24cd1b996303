// node scripts/build-clients.mjs: builds what the service offers to programs and writers, clients/dist/*.tgz, when what is there is of
// another version. The same sources give the same bytes. Run by the pinned Node, after the installation; asks no network.
import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isStamped, sources, stampOf, takePlace, writeStamp } from './built-folder.mjs'
import { command, modulesDir, projectDir } from './platform.mjs'
import { tarballOf } from './tarball.mjs'

const clientsDir = join(projectDir, 'clients')
const distDir = join(clientsDir, 'dist')
const BESIDE = '.dist-'

/** Whether clients/dist was built from what is there now. */
export function areClientsBuilt() {
  return isStamped(distDir, currentStamp())
}

/** Builds clients/dist in this process, unless it is built. */
export async function buildClients() {
  if (areClientsBuilt()) return
  const stamp = currentStamp()
  const folder = join(clientsDir, `${BESIDE}${process.pid}-${randomUUID().slice(0, 8)}`)
  try {
    mkdirSync(folder)
    for (const [name, bytes] of Object.entries(await makeTarballs())) writeFileSync(join(folder, name), bytes)
    writeStamp(folder, stamp)
    takePlace(folder, distDir, areClientsBuilt)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The packages by the names of their files. */
export async function makeTarballs() {
  return {
    'almanac-client.tgz': tarballOf(await clientFiles()),
    'almanac-post.tgz': tarballOf(await commandFiles()),
    'n8n-nodes-almanac.tgz': tarballOf(await n8nFiles()),
  }
}

/** ESM and CommonJS, each with types of its own kind: types of one are not those of the other. */
async function clientFiles() {
  const srcDir = join(clientsDir, 'typescript', 'src')
  const input = join(srcDir, 'index.ts')
  const [esm, cjs] = [await bundled({ input, format: 'esm' }), await bundled({ input, format: 'cjs' })]
  return [
    ...shown('typescript'),
    { name: 'dist/index.js', bytes: esm.code },
    { name: 'dist/index.cjs', bytes: cjs.code },
    ...(await declarations(srcDir)),
  ]
}

/** One program with all that it is made of: nothing is looked for by a name that others could take. */
async function commandFiles() {
  const input = join(clientsDir, 'command', 'src', 'main.ts')
  const { code, modules } = await bundled({ input, format: 'esm', platform: 'node' })
  return [
    ...shown('command'),
    { name: 'dist/main.js', bytes: `#!/usr/bin/env node\n${code}`, mode: 0o755 },
    { name: 'LICENSES', bytes: licensesOf(modules) },
  ]
}

/** What n8n loads: each node and the credential as a file of CommonJS, with what belongs to it beside it. */
async function n8nFiles() {
  const srcDir = join(clientsDir, 'n8n', 'src')
  const nameOf = (path) => `dist/${relative(srcDir, path).replaceAll('\\', '/')}`
  const paths = sources(srcDir)
  const loaded = paths.filter((path) => /\.(node|credentials)\.ts$/.test(path))
  const beside = paths.filter((path) => !path.endsWith('.ts'))
  const built = []
  for (const input of loaded) {
    const { code } = await bundled({ input, format: 'cjs', external: ['n8n-workflow', 'node:crypto'] })
    built.push({ name: nameOf(input).replace(/\.ts$/, '.js'), bytes: code })
  }
  return [...shown('n8n'), ...built, ...beside.map((path) => ({ name: nameOf(path), bytes: readFileSync(path) }))]
}

const shown = (folder) =>
  [
    [join(clientsDir, folder, 'package.json'), 'package.json'],
    [join(clientsDir, folder, 'README.md'), 'README.md'],
    [join(projectDir, 'LICENSE'), 'LICENSE'],
  ].map(([path, name]) => ({ name, bytes: readFileSync(path) }))

async function bundled({ input, format, platform = 'neutral', external = platform === 'node' ? [/^node:/] : [] }) {
  const { rolldown } = await import('rolldown')
  const build = await rolldown({
    input,
    cwd: projectDir,
    platform,
    external,
    onLog(level, log) {
      if (level === 'warn') throw new Error(`The build of a client warns: ${log.message}`)
    },
  })
  try {
    const { output } = await build.generate({ format, exports: 'named', keepNames: true, codeSplitting: false })
    const [{ code, moduleIds }, ...more] = output
    if (more.length > 0) throw new Error('A client is not one file.')
    return { code, modules: moduleIds }
  } finally {
    await build.close()
  }
}

/** Types of every file, without a compiler: each says its own. */
async function declarations(srcDir) {
  const { isolatedDeclarationSync } = await import('rolldown/experimental')
  return sources(srcDir).flatMap((path) => {
    const { code, errors } = isolatedDeclarationSync(path, readFileSync(path, 'utf8'), { stripInternal: true })
    if (errors.length > 0) throw new Error(`${path} does not say its types: ${errors[0].message}`)
    const name = basename(path, '.ts')
    const linked = (kind) => code.replace(/(from\s+|import\()(['"])(\.\/[^'"]+)\.ts\2/g, `$1$2$3.${kind}$2`)
    return [
      { name: `dist/${name}.d.ts`, bytes: linked('js') },
      { name: `dist/cjs/${name}.d.cts`, bytes: linked('cjs') },
    ]
  })
}

/** The licenses of all packages that a bundle has parts of. */
function licensesOf(modules) {
  const names = new Set(modules.flatMap((id) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1] ?? []))
  return [...names]
    .sort()
    .map((name) => {
      const folder = join(modulesDir, name)
      const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each))
      if (file === undefined) throw new Error(`${name} has no license.`)
      return `${name}\n${'='.repeat(name.length)}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
    })
    .join('\n\n')
}

/** Changes with every file that the build reads, and with the packages. */
function currentStamp() {
  const made = (path) => path === distDir || basename(path).startsWith(BESIDE)
  const scripts = ['build-clients.mjs', 'tarball.mjs'].map((name) => join(projectDir, 'scripts', name))
  return stampOf([
    ...sources(clientsDir, made),
    ...scripts,
    join(projectDir, 'LICENSE'),
    join(projectDir, 'package-lock.json'),
  ])
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  await command(async () => {
    await buildClients()
    return 0
  })
}
