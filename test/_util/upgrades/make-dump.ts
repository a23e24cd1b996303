import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import pg from 'pg'
import { openEmbeddedDatabase } from '#persistence'
import { overTcp } from '../database/over-tcp.ts'
import { superuserUrl } from '../database/superuser.ts'
import { startFileServer } from '../networks/file-server.ts'
import { startAlmanac } from '../processes/app.ts'
import { freePort } from '../processes/ports.ts'
import { dumpDatabase } from './dump-database.ts'
import { fill } from './fill.ts'
import { readAll } from './read-all.ts'

/**
 * Starts a checkout of Almanac, fills its demo account and keeps the database and its answers below
 * `test/_fixtures/upgrades/`, named for the last migration of that checkout:
 *
 *     node test/_util/upgrades/make-dump.ts [CHECKOUT]
 */
const projectDir = resolve(import.meta.dirname, '../../..')
const checkout = resolve(process.argv[2] ?? projectDir)
const migrations = (await readdir(join(checkout, 'src/persistence/migrations'))).sort()
const name = migrations.at(-1)?.replace(/\.sql$/, '') ?? ''
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: checkout, encoding: 'utf8' }).trim()
const secretKey = Buffer.alloc(32, 9).toString('base64')

const parent = await mkdtemp(join(tmpdir(), 'almanac-dump-'))
// As root, the database runs as another user, who has to pass through.
await chmod(parent, 0o711)
const [dataDir, serverDir] = [join(parent, 'data'), join(parent, 'server')]
const files = await startFileServer()
const server = await openEmbeddedDatabase({ dataDir: serverDir, projectDir, log: () => {}, mode: 'own' })
try {
  const url = new URL(overTcp(server.url))
  const admin = new pg.Client(await superuserUrl(serverDir, overTcp(server.url)))
  await admin.connect()
  await admin.query(`create database source template template0 owner ${url.username}`)
  await admin.end()
  url.pathname = '/source'
  const settings = {
    ALMANAC_DATA_DIR: dataDir,
    ALMANAC_PORT: await freePort(),
    ALMANAC_SECRET_KEY: secretKey,
    ALMANAC_TRUSTED_FETCH_HOSTS: files.host,
    DATABASE_URL: url.href,
  }
  await mkdir(dataDir)
  await writeFile(join(parent, 'plans.json'), JSON.stringify({ SCALE: { requestsPerSecond: 1_000_000 } }))
  const almanac = await startAlmanac({
    settings: { ...settings, ALMANAC_PLANS: join(parent, 'plans.json') },
    projectDir: checkout,
  })
  const photo = await files.fixture('photo.jpg')
  const filled = await fill(almanac.url, await almanac.firstSignIn(), { photo, missing: files.url('/missing.jpg') })
  const madeAt = new Date()
  const client = new pg.Client(url.href)
  await client.connect()
  const sql = await dumpDatabase(client)
  await client.end()
  const answers = await readAll(almanac.url, filled, madeAt)
  await almanac.stop()
  const folder = join(projectDir, 'test/_fixtures/upgrades', name)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'dump.sql.gz'), gzipSync(sql, { level: 9 }))
  const facts = { commit, madeAt: madeAt.toISOString(), secretKey, filled, answers }
  await writeFile(join(folder, 'facts.json.gz'), gzipSync(JSON.stringify(facts), { level: 9 }))
  process.stdout.write(`${folder}: ${sql.length} bytes of SQL from ${commit}\n`)
} finally {
  await server.stop()
  await files.close()
  await rm(parent, { recursive: true, force: true })
}
