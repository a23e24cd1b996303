import type { MediaTag } from '#contract'

export const POST_TYPES = ['IMAGE', 'CAROUSEL', 'REEL', 'STORY'] as const
export type PostType = (typeof POST_TYPES)[number]

/** Reads the fields of an INSTAGRAM post of the API, whose shape is checked. Empty texts are as good as none. */
export function fieldsOf(fields: Readonly<Record<string, unknown>>) {
  const collaborators = Array.isArray(fields.collaborators) ? fields.collaborators.map(String) : []
  return {
    type: fields.type as PostType,
    /** Without @, each once. */
    collaborators: [...new Set(collaborators.map(handle))],
    firstComment: text(fields.firstComment),
    /** Id of a track of the network's audio library. */
    audio: text(fields.audio),
    /** Title of a reel's own sound. */
    audioName: text(fields.audioName),
    /** Seconds into the first video. */
    cover: typeof fields.videoCoverImage === 'number' ? fields.videoCoverImage : null,
  }
}
export type Fields = ReturnType<typeof fieldsOf>

/** A handle as the network wants it: people write the @ all the same. */
export const handle = (written: string): string => written.trim().replace(/^@/, '')

/** Tags of a media item, each account once. */
export function tagsOf(tags: readonly MediaTag[]): { username: string; x: number; y: number }[] {
  const byName = new Map(tags.map(({ text, x, y }) => [handle(text), { username: handle(text), x, y }]))
  return [...byName.values()]
}

const text = (value: unknown): string | null => (typeof value === 'string' && value.trim() !== '' ? value.trim() : null)
