import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { appendFile, chmod, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openDatabase } from '#persistence'
import { makeDataDir, startAlmanac } from '../processes/app.ts'
import { superuserUrl } from './superuser.ts'

/** Set by global-setup.ts for the processes that run tests: the folder of the run, which is removed at its end. */
export const RUN_DIR = 'ALMANAC_TESTS_RUN_DIR'

let template: Promise<string> | undefined

/** How often a process looks whether the one that makes the template has done so. */
const LOOK_MS = 100

/**
 * A folder with the data of an installation that was started once and has its demo account with an empty calendar: a copy, which
 * costs a fraction of a first start. The demo's social set is in Europe/Berlin, and `first-sign-in.json` has its key and owner.
 */
export async function copyOfBegunData(): Promise<{ path: string; remove(): Promise<void> }> {
  const data = await makeDataDir()
  const runDir = process.env[RUN_DIR]
  // A bench has no run that would remove the template.
  if (runDir === undefined) return data
  template ??= begunOnce(runDir)
  // With owners and modes: as root, the database belongs to another user.
  await promisify(execFile)('cp', ['-a', await template, data.path])
  return data
}

/** Made by the first process of a run that asks for it, while others wait; the run's own folder goes at its end. */
async function begunOnce(runDir: string): Promise<string> {
  const path = join(runDir, 'begun')
  const making = `${path}-by-one`
  for (;;) {
    if (existsSync(path)) return path
    try {
      await mkdir(making)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      await delay(LOOK_MS)
      continue
    }
    try {
      // As root, the database runs as another user, who has to pass through.
      await chmod(making, 0o711)
      await begin(join(making, 'data'))
      // Whole for everyone at once.
      await rename(join(making, 'data'), path)
    } catch (error) {
      await rm(making, { recursive: true, force: true })
      throw error
    }
  }
}

async function begin(path: string): Promise<void> {
  // The demo's social set gets the zone of the machine.
  const almanac = await startAlmanac({
    settings: { ALMANAC_DATA_DIR: path, ALMANAC_PORT: '0', TZ: 'Europe/Berlin', ALMANAC_DEMO_WEEK: 'off' },
  })
  await almanac.firstSignIn()
  // Nor does a copy ask whether it is one: a folder without a witness asks nothing where none is known.
  const port = (await readFile(join(path, 'postgres/port'), 'utf8')).trim()
  const database = openDatabase(await superuserUrl(path, `postgres://127.0.0.1:${port}/almanac`), { poolSize: 1 })
  await database.deleteFrom('data_folders').execute()
  await database.destroy()
  await almanac.stop()
  // Each copy chooses a port of its own: several run at the same time.
  await rm(join(path, 'postgres/port'))
  await rm(join(path, 'media/installations'), { recursive: true })
  // No copy outlives its tests.
  await appendFile(join(path, 'postgres/cluster/postgresql.auto.conf'), 'fsync = off\nfull_page_writes = off\n')
}
