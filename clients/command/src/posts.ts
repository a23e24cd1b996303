import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { basename, isAbsolute, join } from 'node:path'
import { Readable } from 'node:stream'
import type { AccountType, Almanac, MediaLibraryItem, PostInput } from '../../typescript/src/index.ts'
import { type Io, WrongUse } from './io.ts'

/** What a person says of a post besides its caption. */
export interface Wishes {
  title?: string | undefined
  website?: string | undefined
  privacy?: string | undefined
  type?: string | undefined
}

type MediaOfPost = { mediaLibraryId: string; altText?: string }

/** The posts of a set, one for each account, all with the same caption. */
export function postsOf(
  accountTypes: readonly AccountType[],
  caption: string,
  media: readonly { item: MediaLibraryItem; altText: string | undefined }[],
  wishes: Wishes,
): PostInput[] {
  const items = media.map(({ item, altText }) => ({
    mediaLibraryId: item.id,
    ...(altText === undefined ? {} : { altText }),
  }))
  const kinds = media.map(({ item }) => item.type)
  return accountTypes.map((type) => postOf(type, { caption, media: items, kinds, wishes }) as PostInput)
}

/** Of what a network wants to know the plainest: no mentions, no button, the kind of post that its media make. */
function postOf(
  accountType: AccountType,
  {
    caption,
    media,
    kinds,
    wishes,
  }: { caption: string; media: MediaOfPost[]; kinds: readonly string[]; wishes: Wishes },
): object {
  const post = { accountType, caption, media }
  const title = wishes.title ?? firstLine(caption)
  const [kind] = kinds
  switch (accountType) {
    case 'INSTAGRAM': {
      const type = kind === 'VIDEO' && media.length === 1 ? 'REEL' : media.length > 1 ? 'CAROUSEL' : 'IMAGE'
      return { ...post, type: wishes.type ?? type, collaborators: [] }
    }
    case 'FACEBOOK': {
      const type = media.length === 0 ? 'TEXT' : media.length > 1 ? 'MULTI_IMAGE' : kind === 'VIDEO' ? 'VIDEO' : 'IMAGE'
      return { ...post, type: wishes.type ?? type, richCaption: [caption] }
    }
    case 'LINKEDIN_PAGE':
    case 'LINKEDIN_PERSONAL':
      return { ...post, richCaption: [caption] }
    case 'GMB':
      return { ...post, ctaType: 'NONE' }
    case 'PINTEREST':
      return { ...post, title, website: wishes.website ?? '' }
    case 'YOUTUBE':
      return { ...post, title, privacy: wishes.privacy?.toUpperCase() ?? 'PUBLIC' }
    default:
      return post
  }
}

const firstLine = (caption: string) => caption.trim().split('\n')[0]?.slice(0, 100) ?? ''

/** What is longer is sent as it is read. */
const WHOLE_BYTES = 8_388_608

/**
 * Brings a file or an address into the media library.
 *
 * @param source a path from the folder of the command, or an address
 * @throws WrongUse when there is no such file; MediaUploadError
 */
export async function bringMedia(
  io: Io,
  almanac: Almanac,
  { socialSetId, source, altText }: { socialSetId: string; source: string; altText: string | undefined },
): Promise<MediaLibraryItem> {
  const options = { socialSetId, altText, signal: io.signal }
  const upload = /^https?:\/\//i.test(source)
    ? await almanac.importMedia(source, options)
    : await sendFile(io, almanac, source, options)
  return almanac.media.get(upload.mediaLibraryId, { signal: io.signal })
}

async function sendFile(
  io: Io,
  almanac: Almanac,
  source: string,
  options: { socialSetId: string; altText: string | undefined; signal: AbortSignal },
) {
  const path = isAbsolute(source) ? source : join(io.cwd, source)
  const bytes = await sizeOf(path, source)
  const named = { ...options, name: basename(path), bytes }
  if (bytes <= WHOLE_BYTES) return almanac.importMedia(new Blob([await readFile(path)]), named)
  const stream = Readable.toWeb(createReadStream(path)) as unknown as ReadableStream<Uint8Array>
  const onProgress = ({ bytesSent }: { bytesSent: number }) =>
    io.report(`${named.name}: ${Math.floor((bytesSent / bytes) * 100)} %\n`)
  return almanac.importMedia(stream, { ...named, onProgress })
}

async function sizeOf(path: string, source: string): Promise<number> {
  const found = await stat(path).catch(() => null)
  if (!found?.isFile()) throw new WrongUse(`There is no file ${source}.`)
  return found.size
}
