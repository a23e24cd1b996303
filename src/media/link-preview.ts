import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { JpegSpec } from '#contract'
import type { GuardedFetch } from './guarded-fetch.ts'
import type { Page } from './open-graph.ts'
import { openPageProcess, type ReadPage } from './page-process.ts'
import { renderImage } from './renditions.ts'
import { isPicture } from './sniff.ts'
import { createDiskStore } from './store.ts'

/** What a web page says of itself to those who link to it. */
interface LinkPreview {
  title: string
  /** Empty where there is none. */
  description: string
  /** A JPEG; null where there is none that can be used. */
  image: Buffer | null
}

interface PreviewLimits {
  /** Milliseconds for page and picture together, and for the page alone. */
  timeoutMs: number
  pageMs: number
  /** Milliseconds in which a server has to send something. */
  idleTimeoutMs: number
  /** Bytes of a page that are read, unpacked: what it says of itself is at its beginning. */
  pageBytes: number
  imageBytes: number
}

export const previewLimits: PreviewLimits = {
  timeoutMs: 12_000,
  pageMs: 6_000,
  idleTimeoutMs: 4_000,
  pageBytes: 1_048_576,
  imageBytes: 10_000_000,
}

/** Pages may be as large as this; they are not read to their end. */
const LARGEST_PAGE = 100_000_000
const TITLE_LETTERS = 300
const DESCRIPTION_LETTERS = 1_000
const HTML = new Set(['text/html', 'application/xhtml+xml'])
/** Types that say nothing: the bytes do. https://mimesniff.spec.whatwg.org/#determining-the-computed-mime-type-of-a-resource (read 2026-11-29) */
const NO_TYPES = new Set(['', 'unknown/unknown', 'application/unknown', '*/*'])
/** How pages begin, in bytes of ASCII: behind a mark of byte order, of UTF-8 or UTF-16. */
const PAGE_BEGINS =
  /^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*(?:<\?xml[^>]*>\s*)?(?:<!--|<(?:!doctype html|html|head|title|meta|link|base|body|script|style)[\s>])/i

/** Gives what a page says of itself; see `createLinkPreviews`. */
export type ReadLinkPreview = (url: string, image: JpegSpec, signal: AbortSignal) => Promise<LinkPreview | null>

/**
 * Makes the reader of link previews: a page and its picture are fetched through the guard, within `limits`. Null for a page
 * that does not begin to come in time, is none, or has no title; a picture that cannot be had is left out. Rejects with the
 * signal's reason alone: nothing that a page does is worth a failure.
 */
export function createLinkPreviews(
  fetch: Pick<GuardedFetch, 'download'>,
  limits: PreviewLimits = previewLimits,
  readPage: ReadPage = openPageProcess(),
): ReadLinkPreview {
  const { idleTimeoutMs, pageBytes, imageBytes } = limits

  /** What comes of a page within its limits: some go on sending for as long as they are shown. */
  async function pageOf(url: string, signal: AbortSignal): Promise<(Page & { url: string }) | null> {
    const accept = 'text/html, application/xhtml+xml;q=0.9'
    const found = await fetch.download(url, {
      ...{ signal, idleTimeoutMs, accept, acceptEncoding: 'gzip, deflate, br' },
      ...{ maxBytes: LARGEST_PAGE, timeoutMs: limits.pageMs },
    })
    if (found.kind === 'failed') return null
    const pieces: Buffer[] = []
    let bytes = 0
    const type = found.mimeType ?? ''
    try {
      if (!HTML.has(type) && !NO_TYPES.has(type)) return null
      for await (const piece of found.stream) {
        pieces.push(piece)
        bytes += piece.length
        if (bytes >= pageBytes) break
      }
    } catch (error) {
      if (signal.aborted || bytes === 0) throw error
    } finally {
      found.stream.destroy()
    }
    const page = Buffer.concat(pieces).subarray(0, pageBytes)
    return HTML.has(type) || looksLikePage(page) ? { bytes: page, charset: found.charset, url: found.url } : null
  }

  /** The picture in a folder of its own: nothing of it stays. */
  async function imageOf(url: string, spec: JpegSpec, signal: AbortSignal): Promise<Buffer | null> {
    const options = { signal, maxBytes: imageBytes, timeoutMs: limits.timeoutMs, idleTimeoutMs, accept: 'image/*' }
    const found = await fetch.download(url, options)
    if (found.kind === 'failed') return null
    const dir = await mkdtemp(join(tmpdir(), 'almanac-preview-'))
    try {
      const store = createDiskStore({ dir })
      const { key } = await store.put(found.stream, { signal })
      if (!(await isPicture(store, key))) return null
      const made = await renderImage(store, key, spec, { signal })
      return await buffer(await store.open(made.key))
    } finally {
      found.stream.destroy()
      await rm(dir, { recursive: true, force: true })
    }
  }

  return async (url, spec, outer) => {
    const signal = AbortSignal.any([outer, AbortSignal.timeout(limits.timeoutMs)])
    const orNull = <T>(work: Promise<T>): Promise<T | null> =>
      work.catch(() => {
        outer.throwIfAborted()
        return null
      })
    const page = await orNull(pageOf(url, signal))
    const facts = page && (await orNull(readPage(page, signal)))
    if (!page || !facts || facts.title === null) return null
    const { title, description, images, base } = facts
    const addresses = images.flatMap((each) => URL.parse(each, baseOf(base, page.url))?.href ?? [])
    let image: Buffer | null = null
    for (const address of addresses) image ??= await orNull(imageOf(address, spec, signal))
    return {
      title: shortened(title, TITLE_LETTERS),
      description: shortened(description ?? '', DESCRIPTION_LETTERS),
      image,
    }
  }
}

/** Letters of UTF-16 have a zero beside them. */
const looksLikePage = (page: Buffer): boolean =>
  PAGE_BEGINS.test(page.subarray(0, 1_024).toString('latin1').replaceAll('\0', ''))

/** What addresses of a page are relative to: what it says, where such can be (as browsers have it), or its own. */
function baseOf(written: string | null, own: string): string {
  const base = URL.parse(written ?? '', own)
  return base?.protocol === 'http:' || base?.protocol === 'https:' ? base.href : own
}

/** Whole code points. */
function shortened(text: string, most: number): string {
  const letters = [...text]
  return letters.length <= most
    ? text
    : `${letters
        .slice(0, most - 1)
        .join('')
        .trimEnd()}…`
}
