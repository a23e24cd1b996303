import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createDatabase } from '../_util/database/database.ts'
import { makeDataDir, spawnAlmanac } from '../_util/processes/app.ts'
import { freePort } from '../_util/processes/ports.ts'

test.each(['worker', 'up'])(
  'a %s of which one part cannot begin ends, and leaves none of the others behind',
  async (process) => {
    const database = await createDatabase()
    const dataDir = await makeDataDir()
    // The importer removes what is half written, and finds that it cannot.
    await mkdir(join(dataDir.path, 'media'), { recursive: true })
    await writeFile(join(dataDir.path, 'media/incoming'), '')
    const child = spawnAlmanac([process], {
      ALMANAC_DATA_DIR: dataDir.path,
      ALMANAC_PORT: await freePort(),
      ALMANAC_WORKER_PORT: await freePort(),
      ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
      ALMANAC_SANDBOX: 'off',
      DATABASE_URL: database.url,
    })
    try {
      await expect.poll(() => child.stderr()).toMatch(/ENOTDIR/)
      await expect.poll(() => child.process.exitCode).not.toBeNull()
      expect(child.stderr()).not.toMatch(/could not be read|destroyed/)
    } finally {
      child.process.kill('SIGKILL')
      await child.ended
      await database.drop()
      await dataDir.remove()
    }
  },
)
