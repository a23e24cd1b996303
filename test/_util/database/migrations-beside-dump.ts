import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { expect } from 'vitest'
import { migrate } from '#persistence'
import { createEngine } from '../engine/engine.ts'
import { published, scriptedNetwork } from '../engine/scripted-network.ts'
import { holdTables } from './table-holder.ts'

const MIGRATIONS = join(import.meta.dirname, '../../../src/persistence/migrations')

/** The first needs a table of its own alone: it must not be committed before the others can be. */
const NEWER = {
  '9997-notes-of-a-test.sql': 'create table later (id uuid primary key);\nalter table labels add column later text;\n',
  '9998-sets-of-a-test.sql': 'alter table all_post_sets add column later text;\n',
  '9999-deliveries-of-a-test.sql':
    'alter table deliveries add column later text;\ncreate index deliveries_later on deliveries (later);\n',
}

/**
 * A worker publishes a post each second, a dump reads all tables, and a newer version with three migrations starts beside
 * them. Expects that no five seconds pass without a post while the dump is made, and that the migrations are done behind it.
 */
export async function expectPostsBesideDump({ forMs }: { forMs: number }): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'almanac-migrations-'))
  await cp(MIGRATIONS, folder, { recursive: true })
  for (const [name, text] of Object.entries(NEWER)) await writeFile(join(folder, name), text)
  const sentAt: number[] = []
  const publish = () => {
    sentAt.push(performance.now())
    return published
  }
  const engine = await createEngine({ networks: [scriptedNetwork({ publish: [publish] })] })
  try {
    const count = Math.ceil(forMs / 1_000) + 5
    // One each second from now on.
    await engine.pileUp({ count, secondsAgo: 1 - count })
    engine.start()
    await expect.poll(() => sentAt.length).toBeGreaterThan(0)
    const dump = await holdTables(engine.databaseUrl)
    const begun = performance.now()
    const said: string[] = []
    const migrated = migrate(engine.databaseUrl, {
      folder: pathToFileURL(`${folder}/`),
      report: (message) => said.push(message),
    })
    await pause(forMs)
    const sent = [begun, ...sentAt.filter((at) => at > begun), performance.now()]
    await dump.end()
    await migrated
    expect(Math.max(...sent.slice(1).map((at, index) => at - (sent[index] ?? at)))).toBeLessThan(5_000)
    expect(said.some((message) => /pg_dump .*uses them/.test(message))).toBe(true)
    // The worker is of the version before, and knows it.
    await expect.poll(() => engine.problems()).toEqual([expect.stringMatching(/9999-deliveries/)])
  } finally {
    await engine.close()
    await rm(folder, { recursive: true })
  }
}
