import { setTimeout as pause } from 'node:timers/promises'
import { MEDIA_UPLOAD_ERRORS } from '#contract'
import { newId } from '#domain'
import { oneAtATimeByKey, SilentDiskError } from '#media'
import {
  failUsedUpImports,
  hasOpenImports,
  type ImportLease,
  importWaits,
  type MediaUploadRow,
  takeNextImport,
} from '#persistence'
import { createPlaces } from './places.ts'
import { type ImportSignals, type RunImportDeps, runImport } from './run-import.ts'

export interface ImporterDeps extends Omit<RunImportDeps, 'signals' | 'inTurn'> {
  signals?: ImportSignals
}

export interface Importer {
  /** Begins to take imports up. */
  start(): Promise<void>
  /** Something may be there to import now. */
  wake(): void
  /** Breaks off what is under way and gives it back, so that another worker takes it up at once. */
  stop(): Promise<void>
  /** Whether waiting imports were looked for lately. */
  healthy(): boolean
}

/** A look that is older than this many ticks means that imports of dead workers are not taken up. */
const UNHEALTHY_TICKS = 15

const interrupted = {
  code: 'media-upload:interrupted',
  message: `${MEDIA_UPLOAD_ERRORS['media-upload:interrupted']}. Try again; if it ends like this again, the file may be too much for this server.`,
} as const

/** The importer of one process. README.md says what it does and what holds. */
export function createImporter({ signals = () => {}, ...rest }: ImporterDeps): Importer {
  const deps: RunImportDeps = { ...rest, signals, inTurn: oneAtATimeByKey() }
  const { db, settings, log } = deps
  const { maxAttempts } = settings
  const stopping = new AbortController()
  const places = createPlaces(settings.places)
  const running = new Set<Promise<void>>()
  let lastLook = Number.NEGATIVE_INFINITY
  let diskFull = false
  let loop: Promise<void> = Promise.resolve()
  let taking: Promise<void> = Promise.resolve()

  async function keepLooking(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (await hasOpenImports(db)) await lookAt()
        lastLook = performance.now()
      } catch (error) {
        log.error({ error }, 'Waiting imports could not be read')
      }
      await pause(settings.tickMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
  }

  async function lookAt(): Promise<void> {
    for (const upload of await failUsedUpImports(db, { maxAttempts, error: interrupted })) {
      log.warn({ upload }, 'An import was interrupted too often and is given up')
      deps.onEnd?.('FAILED')
    }
    await makeRoom()
    await takeUp()
  }

  /** One look after the other: each counts the places that the one before it has taken. */
  function takeUp(): Promise<void> {
    const look = taking.then(takeWhatFits)
    taking = look.catch(() => {})
    return look
  }

  /** Takes imports up without being waited for. What goes wrong shows at the next look. */
  function wake(): void {
    takeUp().catch((error) => log.warn({ error }, 'Waiting imports could not be taken up'))
  }

  async function takeWhatFits(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (await noRoom()) return
      const full = places.full()
      if (full === 'back') return giveAPlaceAway()
      if (full === 'front') return
      const lease: ImportLease = { owner: newId(), ms: settings.leaseMs }
      const upload = await takeNextImport(db, lease, { maxAttempts, exceptAccounts: places.withShare() })
      if (!upload) return
      begin(upload, lease)
    }
  }

  /** Null while the disk does not answer: what waits is taken up when it does. */
  async function askRoom(): Promise<number | null> {
    try {
      return await deps.store.room()
    } catch (error) {
      if (error instanceof SilentDiskError) return null
      throw error
    }
  }

  /** After the disk was full, imports begin again when the largest file fits: one that does not fit would never end. */
  async function noRoom(): Promise<boolean> {
    const room = await askRoom()
    if (room === null) return true
    const full = room <= 0 || (diskFull && room < settings.maxBytes)
    if (full && !diskFull) log.warn({ room }, 'The disk is nearly full: imports wait until there is room again')
    diskFull = full
    return full
  }

  /** What is given up begins again later, and the attempt is not counted. */
  async function makeRoom(): Promise<void> {
    if (((await askRoom()) ?? Number.POSITIVE_INFINITY) > 0) return
    for (const { givenAway } of places.toGiveUp()) givenAway.abort(new Error('The disk is nearly full.'))
  }

  async function giveAPlaceAway(): Promise<void> {
    const gives = places.toGiveAway()
    if (!gives || gives.place.givenAway.signal.aborted) return
    if (!(await importWaits(db, { maxAttempts, exceptAccounts: gives.except }))) return
    gives.place.givenAway.abort(new Error('The place of an import went to another account.'))
  }

  function begin(upload: MediaUploadRow, lease: ImportLease): void {
    const place = places.take(upload.account_id)
    const timer = setTimeout(() => {
      places.fallBack(place)
      wake()
    }, settings.frontMs)
    const breakOff = AbortSignal.any([stopping.signal, place.givenAway.signal])
    const run = runImport(deps, upload, lease, breakOff)
      .catch((error) => log.error({ upload: upload.id, error }, 'An import could not be ended'))
      .finally(() => {
        clearTimeout(timer)
        places.leave(place)
        running.delete(run)
        if (!stopping.signal.aborted) wake()
      })
    running.add(run)
  }

  return {
    async start() {
      try {
        const swept = await deps.store.sweep()
        if (swept > 0) log.info({ files: swept }, 'Half written files were removed')
      } catch (error) {
        // The next start removes them: a network folder whose server has gone does not keep the rest from its work.
        if (!(error instanceof SilentDiskError)) throw error
        log.warn({ error }, 'Half written files could not be removed')
      }
      loop = keepLooking()
    },
    wake,
    async stop() {
      stopping.abort()
      await loop
      await taking
      await Promise.allSettled(running)
    },
    healthy: () => performance.now() - lastLook < Math.max(UNHEALTHY_TICKS * settings.tickMs, 15_000),
  }
}
