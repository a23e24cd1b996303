import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeBackup, readManifest, restoreRows } from '#backup'
import { createDiskStore } from '#media'
import { readKnown } from '#persistence'
import { createDatabase } from '../_util/database/database.ts'
import { createWebhookFixture, startWebhookReceiver, type WebhookReceiver } from '../_util/webhooks/webhook-fixture.ts'

/** What waits in a backup goes out when a person lets the restored one go on, under the ids that it had before. */

let receiver: WebhookReceiver
let folder: string
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  folder = await mkdtemp(join(tmpdir(), 'almanac-webhooks-'))
})
afterAll(async () => {
  await receiver.close()
  await rm(folder, { recursive: true, force: true })
})

test('receivers get what waited in a backup again under the same ids, once the start is released', async () => {
  const target = await createDatabase('template0')
  const fixture = await createWebhookFixture()
  const trustedHosts = [receiver.host]
  try {
    const { id, secret } = await fixture.addEndpoint({ url: `http://${receiver.host}/in` })
    await receiver.on('/in', { kind: 'answers', status: 204 }, [secret])
    await fixture.happen(2)
    await fixture.sender({ trustedHosts }).sendDue()
    await fixture.happen(3)
    const made = await makeBackup(
      folder,
      { kind: 'elsewhere' },
      {
        databaseUrl: fixture.url,
        store: createDiskStore({ dir: join(folder, 'no media') }),
        keys: { text: '', ids: ['id'] },
        version: '0.0.0',
        progress: () => {},
      },
    )
    await fixture.sender({ trustedHosts }).sendDue()
    const before = receiver.of('/in').map((request) => request.id)
    expect(before.length).toBe(5)

    const restoring = { databaseUrl: target.url, progress: () => {}, known: await readKnown() }
    await restoreRows(made.folder, await readManifest(made.folder), restoring)
    const restored = await createWebhookFixture({ url: target.url, secretKey: fixture.secretKey })
    try {
      await restored.sender({ trustedHosts }).sendDue()
      expect(receiver.of('/in').length).toBe(5)
      await sql`update held_starts set ended_at = almanac_now(), ended_by = 'Ada', late = 'PUBLISH'`.execute(
        restored.db,
      )
      // As the process does that goes on: the database is at home where it is.
      await sql`update installation_identity set table_oid = tableoid`.execute(restored.db)
      await restored.sender({ trustedHosts }).sendDue()
      expect(await restored.states(id)).toEqual({ SENT: 5 })
      const again = receiver.of('/in').slice(5)
      expect(again.map((request) => request.id)).toEqual(before.slice(2))
      expect(again.every(({ verified }) => verified === 1)).toBe(true)
    } finally {
      await restored.close()
    }
  } finally {
    await fixture.close()
    await target.drop()
  }
})
