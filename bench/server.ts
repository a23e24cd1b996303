import { makeDataDir, type RunningAlmanac, startAlmanac, withAnyRate } from '../test/_util/processes/app.ts'
import { freePort } from '../test/_util/processes/ports.ts'
import { SECRET_KEY } from './lateness/seed.ts'

/** A folder of data that goes when `closing` does. */
export async function openDataDir(closing: AsyncDisposableStack): Promise<string> {
  const data = await makeDataDir()
  closing.defer(() => data.remove())
  return data.path
}

/** Starts Almanac on a database, asked as often as a bench likes and without a sandbox. It ends when `closing` does. */
export async function startServer(
  closing: AsyncDisposableStack,
  {
    process,
    databaseUrl,
    dataDir,
    settings,
  }: { process?: 'up' | 'api'; databaseUrl: string; dataDir: string; settings?: Record<string, string> },
): Promise<RunningAlmanac> {
  const almanac = await startAlmanac({
    process: process ?? 'up',
    settings: {
      DATABASE_URL: databaseUrl,
      ALMANAC_DATA_DIR: dataDir,
      ALMANAC_PORT: await freePort(),
      ALMANAC_SECRET_KEY: SECRET_KEY.toString('base64'),
      ALMANAC_SANDBOX: 'off',
      ...(await withAnyRate(dataDir)),
      ...settings,
    },
  })
  closing.defer(async () => void (await almanac.stop()))
  return almanac
}
