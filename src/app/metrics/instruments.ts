import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { ACCOUNT_TYPES, accountTypes, REASONS } from '#contract'
import { DELIVERY_STATES } from '#domain'
import type { Answered, HealthReport } from '#http'
import type { ImportEnd } from '#importing'
import { DELIVERY_PLACES, type Figures, type PoolCounts } from '#persistence'
import { OUTCOMES, type PublishingEvent, REFRESH_OUTCOMES } from '#publishing'
import { METRICS, type MetricName, type ServedBy } from './catalog.ts'

/** The registry of a process, and what its parts report to it. */
export interface Instruments {
  registry: Registry
  observe(event: PublishingEvent): void
  importEnded(state: ImportEnd): void
  answered(answered: Answered): void
  setHealth(live: HealthReport, ready: HealthReport): void
  setPool(pool: string, counts: PoolCounts): void
  /** Null: they could not be read, and are left out. */
  setFigures(figures: Figures | null): void
}

const NETWORKS: readonly string[] = [...new Set(accountTypes.map((type) => ACCOUNT_TYPES[type].network))]
const OPEN_STATES = DELIVERY_STATES.filter((state) => state !== 'DONE')
const OPEN_IMPORTS = ['PENDING', 'PROCESSING'] as const
const IMPORT_ENDS: readonly ImportEnd[] = ['READY', 'FAILED']

/** Makes what a process serves. Series of counters begin at 0: a rate does not see the first step of one that begins at 1. */
export function createInstruments(served: readonly ServedBy[]): Instruments {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'almanac_' })
  const publishes = served.includes('publishing')

  const made = (name: MetricName) => {
    const { name: full, help, labels, by } = METRICS[name]
    return { name: full, help, labelNames: [...labels], registers: served.includes(by) ? [registry] : [] }
  }
  const counter = (name: MetricName) => new Counter<string>(made(name))
  const gauge = (name: MetricName) => new Gauge<string>(made(name))
  const histogram = (name: 'lateness' | 'requestDuration') =>
    new Histogram<string>({ ...made(name), buckets: [...METRICS[name].buckets] })

  const [healthy, startHeld, databaseUp, databaseWritable, lastWrite] = [
    gauge('healthy'),
    gauge('startHeld'),
    gauge('databaseUp'),
    gauge('databaseWritable'),
    gauge('lastWrite'),
  ]
  const clockAhead = gauge('clockAhead')
  const [poolConnections, poolWaiting] = [gauge('poolConnections'), gauge('poolWaiting')]
  const [openDeliveries, laneDeliveries, openImports] = [
    gauge('openDeliveries'),
    gauge('laneDeliveries'),
    gauge('openImports'),
  ]
  const numbers = {
    dueSets: gauge('dueSets'),
    lastBackup: gauge('lastBackup'),
    oldestDue: gauge('oldestDue'),
    oldestPublishing: gauge('oldestPublishing'),
    pastLease: gauge('pastLease'),
    oldestPastLease: gauge('oldestPastLease'),
  }
  const [claimed, ended, unknown, retries, takeovers, refreshes, importsEnded] = [
    counter('claimed'),
    counter('ended'),
    counter('unknown'),
    counter('retries'),
    counter('takeovers'),
    counter('refreshes'),
    counter('importsEnded'),
  ]
  const lateness = histogram('lateness')
  const requests = counter('requests')
  const requestDuration = histogram('requestDuration')

  if (publishes) {
    for (const network of NETWORKS) {
      lateness.zero({ network })
      for (const one of [unknown, retries, takeovers]) one.inc({ network }, 0)
      for (const outcome of REFRESH_OUTCOMES) refreshes.inc({ network, outcome }, 0)
      for (const outcome of OUTCOMES) {
        const reasons = { posted: ['NONE'], delivered: ['NONE'], failed: REASONS, 'may-be-live': ['UNKNOWN'] }[outcome]
        for (const reason of reasons) ended.inc({ network, outcome, reason }, 0)
      }
    }
    for (const state of IMPORT_ENDS) importsEnded.inc({ state }, 0)
  }

  return {
    registry,
    observe(event) {
      switch (event.kind) {
        case 'claimed':
          return claimed.inc(event.sets)
        case 'taken-over':
          return takeovers.inc({ network: event.network })
        case 'fenced':
          return lateness.observe({ network: event.network }, event.latenessMs / 1_000)
        case 'retried':
          return retries.inc({ network: event.network })
        case 'unknown':
          return unknown.inc({ network: event.network })
        case 'ended': {
          const { network, outcome, reason } = event
          return ended.inc({ network, outcome, reason: reason ?? 'NONE' })
        }
        case 'clock-ahead':
          return clockAhead.set(event.ms / 1_000)
        case 'refreshed':
          return refreshes.inc({ network: event.network, outcome: event.outcome })
      }
    },
    importEnded: (state) => importsEnded.inc({ state }),
    answered({ method, route, status, ms }) {
      requests.inc({ method, route, status: String(status) })
      requestDuration.observe({ method, route }, ms / 1_000)
    },
    setHealth(live, ready) {
      healthy.set(live.problems.length === 0 ? 1 : 0)
      startHeld.set(live.heldSince ? 1 : 0)
      databaseWritable.set(ready.ok ? 1 : 0)
      if (live.lastWriteAt) lastWrite.set(live.lastWriteAt.getTime() / 1_000)
      else lastWrite.remove()
    },
    setPool(pool, { used, idle, waiting }) {
      poolConnections.set({ pool, state: 'used' }, used)
      poolConnections.set({ pool, state: 'idle' }, idle)
      poolWaiting.set({ pool }, waiting)
    },
    setFigures(figures) {
      databaseUp.set(figures === null ? 0 : 1)
      for (const one of [openDeliveries, laneDeliveries, openImports]) one.reset()
      for (const one of Object.values(numbers)) one.remove()
      if (figures === null) return
      numbers.dueSets.set(figures.due.count)
      numbers.lastBackup.set((figures.lastBackupAt?.getTime() ?? 0) / 1_000)
      numbers.oldestDue.set(figures.due.oldestSeconds)
      numbers.oldestPublishing.set(figures.oldestPublishingSeconds)
      numbers.pastLease.set(figures.pastLease.count)
      numbers.oldestPastLease.set(figures.pastLease.oldestSeconds)
      for (const state of OPEN_STATES) openDeliveries.set({ state }, 0)
      for (const network of NETWORKS) for (const place of DELIVERY_PLACES) laneDeliveries.set({ network, place }, 0)
      for (const state of OPEN_IMPORTS) openImports.set({ state }, 0)
      for (const { lane: network, state, place, count } of figures.deliveries) {
        openDeliveries.inc({ state }, count)
        laneDeliveries.inc({ network, place }, count)
      }
      for (const { status: state, count } of figures.imports) openImports.set({ state }, count)
    },
  }
}
