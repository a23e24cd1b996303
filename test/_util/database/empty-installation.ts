import { makeDataDir, type Settings } from '../processes/app.ts'
import { createDatabase } from './database.ts'

/**
 * An installation without an account, on a database of the run's server: nothing has to make a server of its own, and no command
 * has to start one. For tests about other things than the database of an installation.
 */
export async function emptyInstallation(): Promise<{ path: string; settings: Settings; remove(): Promise<void> }> {
  const [data, database] = [await makeDataDir(), await createDatabase()]
  return {
    path: data.path,
    settings: {
      ALMANAC_DATA_DIR: data.path,
      DATABASE_URL: database.url,
      ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    },
    async remove() {
      await database.drop()
      await data.remove()
    },
  }
}
