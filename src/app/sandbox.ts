import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { tryLock } from '#persistence'
import { openSandbox, type Sandbox } from '#sandbox'
import type { Addresses } from './addresses.ts'
import type { Closing } from './base.ts'
import type { Installation } from './installation.ts'
import type { Log } from './log.ts'
import { inWords, StartError } from './start-error.ts'

/**
 * Opens the pretend networks of an installation for this process. Their files have one writer.
 *
 * @throws StartError, DamagedJournalError
 */
export async function startSandbox(
  { config, networks, log }: Installation & { log: Log },
  { sandboxUrl }: Pick<Addresses, 'sandboxUrl'>,
  closing: Closing,
): Promise<Sandbox> {
  const folder = join(config.dataDir, 'sandbox')
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const lock = await tryLock(join(folder, 'lock'))
    if (!lock) {
      throw new StartError(
        `Another process serves the sandbox in ${folder}. Stop it first, or switch the sandbox off here with ALMANAC_SANDBOX=off.`,
      )
    }
    closing.defer(async () => lock.release())
    const sandbox = openSandbox({
      networks,
      folder,
      url: sandboxUrl,
      now: () => new Date(),
      onError: (error) => log.error({ error }, 'A pretend network failed'),
    })
    closing.defer(async () => sandbox.close())
    return sandbox
  } catch (error) {
    throw inWords(error, { dataDir: config.dataDir })
  }
}
