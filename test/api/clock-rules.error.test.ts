import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openDatabase, storeSeenClock } from '#persistence'
import { machineClock, readBoot } from '#publishing'
import { createDatabase } from '../_util/database/database.ts'
import { makeDataDir, runAlmanac } from '../_util/processes/app.ts'

vi.setConfig({ testTimeout: 60_000 })

let database: Awaited<ReturnType<typeof createDatabase>>
let dataDir: Awaited<ReturnType<typeof makeDataDir>>
beforeAll(async () => {
  database = await createDatabase()
  dataDir = await makeDataDir()
})
afterAll(async () => {
  await database.drop()
  await dataDir.remove()
})

test.each<[ms: number, ok: boolean, words: RegExp]>([
  [0, true, /agree/],
  [60_000, false, /\d\d\.\d s ahead of the database/],
  [-60_000, false, /\d\d\.\d s behind the database/],
])(
  'publish-24: doctor reports that the clock of its process is %i ms away from that of the database: well is %s',
  async (ms, ok, words) => {
    const settings = {
      DATABASE_URL: database.url,
      ALMANAC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      ALMANAC_DATA_DIR: dataDir.path,
      NODE_OPTIONS: `--import=data:text/javascript,const{now}=Date;Date.now=()=>now()+${ms}`,
    }
    const { stdout } = await runAlmanac(['doctor', '--json'], { settings })
    const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; message: string }[] }
    const [clock, ...others] = findings.filter(({ check }) => check === 'clock')
    expect(others).toEqual([])
    expect(clock?.message).toMatch(words)
    expect(clock?.status === 'ok').toBe(ok)
  },
)

test('doctor reports a clock that has jumped ahead, also when that of the machine has done the same', async () => {
  const db = openDatabase(database.url, { poolSize: 1 })
  const boot = readBoot()
  const seen = { boot: boot.id, boottimeMs: machineClock(boot).boottime() }
  const find = async () => {
    const settings = {
      DATABASE_URL: database.url,
      ALMANAC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
      ALMANAC_DATA_DIR: dataDir.path,
    }
    const { stdout } = await runAlmanac(['doctor', '--json'], { settings })
    const { findings } = JSON.parse(stdout) as { findings: { check: string; status: string; message: string }[] }
    return findings.find(({ check }) => check === 'clock')
  }
  try {
    await storeSeenClock(db, { ...seen, seenAt: new Date(Date.now() - 3_600_000) })
    expect(await find()).toMatchObject({ status: 'warning', message: expect.stringMatching(/jumped ahead by 36\d\d/) })
    await storeSeenClock(db, { ...seen, seenAt: new Date() })
    expect(await find()).toMatchObject({ status: 'ok' })
  } finally {
    await db.destroy()
  }
})
