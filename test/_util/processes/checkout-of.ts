import { execFile } from 'node:child_process'
import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const projectDir = join(import.meta.dirname, '../../..')
const run = promisify(execFile)

/** Whether the history of this checkout reaches back to a commit. */
export async function isKnown(commit: string): Promise<boolean> {
  const asked = run('git', ['cat-file', '-e', `${commit}^{commit}`], { cwd: projectDir })
  return asked.then(
    () => true,
    () => false,
  )
}

/** The tree of a commit in a folder of its own, with the packages of this checkout. */
export async function checkoutOf(commit: string): Promise<{ path: string; remove(): Promise<void> }> {
  const path = await mkdtemp(join(tmpdir(), 'almanac-before-'))
  const archive = join(path, 'tree.tar')
  await run('git', ['archive', '--output', archive, commit], { cwd: projectDir })
  await run('tar', ['-xf', archive, '-C', path])
  await rm(archive)
  await symlink(join(projectDir, 'node_modules'), join(path, 'node_modules'))
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
