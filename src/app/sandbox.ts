import { join } from 'node:path'
import type { Networks } from '#networks'
import { tryLock, waitForLock } from '#persistence'
import { openSandbox, type Sandbox } from '#sandbox'
import type { Addresses } from './addresses.ts'
import type { Closing } from './base.ts'
import type { Begun } from './begin.ts'
import { makeDataDir } from './data-dir.ts'
import type { Installation } from './installation.ts'
import { StartError } from './start-error.ts'

/** A command holds the lock for a moment only; what holds it longer is another process that serves. */
const VISITOR_MS = 3_000

/**
 * Opens the pretend networks for the process that serves them.
 *
 * @throws StartError, DamagedJournalError
 */
export async function startSandbox(
  installation: Begun & { networks: Networks },
  { sandboxUrl }: Pick<Addresses, 'sandboxUrl'>,
  closing: Closing,
): Promise<Sandbox> {
  const { log } = installation
  const folder = await folderOf(installation)
  const lock = await waitForLock(join(folder, 'lock'), { timeoutMs: VISITOR_MS })
  if (!lock) {
    throw new StartError(
      `Another process serves the sandbox in ${folder}. Stop it first, or switch the sandbox off here with ALMANAC_SANDBOX=off.`,
    )
  }
  closing.defer(async () => lock.release())
  return open(installation, { folder, serves: true, url: sandboxUrl }, closing, (error) =>
    log.error({ error }, 'A pretend network failed'),
  )
}

/**
 * Opens the pretend networks for a command, beside the process that serves them or in its place while there is none.
 *
 * @throws StartError, DamagedJournalError
 */
export async function visitSandbox(
  installation: Installation & { networks: Networks },
  { sandboxUrl }: Pick<Addresses, 'sandboxUrl'>,
  closing: Closing,
): Promise<Sandbox> {
  const folder = await folderOf(installation)
  const lock = await tryLock(join(folder, 'lock'))
  if (lock) closing.defer(async () => lock.release())
  return open(installation, { folder, serves: lock !== null, url: sandboxUrl }, closing, () => {})
}

async function folderOf({ config }: Installation): Promise<string> {
  const folder = join(config.dataDir, 'sandbox')
  await makeDataDir(config.dataDir)
  await makeDataDir(folder)
  return folder
}

function open(
  { networks }: { networks: Networks },
  place: { folder: string; serves: boolean; url: string },
  closing: Closing,
  onError: (error: unknown) => void,
): Sandbox {
  const sandbox = openSandbox({ networks, ...place, now: () => new Date(), onError })
  closing.defer(async () => sandbox.close())
  return sandbox
}
