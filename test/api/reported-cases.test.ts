import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { copyOfBegunData } from '../_util/database/begun-data.ts'
import { type RunningAlmanac, startAlmanac, withAnyRate } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

/**
 * Inputs out of the world's bug reports, with what is expected of them, which lie beside the checkout where Almanac is developed: all
 * that can be tried there. What became a test of ours needs none of it.
 */
const FOLDER = join(import.meta.dirname, '../../../shared/cases')

/** Those that do not hold, each with the reason. */
const OPEN: Readonly<Record<string, string>> = {
  'inuvik-winter': 'Node has no zone data that is new enough',
  'url-user-agent': 'requests say whom to reach only where the installation has an address that others can open',
}

interface Case {
  id: string
  area: string
  type: string
  occurrences?: string[]
  media?: string
  expect?: unknown
}

interface Tried {
  /** Null: something that it needs is not there. */
  ok: boolean | null
  got: unknown
}

/** A value of a case in JSON: bytes and expressions are written as objects. */
function revive(_: string, value: unknown): unknown {
  const { $base64, $regexp, flags, $repeat, times } = (value ?? {}) as Record<string, unknown>
  if (typeof $base64 === 'string') return Buffer.from($base64, 'base64')
  if (typeof $regexp === 'string') return new RegExp($regexp, String(flags ?? ''))
  if (typeof $repeat === 'string') return $repeat.repeat(Number(times))
  return value
}

const load = (name: string) => import(pathToFileURL(join(FOLDER, name)).href)

async function readAreas(): Promise<Map<string, Case[]>> {
  const areas = new Map<string, Case[]>()
  for (const name of existsSync(FOLDER) ? readdirSync(join(FOLDER, 'cases')).sort() : []) {
    const area = name.replace(/\.\w+$/, '')
    const cases: Omit<Case, 'area'>[] = name.endsWith('.json')
      ? JSON.parse(readFileSync(join(FOLDER, 'cases', name), 'utf8'), revive)
      : (await load(`cases/${name}`)).default
    areas.set(
      area,
      cases.map((each) => ({ area, ...each })),
    )
  }
  return areas
}

const areas = await readAreas()
const missing = areas.size === 0
if (missing && process.env.CI === 'true') throw new Error(`The reported cases are not at ${FOLDER}.`)
if (missing) process.stderr.write(`Reported cases: not at ${FOLDER}, so none is tried.\n`)

describe.skipIf(missing)('what people report of programs of this kind holds here', () => {
  if (missing) test('is tried', () => {})
  const tried = new Map<string, Tried>()
  let almanac: RunningAlmanac | undefined
  let removeData: (() => Promise<void>) | undefined

  beforeAll(async () => {
    const data = await copyOfBegunData()
    removeData = data.remove
    const ports = await Promise.all([...areas].map(() => freePort()))
    almanac = await startAlmanac({
      settings: {
        ALMANAC_DATA_DIR: data.path,
        ALMANAC_PORT: '0',
        ALMANAC_TRUSTED_FETCH_HOSTS: ports.map((port) => `127.0.0.1:${port}`).join(','),
        TZ: 'Europe/Berlin',
        ...(await withAnyRate(data.path)),
      },
    })
    const { key, ownerEmail: email, ownerPassword: password } = await almanac.firstSignIn()
    const { TYPES } = await load('interpret.mjs')
    const { openAlmanac, Skip } = await load('kit.mjs')
    const inputs = readInputs()
    const base = almanac.url
    // The demo connects its accounts behind the start.
    const accounts = async () => {
      const answer = await fetch(`${base}/v1/social-sets`, { headers: { authorization: `Bearer ${key}` } })
      if (!answer.ok) return 0
      const { data } = (await answer.json()) as { data: { accounts: unknown[] }[] }
      return Math.max(...data.map((set) => set.accounts.length))
    }
    await vi.waitFor(async () => expect(await accounts()).toBeGreaterThanOrEqual(11), {
      timeout: 30_000,
      interval: 200,
    })
    // The areas at once, as each waits for most of its time.
    await Promise.all(
      [...areas.values()].map(async (cases, index) => {
        const kit = openAlmanac({ base, key, email, password, filePort: Number(ports[index]) })
        try {
          for (const each of cases) {
            if (each.occurrences) each.expect = within(each.occurrences)
            const result = await TYPES[each.type](kit, each, inputs).catch((error: Error) => ({
              ok: error instanceof Skip ? null : false,
              got: error.stack,
            }))
            tried.set(each.id, result)
          }
        } finally {
          kit.close()
        }
      }),
    )
  }, 600_000)
  afterAll(async () => {
    await almanac?.stop()
    await removeData?.()
  })

  for (const [area, cases] of areas) {
    describe(area, () => {
      test.for(cases.map(({ id }) => id))('%s', (id, { skip }) => {
        const { ok, got } = tried.get(id) ?? { ok: false, got: 'It was not tried.' }
        const reason = OPEN[id]
        if (ok === null) return skip(`it needs what is not here: ${got}`)
        if (reason === undefined) expect({ ok, got }).toEqual({ ok: true, got })
        // What holds by now leaves the list.
        else expect({ ok, reason }).toEqual({ ok: false, reason })
      })
    })
  }
})

/** Files that cases name; the first of a kind is what posts carry. */
function readInputs(): Record<string, Buffer> {
  const inputs: Record<string, Buffer> = {}
  for (const folder of ['files', 'made'].map((name) => join(FOLDER, name)).filter((path) => existsSync(path)))
    for (const name of readdirSync(folder)) inputs[name] = readFileSync(join(folder, name))
  const { 'base.jpg': picture, 'carrier.mp4': video } = inputs
  return { ...inputs, ...(picture && { picture }), ...(video && { video }) }
}

const DAY_MS = 86_400_000
/** Occurrences in the time for which calendars are read. */
function within(occurrences: readonly string[]): string[] {
  const day = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
  return occurrences.filter((time) => time >= day(-30) && time < day(367)).map((time) => `${time} Rule`)
}
