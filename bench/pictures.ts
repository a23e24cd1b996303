import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import sharp from 'sharp'
import type { MediaUpload } from '#contract'
import { blankPng } from '../test/_util/files/blank-png.ts'
import { startFileServer } from '../test/_util/networks/file-server.ts'
import { startInstallation } from '../test/e2e/installation.ts'
import { inMs, printTable } from './measure.ts'
import { resident, watchPeak } from './memory.ts'

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })

/** Imports of one picture at the same time. */
const AT_ONCE = 4
const MB = 1024 * 1024
const inMB = (bytes: number) => (bytes / MB).toFixed(0)

/** What is imported, from the hardest to the most usual. */
const PICTURES: readonly (readonly [name: string, make: () => Promise<Buffer> | Buffer])[] = [
  [
    'PNG 10900x10900, 16 bit, interlaced',
    () => blankPng({ width: 10_900, height: 10_900, bits: 16, interlaced: true }),
  ],
  ['PNG 7900x7900, 8 bit, interlaced', () => blankPng({ width: 7_900, height: 7_900, bits: 8, interlaced: true })],
  ['PNG 10900x10900, 16 bit', () => blankPng({ width: 10_900, height: 10_900, bits: 16, interlaced: false })],
  ['JPEG 9500x6300, progressive', () => photo(9_500, 6_300, true)],
  ['JPEG 12000x9000', () => photo(12_000, 9_000, false)],
  ['JPEG 6000x4000', () => photo(6_000, 4_000, false)],
]

const server = await startFileServer()
const installation = await startInstallation({ ALMANAC_TRUSTED_FETCH_HOSTS: server.host })
try {
  const { accountId, socialSetId } = await installation.command<{ accountId: string; socialSetId: string }>([
    ...['accounts', 'create', '--name', 'Bench', '--plan', 'SCALE'],
  ])
  const { key } = await installation.command<{ key: string }>([
    ...['keys', 'create', '--account', accountId, '--name', 'Bench', '--scopes', 'media:write'],
  ])
  const root = installation.almanac.process.pid ?? 0
  // What the libraries need is loaded before anything is measured.
  await importAll(key, socialSetId, await photo(100, 100, false), 1)
  const rows: string[][] = []
  for (const [name, make] of PICTURES.filter(([name]) => name.includes(values.only))) {
    const bytes = await make()
    // A process that has nothing to do gives its memory back.
    await pause(15_000)
    const idle = await resident(root)
    const watch = watchPeak(root)
    const since = performance.now()
    const ended = await importAll(key, socialSetId, bytes, AT_ONCE)
    const took = performance.now() - since
    const peak = await watch.stop()
    const outcomes = new Set(ended.map(({ status, error }) => error?.code ?? status))
    rows.push([name, (bytes.length / MB).toFixed(1), inMB(idle), inMB(peak - idle), inMs(took), [...outcomes].join()])
  }
  printTable(
    `${AT_ONCE} imports at once; memory of all processes of Almanac (without PostgreSQL)`,
    ['picture', 'file MB', 'idle MB', 'peak over idle MB', 'ms', 'outcome'],
    rows,
  )
} finally {
  await installation.stop()
  await server.close()
}

async function importAll(key: string, socialSetId: string, bytes: Buffer, count: number): Promise<MediaUpload[]> {
  const url = server.on('/picture', (_, response) => void response.writeHead(200).end(bytes))
  const request = async (path: string, body?: object): Promise<MediaUpload> => {
    const answer = await fetch(`${installation.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { authorization: `Bearer ${key}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return (await answer.json()) as MediaUpload
  }
  const uploads = await Promise.all(
    Array.from({ length: count }, () => request('/v1/media-upload', { socialSetId, url })),
  )
  return Promise.all(
    uploads.map(async ({ id }) => {
      for (;;) {
        // Where pictures take all memory, requests fail too: the next one asks again.
        const upload = await request(`/v1/media-upload/${id}`).catch(() => null)
        if (upload?.status === 'READY' || upload?.status === 'FAILED') return upload
        await pause(100)
      }
    }),
  )
}

/** With the detail of a photo, so that a file has the size that a camera's has. */
async function photo(width: number, height: number, progressive: boolean): Promise<Buffer> {
  const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const
  const grain = await sharp({
    create: { width: Math.ceil(width / 8), height: Math.ceil(height / 8), channels: 3, background: '#888', noise },
  })
    .png()
    .toBuffer()
  return sharp(grain).resize(width, height, { fit: 'fill' }).jpeg({ quality: 90, progressive }).toBuffer()
}
