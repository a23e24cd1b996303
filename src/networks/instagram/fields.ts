import type { MediaTag } from '#contract'

export const POST_TYPES = ['IMAGE', 'CAROUSEL', 'REEL', 'STORY'] as const
export type PostType = (typeof POST_TYPES)[number]

/** The fields of an INSTAGRAM post of the interface. Empty texts are as good as none. */
export interface Fields {
  type: PostType
  /** Without @, each once. */
  collaborators: string[]
  firstComment: string | null
  /** Id of a track of the network's audio library. */
  audio: string | null
  /** Title of a reel's own sound. */
  audioName: string | null
  /** Seconds into the first video. */
  cover: number | null
}

/** Reads the fields of a post whose shape is checked. */
export function fieldsOf(fields: Readonly<Record<string, unknown>>): Fields {
  const collaborators = Array.isArray(fields.collaborators) ? fields.collaborators.map(String) : []
  return {
    type: fields.type as PostType,
    collaborators: [...new Set(collaborators.map(handle))],
    firstComment: text(fields.firstComment),
    audio: text(fields.audio),
    audioName: text(fields.audioName),
    cover: typeof fields.videoCoverImage === 'number' ? fields.videoCoverImage : null,
  }
}

/** A handle as the network wants it: people write the @ all the same. */
export function handle(written: string): string {
  return written.trim().replace(/^@/, '')
}

/** Tags of a media item, each account once. */
export function tagsOf(tags: readonly MediaTag[]): { username: string; x: number; y: number }[] {
  const byName = new Map(tags.map(({ text, x, y }) => [handle(text), { username: handle(text), x, y }]))
  return [...byName.values()]
}

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)
