import type { JpegSpec, RenditionSpec } from '#contract'
import { type MediaStore, makeRendition, oneAtATime, type Rendition, stripPicture, type UrlSigner } from '#media'
import type { MediaSource } from '#networks'
import { type Database, findMediaFiles, type MediaFile, type MediaRendition } from '#persistence'
import { keptCopies } from './kept-copies.ts'

interface MediaSourcesDeps {
  db: Database
  store: MediaStore
  urls: UrlSigner
}

/** A network may fetch a file days after it got its address. */
const URL_HOURS = 72

/**
 * Gives connectors the bytes of media items, by the items' ids; an item that does not exist is left out. Converted
 * copies are made once and kept.
 */
export function createMediaSources(
  deps: MediaSourcesDeps,
): (mediaIds: readonly string[]) => Promise<ReadonlyMap<string, MediaSource>> {
  const copyOf = keptCopies(deps)
  /** What became of looking through an image, by its key in the store. A file never changes, and guests ask for one often. */
  const looked = new Map<string, Looked>()
  const inTurn = oneAtATime()

  /** Remuxing takes a core and some hundred megabytes for seconds, so this process makes one video at a time. */
  function make(item: StoredItem, spec: RenditionSpec): Promise<Rendition> {
    const start = () => makeRendition(deps.store, item.storageKey, spec)
    return spec.format === 'mp4' ? inTurn(start) : start()
  }

  async function lookThrough({ storageKey }: StoredItem): Promise<Looked> {
    const found = await stripPicture(deps.store, storageKey)
    if (looked.size >= MOST_LOOKED) looked.clear()
    const kept = found.kind === 'cut' ? { kind: found.kind, bytes: found.bytes, turned: found.turned } : found
    looked.set(storageKey, kept)
    return kept
  }

  async function strip({ storageKey, facts }: StoredItem): Promise<Rendition> {
    const found = await stripPicture(deps.store, storageKey)
    if (found.kind !== 'cut') throw new Error('A picture that could be cut cannot be cut any more.')
    return found.put(facts)
  }

  function sourceOf(item: StoredItem, file: StoredFileOfItem, part: Part = {}): MediaSource {
    const source: MediaSource = {
      facts: file.facts,
      name: item.name,
      open: (range) => deps.store.open(file.storageKey, range),
      url: async () => deps.urls.sign(file.address, URL_HOURS, new Date()),
      async rendition(asked) {
        const spec = asked.format === 'jpeg' ? { ...part, ...asked } : asked
        if (item.facts.type !== (spec.format === 'mp4' ? 'VIDEO' : 'IMAGE')) {
          throw new TypeError('Only images become JPEGs, and only videos MP4s.')
        }
        const made = await copyOf(item, nameOf(spec), () => make(item, spec))
        return sourceOf(item, fileOf(made), spec.format === 'jpeg' ? partOf(spec) : {})
      },
      async stripped({ maxBytes = Number.POSITIVE_INFINITY, upright = false } = {}) {
        if (item.facts.type !== 'IMAGE') throw new TypeError('Only images are stripped.')
        const isCopy = file.address.variant === 'rendition'
        const found = isCopy ? BARE : (looked.get(item.storageKey) ?? (await lookThrough(item)))
        if (found.kind === 'bare') return file.facts.bytes <= maxBytes ? source : null
        if (found.kind === 'impossible' || found.bytes > maxBytes || (upright && found.turned)) return null
        return sourceOf(item, fileOf(await copyOf(item, 'stripped', () => strip(item))))
      },
    }
    return source
  }

  return async (mediaIds) => {
    const items = await findMediaFiles(deps.db, mediaIds)
    return new Map(
      items.map((item) => [item.id, sourceOf(item, { ...item, address: { id: item.id, variant: 'original' } })]),
    )
  }
}

/**
 * Gives the names of those media items whose file is not in the store.
 *
 * @throws when nothing at all is in the store: then it is the store that is missing, such as a disk that is not mounted,
 *   and it may come back
 */
export function missingMediaIn({ db, store }: Pick<MediaSourcesDeps, 'db' | 'store'>) {
  return async (mediaIds: readonly string[]): Promise<string[]> => {
    const missing: string[] = []
    for (const { name, storageKey } of await findMediaFiles(db, mediaIds)) {
      if ((await store.stat(storageKey)) === null) missing.push(name)
    }
    if (missing.length > 0 && (await store.isEmpty())) {
      throw new Error('There are no media at all where they should be. Is the disk or folder of the media mounted?')
    }
    return missing
  }
}

/** What was made here says nothing but what it shows. */
const BARE: Looked = { kind: 'bare' }
type Looked = { kind: 'bare' } | { kind: 'impossible' } | { kind: 'cut'; bytes: number; turned: boolean }
const MOST_LOOKED = 10_000

const fileOf = ({ id, ...copy }: MediaRendition): StoredFileOfItem => ({
  ...copy,
  address: { id, variant: 'rendition' },
})

type StoredItem = MediaFile & { id: string }
type StoredFileOfItem = Pick<MediaFile, 'storageKey' | 'facts'> & { address: { id: string; variant: string } }

/** One name for every form: the same limits in any order. */
function nameOf(spec: RenditionSpec): string {
  if (spec.format === 'mp4') return spec.format
  const { format, maxBytes, maxWidth, maxHeight, crop, fit } = spec
  const part = crop ? [crop.left, crop.top, crop.width, crop.height] : fit ? [fit.kind, fit.width, fit.height] : []
  return [format, maxBytes ?? '', maxWidth ?? '', maxHeight ?? '', ...part].join(' ')
}

/** What of a picture its copies show. */
type Part = Pick<JpegSpec, 'crop' | 'fit'>
const partOf = ({ crop, fit }: JpegSpec): Part => ({ ...(crop && { crop }), ...(fit && { fit }) })
