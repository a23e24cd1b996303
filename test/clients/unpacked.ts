import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '../..')
export const DIST = join(root, 'clients/dist')
export const TARBALLS = ['almanac-client', 'almanac-post']
/** What n8n loads, which is its only dependency. */
export const NODES = 'n8n-nodes-almanac'

/** Builds what the service offers, unless it is built. */
export async function buildClients(): Promise<void> {
  const { code, stderr } = await runNode(root, ['scripts/build-clients.mjs'])
  if (code !== 0) throw new Error(stderr)
}

export interface Unpacked {
  path: string
  remove(): Promise<void>
}

/** A folder outside of the project in which the packages are where npm would put them. */
export async function unpackClients(): Promise<Unpacked> {
  await buildClients()
  const path = await mkdtemp(join(tmpdir(), 'almanac-clients-'))
  for (const name of [...TARBALLS, NODES]) {
    const folder = join(path, 'node_modules', name)
    await mkdir(folder, { recursive: true })
    await promisify(execFile)('tar', ['-xzf', join(DIST, `${name}.tgz`), '-C', folder, '--strip-components=1'])
  }
  return { path, remove: () => rm(path, { recursive: true }) }
}

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** Runs a program of Node in a folder to its end. */
export function runNode(cwd: string, args: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd, env: { PATH: process.env.PATH ?? '', ...env } }
    const child = execFile(process.execPath, [...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code ?? 1) : 0, stdout, stderr })
    })
    child.stdin?.end()
  })
}
