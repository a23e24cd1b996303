import { randomBytes } from 'node:crypto'
import { readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * What lets a person in for the first time. It is printed to a terminal alone; what a service prints is stored in its log,
 * so there the secrets are written to this file of the data directory, which its owner alone reads.
 */
const FILE = 'first-sign-in.json'
const DRAFT = '.new'
/** Writing a file that small never takes so long. */
const DRAFT_MS = 60_000

/** The demo account's. */
export interface DemoSignIn {
  /** Where the owner signs in. */
  dashboard: string
  ownerEmail: string
  ownerPassword: string
  /** An API key with all scopes. */
  key: string
}

/** The address at which the first account is created. */
interface SetupSignIn {
  setup: string
}

/** Whether a person reads what is printed. */
export function atTerminal(): boolean {
  return process.stdout.isTTY === true
}

/** Replaces what the file has. Gives its path. */
export async function writeFirstSignIn(dataDir: string, secrets: DemoSignIn | SetupSignIn): Promise<string> {
  const path = join(dataDir, FILE)
  await removeOldDrafts(dataDir)
  const draft = `${path}${DRAFT}-${randomBytes(4).toString('hex')}`
  await writeFile(draft, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600, flag: 'wx', flush: true })
  await rename(draft, path)
  return path
}

/** Of processes that were killed. A young one may be another process's that writes it now. */
async function removeOldDrafts(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(`${FILE}${DRAFT}`)) continue
    const path = join(dataDir, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }))
    if (Date.now() - mtimeMs > DRAFT_MS) await rm(path, { force: true })
  }
}

/** Removes the file when what it has is no longer of use. */
export async function removeFirstSignIn(dataDir: string): Promise<void> {
  await rm(join(dataDir, FILE), { force: true })
}

/** Removes the address of the setup, which opens nothing once there is an account. The demo account's secrets stay. */
export async function removeSetupAddress(dataDir: string): Promise<void> {
  const text = await readFile(join(dataDir, FILE), 'utf8').catch(() => '')
  if (/^ *"setup":/m.test(text)) await removeFirstSignIn(dataDir)
}
