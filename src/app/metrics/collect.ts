import type { Health } from '#http'
import {
  type Database,
  type DatabaseAddress,
  type Figures,
  metricLimits,
  openDatabase,
  poolCounts,
  readFigures,
} from '#persistence'
import type { Closing } from '../closing.ts'
import type { Instruments } from './instruments.ts'

/** How long figures of the installation count: several may scrape, at any rate. */
const FRESH_MS = 5_000

export interface Sources {
  database: DatabaseAddress
  health: Health
  /** Pools of this process by what they are for. */
  pools: Readonly<Record<string, Database>>
  log: { warn(fields: object, message: string): void }
}

/** Brings everything that a scrape reads up to date. Never rejects. */
export function createCollector(sources: Sources, instruments: Instruments, closing: Closing): () => Promise<void> {
  const { health, pools, log } = sources
  // Its own: a scrape neither waits for what works nor takes a connection from it.
  const db = openDatabase(sources.database, {
    poolSize: 1,
    name: 'almanac-metrics',
    limits: metricLimits,
    silenceMs: 1_000,
  })
  closing.defer(() => db.destroy())
  let known: { until: number; figures: Promise<Figures | null> } | null = null
  let failed = false

  async function read(): Promise<Figures | null> {
    try {
      const figures = await readFigures(db)
      failed = false
      return figures
    } catch (error) {
      // One line for each time that it begins.
      if (!failed) log.warn({ error }, 'The figures of the installation cannot be read and are left out of the metrics')
      failed = true
      return null
    }
  }

  function figures(): Promise<Figures | null> {
    if (known === null || known.until < performance.now()) {
      const reading = { until: Number.POSITIVE_INFINITY, figures: read() }
      known = reading
      void reading.figures.then((figures) => {
        // What failed is tried again by the next one.
        reading.until = figures === null ? 0 : performance.now() + FRESH_MS
      })
    }
    return known.figures
  }

  return async () => {
    const [live, ready, now] = await Promise.all([health.live(), health.ready(), figures()])
    instruments.setHealth(live, ready)
    instruments.setFigures(now)
    for (const [pool, database] of Object.entries(pools)) instruments.setPool(pool, poolCounts(database))
  }
}
