import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import type { SecretBox } from '#domain'
import type { Networks, SigningKeys } from '#networks'
import { tryLock, waitForLock } from '#persistence'
import { type FileFetch, openSandbox, type Sandbox } from '#sandbox'
import type { Addresses } from './addresses.ts'
import type { Begun } from './begin.ts'
import type { Closing } from './closing.ts'
import { makeDataDir } from './data-dir.ts'
import type { Installation } from './installation.ts'
import { withEarlierKeys } from './sandbox-keys.ts'
import { openSandboxWords } from './sandbox-words.ts'
import { sandboxKeysOf } from './secrets.ts'
import { StartError } from './start-error.ts'

/** What simulators are opened with, besides the installation. */
interface SandboxParts {
  networks: Networks
  box: SecretBox
}

/** A command holds the lock for a moment only; what holds it longer is another process that serves. */
const VISITOR_MS = 3_000

/**
 * Opens the simulators for the process that serves them.
 *
 * @throws StartError, DamagedJournalError
 */
export async function startSandbox(
  installation: Begun & SandboxParts,
  addresses: Addresses,
  closing: Closing,
): Promise<Sandbox> {
  const { config, log } = installation
  if (config.sandbox.open) log.warn({}, openSandboxWords(config))
  const folder = await folderOf(installation)
  const lock = await waitForLock(join(folder, 'lock'), { timeoutMs: VISITOR_MS })
  if (!lock) {
    throw new StartError(
      `Another process serves the sandbox in ${folder}. Stop it first, or switch the sandbox off here with ALMANAC_SANDBOX=off.`,
    )
  }
  closing.defer(async () => lock.release())
  const files = await openFiles(addresses, closing)
  const keys = await withEarlierKeys(folder, sandboxKeysOf(installation.box))
  return open(installation, { folder, serves: true, files, keys }, addresses, closing, (error) =>
    log.error({ error }, 'A simulator failed'),
  )
}

/** The ways of simulators to files: the internet, and the media of this installation wherever it is. */
async function openFiles({ publicUrl }: Addresses, closing: Closing): Promise<FileFetch> {
  const { createGuardedFetch } = await import('#media')
  const guarded = createGuardedFetch({ trustedHosts: [] })
  const own = createGuardedFetch({ trustedHosts: [new URL(publicUrl).host] })
  closing.defer(async () => {
    await Promise.all([guarded.close(), own.close()])
  })
  return { guarded, own, ownPrefix: new URL(`${publicUrl}/media/`).href }
}

/** A command opens accounts at simulators; nothing is fetched for it. */
const NO_FILES: FileFetch['guarded'] = {
  download: () => Promise.reject(new TypeError('Simulators fetch files for the process that serves them.')),
}

/**
 * Opens the simulators for a command, beside the process that serves them or in its place while there is none.
 *
 * @throws StartError, DamagedJournalError
 */
export async function visitSandbox(
  installation: Installation & SandboxParts,
  addresses: Addresses,
  closing: Closing,
): Promise<Sandbox> {
  const folder = await folderOf(installation)
  const lock = await tryLock(join(folder, 'lock'))
  if (lock) closing.defer(async () => lock.release())
  const files = { guarded: NO_FILES, own: NO_FILES, ownPrefix: '' }
  const keys = sandboxKeysOf(installation.box)
  return open(installation, { folder, serves: lock !== null, files, keys }, addresses, closing, () => {})
}

async function folderOf({ config }: Installation): Promise<string> {
  const folder = join(config.dataDir, 'sandbox')
  await makeDataDir(config.dataDir)
  await makeDataDir(folder)
  // For this user alone: others may cross the data directory.
  await chmod(folder, 0o700)
  return folder
}

function open(
  { networks }: SandboxParts,
  place: { folder: string; serves: boolean; files: FileFetch; keys: SigningKeys },
  { publicUrl, sandboxUrl }: Addresses,
  closing: Closing,
  onError: (error: unknown) => void,
): Sandbox {
  const now = () => new Date()
  const sandbox = openSandbox({ networks, ...place, url: sandboxUrl, publicUrl, now, onError })
  closing.defer(async () => sandbox.close())
  return sandbox
}
