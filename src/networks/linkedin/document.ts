import type { PostOptions } from '#contract'
import { type PdfPage, picturePdf } from '../kit/picture-pdf.ts'
import { refuse, warn } from '../kit/rules.ts'
import { tooLong } from '../kit/text-rules.ts'
import type { Attempt, CheckedMedia, Finding, MediaSource, MediaToSend, PostToCheck } from '../network.ts'
import { limits } from './manifest.ts'

/** Posts that LinkedIn shows as a document to leaf through: a PDF, or several pictures with a title for them. */

type Posted = Pick<PostToCheck, 'fields'> & { media: readonly CheckedMedia[] }

/** The title that was given for a document; null: none. */
function documentTitleOf({ fields }: Pick<PostToCheck, 'fields'>): string | null {
  const { documentTitle } = (fields.options ?? {}) as PostOptions
  return typeof documentTitle === 'string' && documentTitle.trim() !== '' ? documentTitle.trim() : null
}

const isOf = (type: CheckedMedia['facts']['type']) => (item: CheckedMedia) => item.facts.type === type

/** Whether the pictures of a post become the pages of a document. */
export const makesPages = (post: Posted): boolean =>
  documentTitleOf(post) !== null && post.media.length > 1 && post.media.every(isOf('IMAGE'))

export const isDocument = (post: Posted): boolean => makesPages(post) || post.media.some(isOf('DOCUMENT'))

const STEPS = ['options', 'documentTitle'] as const
const UNUSED = 'A title is of a PDF, or of several pictures that become one. It is kept here and not sent.'
const BROKEN = 'The title holds half of a character, which LinkedIn cannot take. Remove the broken character.'

export function checkTitle(post: PostToCheck): Finding[] {
  const title = documentTitleOf(post)
  if (title === null) return []
  if (!isDocument(post)) return [warn('post:field_invalid', STEPS, UNUSED)]
  const at = { code: 'post:field_too_long', steps: STEPS } as const
  return [
    ...(title.isWellFormed() ? [] : [refuse('post:field_invalid', STEPS, BROKEN)]),
    ...tooLong({ network: 'LinkedIn', what: 'titles', ...at, limit: limits.titleLength, actual: title.length }),
  ]
}

/** What LinkedIn shows above the pages: without a title the name of the file. */
export function shownTitle({ post }: Pick<Attempt, 'post'>): string {
  const name = post.media[0]?.source.name?.replace(/\.pdf$/i, '').trim()
  return (documentTitleOf(post) ?? (name || 'Document')).slice(0, limits.titleLength.value).toWellFormed()
}

/** Half a megabyte less than all of it, for what stands around the pictures. */
const PAGES_BYTES = limits.documentBytes.value - 500_000
/** No screen shows more of a page. */
const PAGE_SIDE = 4_096

/** The PDF that goes out: the file, or one that is made of the pictures, the same bytes each time. */
export async function fileOfDocument({ post }: Attempt): Promise<MediaSource> {
  const [first] = post.media
  if (!first) throw new TypeError('A document has no file.')
  return makesPages(post) ? madeOf(post.media, shownTitle({ post })) : first.source
}

async function madeOf(media: readonly MediaToSend[], title: string): Promise<MediaSource> {
  const pages: PdfPage[] = []
  const maxBytes = Math.min(limits.imageBytes.value, Math.floor(PAGES_BYTES / media.length))
  for (const { source } of media) {
    const { facts, open } = await source.rendition({
      format: 'jpeg',
      maxBytes,
      maxWidth: PAGE_SIDE,
      maxHeight: PAGE_SIDE,
    })
    pages.push({ width: facts.width, height: facts.height, bytes: facts.bytes, open })
  }
  const made = await picturePdf(pages, title)
  const none = { durationMs: null, videoCodec: null, audioCodec: null, frameRate: null, animated: false }
  const { width, height } = pages[0] ?? { width: 1, height: 1 }
  const unmade = () => Promise.reject(new TypeError('A document that was made has no other form.'))
  return {
    facts: {
      type: 'DOCUMENT',
      mimeType: 'application/pdf',
      bytes: made.bytes,
      width,
      height,
      pages: pages.length,
      ...none,
    },
    open: async () => made.open(),
    url: unmade,
    rendition: unmade,
    stripped: unmade,
  }
}
