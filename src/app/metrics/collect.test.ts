import { expect, test } from 'vitest'
import { directAddress, openDatabase } from '#persistence'
import { createDatabase, shutDatabase } from '../../../test/_util/database/database.ts'
import { METRICS, metricsOf, type ServedBy } from './catalog.ts'
import { createCollector } from './collect.ts'
import { createInstruments } from './instruments.ts'

const report = { ok: true, problems: [], lastWriteAt: new Date(5_000), oldest: null }
const health = { live: async () => report, ready: async () => report }

const namesOf = (text: string) => [...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name ?? '')
const own = (names: readonly string[]) => names.filter((name) => !/^almanac_(process|nodejs)_/.test(name)).sort()

test.each<[ServedBy[]]>([[['all', 'publishing', 'api']], [['all', 'api']], [['all', 'publishing']]])(
  'a process that serves %j has these metrics, and no others',
  async (served) => {
    const names = namesOf(await createInstruments(served).registry.metrics())
    expect(own(names)).toEqual(
      metricsOf(served)
        .map(({ name }) => name)
        .sort(),
    )
    expect(names).toContain('almanac_process_cpu_seconds_total')
  },
)

test('what cannot be read is left out, in one line of the log, and the scrape goes on', async () => {
  const database = await createDatabase()
  const db = openDatabase(database.url)
  await using closing = new AsyncDisposableStack()
  closing.defer(() => db.destroy())
  const instruments = createInstruments(['all', 'publishing', 'api'])
  const logged: string[] = []
  const log = { warn: (_: object, words: string) => void logged.push(words) }
  const sources = { database: directAddress(database.url), health, pools: { work: db }, log }
  const open = await shutDatabase(database.url)
  const collect = createCollector(sources, instruments, closing)
  const valueLines = async () => {
    await collect()
    return (await instruments.registry.metrics()).split('\n')
  }
  const ofInstallation = Object.values(METRICS).filter((metric) => 'ofInstallation' in metric)
  const shown = (lines: readonly string[]) =>
    ofInstallation.filter(({ name }) =>
      lines.some((line) => line.startsWith(`${name} `) || line.startsWith(`${name}{`)),
    )

  for (let scrapes = 0; scrapes < 2; scrapes += 1) {
    const lines = await valueLines()
    expect(lines).toContain('almanac_database_up 0')
    expect(lines).toContain('almanac_last_write_timestamp_seconds 5')
    expect(lines).toContain('almanac_pool_waiting{pool="work"} 0')
    expect(shown(lines)).toEqual([])
  }
  expect(logged).toEqual(['The figures of the installation cannot be read and are left out of the metrics'])

  await open()
  const lines = await valueLines()
  expect(lines).toContain('almanac_database_up 1')
  expect(lines).toContain('almanac_due_sets 0')
  expect(lines).toContain('almanac_lane_deliveries{network="bluesky",place="HEAD"} 0')
  expect(shown(lines)).toEqual(ofInstallation)

  // What was read counts for some seconds.
  await shutDatabase(database.url)
  expect(await valueLines()).toContain('almanac_database_up 1')
  await closing.disposeAsync()
  await database.drop()
})

test('health is shown as it is, and a write that never was is left out', async () => {
  const instruments = createInstruments(['all'])
  const unwell = { ...report, ok: false, problems: ['The database does not answer.'] }
  const lines = async () => (await instruments.registry.metrics()).split('\n')
  instruments.setHealth(unwell, unwell)
  expect(await lines()).toEqual(expect.arrayContaining(['almanac_healthy 0', 'almanac_database_writable 0']))
  instruments.setHealth({ ...report, lastWriteAt: null }, report)
  expect(await lines()).toEqual(expect.arrayContaining(['almanac_healthy 1', 'almanac_database_writable 1']))
  expect((await lines()).some((line) => line.startsWith('almanac_last_write_timestamp_seconds'))).toBe(false)
})
