import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { newId } from '#domain'
import { endHeldStart, migrate, openDatabase, readHeldStart } from '#persistence'
import { createDatabase } from '../_util/database/database.ts'
import { bin, INITDB, type Server, startServer, version } from '../_util/database/machine-postgres.ts'
import { makeDataDir, startAlmanac } from '../_util/processes/app.ts'
import { COPYING, change, type Place, PUTTING_BACK, shell, start, tempFolder } from '../_util/processes/installation.ts'
import { freePort } from '../_util/processes/ports.ts'

/**
 * File systems of each kind, as root, and the real `pg_dump` and `pg_restore` with workers that run, where PostgreSQL's programs are
 * installed. What needs neither is in copies.test.ts.
 */

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0
const ends: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const HELD = { held: true, signs: ['The data folder was copied, moved to another disk or put back.'] }
const NOT_HELD = { held: false, signs: [] }

/** A device with ext4 on a file. Gives where it is mounted. */
async function loopDevice(image: string, dir: string): Promise<{ device: string; unmount(): Promise<unknown> }> {
  if (!existsSync(image)) await shell(`truncate -s 32M '${image}' && mkfs.ext4 -q '${image}'`)
  const { stdout } = await run('losetup', ['--find', '--show', image])
  const device = stdout.trim()
  await mkdir(dir, { recursive: true })
  await shell(`mount ${device} '${dir}'`)
  return { device, unmount: () => shell(`umount '${dir}' && losetup -d ${device}`) }
}

const FILE_SYSTEMS: Readonly<Record<string, (folder: string, dir: string) => Promise<() => Promise<unknown>>>> = {
  async ext4(folder, dir) {
    return (await loopDevice(join(folder, 'image'), dir)).unmount
  },
  async tmpfs(_, dir) {
    await mkdir(dir)
    await shell(`mount -t tmpfs tmpfs '${dir}'`)
    return () => shell(`umount '${dir}'`)
  },
  async overlay(folder, dir) {
    const { unmount } = await loopDevice(join(folder, 'image'), join(folder, 'below'))
    const [lower, upper, work] = ['lower', 'upper', 'work'].map((name) => join(folder, 'below', name))
    for (const each of [lower, upper, work, dir]) await mkdir(each ?? '')
    await shell(`mount -t overlay overlay -o 'lowerdir=${lower},upperdir=${upper},workdir=${work}' '${dir}'`)
    return async () => {
      await shell(`umount '${dir}'`)
      await unmount()
    }
  },
}

describe.skipIf(!isRoot)('file systems', () => {
  test.for(Object.keys(FILE_SYSTEMS))('copies on %s are held, ordinary starts are not', async (kind) => {
    const folder = await tempFolder()
    ends.push(folder.remove)
    const disk = join(folder.path, 'disk')
    const unmount = await FILE_SYSTEMS[kind]?.(folder.path, disk)
    ends.push(async () => unmount?.())
    for (const [nth, [way, copy]] of [...Object.entries(COPYING)].entries()) {
      const { url, drop } = await createDatabase()
      const home = { url, dir: join(disk, `media-${nth}`) }
      for (let starts = 0; starts < 3; starts++) expect([way, await start(home)]).toMatchObject([way, NOT_HELD])
      await shell(`chown -R 1:1 '${home.dir}' && chmod -R g+rwX '${home.dir}'`)
      expect([way, await start(home)]).toMatchObject([way, NOT_HELD])
      await copy(home.dir, join(disk, `copy-${nth}`))
      await new Promise((resolve) => setTimeout(resolve, 1_100))
      expect([way, await start(home)]).toMatchObject([way, NOT_HELD])
      const back = PUTTING_BACK[way]
      if (back) {
        await back(join(disk, `copy-${nth}`), home.dir)
        expect([way, 'back', await start(home)]).toMatchObject([way, 'back', HELD])
      } else {
        expect([way, await start({ ...home, dir: join(disk, `copy-${nth}`) })]).toMatchObject([way, HELD])
      }
      await drop()
    }
  })

  test('a disk that is mounted again as another device asks nothing; nor does a copy of the whole disk', async () => {
    const folder = await tempFolder()
    const { url, drop } = await createDatabase()
    ends.push(folder.remove, drop)
    const [image, dir] = [join(folder.path, 'image'), join(folder.path, 'disk')]
    const home: Place = { url, dir: join(dir, 'media') }
    const first = await loopDevice(image, dir)
    for (let starts = 0; starts < 2; starts++) expect(await start(home)).toMatchObject(NOT_HELD)
    await first.unmount()
    // Takes the number of the first one.
    const other = await loopDevice(join(folder.path, 'other'), join(folder.path, 'elsewhere'))
    ends.push(other.unmount)
    const second = await loopDevice(image, dir)
    expect(second.device).not.toBe(first.device)
    expect(await start(home)).toMatchObject(NOT_HELD)
    await second.unmount()
    // Beyond what can be noticed, as the docs say.
    await shell(`cp '${image}' '${image}-copy'`)
    const third = await loopDevice(`${image}-copy`, dir)
    ends.push(third.unmount)
    expect(await start(home)).toMatchObject(NOT_HELD)
  })
})

describe.skipIf(!isRoot || version === undefined)('pg_dump and pg_restore', () => {
  let folder: Awaited<ReturnType<typeof tempFolder>>
  let servers: Server[]
  beforeAll(async () => {
    folder = await tempFolder()
    await chmod(folder.path, 0o755)
    servers = [await startServer(folder.path, 'one'), await startServer(folder.path, 'other')]
  })
  afterAll(async () => {
    for (const server of servers ?? []) await server.stop()
    await folder.remove()
  })

  const dump = (url: string, file: string) => run(`${bin}/pg_dump`, ['-Fc', '-f', file, url])
  const restore = (url: string, file: string, ...options: string[]) =>
    run(`${bin}/pg_restore`, [...options, '--no-owner', '--no-comments', '-d', url, file])

  async function home(name: string): Promise<Place> {
    const [server] = servers
    await server?.admin(`create database ${name} owner almanac`)
    const url = server?.url(name) ?? ''
    await migrate(url)
    return { url, dir: join(folder.path, name, 'media') }
  }

  test('a dump in another database, and on another server, is held', async () => {
    const place = await home('first')
    await start(place)
    const file = join(folder.path, 'first.dump')
    await dump(place.url, file)
    for (const [server, sign] of [
      [servers[0], 'The database is another one on the same PostgreSQL server: it was copied or restored.'],
      [servers[1], 'The database is on another PostgreSQL server than before.'],
    ] as const) {
      await server?.admin('create database restored owner almanac')
      const copy = { ...place, url: server?.url('restored') ?? '' }
      await restore(copy.url, file)
      expect(await start(copy)).toMatchObject({ held: true, signs: [sign] })
    }
    expect(await start(place)).toMatchObject(NOT_HELD)
  })

  test('a dump that is restored over a database in use is held by its workers, which publish nothing of it', async () => {
    const { url } = await home('busy')
    const data = await makeDataDir()
    ends.push(data.remove)
    const set = await dueSet(url)
    const file = join(folder.path, 'busy.dump')
    const worker = (port: string) =>
      startAlmanac({
        process: 'worker',
        settings: {
          ALMANAC_DATA_DIR: data.path,
          ALMANAC_WORKER_PORT: port,
          DATABASE_URL: url,
          ALMANAC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
        },
      })
    const workers = [await worker(await freePort()), await worker(await freePort())]
    ends.push(() => Promise.all(workers.map((each) => each.stop())))
    await dump(url, file)
    const status = () =>
      change(
        url,
        async (db) =>
          (await db.selectFrom('post_sets').select('status').where('id', '=', set).executeTakeFirstOrThrow()).status,
      )
    await expect.poll(status, { timeout: 20_000 }).toBe('PUBLISHED')
    await restore(url, file, '--clean', '--if-exists')
    await expect
      .poll(() => change(url, readHeldStart).catch(() => null), { timeout: 20_000 })
      .toMatchObject({
        why: 'COPY',
        signs: expect.arrayContaining(['The tables of the database were restored from a dump.']),
      })
    // It has been due for longer than workers take to look.
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    expect(await status()).toBe('SCHEDULED')
  })

  const resume = ({ url }: Place) =>
    change(url, async (db) => endHeldStart(db, (await readHeldStart(db))?.id ?? '', 'operator', 'PARK'))

  test('a standby that took over asks nothing', async () => {
    const place = await home('replicated')
    for (let starts = 0; starts < 2; starts++) expect(await start(place)).toMatchObject(NOT_HELD)
    const [from] = servers
    const standby = await startServer(
      folder.path,
      'standby',
      (cluster) => `pg_basebackup -h 127.0.0.1 -p ${from?.port} -U admin -D ${cluster} -R -X stream -c fast`,
    )
    ends.push(() => standby.stop())
    await standby.promote()
    const after = { ...place, url: standby.url('replicated') }
    for (let starts = 0; starts < 2; starts++) expect(await start(after)).toMatchObject(NOT_HELD)
  })

  test("PostgreSQL's own upgrade asks once", async () => {
    const before = await startServer(folder.path, 'before')
    await before.admin('create database upgraded owner almanac')
    const place: Place = { url: before.url('upgraded'), dir: join(folder.path, 'upgraded', 'media') }
    await migrate(place.url)
    for (let starts = 0; starts < 2; starts++) expect(await start(place)).toMatchObject(NOT_HELD)
    await before.stop('fast')
    const old = join(folder.path, 'before', 'cluster')
    const upgraded = await startServer(
      folder.path,
      'after',
      (cluster) =>
        `${INITDB} -D ${cluster} && ${bin}/pg_upgrade -U admin -b ${bin} -B ${bin} -d ${old} -D ${cluster} -s ${cluster}/..`,
    )
    ends.push(() => upgraded.stop())
    const after = { ...place, url: upgraded.url('upgraded') }
    expect(await start(after)).toMatchObject({ held: true })
    await resume(after)
    for (let starts = 0; starts < 2; starts++) expect(await start(after)).toMatchObject(NOT_HELD)
  })

  /** A set that fails once it is claimed: its brand has no account. It is due in a few seconds, when workers run. */
  async function dueSet(url: string): Promise<string> {
    const db = openDatabase(url, { poolSize: 1 })
    const [accountId, socialSetId, id] = [newId(), newId(), newId()]
    try {
      await db.insertInto('accounts').values({ id: accountId, name: 'Test', slug: accountId, plan: 'SCALE' }).execute()
      const brand = { id: socialSetId, account_id: accountId, name: 'Brand', timezone: 'UTC' }
      await db.insertInto('social_sets').values(brand).execute()
      await db
        .insertInto('post_sets')
        .values({
          ...{ id, account_id: accountId, social_set_id: socialSetId, status: 'SCHEDULED', approval: 'NONE' },
          scheduled_at: new Date(Date.now() + 12_000),
        })
        .execute()
      const post = {
        id: newId(),
        post_set_id: id,
        social_set_id: socialSetId,
        position: 0,
        caption: 'hello',
        fields: '{}',
      }
      await db
        .insertInto('posts')
        .values({ ...post, account_type: 'BLUESKY' })
        .execute()
      return id
    } finally {
      await db.destroy()
    }
  }
})
