import { execFile } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { inject } from 'vitest'
import { makeDataDir, startAlmanac } from './app.ts'

let template: Promise<string> | undefined

/**
 * A folder with the data of an installation that was started once and has its demo account: a copy, which costs a
 * fraction of a first start. The demo's social set is in Europe/Berlin, and `first-sign-in.json` has its key and owner.
 */
export async function copyOfBegunData(): Promise<{ path: string; remove(): Promise<void> }> {
  template ??= begin()
  const data = await makeDataDir()
  // With owners and modes: as root, the database belongs to another user.
  await promisify(execFile)('cp', ['-a', await template, data.path])
  return data
}

/** Made once by each process that runs tests; the run's own folder goes at its end. */
async function begin(): Promise<string> {
  const path = join(inject('runDir'), `begun-${process.pid}`)
  // The demo's social set gets the zone of the machine.
  const almanac = await startAlmanac({
    settings: { ALMANAC_DATA_DIR: path, ALMANAC_PORT: '0', TZ: 'Europe/Berlin' },
  })
  await almanac.firstSignIn()
  await almanac.stop()
  // Each copy chooses a port of its own: several run at the same time.
  await rm(join(path, 'postgres/port'))
  return path
}
