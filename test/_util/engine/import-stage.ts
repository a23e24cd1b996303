import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { vi } from 'vitest'
import { type PlanCatalog, SHIPPED_PLANS } from '#contract'
import { newId } from '#domain'
import { createImporter, type Importer, type ImporterSettings, type ImportSignals, importerDefaults } from '#importing'
import { createDiskStore, createGuardedFetch, type GuardedFetch, type MediaStore, type PictureProcesses } from '#media'
import {
  type Database,
  insertAccount,
  insertMediaUpload,
  insertSocialSet,
  type MediaUploadRow,
  openDatabase,
} from '#persistence'
import { createDatabase } from '../database/database.ts'
import { type FileServer, startFileServer } from '../networks/file-server.ts'

/** Imports on a database of their own, from a server of their own. */
export interface ImportStage {
  db: Database
  databaseUrl: string
  mediaDir: string
  store: MediaStore
  fetch: GuardedFetch
  server: FileServer
  accountId: string
  socialSetId: string
  logged: { level: string; fields: Record<string, unknown>; message: string }[]
  /** Starts an importer in this process; `close` stops it. */
  startImporter(options?: {
    settings?: Partial<ImporterSettings>
    signals?: ImportSignals
    plans?: PlanCatalog
    pictures?: PictureProcesses
    store?: MediaStore
  }): Promise<Importer>
  /** Puts an upload on the list. Default: of the stage's social set. */
  add(
    url: string,
    options?: { name?: string; altText?: string; of?: { accountId: string; socialSetId: string } },
  ): Promise<string>
  /** Another account with a social set. */
  newAccount(): Promise<{ accountId: string; socialSetId: string }>
  upload(id: string): Promise<MediaUploadRow>
  /** The upload when it has ended. */
  ended(id: string): Promise<MediaUploadRow>
  /** Moves the database's clock on. */
  advance(ms: number): Promise<void>
  /** Number of whole files and of half written ones. */
  files(): Promise<{ whole: number; half: number }>
  close(): Promise<void>
}

export const testSettings: ImporterSettings = { ...importerDefaults, leaseMs: 1_000, tickMs: 100, progressMs: 20 }

export async function openImportStage(): Promise<ImportStage> {
  const database = await createDatabase()
  const db = openDatabase(database.url, { poolSize: 5 })
  const mediaDir = await mkdtemp(join(tmpdir(), 'almanac-import-'))
  const store = createDiskStore({ dir: mediaDir })
  const server = await startFileServer()
  const fetch = createGuardedFetch({ trustedHosts: [server.host] })
  const logged: ImportStage['logged'] = []
  const write = (level: string) => (fields: object, message: string) =>
    void logged.push({ level, fields: fields as Record<string, unknown>, message })
  const log = { info: write('info'), warn: write('warn'), error: write('error') }
  const newAccount = async () => {
    const accountId = newId()
    const socialSetId = newId()
    await insertAccount(db, { id: accountId, name: 'Test', slug: newId(), plan: 'SCALE' as const })
    await insertSocialSet(db, { id: socialSetId, accountId, name: 'Brand', timezone: 'UTC' })
    return { accountId, socialSetId }
  }
  let lastId = ''
  /** Ids of one millisecond have no order; imports are taken up in that of their ids. */
  const nextId = () => {
    let id = newId()
    while (id <= lastId) id = newId()
    lastId = id
    return id
  }
  const own = await newAccount()
  const importers: Importer[] = []
  let clockOffset = 0

  const stage: ImportStage = {
    db,
    databaseUrl: database.url,
    mediaDir,
    store,
    fetch,
    server,
    ...own,
    newAccount,
    logged,
    async startImporter({ settings, signals, plans = SHIPPED_PLANS, pictures, store: other = store } = {}) {
      const importer = createImporter({
        db,
        store: other,
        fetch,
        plans,
        log,
        settings: { ...testSettings, ...settings },
        ...(signals ? { signals } : {}),
        ...(pictures ? { pictures } : {}),
      })
      importers.push(importer)
      await importer.start()
      return importer
    },
    async add(url, { name, altText, of = own } = {}) {
      const id = nextId()
      const by = { id: null, name: 'Anna' }
      await insertMediaUpload(db, { id, ...of, url, name: name ?? null, altText: altText ?? null, by })
      return id
    },
    async upload(id) {
      return db.selectFrom('media_uploads').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    },
    ended: (id) =>
      vi.waitFor(
        async () => {
          const row = await stage.upload(id)
          if (row.status !== 'READY' && row.status !== 'FAILED') throw new Error(`It is still ${row.status}.`)
          return row
        },
        { timeout: 20_000, interval: 20 },
      ),
    async advance(ms) {
      clockOffset += ms
      await sql`create or replace function almanac_now() returns timestamptz language sql stable parallel safe
        return date_trunc('milliseconds', clock_timestamp()) + ${sql.lit(`${clockOffset} milliseconds`)}::interval`.execute(
        db,
      )
    },
    async files() {
      const count = async (folder: string) => {
        const found = await readdir(join(mediaDir, folder), { recursive: true, withFileTypes: true }).catch(() => [])
        return found.filter((entry) => entry.isFile()).length
      }
      return { whole: await count('objects'), half: await count('incoming') }
    },
    async close() {
      for (const importer of importers) await importer.stop()
      await fetch.close()
      await server.close()
      await db.destroy()
      await database.drop()
      await rm(mediaDir, { recursive: true, force: true })
    },
  }
  return stage
}
