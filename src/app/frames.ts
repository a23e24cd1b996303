import { createHousekeeper, drawingFrames, type Housekeeper } from '#housekeeping'
import { checkDecoder, drawFrame, type MediaStore } from '#media'
import type { Database } from '#persistence'
import type { Log } from './log.ts'

interface FrameDrawerDeps {
  db: Database
  store: MediaStore
  /** The folder of the package that decodes. */
  decoder: string
  log: Log
}

/** A video that was uploaded has its picture soon; what failed is tried again in minutes. Times in milliseconds. */
const SETTINGS = { tickMs: 15_000, leaseMs: 120_000, retryMs: 120_000 }

/** Draws frames of the videos of the library, one process of the installation at a time. */
export function createFrameDrawer({ db, store, decoder, log }: FrameDrawerDeps): Housekeeper {
  const duty = drawingFrames({
    files: store,
    check: () => checkDecoder(decoder),
    draw: ({ storageKey, facts: { bytes }, ...due }, signal) =>
      drawFrame(store, { key: storageKey, bytes, ...('atMs' in due && { atMs: due.atMs }) }, { decoder, signal }),
  })
  return createHousekeeper({ db, files: store, settings: SETTINGS, log, chores: [duty] })
}
