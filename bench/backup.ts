import { randomBytes, randomFillSync } from 'node:crypto'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { newId } from '#domain'
import { createDiskStore } from '#media'
import { spawnAlmanac } from '../test/_util/processes/app.ts'
import { shell } from '../test/_util/processes/installation.ts'
import { inMs, printTable, times } from './measure.ts'
import { watchPeak } from './memory.ts'
import { withPlace } from './place.ts'
import { seed } from './seed.ts'

/**
 * How long the commands of backups take, and their memory, beside a plain copy of the same files that is on the disk at its end.
 * README.md, "Backups".
 *
 *     node bench/backup.ts [--sets 100000] [--gigabytes 10] [--dir FOLDER]
 */
const { values } = parseArgs({
  options: {
    sets: { type: 'string', default: '100000' },
    gigabytes: { type: 'string', default: '10' },
    /** On the disk that is measured; default: that of temporary files. */
    dir: { type: 'string', default: tmpdir() },
  },
})

const MB = 1024 * 1024
/** Pictures and videos as libraries have them: of ten files nine are small. */
const SIZES = [1, 1, 1, 1, 1, 1, 1, 1, 1, 31].map((mb) => mb * MB)

const folder = await mkdtemp(join(values.dir, 'almanac-bench-backup-'))
try {
  await withPlace(undefined, async (place) => {
    const url = await place.url('backup', (db) =>
      seed(db, { name: 'backup', sizes: [{ sets: Number(values.sets), times: 1 }] }),
    )
    const db = await place.database('backup', async () => {})
    const source = join(folder, 'source')
    const store = createDiskStore({ dir: join(source, 'media') })
    const { rows: brands } = await sql<{ id: string }>`select id from social_sets`.execute(db)
    for (let bytes = 0, count = 0; bytes < Number(values.gigabytes) * 1024 * MB; count++) {
      const size = SIZES[count % SIZES.length] ?? MB
      const file = await store.put(Readable.from(noise(size)))
      await sql`
        insert into media_items (id, account_id, social_set_id, name, facts, bytes, sha256, storage_key, source)
        values (${newId()}, ${brands[0]?.id}, ${brands[0]?.id}, ${`file-${count}`}, ${JSON.stringify({ type: 'IMAGE' })}::jsonb,
          ${size}, decode(${file.sha256}, 'hex'), ${file.key}, 'UPLOAD')`.execute(db)
      bytes += size
    }
    const settings = {
      DATABASE_URL: url,
      ALMANAC_DATA_DIR: source,
      ALMANAC_SECRET_KEY: randomBytes(32).toString('base64'),
    }
    const target = { ALMANAC_DATA_DIR: join(folder, 'target') }
    const backups = join(folder, 'backups')
    const copy = await timed(async () => {
      await cp(join(source, 'media'), join(folder, 'copy'), { recursive: true })
      await shell('sync')
    })
    await rm(join(folder, 'copy'), { recursive: true })
    await mkdir(backups)
    const steps = [
      ['backup, the first', ['backup', backups, '--with-key'], settings],
      ['backup, the second', ['backup', backups, '--with-key'], settings],
      ['backup verify', ['backup', 'verify', backups], settings],
      ['restore', ['restore', backups], target],
    ] as const
    const rows = [['a copy of the files', inMs(copy / 1_000), '1.0', '']]
    for (const [name, args, all] of steps) {
      const { ms, peak } = await command(args, all)
      rows.push([name, inMs(ms / 1_000), times(ms, copy), (peak / MB).toFixed(0)])
    }
    printTable(`${values.sets} post sets, ${values.gigabytes} GB of files`, ['', 's', '× copy', 'peak MB'], rows)
  })
} finally {
  await rm(folder, { recursive: true })
}

/** Runs a command to its end: how long it takes, and the most memory that it has, without PostgreSQL's. */
async function command(args: readonly string[], settings: Record<string, string>) {
  const child = spawnAlmanac(args, settings)
  child.process.stdin?.end()
  const watch = watchPeak(child.process.pid ?? 0)
  let peak = 0
  const ms = await timed(async () => {
    const { code, stderr } = await child.ended
    peak = await watch.stop()
    if (code !== 0) throw new Error(`almanac ${args.join(' ')} ended with ${code}: ${stderr}`)
  })
  return { ms, peak }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const since = performance.now()
  await work()
  return performance.now() - since
}

/** Bytes that cannot be compressed, a megabyte at a time. */
function* noise(bytes: number): Generator<Buffer> {
  for (let left = bytes; left > 0; left -= MB) yield randomFillSync(Buffer.alloc(Math.min(left, MB)))
}
