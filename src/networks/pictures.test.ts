import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { Agent } from 'undici'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { SECRET, type TellingPicture, tellingPictures } from '../../test/_util/files/telling-pictures.ts'
import { network as bluesky } from './bluesky/index.ts'
import { deliver } from './conformance/deliver.ts'
import { createClock, type World } from './conformance/delivery.ts'
import { openSampleMedia, type Sample, type SampleMedia, simulatorBackend } from './conformance/index.ts'
import { network as facebook } from './facebook/index.ts'
import { network as google } from './google-business/index.ts'
import { network as instagram } from './instagram/index.ts'
import { createHttp } from './kit/http.ts'
import { network as linkedin } from './linkedin/index.ts'
import type { Network } from './network.ts'
import { network as pinterest } from './pinterest/index.ts'
import { network as threads } from './threads/index.ts'
import { network as tiktok } from './tiktok/index.ts'
import { network as x } from './x/index.ts'
import { network as youtube } from './youtube/index.ts'

const image = { fields: { type: 'IMAGE', richCaption: [] } }
/** A post with a picture, of each network. */
const ROWS: [Network, Pick<Sample, 'accountType' | 'fields'>, SampleMedia[]?][] = [
  [bluesky, { accountType: 'BLUESKY' }],
  [facebook, { accountType: 'FACEBOOK', ...image }],
  [google, { accountType: 'GMB', fields: { ctaType: 'NONE' } }],
  [instagram, { accountType: 'INSTAGRAM', ...image }],
  [linkedin, { accountType: 'LINKEDIN_PAGE' }],
  [pinterest, { accountType: 'PINTEREST', fields: { title: 'Bread', website: 'https://a.example', board: null } }],
  [threads, { accountType: 'THREADS' }],
  [tiktok, { accountType: 'TIKTOK' }],
  [x, { accountType: 'TWITTER' }],
  // The picture of a video.
  [youtube, { accountType: 'YOUTUBE', fields: { title: 'Bread', privacy: 'PRIVATE' } }, [{ file: 'video-short.mp4' }]],
]

let dir: string
let files: (TellingPicture & { path: string })[]
const agent = new Agent()
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'almanac-pictures-'))
  files = (await tellingPictures()).map((picture, at) => ({ ...picture, path: join(dir, String(at)) }))
  for (const { path, bytes } of files) await writeFile(path, bytes)
})
afterAll(async () => {
  await rm(dir, { recursive: true, force: true })
  await agent.destroy()
})

/**
 * What a network got of a picture, byte for byte. `same`: the bytes that were uploaded. `bare`: what is left of them when they are cut.
 * `JPEG`: a fresh one. `+AI`: and it says how the picture came to be. `LEAKED`: what was not to get out did.
 */
function formOf(sent: Buffer, { bytes, bare }: TellingPicture): string {
  if (sent.includes(SECRET)) return 'LEAKED'
  const label = sent.includes('trainedAlgorithmicMedia') ? '+AI' : ''
  if (bare && sent.includes(bare)) return bare === bytes ? 'same' : `bare${label}`
  return sent.includes('ffd8ff', 'hex') ? `JPEG${label}` : 'nothing'
}

/** Pictures stand in JSON as base64. */
const withDecoded = (json: string): Buffer =>
  Buffer.concat([
    Buffer.from(json),
    ...[...json.matchAll(/"data":"([\w+/=]+)"/g)].map(([, data = '']) => Buffer.from(data, 'base64')),
  ])

async function rowOf([network, sample, before = []]: (typeof ROWS)[number]): Promise<Record<string, string>> {
  const clock = createClock()
  const backend = await simulatorBackend(network, sample.accountType, { now: clock.now })
  const http = createHttp({ trustedOrigins: new Set(), plain: agent, guarded: agent })
  const world: World = { network, backend, media: await openSampleMedia(), http, clock }
  const row: Record<string, string> = {}
  try {
    for (const [at, picture] of files.entries()) {
      const bodies: Buffer[] = []
      world.media.served.clear()
      const media = [...before, { file: picture.path }]
      const { post } = await deliver(
        world,
        { title: picture.name, caption: `Bread ${at}`, ...sample, media },
        {
          async intercept({ request, send }) {
            if (request.json) bodies.push(withDecoded(JSON.stringify(request.json)))
            if (!request.body) return send()
            const bytes = request.body instanceof Uint8Array ? Buffer.from(request.body) : await buffer(request.body)
            bodies.push(bytes)
            return http({ ...request, body: request.body instanceof Uint8Array ? bytes : Readable.from([bytes]) })
          },
        },
      )
      const sent = Buffer.concat([...bodies, ...(await world.media.served.files())])
      row[picture.name] = post.kind === 'made' ? formOf(sent, picture) : JSON.stringify(post)
    }
  } finally {
    await world.media.close()
    await backend.stop()
  }
  return row
}

test('what each network gets of a picture', { timeout: 60_000 }, async () => {
  const rows: Record<string, Record<string, string>> = {}
  for (const row of ROWS) rows[row[0].manifest.name] = await rowOf(row)
  const names = Object.keys(rows)
  const table = files.map(({ name }) => [name, ...names.map((network) => rows[network]?.[name])].join(' | '))
  expect(['', ...names].join(' | ')).toBe(
    ' | bluesky | facebook | google-business | instagram | linkedin | pinterest | threads | tiktok | x | youtube',
  )
  // Bluesky turns nothing by Exif, and of PNG and WebP it is not known who does: what is turned goes out as a fresh, upright JPEG.
  // No network shows an APNG or a WebP moving: their first picture goes out, as the rules say.
  expect(table).toEqual([
    'a plain JPEG | same | same | same | JPEG | same | same | same | same | same | same',
    'a photo with GPS, camera and a small picture | JPEG | bare | bare | JPEG | bare | bare | bare | bare | bare | bare',
    'a photo with IPTC and XMP | bare | bare | bare | JPEG | bare | bare | bare | bare | bare | bare',
    'an AI picture that says so in XMP | bare+AI | bare+AI | bare+AI | JPEG+AI | bare+AI | bare+AI | bare+AI | bare+AI | bare+AI | bare+AI',
    'an AI picture that says so in C2PA | bare+AI | bare+AI | bare+AI | JPEG+AI | bare+AI | bare+AI | bare+AI | bare+AI | bare+AI | bare+AI',
    'two pictures in one (MPF) | bare | bare | bare | JPEG | bare | bare | bare | bare | bare | bare',
    'a motion photo | JPEG | bare | bare | JPEG | bare | bare | bare | bare | bare | bare',
    'a JPEG with something between its segments | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG',
    'a cropped screenshot | bare | bare | bare | JPEG | bare | bare | bare | JPEG | bare | bare',
    'a PNG with Exif, texts, a time and C2PA | JPEG+AI | JPEG+AI | JPEG+AI | JPEG+AI | JPEG+AI | JPEG+AI | JPEG+AI | JPEG+AI | JPEG+AI | JPEG+AI',
    'an APNG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG',
    'a WebP with Exif and XMP | JPEG+AI | JPEG+AI | JPEG+AI | JPEG+AI | JPEG+AI | JPEG+AI | JPEG+AI | bare+AI | bare+AI | JPEG+AI',
    'a moving WebP | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG | JPEG',
    'a moving GIF | bare | JPEG | JPEG | JPEG | bare | bare | JPEG | JPEG | bare | JPEG',
  ])
})
