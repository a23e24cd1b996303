import { mkdir, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { type FileServer, startFileServer } from '../_util/networks/file-server.ts'
import { firstSignInFile, makeDataDir, type RunningAlmanac, startAlmanac } from '../_util/processes/app.ts'
import { asComposed, COMPOSED_DATA, canRun } from '../_util/processes/namespaces.ts'
import { freePort } from '../_util/processes/ports.ts'
import { client } from '../e2e/client.ts'

/** Almanac as `compose.yaml` starts it: its files cannot be written to, and its user has no right beyond those of a plain one. */

vi.setConfig({ testTimeout: 300_000 })

const left: (() => unknown)[] = []
afterEach(async () => {
  for (const close of left.splice(0).reverse()) await close()
})

async function newDataDir(): Promise<string> {
  const { path, remove } = await makeDataDir()
  await mkdir(path, { mode: 0o700 })
  left.push(remove)
  return path
}

const probe = await newDataDir()
const composed = test.runIf(canRun([...asComposed(probe), process.execPath, '--version']))

/** What the kernel says of all processes that Almanac has, itself and PostgreSQL's among them. */
async function processesOf(first: number): Promise<{ name: string; rights: string }[]> {
  const all = await Promise.all(
    (await readdir('/proc')).filter(Number).map((pid) => readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')),
  )
  const known = all.map((text) => {
    const of = (name: string) => new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(text)?.[1] ?? ''
    const rights = `uid ${of('Uid')} cap ${['CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map(of).join(' ')} no new ${of('NoNewPrivs')}`
    return { pid: Number(of('Pid')), parent: Number(of('PPid')), name: of('Name'), rights }
  })
  const family = [first]
  for (const pid of family) family.push(...known.filter(({ parent }) => parent === pid).map((each) => each.pid))
  return known.filter(({ pid }) => family.includes(pid))
}

/** From an address into the library and out to two networks: a picture and a video are decoded, measured and made smaller. */
async function publish(url: string, key: string, files: FileServer): Promise<void> {
  // Five requests a second are those of the demo account.
  const api = client(url, key, { pauseMs: 400 })
  const { data } = await api.get('/v1/social-sets')
  const socialSetId = data[0].id
  const media: string[] = []
  for (const name of ['photo.jpg', 'video-h264-aac.mp4']) {
    const upload = await api.post('/v1/media-upload', { socialSetId, url: await files.fixture(name) })
    const ended = await api.until(`/v1/media-upload/${upload.id}`, ({ status }) => ['READY', 'FAILED'].includes(status))
    expect(ended.error).toBeNull()
    media.push(ended.mediaLibraryId)
  }
  const [photo, video] = media.map((mediaLibraryId) => [{ mediaLibraryId }])
  const posts = [
    { accountType: 'BLUESKY', caption: 'A photo', media: photo },
    { accountType: 'INSTAGRAM', type: 'REEL', collaborators: [], caption: 'A reel', media: video },
  ]
  const body = { socialSetId, scheduledAt: new Date().toISOString(), status: 'SCHEDULED', approval: 'NONE', posts }
  const { id } = await api.post('/v1/post-sets', body)
  const done = await api.until(`/v1/post-sets/${id}`, ({ status }) => status === 'PUBLISHED')
  expect(done.posts.map((post: { result: object }) => post.result)).toMatchObject([
    { status: 'POSTED' },
    { status: 'POSTED' },
  ])
}

composed('it starts, publishes and starts again where nothing but its data and /tmp can be written to', async () => {
  const files = await startFileServer()
  left.push(files.close)
  const dataDir = await newDataDir()
  const settings = {
    ALMANAC_DATA_DIR: COMPOSED_DATA,
    ALMANAC_PORT: await freePort(),
    ALMANAC_TRUSTED_FETCH_HOSTS: files.host,
  }
  const start = async (): Promise<RunningAlmanac> => {
    const almanac = await startAlmanac({ settings, within: asComposed(dataDir) })
    left.push(almanac.stop)
    return almanac
  }
  const first = await start()
  const { key } = JSON.parse(await readFile(firstSignInFile(dataDir), 'utf8'))
  await publish(first.url, key, files)
  const processes = await processesOf(first.process.pid ?? 0)
  expect(processes.map(({ name }) => name)).toEqual(expect.arrayContaining(['postgres']))
  const plain = `uid 65534 cap ${Array(4).fill('0'.repeat(16)).join(' ')} no new 1`
  expect(new Set(processes.map(({ rights }) => rights))).toEqual(new Set([plain]))
  const { code, stdout, stderr } = await first.stop()
  expect(`${stdout}${stderr}`).not.toMatch(/EROFS|EACCES|EPERM|read-only|not permitted|denied/i)
  expect(code).toBe(0)
  const again = await start()
  await publish(again.url, key, files)
  expect((await readdir(join(dataDir, 'postgres'))).filter((name) => name.startsWith('postgresql-'))).toEqual([])
})
