import { SHIPPED_PLANS } from '#contract'
import { createImporter, type ImporterSettings, type ImportStep, importerDefaults } from '#importing'
import { createDiskStore, createGuardedFetch } from '#media'
import { openDatabase } from '#persistence'

/**
 * An importer in a process of its own. Reports every step to its parent, and waits at `waitAt` until it gets a message.
 * Answers the message `rss` with the most memory that it has ever had resident, in bytes.
 */
export interface ImportWorkerSetup {
  databaseUrl: string
  mediaDir: string
  trustedHosts: string[]
  settings: Partial<ImporterSettings>
  waitAt: ImportStep | null
}

const setup = JSON.parse(process.argv[2] ?? '') as ImportWorkerSetup
const log = { info() {}, warn() {}, error() {} }
const importer = createImporter({
  db: openDatabase(setup.databaseUrl, { poolSize: 3 }),
  store: createDiskStore({ dir: setup.mediaDir }),
  fetch: createGuardedFetch({ trustedHosts: setup.trustedHosts }),
  plans: SHIPPED_PLANS,
  log,
  settings: { ...importerDefaults, ...setup.settings },
  signals: async (step) => {
    process.send?.({ step })
    if (step !== setup.waitAt) return
    await new Promise<void>((resolve) => {
      process.on('message', (message) => message === 'go on' && resolve())
    })
  },
})
process.on('message', (message) => {
  if (message === 'rss') process.send?.({ rss: process.resourceUsage().maxRSS * 1024 })
})
// Nothing is left behind when the parent is gone.
process.on('disconnect', () => process.exit())
await importer.start()
process.send?.({ started: true })
