/** What people call a post that is more than text with pictures. */
export const POST_KINDS = ['STORY', 'REEL', 'SHORT', 'CAROUSEL', 'DOCUMENT', 'VIDEO'] as const
export type PostKind = (typeof POST_KINDS)[number]

/** The kinds that fill a phone's screen on every network. */
export const UPRIGHT_KINDS = ['STORY', 'REEL', 'SHORT'] as const satisfies readonly PostKind[]
export type UprightKind = (typeof UPRIGHT_KINDS)[number]

/** A video as shown: pixels after any rotation, milliseconds. Null: not known. */
interface Video {
  width: number | null
  height: number | null
  durationMs: number | null
}

/** The parts of a post that determine its kind: its options and media. */
export interface FormOfPost {
  accountType: string
  /** Its field `type`; null where its account type has none. */
  type: string | null
  /** How many media items it has. */
  items: number
  /** The first of them that is a video. */
  video: Video | null
  /** One of them is a document, or they become the pages of one. */
  document: boolean
}

/** Networks that show several items as one that is leafed through, without being asked to. */
const LEAFED = new Set(['INSTAGRAM', 'PINTEREST', 'THREADS', 'TIKTOK'])

/** Square and upright videos of up to three minutes. https://support.google.com/youtube/answer/15424877 (read 2026-11-30) */
const SHORT_MS = 180_000

/** Whether YouTube turns a video into a Short. False if it has not been measured. */
export function isShort({ width, height, durationMs }: Video): boolean {
  return durationMs !== null && durationMs <= SHORT_MS && width !== null && height !== null && height >= width
}

/** The kind of a post; null for text, or pictures side by side. */
export function kindOfPost({ accountType, type, items, video, document }: FormOfPost): PostKind | null {
  if (document) return 'DOCUMENT'
  if (type === 'STORY' || type === 'REEL' || type === 'CAROUSEL') return type
  if (items > 1 && LEAFED.has(accountType)) return 'CAROUSEL'
  if (video === null) return null
  return accountType === 'YOUTUBE' && isShort(video) ? 'SHORT' : 'VIDEO'
}

/** The kinds of the posts of a set, each once, in the order of the posts. */
export function kindsOfPosts(posts: readonly FormOfPost[]): PostKind[] {
  return [...new Set(posts.map(kindOfPost))].filter((kind) => kind !== null)
}

interface Post {
  accountType: string
  media: readonly { type: string; width: number; height: number; durationMs: number | null }[]
  [field: string]: unknown
}

const isImage = ({ type }: { type: string }) => type === 'IMAGE'

/** The title that turns several pictures into a document; empty if there is none. */
export function documentTitleIn(options: unknown): string {
  const title = (options as Record<string, unknown> | null | undefined)?.documentTitle
  return typeof title === 'string' ? title.trim() : ''
}

/** The form of a post of the API, or of a draft, by its options and media. */
export function formOfPost({ accountType, type, media, options }: Post): FormOfPost {
  const video = media.find((item) => item.type === 'VIDEO') ?? null
  const hasDocument = media.some((item) => item.type === 'DOCUMENT')
  const document = hasDocument || (media.length > 1 && media.every(isImage) && documentTitleIn(options) !== '')
  return { accountType, type: typeof type === 'string' ? type : null, items: media.length, video, document }
}
