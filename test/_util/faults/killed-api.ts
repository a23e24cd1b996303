import type { Scope } from '#contract'
import { newId } from '#domain'
import { createKey } from '#operations'
import { type Database, insertAccount, insertSocialSet, openDatabase } from '#persistence'
import { createDatabase } from '../database/database.ts'
import { makeDataDir, startAlmanac, withPlans } from '../processes/app.ts'
import { freePort } from '../processes/ports.ts'

/** The interface in a process of its own that can be killed, with an account whose plan bounds nothing. */
interface KilledApi {
  db: Database
  accountId: string
  socialSetId: string
  /** The same after each start. */
  url: string
  key: string
  /** Kills the process. */
  kill(): void
  /** Kills the process, and starts another one on the same port and database. */
  killAndStart(): Promise<void>
}

/**
 * @param closing ends it all
 * @param options.through another address for the process's way to its database
 */
export async function openKilledApi(
  closing: AsyncDisposableStack,
  {
    name,
    scopes,
    through = async (url) => url,
  }: { name: string; scopes: readonly Scope[]; through?: (url: string) => Promise<string> },
): Promise<KilledApi> {
  const dataDir = await makeDataDir()
  closing.defer(() => dataDir.remove())
  const database = await createDatabase()
  closing.defer(() => database.drop())
  const settings = {
    ALMANAC_DATA_DIR: dataDir.path,
    DATABASE_URL: await through(database.url),
    ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    ALMANAC_PORT: await freePort(),
    ALMANAC_LOG_LEVEL: 'error',
    ...(await withPlans(dataDir.path, { SCALE: { requestsPerSecond: 1_000_000, monthlyPosts: null } })),
  }
  const start = () => startAlmanac({ process: 'api', settings })
  let almanac = await start()
  closing.defer(async () => {
    await almanac.stop()
  })
  const db = openDatabase(database.url, { poolSize: 2 })
  closing.defer(() => db.destroy())
  const [accountId, socialSetId] = [newId(), newId()]
  await insertAccount(db, { id: accountId, name, slug: accountId, plan: 'SCALE' })
  await insertSocialSet(db, { id: socialSetId, accountId, name, timezone: 'UTC' })
  const { key } = await createKey({ db }, { accountId, name, scopes, socialSetIds: null })
  return {
    ...{ db, accountId, socialSetId, url: almanac.url, key },
    kill: () => almanac.signal('SIGKILL'),
    async killAndStart() {
      almanac.signal('SIGKILL')
      await almanac.ended
      almanac = await start()
    },
  }
}
