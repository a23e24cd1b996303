import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { vi } from 'vitest'
import { type MediaLibraryItem, type MediaUpload, SHIPPED_PLANS } from '#contract'
import { createImporter, importerDefaults } from '#importing'
import { createDiskStore, createGuardedFetch, type MediaStore } from '#media'
import { done } from '../browser/dashboard-api.ts'
import { readFixture } from '../networks/file-server.ts'
import { type Answer, type Api, startApi } from './api.ts'
import { type Person, signInAs } from './members.ts'
import { tusClient } from './tus-client.ts'

export interface PosterFixture {
  api: Api
  store: MediaStore
  owner: Person
  /** Begins an upload of a member, of which no byte is sent, in a social set of its own unless one is named. */
  begin(options?: { person?: Person; file?: string; socialSetId?: string }): Promise<BegunUpload>
  /** Lets a worker look at all uploads that have their bytes. */
  work(): Promise<void>
  /** The files of the store. */
  files(): Promise<string[]>
  close(): Promise<void>
}

export interface BegunUpload {
  id: string
  socialSetId: string
  poster(picture: Uint8Array, options?: { by?: Person; type?: string; query?: string }): Promise<Answer>
  /** Sends all bytes of the file. */
  sendFile(): Promise<void>
  /** The item, once a worker has looked at the file. */
  item(): Promise<MediaLibraryItem>
  ended(): Promise<MediaUpload>
}

/** The API, uploads of members, and a worker that looks at what they sent when a test says so. */
export async function openPosterFixture(): Promise<PosterFixture> {
  const api = await startApi()
  const store = createDiskStore({ dir: api.mediaFolder })
  const owner = await signInAs(api, 'owner')
  const log = { info() {}, warn() {}, error() {} }
  const settings = { ...importerDefaults, tickMs: 20 }
  const importer = createImporter({
    db: api.db,
    store,
    fetch: createGuardedFetch({ trustedHosts: [] }),
    plans: SHIPPED_PLANS,
    settings,
    log,
  })
  let working: Promise<void> | null = null

  return {
    api,
    store,
    owner,
    async begin({ person = owner, file = 'video-vp9.webm', socialSetId } = {}) {
      const place = socialSetId ?? (await api.newSocialSet())
      const from = { origin: 'https://almanac.test', 'sec-fetch-site': 'same-origin', cookie: person.cookie }
      const tus = tusClient(api.url, from, 'internal')
      const bytes = await readFixture(file)
      const { id, path } = await tus.begun({ socialSetId: place, name: file }, bytes.length)
      const upload: BegunUpload = {
        id,
        socialSetId: place,
        poster: (picture, { by = person, type = 'image/jpeg', query = '' } = {}) =>
          by.request('POST', `/media-upload/${id}/poster${query}`, { raw: picture, headers: { 'content-type': type } }),
        async sendFile() {
          const { status, body } = await tus.send(path, 0, bytes)
          if (status !== 204) throw new Error(`The file was refused: ${status} ${JSON.stringify(body)}`)
        },
        ended: () =>
          vi.waitFor(
            async () => {
              const answer: MediaUpload = await done(person.request('GET', `/media-upload/${id}`))
              if (answer.status !== 'READY' && answer.status !== 'FAILED') throw new Error(`It is ${answer.status}.`)
              return answer
            },
            { timeout: 20_000, interval: 20 },
          ),
        async item() {
          const { mediaLibraryId, error } = await upload.ended()
          if (mediaLibraryId === null) throw new Error(`The upload failed: ${JSON.stringify(error)}`)
          return done(person.request('GET', `/media-library/${mediaLibraryId}`))
        },
      }
      return upload
    },
    async work() {
      working ??= importer.start()
      await working
    },
    files: async () => (await Array.fromAsync(store.list({ olderThanMs: 0 }))).sort(),
    async close() {
      await importer.stop()
      await api.close()
    },
  }
}

export const GREEN = { r: 20, g: 160, b: 60 }

/** A picture of one color. */
export function plain(
  format: 'jpeg' | 'png' | 'webp' | 'gif' = 'jpeg',
  { width = 640, height = 360, color = GREEN } = {},
): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: color } })
    .toFormat(format)
    .toBuffer()
}

/** A picture of noise, which no format makes small. */
export function noise(width: number, height: number): Promise<Buffer> {
  const raw = { width, height, channels: 3 as const }
  return sharp(randomBytes(width * height * 3), { raw })
    .png({ compressionLevel: 0 })
    .toBuffer()
}

/** Size, format and mean color of a picture, and how far its pixels are from that (standard deviation, of the channel that differs most). */
export async function lookAt(picture: Uint8Array) {
  const { format, width, height, exif, xmp, icc } = await sharp(picture).metadata()
  const { channels } = await sharp(picture).stats()
  const [r, g, b] = channels.map(({ mean }) => Math.round(mean))
  const spread = Math.max(...channels.map(({ stdev }) => stdev))
  return { format, width, height, says: [exif, xmp, icc].some(Boolean), color: { r, g, b }, spread }
}
