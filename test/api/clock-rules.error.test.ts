import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { makeDataDir, runAlmanac } from '../_util/app.ts'
import { createDatabase } from '../_util/database.ts'

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
  'doctor reports that the clock of its process is %i ms away from that of the database: well is %s',
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
