import { execFile } from 'node:child_process'
import { lstat, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'
import { KEPT_DIR } from '../run/run-folder.ts'

/**
 * Starts a Chromium without a window. On Linux x64 it is the one of an npm package, so that nothing else has to be
 * installed; elsewhere the Chrome of this machine.
 *
 * The browser's own sandbox is on where it can be: root has none, and some systems refuse it to ordinary users. Pages
 * here come from servers that the tests themselves start.
 */
export async function launchBrowser(): Promise<Browser> {
  if (process.platform !== 'linux' || process.arch !== 'x64') return chromium.launch({ channel: 'chrome' })
  program ??= unpacked()
  const dir = await program
  const options: LaunchOptions = {
    executablePath: join(dir, 'chromium'),
    chromiumSandbox: process.getuid?.() !== 0,
    // The same letters on every machine: what fits into a line must not depend on the fonts that are installed.
    env: { ...process.env, FONTCONFIG_FILE: join(dir, 'fonts.conf') },
  }
  for (;;) {
    try {
      return await chromium.launch(options)
    } catch (error) {
      const said = String(error)
      if (/error while loading shared libraries/.test(said) && !options.env?.LD_LIBRARY_PATH) {
        options.env = { ...options.env, LD_LIBRARY_PATH: join(dir, 'al2023', 'lib') }
      } else if (/sandbox/i.test(said) && options.chromiumSandbox) {
        options.chromiumSandbox = false
      } else {
        throw error
      }
    }
  }
}

let program: Promise<string> | undefined

/** The browser outlives a run of tests. */
const keptDir = () => process.env[KEPT_DIR] ?? tmpdir()

const require = createRequire(import.meta.url)
const packageDir = join(require.resolve('@sparticuz/chromium'), '../..')

/**
 * The folder that holds the browser, its fonts and the libraries that some systems lack: one per version and user, about
 * 210 MB. It is made under another name and renamed when it is complete, so processes that begin at once never see half
 * of it.
 */
async function unpacked(): Promise<string> {
  const { version } = require(join(packageDir, 'package.json')) as { version: string }
  const name = `almanac-chromium-${version}-${process.getuid?.()}`
  const dir = join(keptDir(), name)
  if (await isOurs(dir)) return dir
  await removeLeftovers(name)
  const made = `${dir}.${process.pid}`
  await mkdir(made, { mode: 0o700 })
  // The package unpacks into the system's folder for passing things, which is another one for this child. It adds the
  // libraries only where it believes to be in a cloud that lacks them.
  await promisify(execFile)(
    process.execPath,
    ['-e', `import('@sparticuz/chromium').then(({ default: it }) => it.executablePath())`],
    { cwd: import.meta.dirname, env: { TMPDIR: made, AWS_LAMBDA_JS_RUNTIME: 'nodejs22.x' } },
  )
  await writeFile(
    join(made, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig><dir>${dir}/fonts</dir><cachedir>${dir}/fonts-cache</cachedir></fontconfig>\n`,
  )
  try {
    await rename(made, dir)
  } catch (error) {
    await rm(made, { recursive: true })
    // Another process was quicker.
    if (!(await isOurs(dir))) throw error
  }
  return dir
}

/** What is run from a folder that everybody may write to must be this user's own. */
async function isOurs(dir: string): Promise<boolean> {
  const found = await lstat(dir).catch(() => null)
  if (found && (!found.isDirectory() || found.uid !== process.getuid?.())) {
    throw new Error(`${dir} belongs to another user.`)
  }
  return found !== null
}

/** A process that was killed while it unpacked leaves half a browser. */
async function removeLeftovers(name: string): Promise<void> {
  for (const entry of await readdir(keptDir())) {
    if (!entry.startsWith(`${name}.`)) continue
    const pid = Number(entry.slice(name.length + 1))
    if (!isAlive(pid)) await rm(join(keptDir(), entry), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
